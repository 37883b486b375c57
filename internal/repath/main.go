// Repath gives the module another path, with which it can be fetched:
//
//	go run ./internal/repath example.com/dicescript
//
// The imports, the modules inside of this one, the documents and the scripts say the new
// path afterwards; with -npm NAME, the package for JavaScript has that name. The command
// is called dicescript all the same. Files that git does not know stay as they are.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	npm := flag.String("npm", "", "`NAME` of the package for JavaScript, such as @me/dicescript")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./internal/repath [-npm NAME] PATH")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	files, err := tracked(".")
	if err == nil {
		var changed int
		if changed, err = repath(".", files, flag.Arg(0), *npm); err == nil {
			fmt.Printf("%s: %d files say so\n", flag.Arg(0), changed)
			return
		}
	}
	fmt.Fprintln(os.Stderr, "repath:", err)
	os.Exit(1)
}
