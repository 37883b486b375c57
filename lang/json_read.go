// Results back from json, as another process has written them.

package lang

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"sync"

	"dicescript/dist"
	"dicescript/lang/internal/form"
)

// UnmarshalJSON reads what [Result.MarshalJSON] or lang/report has written, the outputs
// before a failure too; what it lacks is what report.ReadJSON says.
func (r *Result) UnmarshalJSON(text []byte) error {
	read, _, err := readJSON(form.Source{Context: context.Background(), Text: bytes.NewReader(text)})
	if err == nil {
		*r = *read
	}
	return err
}

// DecodeJSON reads a result with the error of its run, for lang/report.
func DecodeJSON(from form.Source) (*Result, error) {
	r, failure, err := readJSON(from)
	if err != nil {
		return r, err
	}
	return r, failure
}

// readJSON reads a result. It says apart what is wrong with the text, and why the run
// failed.
func readJSON(from form.Source) (r *Result, failure, err error) {
	var doc resultText
	d := json.NewDecoder(from.Text)
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return &Result{}, nil, fmt.Errorf("json: %w", err)
	}
	if doc.Outputs == nil || doc.Usage == nil {
		return &Result{}, nil, errors.New("json: this is no result: it has no outputs or no usage")
	}
	in := resultReader{ctx: from.Context}
	result := &Result{Notes: doc.Notes}
	for i, o := range *doc.Outputs {
		data, err := in.data(o)
		if err != nil {
			return result, nil, fmt.Errorf("json: output %d: %w", i, err)
		}
		result.Outputs = append(result.Outputs, Output{Title: o.Title, Data: data})
	}
	for _, p := range doc.Params {
		result.Params = append(result.Params, p.value())
	}
	for name, n := range result.Usage.counts() {
		*n = doc.Usage[strings.ReplaceAll(name, "-", "_")]
	}
	return result, doc.failure(), nil
}

type resultText struct {
	Error   *jsonError
	Errors  []*jsonError
	Outputs *[]jsonOutput
	Params  []jsonParam
	Notes   []string
	Usage   map[string]int64
}

type jsonError struct {
	Kind, Message, File string
	Line, Column        int
	Backtrace           []struct {
		Function, File string
		Line, Column   int
	}
}

// failure is the error of the run.
func (d resultText) failure() error {
	all := d.Errors
	if len(all) == 0 && d.Error != nil {
		all = []*jsonError{d.Error}
	}
	var list ErrorList
	for _, j := range all {
		if j == nil {
			continue
		}
		e := &Error{Kind: Kind(j.Kind), Message: j.Message, Position: Position{File: j.File, Line: j.Line, Column: j.Column}}
		for _, f := range j.Backtrace {
			e.Frames = append(e.Frames, Frame{Function: f.Function, Position: Position{File: f.File, Line: f.Line, Column: f.Column}})
		}
		list = append(list, e)
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}

type jsonParam struct {
	Name, Type, Help string
	Value, Default   any
	Min, Max         any
	Choices          []any
}

func (p jsonParam) value() ParamValue {
	v := ParamValue{Name: p.Name, Type: p.Type, Help: p.Help}
	number := func(x any) any { return scalar(x, p.Type == "float") }
	v.Value, v.Default, v.Min, v.Max = number(p.Value), number(p.Default), number(p.Min), number(p.Max)
	for _, c := range p.Choices {
		v.Choices = append(v.Choices, number(c))
	}
	return v
}

// scalar is a number of json as an int, a *big.Int or a float64, and a fraction as a
// *big.Rat; anything else is itself.
func scalar(x any, float bool) any {
	if pair, isPair := x.(map[string]any); isPair {
		if text, exact := pair["exact"].(string); exact && fractionText().MatchString(text) {
			r, _ := new(big.Rat).SetString(text)
			return r
		}
	}
	n, ok := x.(json.Number)
	if !ok {
		return x
	}
	if i, err := n.Int64(); err == nil && !float {
		return int(i)
	}
	if i, ok := new(big.Int).SetString(n.String(), 10); ok && !float {
		return i
	}
	f, _ := n.Float64()
	return f
}

type jsonValue struct {
	Exact  *string
	Weight *string
	Value  json.RawMessage
	Error  float64
	Number bool
}

// hasValue reports whether there is a value, if only a float.
func (v jsonValue) hasValue() bool { return len(v.Value) > 0 && string(v.Value) != "null" }

type jsonRow struct {
	jsonValue
	Outcome, Label, State, Move any
}

type jsonOutput struct {
	jsonValue
	Title, Kind    string
	Label          string // of a roll that is compared
	Mean, Variance *jsonValue
	Total          *string
	Ordered        bool
	PMF            []jsonRow
	Rows           json.RawMessage
	Cols           []any
	Caption        string
	Corner         string
	Digits         int
	Cells          [][]jsonValue
	Rolls          []jsonOutput
	Decisions      []jsonRow
	Text           *string
	Typed          json.RawMessage
}

// A resultReader makes data of outputs.
type resultReader struct{ ctx context.Context }

func (in resultReader) data(o jsonOutput) (Data, error) {
	if err := in.ctx.Err(); err != nil {
		return nil, err
	}
	switch o.Kind {
	case "DieRoll":
		d, err := in.roll(o)
		return Roll{Dist: d}, err
	case "Prob":
		x, err := o.fraction(nil)
		return Prob{Value: x, Bound: o.Error}, err
	case "Number":
		x, err := o.fraction(nil)
		return Number{Value: x, Bound: o.Error}, err
	case "Outcomes":
		return in.outcomes(o)
	case "ProbTable":
		return in.table(o)
	case "Grid":
		return in.grid(o)
	case "Comparison":
		var c Comparison
		for _, r := range o.Rolls {
			d, err := in.roll(r)
			if err != nil {
				return nil, err
			}
			c.Rolls = append(c.Rolls, NamedRoll{Name: r.Label, Dist: d})
		}
		return c, nil
	case "Plan":
		return in.plan(o)
	case "Text":
		if o.Text == nil {
			return nil, errors.New("it has no text")
		}
		v, err := in.value(o)
		return Text{Text: *o.Text, Value: v}, err
	}
	return nil, fmt.Errorf("there is no kind %q", o.Kind)
}

// wholeText and fractionText are how exact values are written; big.Rat reads much
// more, such as numbers with an exponent that would fill the memory.
var (
	wholeText    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+$`) })
	fractionText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+(/[0-9]*[1-9][0-9]*)?$`) })
)

