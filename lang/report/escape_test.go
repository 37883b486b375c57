package report

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"unicode"

	"dicescript/dist"
	"dicescript/lang"
)

// What hides is what Unicode says it is.
func TestHidden(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == '\uFEFF' || 0xE0000 <= r && r <= 0xE007F
		if hidden(r) != want {
			t.Fatalf("%U is hidden: %v", r, !want)
		}
	}
}

// A long text is made visible in pieces, each of whole characters.
func TestVisiblePieces(t *testing.T) {
	for _, s := range []string{"", "a\n", strings.Repeat("é€\n𝔸", 70_000), strings.Repeat("\xff\x80", 200_000)} {
		if got, want := (Options{}).visiblePieces(s, "\n"), visibleBut(s, "\n"); got != want {
			t.Errorf("%d bytes: the pieces are not the whole", len(s))
		}
	}
}

// A rendering whose context ends says so, in every format, wherever it is then:
// it writes no more than a buffer.
func TestRenderingEndsWithTheContext(t *testing.T) {
	big := dist.Must(dist.Die(300_000))
	entries := make([]lang.LabelChance, 50_000)
	for i := range entries {
		entries[i] = lang.LabelChance{Label: lang.IntLabel(-i), Value: dist.Must(dist.Die(len(entries))).PMF(1)}
	}
	r := &lang.Result{Outputs: []lang.Output{
		{Title: "roll", Data: lang.Roll{Dist: big}},
		{Title: "rolls", Data: lang.Comparison{Rolls: []lang.NamedRoll{{Name: "a", Dist: big}, {Name: "b", Dist: big}}}},
		{Title: "labels", Data: lang.Labeled{Entries: entries}},
		{Title: "text", Data: lang.Text{Text: strings.Repeat("some <words>\n", 100_000)}},
	}}
	for _, format := range Formats() {
		for _, looks := range []int{0, 1, 5, 100} {
			ctx := &countedContext{Context: context.Background(), left: looks}
			var out bytes.Buffer
			err := Render(&out, format, r, Options{Context: ctx, AllRows: true})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s after %d looks: %v", format, looks, err)
			}
			if ctx.after > 0 {
				t.Errorf("%s after %d looks: it went on for %d more", format, looks, ctx.after)
			}
		}
	}
}

// A countedContext is done after it has been looked at so many times.
type countedContext struct {
	context.Context
	left, after int
}

func (c *countedContext) Err() error {
	if c.left > 0 {
		c.left--
		return nil
	}
	if c.left < 0 {
		c.after++
	}
	c.left = -1
	return context.DeadlineExceeded
}
