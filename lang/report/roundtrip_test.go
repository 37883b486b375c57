package report

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// A draw makes random results of everything that a recipe can put out.
type draw struct{ *rapid.T }

func (d draw) choose(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "choice") }

func (d draw) rat() *big.Rat {
	return big.NewRat(rapid.Int64Range(-1000, 1000).Draw(d.T, "num"), rapid.Int64Range(1, 1<<40).Draw(d.T, "denom"))
}

func (d draw) bound() float64 {
	return rapid.SampledFrom([]float64{0, 0, 1e-24, 0.25}).Draw(d.T, "bound")
}

func (d draw) text() string {
	return rapid.SampledFrom([]string{"", "a", "b", "kind", "pmf", "value", "z", "A", "1", "DieRoll", "Prob", "\u202e\"\\n", "exact", "dict", "float", "data"}).Draw(d.T, "text")
}

func (d draw) label(depth int) lang.Label {
	switch n := d.choose(3); {
	case n == 0:
		return lang.IntLabel(rapid.Int().Draw(d.T, "label"))
	case n == 1 && depth > 0:
		items := make([]lang.Label, d.choose(4))
		for i := range items {
			items[i] = d.label(depth - 1)
		}
		return lang.TupleLabel(items...)
	}
	return lang.TextLabel(d.text())
}

func (d draw) labels() []lang.Label {
	out := make([]lang.Label, d.choose(4))
	for i := range out {
		out[i] = d.label(2)
	}
	return out
}

func (d draw) dist() *dist.Dist {
	faces := rapid.SliceOfN(rapid.IntRange(-50, 50), 1, 8).Draw(d.T, "faces")
	return dist.Must(dist.Faces(faces...))
}

// data is data of any kind.
func (d draw) data(depth int) lang.Data {
	switch d.choose(9) {
	case 0:
		return lang.Roll{Dist: d.dist()}
	case 1:
		return lang.Prob{Value: d.rat(), Bound: d.bound()}
	case 2:
		return lang.Number{Value: d.rat(), Bound: d.bound()}
	case 3:
		o := lang.Outcomes{Bound: d.bound(), Ordered: d.choose(2) == 0}
		for range d.choose(4) {
			o.Entries = append(o.Entries, lang.Outcome{Label: d.label(2), Value: d.rat()})
		}
		return o
	case 4:
		var p lang.ProbTable
		for range d.choose(4) {
			p.Rows = append(p.Rows, lang.ProbTableRow{Label: d.label(2), Value: d.rat(), Bound: d.bound()})
		}
		return p
	case 5:
		g := lang.Grid{Title: d.text(), Corner: d.text(), Rows: d.labels(), Cols: d.labels(), Digits: d.choose(6)}
		for range g.Rows {
			row := make([]lang.Cell, len(g.Cols))
			for i := range row {
				row[i] = lang.Cell{Value: d.rat(), Bound: d.bound(), Prob: d.choose(2) == 0}
			}
			g.Cells = append(g.Cells, row)
		}
		return g
	case 6:
		var c lang.Comparison
		for range d.choose(3) {
			c.Rolls = append(c.Rolls, lang.NamedRoll{Name: d.text(), Dist: d.dist()})
		}
		return c
	case 7:
		p := lang.Plan{Value: d.rat(), Bound: d.bound()}
		for range d.choose(3) {
			p.Decisions = append(p.Decisions, lang.Decision{State: d.label(2), Move: d.label(2), Value: d.rat()})
		}
		return p
	}
	t := lang.Text{Text: d.text()}
	switch d.choose(4) {
	case 0:
		t.Value = d.choose(2) == 0
	case 1:
		t.Value = d.list(depth)
	case 2:
		t.Value = d.dict(depth)
	}
	return t
}

func (d draw) list(depth int) []any {
	out := make([]any, d.choose(4))
	for i := range out {
		out[i] = d.element(depth)
	}
	return out
}

// dict has keys in any order: texts alone, or of all kinds.
func (d draw) dict(depth int) lang.Dict {
	out := lang.Dict{}
	seen := map[string]bool{}
	texts := d.choose(2) == 0
	for range d.choose(5) {
		key := any(d.text())
		if !texts {
			key = d.key(2)
		}
		if text, ok := key.(string); ok {
			if seen[text] {
				continue
			}
			seen[text] = true
		}
		out = append(out, lang.Entry{Key: key, Value: d.element(depth)})
	}
	return out
}

// key is what can be hashed: an int, a text, a bool, None, a float, a tuple, a chance.
func (d draw) key(depth int) any {
	if depth > 0 && d.choose(4) == 0 {
		tuple := make([]any, d.choose(3))
		for i := range tuple {
			tuple[i] = d.key(depth - 1)
		}
		return tuple
	}
	if d.choose(6) == 0 {
		return lang.Prob{Value: d.rat()}
	}
	return d.scalar()
}

func (d draw) scalar() any {
	switch d.choose(6) {
	case 0:
		return rapid.Int().Draw(d.T, "int")
	case 1:
		return new(big.Int).Lsh(big.NewInt(rapid.Int64Range(1, 9).Draw(d.T, "big")), 80)
	case 2:
		return rapid.SampledFrom([]float64{0, 2, -7, 0.5, 1e-9, 1e300, 1 << 60, math.Inf(1), math.Inf(-1)}).Draw(d.T, "float")
	case 3:
		return d.choose(2) == 0
	case 4:
		return nil
	}
	return d.text()
}

func (d draw) element(depth int) any {
	switch n := d.choose(6); {
	case n == 0 && depth > 0:
		return d.list(depth - 1)
	case n == 1 && depth > 0:
		return d.dict(depth - 1)
	case n == 2 && depth > 0:
		return d.data(depth - 1)
	}
	return d.scalar()
}

