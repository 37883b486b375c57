// Package isolate runs the command dicescript in a child process with hard
// limits of memory and processor time, which the operating system holds.
//
// The limits of package lang are counted by the interpreter and the engine; a
// recipe that finds a way around the counting could still fill the memory of
// its process. In a child, it is the child that ends. A host that runs the
// recipes of strangers calls [Run] with the path of the command:
//
//	var out bytes.Buffer
//	child := isolate.Child{Command: "/usr/bin/dicescript", Stdin: recipe, Stdout: &out}
//	err := isolate.Run(ctx, child, isolate.Limits{Memory: 512 << 20, CPU: 5 * time.Second},
//		"run", "--format", "json", "-")
//
// A command that can be run this way calls [Enter] when its first argument is
// [Subcommand]; dicescript does.
package isolate
