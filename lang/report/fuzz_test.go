package report

import (
	"context"
	"encoding/json"
	"io"
	"math/big"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// FuzzRender feeds results made of arbitrary bytes to every renderer. Nothing
// may panic, and json must stay json.
func FuzzRender(f *testing.F) {
	f.Add("2d6", "a|b\n", int64(1), int64(6), 1e-24, []byte{1, 2, 3, 250})
	f.Add("\x1b[0m", "=1+1", int64(-1<<63), int64(1<<62), -1.0, []byte{})
	f.Fuzz(func(t *testing.T, title, label string, a, b int64, e float64, data []byte) {
		if b == 0 {
			b = 1
		}
		r := arbitrary(title, label, big.NewRat(a, b), e, data)
		for _, format := range Formats() {
			for _, o := range []Options{{Width: int(a % 300)}, {Style: Playground, AllRows: len(data)%2 == 0}} {
				if err := Render(t.Context(), io.Discard, format, r, o); err != nil {
					t.Fatalf("%s: %v", format, err)
				}
			}
		}
		var text strings.Builder
		if Render(t.Context(), &text, "json", r, Options{}); !json.Valid([]byte(text.String())) {
			t.Fatalf("no json: %s", text.String())
		}
	})
}

func arbitrary(title, label string, x *big.Rat, e float64, data []byte) *lang.Result {
	roll := rollOf(data)
	l := lang.TextLabel(label)
	labeled, table, grid := lang.Outcomes{Bound: e}, lang.ProbTable{}, lang.Grid{Title: label, Corner: title, Cols: []lang.Label{l, lang.IntLabel(3)}, Digits: len(data) % 7}
	for i, b := range data {
		y := new(big.Rat).Mul(x, big.NewRat(int64(b), 255))
		at := lang.TupleLabel(l, lang.IntLabel(i))
		if b%2 == 0 {
			at = lang.IntLabel(i)
		}
		labeled.Entries = append(labeled.Entries, lang.Outcome{Label: at, Value: y})
		table.Rows = append(table.Rows, lang.ProbTableRow{Label: at, Value: y, Bound: e})
		grid.Rows = append(grid.Rows, at)
		grid.Cells = append(grid.Cells, []lang.Cell{{Value: y, Prob: b%3 == 0, Bound: e}})
	}
	pairs, plan := lang.Outcomes{Bound: e}, lang.Plan{Value: x, Bound: e}
	for i, b := range data {
		y := new(big.Rat).Mul(x, big.NewRat(int64(b), 255))
		pairs.Entries = append(pairs.Entries, lang.Outcome{Label: lang.TupleLabel(lang.IntLabel(i%5), lang.IntLabel(i/5)), Value: y})
		plan.Decisions = append(plan.Decisions, lang.Decision{State: lang.TupleLabel(l, lang.IntLabel(i)), Move: lang.IntLabel(int(b % 2)), Value: y})
	}
	var outputs []lang.Output
	for _, d := range []lang.Data{nil, lang.Roll{Dist: roll}, lang.Prob{Value: x, Bound: e}, lang.Number{Value: x, Bound: e}, labeled, table, grid,
		lang.Comparison{Rolls: []lang.NamedRoll{{Name: label, Dist: roll}, {Name: title, Dist: dist.Constant(len(data))}}}, lang.Text{Text: label}, pairs, plan} {
		outputs = append(outputs, lang.Output{Title: title, Data: d})
	}
	return &lang.Result{Outputs: outputs, Params: []lang.ParamValue{{Name: label, Value: title}, {Name: title, Value: e}}}
}

// rollOf makes a roll of up to a few hundred outcomes with weights from data.
func rollOf(data []byte) *dist.Dist {
	xs, ws := []int{0}, []*big.Int{big.NewInt(1)}
	for i, b := range data {
		xs, ws = append(xs, (i-len(data)/2)*(1+len(data)%5)), append(ws, big.NewInt(int64(b)))
	}
	d, err := dist.Weighted(context.Background(), xs, ws)
	if err != nil {
		return nil
	}
	return d
}
