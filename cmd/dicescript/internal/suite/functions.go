package suite

import (
	"context"
	"path/filepath"
	"strings"

	"dicescript/lang"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/syntax"
)

// Test files: every function test_* is called, each in a session of its own,
// so that no test sees what another did.

func (s *Suite) functions(ctx context.Context, file, name string, src []byte, each func(Outcome)) {
	host, done, err := s.Host(filepath.Dir(file), lang.WithBuiltins(Assertions()))
	if err != nil {
		each(Outcome{File: name, Err: err})
		return
	}
	defer done()
	tests := testNames(name, src)
	if len(tests) == 0 {
		tests = []string{""} // the file may have errors to tell
	}
	for _, test := range tests {
		session := host.NewSession()
		_, err := session.EvalFile(ctx, name, src)
		if err != nil {
			each(Outcome{File: name, Err: err}) // of the file, and so of all tests
			return
		}
		if test == "" {
			return
		}
		_, err = session.Eval(ctx, test+"()\n")
		each(Outcome{File: name, Test: test, Err: withoutCaller(err)})
		if ctx.Err() != nil {
			return
		}
	}
}

// withoutCaller takes the call of the test function out of an error: nobody
// has written it.
func withoutCaller(err error) error {
	for _, e := range lang.Errors(err) {
		if len(e.Frames) > 1 {
			e.Frames = e.Frames[1:]
		}
	}
	return err
}

// testNames are the functions test_* of a file, in their order.
func testNames(name string, src []byte) []string {
	tree, ds := dicesyntax.Parse(name, src)
	if len(ds) > 0 {
		return nil
	}
	var names []string
	for _, s := range tree.File.Stmts {
		if def, ok := s.(*syntax.DefStmt); ok && strings.HasPrefix(def.Name.Name, "test_") {
			names = append(names, def.Name.Name)
		}
	}
	return names
}
