package compiled_test

import (
	"testing"

	"dicescript/builtins/small"

	"go.starlark.net/starlark"
)

// What one call takes, compiled and interpreted.
func BenchmarkCall(b *testing.B) {
	for _, c := range []struct {
		name, src string
		args      starlark.Tuple
	}{
		{"level", computing[0].src, ints(20, 40)},
		{"difference", computing[1].src, ints(20, 40)},
		{"initiative", `
def f(a, b):
    c, d = a + 1, b + 2
    best = max(a, b, c, d)
    if a == best:
        return 1
    if b == best:
        return 2
    return 3 if c == best and c > d else 4
`, ints(3, 5)},
		{"state", computing[5].src, ints(1, 0)},
	} {
		r := mustRecipe(b, c.src)
		fn := r.function("f")
		m := r.machine()
		bound := m.Bind(fn)
		values := make([]small.Value, len(c.args))
		for i, v := range c.args {
			values[i] = small.Of(v)
		}
		b.Run(c.name+"/compiled", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := m.Call(bound, values); !ok {
					b.Fatal("it is left to the interpreter")
				}
			}
		})
		b.Run(c.name+"/interpreted", func(b *testing.B) {
			b.ReportAllocs()
			r.thread.SetMaxExecutionSteps(1 << 60)
			for b.Loop() {
				if _, err := starlark.Call(r.thread, fn, c.args, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
