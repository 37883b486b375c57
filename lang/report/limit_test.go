// A rendering ends: at its limit, with its context, and when nobody reads it.

package report

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// longOutputs are outputs that are long to print, each in its own way.
func longOutputs() []lang.Output {
	wide := strings.Repeat("a <label> ", 400)
	many := make([]lang.Outcome, 500)
	for i := range many {
		many[i] = lang.Outcome{Label: lang.IntLabel(-i), Value: big.NewRat(1, int64(len(many)))}
	}
	rows := make([]lang.ProbTableRow, 100)
	for i := range rows {
		rows[i] = lang.ProbTableRow{Label: lang.TextLabel(wide + strconv.Itoa(i)), Value: big.NewRat(1, 3)}
	}
	g := lang.Grid{Title: wide, Corner: wide}
	for i := range 30 {
		g.Rows, g.Cols = append(g.Rows, lang.TextLabel(wide)), append(g.Cols, lang.IntLabel(i))
		g.Cells = append(g.Cells, make([]lang.Cell, 30))
		for j := range g.Cells[i] {
			g.Cells[i][j] = lang.Cell{Value: big.NewRat(int64(i*j), 7)}
		}
	}
	var rolls []lang.NamedRoll
	for i := range 10 {
		rolls = append(rolls, lang.NamedRoll{Name: "roll " + strconv.Itoa(i), Dist: dist.Must(dist.Uniform(i, 200+i))})
	}
	huge := new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), 20_000), big.NewInt(3))
	return []lang.Output{
		{Title: "roll", Data: lang.Roll{Dist: dist.Must(dist.Die(3000))}},
		{Title: "rolls", Data: lang.Comparison{Rolls: rolls}},
		{Title: "labels", Data: lang.Outcomes{Entries: many}},
		{Title: "table", Data: lang.ProbTable{Rows: rows}},
		{Title: "grid", Data: g},
		{Title: "text", Data: lang.Text{Text: strings.Repeat("some `words`\n", 2000)}},
		{Title: "backticks", Data: lang.Text{Text: strings.Repeat("`", 5000) + "\nx"}},
		{Title: "number", Data: lang.Number{Value: huge}},
		{Title: strings.Repeat("`|<&_*", 2000), Data: lang.Prob{Value: big.NewRat(1, 2)}},
	}
}

// fewLooks is how often the shortest rendering looks at its context.
const fewLooks = 5

func TestRenderingEndsWithTheContext(t *testing.T) {
	for _, out := range longOutputs() {
		r := &lang.Result{Outputs: []lang.Output{out}}
		for _, format := range Formats() {
			for _, looks := range []int{0, 1, fewLooks, 100} {
				ctx := &countedContext{Context: context.Background(), left: looks}
				err := Render(ctx, io.Discard, format, r, Options{AllRows: looks%2 == 0})
				switch {
				case err == nil && ctx.left >= 0 && looks >= fewLooks: // it was over before
				case err == nil && format == "svg": // what has no chart is nothing to draw
				case !errors.Is(err, context.DeadlineExceeded):
					t.Errorf("%s of %.20s after %d looks: %v", format, out.Title, looks, err)
				case ctx.after > 0:
					t.Errorf("%s of %.20s after %d looks: it went on for %d more", format, out.Title, looks, ctx.after)
				}
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

// What is written is never more than the limit, and what fits is whole.
func TestRenderingKeepsToItsLimit(t *testing.T) {
	for _, out := range longOutputs() {
		r := &lang.Result{Outputs: []lang.Output{out}}
		for _, format := range Formats() {
			var whole bytes.Buffer
			if err := Render(t.Context(), &whole, format, r, Options{AllRows: true, Limit: lang.Unlimited}); err != nil {
				t.Fatalf("%s of %.20s: %v", format, out.Title, err)
			}
			size := int64(whole.Len())
			for _, limit := range []int64{1, size / 2, size - 1, size} {
				var b bytes.Buffer
				err := Render(t.Context(), &b, format, r, Options{AllRows: true, Limit: max(1, limit)})
				var refused *LimitError
				switch {
				case limit == size && (err != nil || !bytes.Equal(b.Bytes(), whole.Bytes())):
					t.Errorf("%s of %.20s: %d bytes are within the limit, but %v", format, out.Title, size, err)
				case limit < size && (!errors.As(err, &refused) || refused.Limit != max(1, limit)):
					t.Errorf("%s of %.20s: %d bytes and a limit of %d: %v", format, out.Title, size, limit, err)
				case int64(b.Len()) > limit:
					t.Errorf("%s of %.20s: %d bytes written, the limit is %d", format, out.Title, b.Len(), limit)
				}
			}
		}
	}
}

// The default is 16 MiB, and the message says so.
func TestDefaultLimit(t *testing.T) {
	// 40 rows of labels of 4 KiB beside one of half a megabyte, to which a
	// terminal pads them.
	rows := []lang.ProbTableRow{{Label: lang.TextLabel(strings.Repeat("x", 512<<10)), Value: big.NewRat(1, 2)}}
	for range 40 {
		rows = append(rows, lang.ProbTableRow{Label: lang.TextLabel(strings.Repeat("y", 4096)), Value: big.NewRat(1, 2)})
	}
	for _, r := range []*lang.Result{
		oneOutput("table", lang.ProbTable{Rows: rows}),
		oneOutput("text", lang.Text{Text: strings.Repeat("z", DefaultLimit+1)}),
	} {
		err := Render(t.Context(), io.Discard, "text", r, Options{})
		if err == nil || !strings.Contains(err.Error(), "longer than 16 777 216 bytes, the limit of a report") {
			t.Errorf("got %v", err)
		}
	}
	if err := Brief(t.Context(), io.Discard, oneOutput("text", lang.Text{Text: "a long text"}), Options{Limit: 5}, 0); !errors.As(err, new(*LimitError)) {
		t.Errorf("brief: got %v", err)
	}
	if err := Fragment(t.Context(), io.Discard, "csv", everyKind(), []int{1}, Options{Limit: 100}); !errors.As(err, new(*LimitError)) {
		t.Errorf("a fragment: got %v", err)
	}
	document := []byte("# Title\n\n" + strings.Repeat("prose ", 100) + "\n\n```\noutput(1)\n```\n")
	for _, format := range []string{"html", "markdown"} {
		if err := Weave(t.Context(), io.Discard, format, document, everyKind(), Options{Limit: 200}); !errors.As(err, new(*LimitError)) {
			t.Errorf("a document as %s: got %v", format, err)
		}
	}
}

// A fence is longer than any row of backticks that it holds.
func TestFenceIsLongerThanItsText(t *testing.T) {
	for text, want := range map[string]string{
		"a": "```", "``\n``": "```", "```": "````", "`` ````` `": "``````", strings.Repeat("`", 1<<20): strings.Repeat("`", 1<<20+1),
	} {
		if got, _, _ := strings.Cut(markdownFence("", text), "\n"); got != want {
			t.Errorf("the fence around %.20s has %d backticks, want %d", text, len(got), len(want))
		}
	}
}
