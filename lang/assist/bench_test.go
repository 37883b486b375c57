package assist_test

import (
	"fmt"
	"strings"
	"testing"

	"dicescript/lang"
	"dicescript/lang/assist"
)

// longRecipe has 5000 lines: functions, outputs, comments, texts, dice. Its last line
// is begun.
func longRecipe() []byte {
	var b strings.Builder
	b.WriteString("load(\"fate.star\", \"action\")\n\n")
	for i := 0; strings.Count(b.String(), "\n") < 4990; i++ {
		fmt.Fprintf(&b, `# Attack number %[1]d, with its bonus.
def attack_%[1]d(bonus, dc = 15):
    """The chance to hit with an attack."""
    rolled = 1d20 + bonus
    if bonus > 3:
        rolled = 2d20kh1 + bonus
    return rolled >= dc

damage_%[1]d = 2d6 + %[1]d if attack_%[1]d(2) >= 1 else explode(d6, max_depth = 3)
output("attack %[1]d 🎲", damage_%[1]d.p_ge(7))
`, i)
	}
	return []byte(b.String() + "damage_7.p\n")
}

// What the parts of an answer to an editor take, of 5000 lines. The aims for a key are
// 30 ms for a completion, and 100 ms for diagnostics: Analyze and a compilation beside
// it, and what DiagnosticsOf adds.
func BenchmarkAnalyze5000Lines(b *testing.B) {
	a, text := assist.New(newHost(b)), longRecipe()
	for b.Loop() {
		if d := a.Analyze(b.Context(), "a.star", text); len(d.Symbols()) < 1000 {
			b.Fatal(len(d.Symbols()))
		}
	}
}

func BenchmarkComplete5000Lines(b *testing.B) {
	text := longRecipe()
	d := assist.New(newHost(b)).Analyze(b.Context(), "a.star", text)
	pos := lang.Position{Line: strings.Count(string(text), "\n"), Column: 11}
	for b.Loop() {
		if c := d.Complete(pos); len(c.Items) != 7 {
			b.Fatal(len(c.Items))
		}
	}
}

func BenchmarkDiagnostics5000Lines(b *testing.B) {
	text := longRecipe()
	d := assist.New(newHost(b)).Analyze(b.Context(), "a.star", text)
	for b.Loop() {
		if found := d.Diagnostics(b.Context()); len(found) == 0 {
			b.Fatal("nothing is wrong")
		}
	}
}

// A completion while a line is typed.
func BenchmarkTyped5000Lines(b *testing.B) {
	text := longRecipe()
	d := assist.New(newHost(b)).Analyze(b.Context(), "a.star", text)
	text = append(text[:len(text)-1:len(text)-1], "_\n"...)
	pos := lang.Position{Line: strings.Count(string(text), "\n"), Column: 12}
	for b.Loop() {
		typed, ok := d.Typed(text)
		if !ok {
			b.Fatal("more than a line differs")
		}
		if c := typed.Complete(pos); len(c.Items) != 6 {
			b.Fatal(len(c.Items))
		}
	}
}
