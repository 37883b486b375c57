// Recording outputs: a value of the recipe becomes exact data that needs no
// interpreter.

package lang

import (
	"math/big"
	"strconv"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
)

// Output records what a recipe puts out. Without a title it is output_N.
func (r *run) Output(title string, titled bool, v starlark.Value) error {
	if !titled {
		title = "output_" + strconv.Itoa(len(r.result.Outputs))
	}
	if err := meter.Check(meter.TitleBytes, int64(len(title)), r.limits.TitleBytes); err != nil {
		return err
	}
	data, err := r.data(v)
	if err != nil {
		return err
	}
	if err := r.recordAt(title, data, r.line(), !titled); err != nil {
		return err
	}
	r.keepShown(v)
	return nil
}

// show records the value of an expression, as its text when it has no other
// form.
func (r *run) show(title string, v starlark.Value) error {
	data, err := r.data(v)
	if err != nil {
		return err
	}
	if err := r.recordAt(title, data, r.line(), false); err != nil {
		return err
	}
	r.keepShown(v)
	return nil
}

// recordAt records an output of a line; counted says whether its title counts the outputs.
func (r *run) recordAt(title string, data Data, line int, counted bool) error {
	if err := meter.Check(meter.Outputs, int64(len(r.result.Outputs))+1, r.limits.Outputs); err != nil {
		return err
	}
	need := r.outputBytes + int64(len(title)) + sizeOf(data)
	if err := meter.Check(meter.OutputBytes, need, r.limits.OutputBytes); err != nil {
		return err
	}
	r.outputBytes = need
	r.result.Usage.TitleBytes = max(r.result.Usage.TitleBytes, int64(len(title)))
	r.result.Outputs = append(r.result.Outputs, Output{Title: title, Data: data, Line: line})
	r.counted = append(r.counted, counted)
	return nil
}

// line is the line of the recipe's top-level code that is running.
func (r *run) line() int {
	depth := r.thread.CallStackDepth()
	if depth == 0 {
		return 0
	}
	return int(r.thread.CallFrame(depth - 1).Pos.Line)
}

// data is the exact content of a value.
func (r *run) data(v starlark.Value) (Data, error) {
	switch v := v.(type) {
	case *value.Roll:
		return Roll{v.Dist(), v.ExtraRolls()}, nil
	case *value.Pool:
		d, _, err := value.AsRoll(r.thread, v)
		return Roll{d, v.ExtraRolls()}, err
	case *value.Prob:
		return Prob{v.Rat(), v.Bound()}, nil
	case *value.Number:
		return Number{v.Rat(), v.Bound()}, nil
	case *value.Outcomes:
		return r.labeled(v)
	case *value.ProbTable:
		return r.table(v)
	case *value.Grid:
		return r.grid(v)
	case *value.Comparison:
		return comparison(v), nil
	case *builtins.Plan:
		return r.plan(v)
	case starlark.Int:
		return Number{Value: new(big.Rat).SetInt(v.BigInt())}, nil
	case starlark.Float:
		return floatData(v), nil
	}
	return r.textData(v)
}

// floatData is a float as the decimal that it is written as; what is no number
// is text.
func floatData(f starlark.Float) Data {
	if x, ok := new(big.Rat).SetString(strconv.FormatFloat(float64(f), 'g', -1, 64)); ok {
		return Number{Value: x}
	}
	return Text{Text: f.String()}
}

func (r *run) textData(v starlark.Value) (Data, error) {
	if s, ok := starlark.AsString(v); ok {
		return Text{Text: s}, nil
	}
	if err := r.meter.Text(v); err != nil {
		return nil, err
	}
	text := Text{Text: v.String()}
	switch v.(type) {
	case starlark.Bool, *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set:
		value, err := r.structured(v)
		if err != nil {
			return nil, err
		}
		text.Value = value
	}
	return text, nil
}

// structured is a value as data of Go. Its text is cut to maxMessage, and so are all
// that it holds.
func (r *run) structured(v starlark.Value) (any, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case *starlark.Dict:
		dict := make(Dict, 0, v.Len())
		for key, value := range v.Entries() {
			k, err := r.structured(key)
			if err != nil {
				return nil, err
			}
			x, err := r.structured(value)
			if err != nil {
				return nil, err
			}
			dict = append(dict, Entry{k, x})
		}
		return dict, nil
	case *starlark.List, starlark.Tuple, *starlark.Set:
		list := make([]any, 0, starlark.Len(v))
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			x, err := r.structured(e)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	if x := given.Plain(v); x != nil {
		return x, nil
	}
	return r.data(v)
}

// rowsAtOnce is how many rows are recorded between two looks at the context.
const rowsAtOnce = 1 << 12

// lookAt looks at the context for some of the rows.
func (r *run) lookAt(row int) error {
	if row%rowsAtOnce != 0 {
		return nil
	}
	return r.ctx.Err()
}

