package rewrite

import (
	"os"
	"strings"
	"testing"
	"time"

	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
)

// TestNastyTexts checks that no text takes more stack to read than there is, and
// where all tests are wanted that none takes long.
func TestNastyTexts(t *testing.T) {
	all, size := os.Getenv("DICESCRIPT_TESTS") == "all", 16<<10
	if all {
		size = 64 << 10
	}
	for _, unit := range []string{
		"(", "[", "{", ")", "-", "not ", "lambda:", "a+", "1 if a else ", "x = )\n", "x = (\n", "if a:\n", "elif a:\n", "'", "'''\n", "\"a\n",
		"d6 ", "2 d6 ", "4d6;", "1..", "..", "x=1;", "a.", "a[", "a(", "f()", "a<b ", "a<b\n", "\\\n", "\x00", "\U00012000", "a,", "#\n", "\n",
		"if a: b = 1\n", "x = [i for i in [1] if i]\n", "for i in a: ", " x\n", "def f(a): return a < 1\n", "a += b\n", "d6 = 1\n", "undefined_name\n",
		"x = d6 > 3\n", "def f():\n return 1 +\n", "return 1\n", "{a:", "(a,", "a == ", "a+(", "~",
	} {
		src := []byte(strings.Repeat(unit, size/len(unit)))
		took := time.Hour
		for range 3 { // a busy machine may be elsewhere for seconds, but not each time
			start := time.Now()
			if tree, _ := dicesyntax.Parse("x", src); tree != nil {
				if code, _ := Rewrite(tree, Options{}); code != nil {
					code.Program()
				}
			}
			if took = min(took, time.Since(start)); took < 5*time.Second {
				break
			}
		}
		if all && took > 5*time.Second {
			t.Errorf("%q takes %v", unit, took)
		}
	}
	indented := "if a:\n"
	for i := range 700 {
		indented += strings.Repeat(" ", i+1) + "if a:\n"
	}
	dicesyntax.Parse("x", []byte(indented))
}

// BenchmarkCompare runs a callback with nothing but comparisons in it, native and
// rewritten. The rewritten ones may take twice as long.
func BenchmarkCompare(b *testing.B) {
	for _, bench := range []struct{ name, condition string }{
		{"literal", "a < 3"}, {"names", "a < b"}, {"equal", "a == b"}, {"text", "c == 'x'"}, {"in", "a in e"}, {"truth", "e"},
	} {
		rewrittenAndNative(b, bench.name, "def f(a, b, c, e):\n"+strings.Repeat("  if "+bench.condition+":\n    b = 5\n", 10)+"  return b\n",
			starlark.MakeInt(1), starlark.MakeInt(5), starlark.String("x"), starlark.NewList([]starlark.Value{starlark.MakeInt(2)}))
	}
}

// BenchmarkArithmetic is the same for arithmetic.
func BenchmarkArithmetic(b *testing.B) {
	rewrittenAndNative(b, "ints", "def f(a, b):\n"+strings.Repeat("  a = a + b - b * 1\n", 10)+"  return a\n", starlark.MakeInt(1), starlark.MakeInt(5))
}

// rewrittenAndNative calls f of a recipe.
func rewrittenAndNative(b *testing.B, name, src string, args ...starlark.Value) {
	native, err := starlark.ExecFileOptions(dicesyntax.FileOptions(), &starlark.Thread{}, "x", src, nil)
	if err != nil {
		b.Fatal(err)
	}
	_, rewritten, err := execute(b, src, Options{}, testHooks())
	if err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name    string
		globals starlark.StringDict
	}{{"native", native}, {"rewritten", rewritten}} {
		b.Run(name+"/"+way.name, func(b *testing.B) {
			thread := &starlark.Thread{}
			for b.Loop() {
				if _, err := starlark.Call(thread, way.globals["f"], args, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
