package lsp

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

// longRecipe has 5000 lines: functions, outputs, comments, texts, dice.
func longRecipe() string {
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
	return b.String()
}

const longURI = "file:///nowhere/long.star"

// opened is a client with the long recipe open, whose last line is begun.
func opened(b *testing.B) (c *client, text string, line int) {
	b.Helper()
	before := debug.SetGCPercent(Growth) // as the command does
	b.Cleanup(func() { debug.SetGCPercent(before) })
	c = start(b)
	c.initialize()
	text = longRecipe() + "damage_7.\n"
	c.open(longURI, text)
	c.diagnostics(longURI, 1)
	return c, text, strings.Count(text, "\n") - 1
}

// A key is typed in 5000 lines, and what is wrong is known again: the aim is 100 ms.
func BenchmarkDiagnostics5000Lines(b *testing.B) {
	c, _, line := opened(b)
	version := 1
	for b.Loop() {
		version++
		c.change(longURI, version, contentChange{&span{position{line, 9}, position{line, 9}}, "p"})
		if found := c.diagnostics(longURI, version); len(found) == 0 {
			b.Fatal("nothing is wrong with damage_7.p")
		}
	}
}

// A key is typed in 5000 lines, and the word may be completed: the aim is 30 ms.
func BenchmarkCompletion5000Lines(b *testing.B) {
	c, _, line := opened(b)
	version := 1
	for b.Loop() {
		version++
		// A p and then a space instead of it, so that the text stays what it was.
		letter := "p"
		if version%2 == 1 {
			letter = "m"
		}
		c.change(longURI, version, contentChange{&span{position{line, 9}, position{line, 9 + min(1, version-2)}}, letter})
		var list completionList
		c.call("textDocument/completion", at(longURI, line, 10), &list)
		if len(list.Items) < 1 {
			b.Fatalf("nothing goes on with %s", letter)
		}
	}
}

// The same with nothing typed since: what is known of the text is used again.
func BenchmarkHover5000Lines(b *testing.B) {
	c, _, line := opened(b)
	for b.Loop() {
		var h hoverResult
		c.call("textDocument/hover", at(longURI, line, 3), &h)
		if h.Contents.Value == "" {
			b.Fatal("nothing is known of damage_7")
		}
	}
}