func (r *run) labeled(o *value.Outcomes) (Data, error) {
	all := o.Labels()
	data := Outcomes{Entries: make([]Outcome, len(all)), Bound: o.Bound(), Ordered: o.Set().Ordered()}
	for i, l := range all {
		if err := r.lookAt(i); err != nil {
			return nil, err
		}
		data.Entries[i] = Outcome{label(l), o.Chance(i)}
	}
	return data, nil
}

func (r *run) table(t *value.ProbTable) (Data, error) {
	rows := t.Rows()
	data := ProbTable{Rows: make([]ProbTableRow, len(rows))}
	for i, row := range rows {
		if err := r.lookAt(i); err != nil {
			return nil, err
		}
		data.Rows[i] = ProbTableRow{label(row.Label), row.Chance, row.Bound}
	}
	return data, nil
}

func (r *run) grid(g *value.Grid) (Data, error) {
	data := Grid{Title: g.Title(), Corner: g.Corner(), Rows: labels(g.Rows()), Cols: labels(g.Cols()), Digits: g.Digits()}
	data.Cells = make([][]Cell, len(data.Rows))
	for i := range data.Rows {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		data.Cells[i] = make([]Cell, len(data.Cols))
		for j := range data.Cols {
			c := g.Cell(i, j)
			data.Cells[i][j] = Cell{c.Value, c.Bound, c.Prob}
		}
	}
	return data, nil
}

func (r *run) plan(p *builtins.Plan) (Data, error) {
	rows, err := p.Decisions(r.ctx)
	if err != nil {
		return nil, err
	}
	var data Plan
	data.Value, data.Bound = p.Value()
	data.Decisions = make([]Decision, len(rows))
	for i, row := range rows {
		if err := r.lookAt(i); err != nil {
			return nil, err
		}
		data.Decisions[i] = Decision{label(row.State), label(row.Move), row.Value}
	}
	return data, nil
}

func comparison(c *value.Comparison) Data {
	var data Comparison
	for _, row := range c.Rolls() {
		data.Rolls = append(data.Rolls, NamedRoll{label(row.Label).String(), row.Roll})
	}
	return data
}

// label is a label of the recipe as data.
func label(v starlark.Value) Label {
	switch v := v.(type) {
	case starlark.String:
		return TextLabel(string(v))
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return IntLabel(int(n))
		}
	case starlark.Bool:
		return BoolLabel(bool(v))
	case starlark.NoneType:
		return NoneLabel()
	case starlark.Tuple:
		return TupleLabel(labels(v)...)
	}
	return TextLabel(v.String())
}

func labels(vs []starlark.Value) []Label {
	out := make([]Label, len(vs))
	for i, v := range vs {
		out[i] = label(v)
	}
	return out
}

// Sizes of outputs as they count against the limit, in bytes: about what they
// take when all their rows are printed. The exact chances of a roll, which may have
// thousands of digits each, are the roll's own: a report that writes them counts them.
const (
	rowBytes    = 40 // around the numbers of a row
	chanceBytes = 40 // a chance, as a table shows it
)

func sizeOf(d Data) int64 {
	n := int64(rowBytes)
	switch d := d.(type) {
	case Roll:
		n += distBytes(d.Dist)
	case Comparison:
		for _, r := range d.Rolls {
			n += int64(len(r.Name)) + distBytes(r.Dist)
		}
	case Prob:
		n += ratBytes(d.Value)
	case Number:
		n += ratBytes(d.Value)
	case Outcomes:
		for _, e := range d.Entries {
			n += rowBytes + e.Label.size() + ratBytes(e.Value)
		}
	case ProbTable:
		for _, row := range d.Rows {
			n += rowBytes + row.Label.size() + ratBytes(row.Value)
		}
	case Grid:
		for _, row := range d.Cells {
			for _, c := range row {
				n += rowBytes + ratBytes(c.Value)
			}
		}
	case Plan:
		n += ratBytes(d.Value)
		for _, x := range d.Decisions {
			n += rowBytes + x.State.size() + x.Move.size() + ratBytes(x.Value)
		}
	case Text:
		n += int64(len(d.Text)) + sizeOfValue(d.Value)
	}
	return n
}

// sizeOfValue is the size of data besides its text.
func sizeOfValue(v any) (n int64) {
	const elementBytes = 16
	switch v := v.(type) {
	case Data:
		return sizeOf(v)
	case []any:
		for _, x := range v {
			n += elementBytes + sizeOfValue(x)
		}
	case Dict:
		for _, e := range v {
			n += 2*elementBytes + sizeOfValue(e.Key) + sizeOfValue(e.Value)
		}
	}
	return n
}

// size is about the length of the label's text.
func (l Label) size() int64 {
	switch l.shape {
	case intShape, boolShape, noneShape:
		return 8
	case tupleShape:
		n := int64(2)
		for _, item := range l.items {
			n += item.size() + 2
		}
		return n
	}
	return int64(len(l.text))
}

func distBytes(d *dist.Dist) int64 {
	if d == nil {
		return 0
	}
	return int64(d.Len()) * (rowBytes + chanceBytes)
}

func ratBytes(x *big.Rat) int64 {
	return int64(x.Num().BitLen()+x.Denom().BitLen()) / 3
}
