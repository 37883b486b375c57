package nat

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// On 32 bits the engine does not compile, and the error says why.
func TestSystemsOf32BitsAreRefused(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "wordsize.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for arch, refused := range map[string]bool{"386": true, "arm": true, "mips": true, "amd64": false, "arm64": false, "wasm": false} {
		check := types.Config{Sizes: types.SizesFor("gc", arch)}
		_, err := check.Check("nat", files, []*ast.File{file}, nil)
		if got := err != nil && strings.Contains(err.Error(), "dicescript_needs_a_64_bit_system"); got != refused {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