// fraction is an exact value: a fraction, or a weight of a total. It is nil where there is
// none, as of a chance that is not known.
func (v jsonValue) fraction(total *big.Int) (*big.Rat, error) {
	switch {
	case v.Exact != nil && fractionText().MatchString(*v.Exact):
		x, _ := new(big.Rat).SetString(*v.Exact)
		return x, nil
	case v.Weight != nil && total != nil && wholeText().MatchString(*v.Weight):
		w, _ := new(big.Int).SetString(*v.Weight, 10)
		return new(big.Rat).SetFrac(w, total), nil
	case v.Exact == nil && v.Weight == nil && !v.hasValue():
		return nil, nil
	case v.Exact == nil && v.Weight == nil:
		return nil, errors.New("its values are not exact: let json have fractions or weights")
	}
	return nil, errors.New("an exact value is no fraction")
}

// total is what the weights of an output add up to, nil when there are none.
func (o jsonOutput) total() (*big.Int, error) {
	if o.Total == nil {
		return nil, nil
	}
	t, ok := new(big.Int).SetString(*o.Total, 10)
	if !ok || t.Sign() <= 0 || !wholeText().MatchString(*o.Total) {
		return nil, errors.New("the total is no whole number above 0")
	}
	return t, nil
}

func (in resultReader) roll(o jsonOutput) (*dist.Dist, error) {
	if len(o.PMF) == 0 {
		return nil, nil
	}
	total, err := o.total()
	if err != nil {
		return nil, err
	}
	faces, chances := make([]int, len(o.PMF)), make([]*big.Rat, len(o.PMF))
	for i, row := range o.PMF {
		x, ok := scalar(row.Outcome, false).(int)
		if !ok {
			return nil, fmt.Errorf("the outcome %v is no whole number", row.Outcome)
		}
		faces[i] = x
		if chances[i], err = row.fraction(total); err != nil || chances[i] == nil {
			return nil, errors.Join(err, fmt.Errorf("the outcome %d has no chance", x))
		}
	}
	weights, err := in.weights(chances, total)
	if err != nil {
		return nil, err
	}
	var mean, variance *big.Rat
	if o.Mean != nil && o.Mean.Error == 0 {
		if mean, err = o.Mean.fraction(nil); err != nil {
			return nil, fmt.Errorf("mean: %w", err)
		}
	}
	if o.Variance != nil && o.Variance.Error == 0 {
		if variance, err = o.Variance.fraction(nil); err != nil {
			return nil, fmt.Errorf("variance: %w", err)
		}
	}
	return dist.Near(in.ctx, faces, weights, o.Error, mean, variance)
}

