// One result with an output of every kind, and with everything that is hard to
// print, for the tests of the renderers.

package report

import (
	"math/big"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

func twoD6() *dist.Dist {
	p := map[int]*big.Rat{}
	for a := 1; a <= 6; a++ {
		for b := 1; b <= 6; b++ {
			addChance(p, a+b, big.NewRat(1, 36))
		}
	}
	return distOf(p)
}

// powered is 2d6 read on a ladder, with a step that never catches.
func powered() lang.Outcomes {
	return lang.Outcomes{Entries: []lang.Outcome{
		{Label: lang.TextLabel("miss"), Value: big.NewRat(5, 12)},
		{Label: lang.TextLabel("never"), Value: new(big.Rat)},
		{Label: lang.TextLabel("hit"), Value: big.NewRat(5, 12)},
		{Label: lang.TupleLabel(lang.TextLabel("hit"), lang.IntLabel(2)), Value: big.NewRat(1, 6)},
	}}
}

func opposed() lang.Grid {
	g := lang.Grid{Title: "Opposed", Corner: "Pl.", Digits: 2}
	for row := 0; row <= 100; row += 10 {
		g.Rows, g.Cols = append(g.Rows, lang.IntLabel(row)), append(g.Cols, lang.IntLabel(row))
		var cells []lang.Cell
		for col := 0; col <= 100; col += 10 {
			cells = append(cells, lang.Cell{Value: big.NewRat(int64(5000+50*(row-col)*99/100), 10000), Prob: true})
		}
		g.Cells = append(g.Cells, cells)
	}
	return g
}

// symbols are pairs, which are a table in two directions.
func symbols() lang.Outcomes {
	pair := func(a, b int, p *big.Rat) lang.Outcome {
		return lang.Outcome{Label: lang.TupleLabel(lang.IntLabel(a), lang.IntLabel(b)), Value: p}
	}
	return lang.Outcomes{Entries: []lang.Outcome{pair(0, 2, big.NewRat(1, 8)), pair(0, -1, big.NewRat(1, 4)), pair(1, 0, big.NewRat(5, 8))}}
}

// ladder is a plan of which states follow one another.
func ladder() lang.Plan {
	climb, stop := lang.TextLabel("climb"), lang.TextLabel("stop")
	return lang.Plan{Value: big.NewRat(25, 12), Decisions: []lang.Decision{
		{State: lang.IntLabel(0), Move: climb, Value: big.NewRat(25, 12)},
		{State: lang.IntLabel(1), Move: climb, Value: big.NewRat(5, 2)},
		{State: lang.IntLabel(2), Move: stop, Value: big.NewRat(3, 1)},
		{State: lang.TupleLabel(lang.TextLabel("a"), lang.IntLabel(4)), Move: climb, Value: big.NewRat(1, 3)},
		{State: lang.TupleLabel(lang.TextLabel("a"), lang.IntLabel(7)), Move: climb, Value: big.NewRat(1, 2)},
	}}
}

func everyKind() *lang.Result {
	return &lang.Result{
		Outputs: []lang.Output{
			{Title: "2d6", Data: lang.Roll{Dist: twoD6()}},
			{Title: "open_ended_d100", Data: lang.Roll{Dist: distOf(openEnded(8))}},
			{Title: "unlimited", Data: lang.Prob{Value: big.NewRat(1, 3), Bound: 1e-24}},
			{Title: "p", Data: lang.Prob{Value: big.NewRat(49, 2000)}},
			{Title: "mean", Data: lang.Number{Value: big.NewRat(-21, 5)}},
			{Title: "powered", Data: powered()},
			{Title: "questions", Data: lang.ProbTable{Rows: []lang.ProbTableRow{
				{Label: lang.TextLabel("7 or more"), Value: big.NewRat(7, 12)},
				{Label: lang.IntLabel(-3), Value: big.NewRat(1, 36), Bound: 1e-9},
			}}},
			{Title: "opposed", Data: opposed()},
			{Title: "symbols", Data: symbols()},
			{Title: "ladder", Data: ladder()},
			{Title: "2d6 or d12", Data: lang.Comparison{Rolls: []lang.NamedRoll{
				{Name: "2d6", Dist: twoD6()}, {Name: "d12", Dist: dist.Must(dist.Die(12))},
			}}},
			{Title: "note", Data: lang.Text{Text: "line one\nline two"}},
		},
		Params: []lang.ParamValue{{Name: "bonus", Value: 3}, {Name: "house rule", Value: "a|b"}, {Name: "open", Value: true},
			{Name: "p", Value: big.NewRat(1, 3)}, {Name: "x", Value: 0.5}},
		Usage: lang.Usage{Steps: 1200, Work: 34567, Cells: 890, Outputs: 10},
	}
}

// nasty returns results that a recipe, or a bug of its host, could give.
func nasty() *lang.Result {
	const evil = "=cmd|'/c calc'!A1\x1b[31m\r\n<script>alert(1)</script>\u202e`*_[x](y)_*` &amp; \x00\xff"
	huge := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(7), big.NewInt(2000), nil))
	tiny := new(big.Rat).Inv(huge)
	return &lang.Result{Outputs: []lang.Output{
		{},
		{Title: evil},
		{Title: evil, Data: lang.Roll{}},
		{Title: evil, Data: lang.Roll{Dist: dist.Constant(-1 << 63)}},
		{Title: evil, Data: lang.Roll{Dist: dist.Must(dist.Faces(-1<<62, 0, 1<<62))}},
		{Title: evil, Data: lang.Prob{}},
		{Title: evil, Data: lang.Prob{Value: tiny, Bound: 1e-300}},
		{Title: evil, Data: lang.Prob{Value: new(big.Rat).Sub(big.NewRat(1, 1), tiny)}},
		{Title: evil, Data: lang.Prob{Value: big.NewRat(-3, 2), Bound: -1}},
		{Title: evil, Data: lang.Number{}},
		{Title: evil, Data: lang.Number{Value: huge}},
		{Title: evil, Data: lang.Number{Value: new(big.Rat).Neg(tiny)}},
		{Title: evil, Data: lang.Outcomes{}},
		{Title: evil, Data: lang.Outcomes{Entries: []lang.Outcome{{Label: lang.TextLabel(evil)}, {Label: lang.TupleLabel()}}}},
		{Title: evil, Data: lang.ProbTable{Rows: []lang.ProbTableRow{{Label: lang.TextLabel(evil)}}}},
		{Title: evil, Data: lang.Grid{}},
		{Title: evil, Data: lang.Grid{Title: evil, Corner: evil, Rows: []lang.Label{lang.TextLabel(evil), {}}, Cols: []lang.Label{lang.TextLabel(evil)}, Cells: [][]lang.Cell{{}}, Digits: -5}},
		{Title: evil, Data: lang.Comparison{}},
		{Title: evil, Data: lang.Comparison{Rolls: []lang.NamedRoll{{Name: evil}, {Name: evil, Dist: dist.Constant(0)}}}},
		{Title: evil, Data: lang.Text{Text: evil}},
	}, Params: []lang.ParamValue{{Name: evil, Value: evil}, {Value: (*big.Int)(nil)}, {Value: (*big.Rat)(nil)}, {Value: struct{}{}}}}
}

func TestNothingPanics(t *testing.T) {
	failure := &lang.Error{Message: "division by zero", Position: lang.Position{Line: 3}, Frames: []lang.Frame{{Function: "f"}}}
	for _, r := range []*lang.Result{nil, {}, everyKind(), nasty()} {
		for _, format := range Formats() {
			for _, o := range []Options{{}, {Style: Playground}, {AllRows: true, Color: true, Width: 20, Failure: failure}} {
				render(t, format, r, o)
			}
		}
	}
}
