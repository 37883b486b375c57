package compiled_test

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// Any text may be the body of a function. Where it runs compiled, the interpreter
// agrees.
func FuzzFunction(f *testing.F) {
	for _, c := range computing {
		_, body, found := strings.Cut(c.src, "def f(a, b):\n")
		if found {
			f.Add(body)
		}
	}
	f.Add("    return [x for x in faces if x > a][-1]")
	f.Add("    return sorted(faces)[a:b] == faces or (a, b) < (b, a)")
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 1000 {
			return
		}
		src := "def f(a, b, faces):\n    " + strings.ReplaceAll(body, "\n", "\n    ") + "\n    return 0\n"
		r, err := newRecipe(src)
		if err != nil {
			return
		}
		fn := r.function("f")
		if fn == nil {
			return
		}
		m := r.machine()
		b := m.Bind(fn)
		if b == nil {
			return
		}
		for _, numbers := range [][]int{{1, 2}, {0, -1}, {6, 6}, {20, 3}} {
			faces := starlark.NewList(ints(1, 3, 3, 6))
			r.agree(t, fn, m, b, append(ints(numbers...), faces))
		}
	})
}
