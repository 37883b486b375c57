package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"dicescript/builtins/suggest"
	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang/isolate"
	"dicescript/lang/report"
)

// This file finds the subcommand that the arguments ask for.

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the recipe failed
	exitUsage  = 2 // the command was used wrongly
)

// A tool is one use of the command: where its text comes from and goes.
type tool struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer

	limits      limits.Settings // that a run is given
	inForce     limits.Settings // with the defaults of what is not given
	unfinished  *unfinished
	watching    *watching    // of run --watch
	child       bool         // this is the child of run --isolate
	interactive bool         // this is the session of a person
	columns     int          // of the window for errors; 0 is any number
	printed     *atomic.Bool // whether a recipe has printed something
}

// A subcommand does one thing, and returns its exit code.
type subcommand struct {
	name  string
	usage string // what comes after the name
	about string
	run   func(t *tool, args []string) int
	flags func() *flag.FlagSet // nil when there are none
	takes argument             // what its arguments are
}

// subcommands lists what the command can do, in the order of the help.
func subcommands() []subcommand {
	return []subcommand{
		{"run", "[flags] FILE", "run a recipe and print its results", (*tool).runFile, only(recipeFlags), aRecipe},
		{"eval", "[flags] 'EXPR'", "print the value of an expression", (*tool).eval, only(evalFlags), anExpression},
		{"roll", "[flags] 'EXPR' | FILE", "really roll: roll 4d6kh3", (*tool).rollDice, only(rollFlags), anExpression},
		{"repl", "[flags]", "the interactive session", (*tool).repl, only(replFlags), nothing},
		{"doc", "[flags] [NAME | FILE]", "explain a function, a method or a module", (*tool).doc, only(docFlags), aName},
		{"check", "[flags] FILE...", "report mistakes without running", (*tool).check, only(checkFlags), recipes},
		{"fmt", "[flags] FILE...", "put recipes in the usual style", (*tool).fmt, only(fmtFlags), recipes},
		{"test", "[flags] [PATH...]", "run *_test.star, check printed results", (*tool).test, only(testFlags), recipes},
		{"serve", "[flags] [FOLDER]", "the page over your own files", (*tool).serve, only(serveFlags), aFolder},
		{"lsp", "[flags]", "the language server for editors", (*tool).lsp, only(lspFlags), nothing},
		{"rpc", "[flags] [FOLDER]", "calls of other programs, as JSON-RPC", (*tool).rpc, only(rpcFlags), aFolder},
		{"mcp", "[flags] [FOLDER]", "tools for assistants, by MCP", (*tool).mcp, only(mcpFlags), aFolder},
		{"completion", "bash | zsh | fish", "what makes Tab work in a shell", (*tool).completion, nil, aShell},
		{"version", "", "print the version", (*tool).version, nil, nothing},
		{"help", "[COMMAND | --man]", "explain a command", (*tool).help, nil, aCommand},
	}
}

// only is a set of flags without what they set.
func only[O any](flags func() (*flag.FlagSet, O)) func() *flag.FlagSet {
	return func() *flag.FlagSet {
		f, _ := flags()
		return f
	}
}

func commandNames() []string {
	var names []string
	for _, c := range subcommands() {
		names = append(names, c.name)
	}
	return names
}

// An argument is what a subcommand takes besides its flags.
type argument int

const (
	nothing argument = iota
	anExpression
	aRecipe
	recipes
	aName // of the reference, or a recipe
	aFolder
	aShell
	aCommand
)

// Main runs the command with the arguments after its name and returns its exit
// code. It can be interrupted through ctx.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := &tool{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, printed: &atomic.Bool{}}
	if len(args) == 0 {
		return t.repl(nil)
	}
	switch args[0] {
	case isolate.Subcommand:
		return t.inChild(args[1:])
	case completionQuery:
		return t.complete(args[1:])
	}
	if c, ok := find(args[0]); ok {
		if c.name != "help" && asksForHelp(args[1:]) {
			return t.helpOn(c.name)
		}
		return c.run(t, args[1:])
	}
	switch {
	case isHelp(args[0]):
		return t.help(nil)
	case args[0] == "--version" || args[0] == "-version":
		return t.version(args[1:])
	}
	if unknown := unknownWord(args[0]); unknown != "" {
		return t.misused("%s", unknown)
	}
	return t.runFile(args)
}

func find(name string) (subcommand, bool) {
	all := subcommands()
	i := slices.IndexFunc(all, func(c subcommand) bool { return c.name == name })
	if i < 0 {
		return subcommand{}, false
	}
	return all[i], true
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// unknownWord says that a word is neither a subcommand nor a file; "" when it
// may be the name of a file.
func unknownWord(word string) string {
	if strings.HasPrefix(word, "-") || strings.ContainsAny(word, "./\\") {
		return ""
	}
	if _, err := os.Stat(word); err == nil {
		return ""
	}
	message := fmt.Sprintf("there is no command and no file %q", word)
	if n := suggest.Among(word, commandNames()); n != "" {
		return message + "; did you mean " + n + "?"
	}
	return message + "; dicescript help lists the commands"
}

// misused reports a wrong use of the command.
func (t *tool) misused(format string, args ...any) int {
	fmt.Fprintf(t.stderr, "dicescript: %s\n", report.Visible(fmt.Sprintf(format, args...)))
	return exitUsage
}