// alike reports whether two results carry the same: rolls the same chances, exact numbers
// the same value, and everything else, in the same order, the same of it.
func alike(a, b any) bool { return alikeValues(reflect.ValueOf(a), reflect.ValueOf(b)) }

func alikeValues(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch x := a.Interface().(type) {
	case *dist.Dist:
		y := b.Interface().(*dist.Dist)
		return x == y || x != nil && y != nil && x.Bound() == y.Bound() && dist.Must(dist.Same(context.Background(), x, y))
	case *big.Rat:
		return x.Cmp(b.Interface().(*big.Rat)) == 0
	case lang.Label:
		return reflect.DeepEqual(x, b.Interface())
	}
	switch a.Kind() {
	case reflect.Interface:
		return alikeValues(a.Elem(), b.Elem())
	case reflect.Slice:
		same := a.Len() == b.Len()
		for i := 0; same && i < a.Len(); i++ {
			same = alikeValues(a.Index(i), b.Index(i))
		}
		return same
	case reflect.Struct:
		same := true
		for i := 0; same && i < a.NumField(); i++ {
			same = alikeValues(a.Field(i), b.Field(i))
		}
		return same
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// Every result comes back from json as it was: of all kinds, nested lists, dicts in their
// order with keys of any kind, long integers, floats that look whole.
func TestResultsTurnBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := draw{rt}
		r := &lang.Result{Notes: []string{d.text()}}
		for range 1 + d.choose(3) {
			r.Outputs = append(r.Outputs, lang.Output{Title: d.text(), Data: d.data(3)})
		}
		fractions := rapid.SampledFrom([]Fractions{ExactFractions, Weights}).Draw(rt, "fractions")
		if fractions == Weights { // only chances that add up have weights
			for i, o := range r.Outputs {
				if o.Kind() == "Outcomes" {
					r.Outputs[i].Data = lang.Text{}
				}
			}
		}
		text := render(t, "json", r, Options{Fractions: fractions})
		back, err := ReadJSON(t.Context(), strings.NewReader(text))
		if err != nil {
			rt.Fatalf("%v:\n%s", err, text)
		}
		if !alike(*r, *back) {
			rt.Fatalf("got  %+v\nwant %+v\n%s", back, r, text)
		}
		type reply struct { // a result among what a host keeps
			Of     string
			Result lang.Result
		}
		marshalled, err := json.Marshal(reply{"x", *r})
		if err != nil {
			rt.Fatal(err)
		}
		var kept reply
		if err := json.Unmarshal(marshalled, &kept); err != nil || !alike(*r, kept.Result) {
			rt.Fatalf("json.Marshal: %v\ngot  %+v\nwant %+v\n%s", err, kept.Result, r, marshalled)
		}
	})
}

// json.Marshal gives what is rendered as json, and a nil result is null.
func TestMarshalIsTheRenderedJSON(t *testing.T) {
	r := everyKind()
	var rendered bytes.Buffer
	if err := json.Compact(&rendered, []byte(render(t, "json", r, Options{}))); err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{r, *r} {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil || strings.TrimSpace(text.String()) != rendered.String() {
			t.Errorf("%v: %s", err, firstDifference(text.String(), rendered.String()))
		}
	}
	if text, err := json.Marshal((*lang.Result)(nil)); err != nil || string(text) != "null" {
		t.Errorf("nil: %s, %v", text, err)
	}
	for _, text := range []string{`{}`, `7`, `{"outputs": [{"kind": "Die"}], "usage": {}}`} {
		back := lang.Result{Notes: []string{"as before"}}
		if err := json.Unmarshal([]byte(text), &back); err == nil || len(back.Notes) != 1 {
			t.Errorf("%s: %v, %+v", text, err, back)
		}
	}
}

// What a recipe put out is there in its order, and a dict of a recipe that looks like data
// stays a dict.
func TestDictsTurnBack(t *testing.T) {
	for _, v := range []any{
		lang.Dict{{Key: "z", Value: 1}, {Key: "a", Value: 2}, {Key: "m", Value: []any{3}}},
		lang.Dict{{Key: 2, Value: "two"}, {Key: 1, Value: "one"}},
		lang.Dict{{Key: []any{1, "x"}, Value: nil}, {Key: true, Value: 2.0}, {Key: "t", Value: lang.Dict{}}},
		[]any{[]any{1, "one"}, []any{2, "two"}},
		lang.Dict{{Key: "kind", Value: "Prob"}, {Key: "exact", Value: "1/2"}, {Key: "value", Value: 0.5}},
		[]any{2.0, 2, math.Inf(1), new(big.Int).Lsh(big.NewInt(1), 99)},
	} {
		text := render(t, "json", oneOutput("x", lang.Text{Text: "x", Value: v}), Options{})
		back, err := ReadJSON(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if got := back.Outputs[0].Data.(lang.Text).Value; !alike(got, v) {
			t.Errorf("got %#v, want %#v\n%s", got, v, text)
		}
	}
}

func TestTypedMisused(t *testing.T) {
	for _, typed := range []string{`{}`, `{"list": []}`, `{"float": "x"}`, `{"float": 2}`, `{"dict": [[1]]}`, `{"dict": [1]}`, `{"data": {}}`, `{"dict": [], "float": "2"}`, `[{"dict": 7}]`} {
		text := `{"outputs": [{"title": "x", "kind": "Text", "text": "", "value": [], "typed": ` + typed + `}], "params": [], "usage": {}}`
		if r, err := ReadJSON(t.Context(), strings.NewReader(text)); err == nil {
			t.Errorf("%s: got %+v", typed, r.Outputs)
		}
	}
}
