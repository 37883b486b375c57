// Results back from json, as another process has written them.

package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"dicescript/dist"
	"dicescript/lang"
)

// ReadJSON reads what [Render] has written as json, with exact fractions or with weights,
// back as the result. As with [lang.Program.Run] the result is never nil, and an error of
// the run, an *[lang.Error] or a [lang.ErrorList], comes beside what was recorded before
// it; context.DeadlineExceeded is found in it. An error that is none of these says that
// the text is no such json.
//
// What json does not have is not there: the lines of outputs, the source lines and causes
// of errors; of an unlimited roll, where it ends and what is known of its moments but not
// exactly; and whether what holds several is a list or a tuple. The context bounds the
// time; texts take about four times their length in memory.
func ReadJSON(ctx context.Context, r io.Reader) (*lang.Result, error) {
	var doc resultText
	d := json.NewDecoder(r)
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return &lang.Result{}, fmt.Errorf("json: %w", err)
	}
	if doc.Outputs == nil || doc.Usage == nil {
		return &lang.Result{}, errors.New("json: this is no result: it has no outputs or no usage")
	}
	in := reader{ctx: ctx}
	result := &lang.Result{Notes: doc.Notes}
	for i, o := range *doc.Outputs {
		data, err := in.data(o)
		if err != nil {
			return result, fmt.Errorf("json: output %d: %w", i, err)
		}
		result.Outputs = append(result.Outputs, lang.Output{Title: o.Title, Data: data})
	}
	for _, p := range doc.Params {
		result.Params = append(result.Params, p.value())
	}
	result.Usage = lang.UsageOf(func(name string) int64 { return doc.Usage[strings.ReplaceAll(name, "-", "_")] })
	return result, doc.failure()
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
	var list lang.ErrorList
	for _, j := range all {
		if j == nil {
			continue
		}
		e := &lang.Error{Kind: lang.Kind(j.Kind), Message: j.Message, Position: lang.Position{File: j.File, Line: j.Line, Column: j.Column}}
		for _, f := range j.Backtrace {
			e.Frames = append(e.Frames, lang.Frame{Function: f.Function, Position: lang.Position{File: f.File, Line: f.Line, Column: f.Column}})
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

func (p jsonParam) value() lang.ParamValue {
	v := lang.ParamValue{Name: p.Name, Type: p.Type, Help: p.Help}
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
	Value  any
	Error  float64
	Number bool
}

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
}

// A reader makes data of outputs.
type reader struct{ ctx context.Context }

func (in reader) data(o jsonOutput) (lang.Data, error) {
	if err := in.ctx.Err(); err != nil {
		return nil, err
	}
	switch o.Kind {
	case "DieRoll":
		d, err := in.roll(o)
		return lang.Roll{Dist: d}, err
	case "Prob":
		x, err := o.fraction(nil)
		return lang.Prob{Value: x, Bound: o.Error}, err
	case "Number":
		x, err := o.fraction(nil)
		return lang.Number{Value: x, Bound: o.Error}, err
	case "Outcomes":
		return in.outcomes(o)
	case "ProbTable":
		return in.table(o)
	case "Grid":
		return in.grid(o)
	case "Comparison":
		var c lang.Comparison
		for _, r := range o.Rolls {
			d, err := in.roll(r)
			if err != nil {
				return nil, err
			}
			c.Rolls = append(c.Rolls, lang.NamedRoll{Name: r.Label, Dist: d})
		}
		return c, nil
	case "Plan":
		return in.plan(o)
	case "Text":
		if o.Text == nil {
			return nil, errors.New("it has no text")
		}
		v, err := in.structured(o.Value)
		return lang.Text{Text: *o.Text, Value: v}, err
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
	case v.Exact == nil && v.Weight == nil && v.Value == nil:
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

func (in reader) roll(o jsonOutput) (*dist.Dist, error) {
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
func (in reader) weights(chances []*big.Rat, total *big.Int) ([]*big.Int, error) {
	if total == nil {
		total = big.NewInt(1)
		for _, x := range chances {
			if err := in.ctx.Err(); err != nil {
				return nil, err
			}
			common := new(big.Int).GCD(nil, nil, total, x.Denom())
			total = new(big.Int).Mul(total, common.Quo(x.Denom(), common))
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

func (in reader) outcomes(o jsonOutput) (lang.Data, error) {
	total, err := o.total()
	if err != nil {
		return nil, err
	}
	data := lang.Outcomes{Bound: o.Error}
	for _, row := range o.PMF {
		x, err := row.fraction(total)
		if err != nil {
			return nil, err
		}
		l, err := readLabel(row.Outcome)
		if err != nil {
			return nil, err
		}
		data.Entries = append(data.Entries, lang.Outcome{Label: l, Value: x})
	}
	return data, nil
}

func (in reader) table(o jsonOutput) (lang.Data, error) {
	var rows []jsonRow
	if err := decodeJSON(o.Rows, &rows); err != nil {
		return nil, err
	}
	var data lang.ProbTable
	for _, row := range rows {
		x, err := row.fraction(nil)
		if err != nil {
			return nil, err
		}
		l, err := readLabel(row.Label)
		if err != nil {
			return nil, err
		}
		data.Rows = append(data.Rows, lang.ProbTableRow{Label: l, Value: x, Bound: row.Error})
	}
	return data, nil
}

func (in reader) grid(o jsonOutput) (lang.Data, error) {
	var heads []any
	if err := decodeJSON(o.Rows, &heads); err != nil {
		return nil, err
	}
	g := lang.Grid{Title: o.Caption, Corner: o.Corner, Digits: o.Digits}
	var err error
	if g.Rows, err = readLabels(heads); err != nil {
		return nil, err
	}
	if g.Cols, err = readLabels(o.Cols); err != nil {
		return nil, err
	}
	for _, cells := range o.Cells {
		row := make([]lang.Cell, len(cells))
		for i, c := range cells {
			x, err := c.fraction(nil)
			if err != nil {
				return nil, err
			}
			row[i] = lang.Cell{Value: x, Bound: c.Error, Prob: !c.Number}
		}
		g.Cells = append(g.Cells, row)
	}
	if len(g.Cells) != len(g.Rows) {
		return nil, fmt.Errorf("there are %d rows for %d headings", len(g.Cells), len(g.Rows))
	}
	return g, nil
}

func (in reader) plan(o jsonOutput) (lang.Data, error) {
	x, err := o.fraction(nil)
	if err != nil {
		return nil, err
	}
	p := lang.Plan{Value: x, Bound: o.Error}
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
		p.Decisions = append(p.Decisions, lang.Decision{State: state, Move: move, Value: x})
	}
	return p, nil
}

// structured is the data of a list or dict. The order of a dict is that of its keys in
// the text.
func (in reader) structured(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return scalar(v, strings.ContainsAny(v.String(), ".eE")), nil
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			var err error
			if list[i], err = in.structured(x); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		return in.object(v)
	}
	return v, nil
}

// memberOf are the members by which data of each kind differs from a dict that has a key
// "kind".
var memberOf = map[string]string{
	"DieRoll": "pmf", "Prob": "value", "Number": "value", "Outcomes": "pmf", "ProbTable": "rows", "Grid": "cells",
	"Comparison": "rolls", "Plan": "decisions", "Text": "text",
}

// object is data of a kind, or a dict.
func (in reader) object(v map[string]any) (any, error) {
	kind, _ := v["kind"].(string)
	if _, isData := v[memberOf[kind]]; isData {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		var o jsonOutput
		if decodeJSON(text, &o) == nil {
			if data, err := in.data(o); err == nil {
				return data, nil
			}
		}
	}
	dict := make(lang.Dict, 0, len(v))
	for _, key := range slices.Sorted(maps.Keys(v)) {
		x, err := in.structured(v[key])
		if err != nil {
			return nil, err
		}
		dict = append(dict, lang.Entry{Key: key, Value: x})
	}
	return dict, nil
}

func decodeJSON(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

func readLabel(v any) (lang.Label, error) {
	switch v := scalar(v, false).(type) {
	case string:
		return lang.TextLabel(v), nil
	case int:
		return lang.IntLabel(v), nil
	case []any:
		items, err := readLabels(v)
		return lang.TupleLabel(items...), err
	}
	return lang.Label{}, fmt.Errorf("%v is no label", v)
}

func readLabels(vs []any) ([]lang.Label, error) {
	out := make([]lang.Label, len(vs))
	for i, v := range vs {
		var err error
		if out[i], err = readLabel(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
