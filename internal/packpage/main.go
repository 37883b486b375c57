// Packpage packs the built page into one small file, for a command that has it inside:
//
//	go run ./internal/packpage web/page/dist cmd/dicescript/page.zip
//	go install -tags page ./cmd/dicescript
//
// The engine for browsers stays out: dicescript serve answers by itself.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/packpage FOLDER FILE")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "packpage:", err)
		os.Exit(1)
	}
}