// weights are chances over a common total, which is worked out when there is none.
func (in resultReader) weights(chances []*big.Rat, total *big.Int) ([]*big.Int, error) {
	if total == nil {
		total = big.NewInt(1)
		for _, x := range chances {
			if err := in.ctx.Err(); err != nil {
				return nil, err
			}
			total = common(total, x)
		}
	}
	weights := make([]*big.Int, len(chances))
	sum := new(big.Int)
	for i, x := range chances {
		w := new(big.Int).Mul(x.Num(), total)
		weights[i] = w.Quo(w, x.Denom())
		sum.Add(sum, weights[i])
	}
	if sum.Cmp(total) != 0 {
		return nil, errors.New("the chances do not add up to 1")
	}
	return weights, nil
}

func (in resultReader) outcomes(o jsonOutput) (Data, error) {
	total, err := o.total()
	if err != nil {
		return nil, err
	}
	data := Outcomes{Bound: o.Error, Ordered: o.Ordered}
	for _, row := range o.PMF {
		x, err := row.fraction(total)
		if err != nil {
			return nil, err
		}
		l, err := readLabel(row.Outcome)
		if err != nil {
			return nil, err
		}
		data.Entries = append(data.Entries, Outcome{Label: l, Value: x})
	}
	return data, nil
}

func (in resultReader) table(o jsonOutput) (Data, error) {
	var rows []jsonRow
	if err := decodeJSON(o.Rows, &rows); err != nil {
		return nil, err
	}
	var data ProbTable
	for _, row := range rows {
		x, err := row.fraction(nil)
		if err != nil {
			return nil, err
		}
		l, err := readLabel(row.Label)
		if err != nil {
			return nil, err
		}
		data.Rows = append(data.Rows, ProbTableRow{Label: l, Value: x, Bound: row.Error})
	}
	return data, nil
}

func (in resultReader) grid(o jsonOutput) (Data, error) {
	var heads []any
	if err := decodeJSON(o.Rows, &heads); err != nil {
		return nil, err
	}
	g := Grid{Title: o.Caption, Corner: o.Corner, Digits: o.Digits}
	var err error
	if g.Rows, err = readLabels(heads); err != nil {
		return nil, err
	}
	if g.Cols, err = readLabels(o.Cols); err != nil {
		return nil, err
	}
	for _, cells := range o.Cells {
		row := make([]Cell, len(cells))
		for i, c := range cells {
			x, err := c.fraction(nil)
			if err != nil {
				return nil, err
			}
			row[i] = Cell{Value: x, Bound: c.Error, Prob: !c.Number}
		}
		g.Cells = append(g.Cells, row)
	}
	if len(g.Cells) != len(g.Rows) {
		return nil, fmt.Errorf("there are %d rows for %d headings", len(g.Cells), len(g.Rows))
	}
	return g, nil
}

func (in resultReader) plan(o jsonOutput) (Data, error) {
	x, err := o.fraction(nil)
	if err != nil {
		return nil, err
	}
	p := Plan{Value: x, Bound: o.Error}
	for _, d := range o.Decisions {
		x, err := d.fraction(nil)
		if err != nil {
			return nil, err
		}
		state, err := readLabel(d.State)
		if err != nil {
			return nil, err
		}
		move, err := readLabel(d.Move)
		if err != nil {
			return nil, err
		}
		p.Decisions = append(p.Decisions, Decision{State: state, Move: move, Value: x})
	}
	return p, nil
}

func decodeJSON(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

func readLabel(v any) (Label, error) {
	switch v := scalar(v, false).(type) {
	case string:
		return TextLabel(v), nil
	case int:
		return IntLabel(v), nil
	case bool:
		return BoolLabel(v), nil
	case nil:
		return NoneLabel(), nil
	case []any:
		items, err := readLabels(v)
		return TupleLabel(items...), err
	}
	return Label{}, fmt.Errorf("%v is no label", v)
}

func readLabels(vs []any) ([]Label, error) {
	out := make([]Label, len(vs))
	for i, v := range vs {
		var err error
		if out[i], err = readLabel(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
