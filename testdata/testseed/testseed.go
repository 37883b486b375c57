// Package testseed gives property tests the same draws on every run, so that a test
// that passes here passes everywhere. A test package imports it for its effect.
//
// To draw others, give a seed, or 0 for a new one each time:
//
//	RAPID_SEED=7 go test ./dist
//	go test ./dist -rapid.seed=0
package testseed

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // has defined its flags when this package's init runs
)

func init() {
	if os.Getenv("RAPID_SEED") != "" {
		return
	}
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}
