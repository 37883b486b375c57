package syntax

import (
	"strings"
	"testing"

	"go.starlark.net/syntax"
	"pgregory.net/rapid"
)

// Lines and the places in them are those that one finds by going through the
// text rune by rune.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aé \t\r\n\n;")), 0, 60, -1).Draw(t, "text")
		l := NewLines([]byte(text))
		plain := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
		for n := 0; n <= len(plain)+1; n++ {
			want := ""
			if n >= 1 && n <= len(plain) {
				want = plain[n-1]
			}
			if got := l.Line(n); got != want {
				t.Fatalf("line %d is %q, want %q", n, got, want)
			}
		}
		c := l.Cursor()
		for range 5 {
			line := rapid.IntRange(1, len(plain)).Draw(t, "line")
			runes := []rune(plain[line-1])
			from := rapid.IntRange(0, len(runes)).Draw(t, "from")
			to := rapid.IntRange(from, len(runes)).Draw(t, "to")
			at := func(col int) syntax.Position { return syntax.MakePosition(nil, int32(line), int32(col+1)) }
			want := strings.Join(strings.Fields(string(runes[from:to])), " ")
			if got := c.Between(at(from), at(to)); got != want {
				t.Fatalf("%d:%d to %d is %q, want %q", line, from+1, to+1, got, want)
			}
		}
	})
}

func TestLinesWithoutMark(t *testing.T) {
	if got := NewLines([]byte("\ufeffx = 1\n")).Line(1); got != "x = 1" {
		t.Errorf("the first line is %q", got)
	}
}
