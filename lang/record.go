// Recording outputs: a value of the recipe becomes exact data that needs no
// interpreter.

package lang

import (
	"math/big"
	"strconv"

	"dicescript/builtins"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// output records what a recipe puts out. Without a title it is output_N.
func (r *run) output(title string, titled bool, v starlark.Value) error {
	if !titled {
		title = "output_" + strconv.Itoa(len(r.result.Outputs))
	}
	if limit := r.limits.TitleBytes; exceeds(int64(len(title)), limit) {
		return limitError("bytes for a title", int64(len(title)), limit)
	}
	data, err := r.data(v)
	if err != nil {
		return err
	}
	return r.record(title, data)
}

// show records the value of an expression, as its text when it has no other
// form.
func (r *run) show(title string, v starlark.Value) error {
	data, err := r.data(v)
	if err != nil {
		return err
	}
	return r.record(title, data)
}

func (r *run) record(title string, data Data) error {
	if need, limit := int64(len(r.result.Outputs))+1, r.limits.Outputs; exceeds(need, limit) {
		return limitError("outputs", need, limit)
	}
	need := r.outputBytes + int64(len(title)) + sizeOf(data)
	if limit := r.limits.OutputBytes; exceeds(need, limit) {
		return limitError("bytes of output", need, limit)
	}
	r.outputBytes = need
	r.result.Outputs = append(r.result.Outputs, Output{Title: title, Data: data, Line: r.line()})
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
	case *builtins.Roll:
		return Roll{v.Dist()}, nil
	case *builtins.Pool:
		d, _, err := builtins.AsRoll(r.thread, v)
		return Roll{d}, err
	case *builtins.Prob:
		return Chance{v.Rat(), v.Error()}, nil
	case *builtins.Number:
		return Number{v.Rat(), v.Error()}, nil
	case *builtins.Outcomes:
		return r.labeled(v)
	case *builtins.ProbTable:
		return r.table(v)
	case *builtins.Grid:
		return r.grid(v)
	case *builtins.Comparison:
		return comparison(v), nil
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
	return Text{f.String()}
}

func (r *run) textData(v starlark.Value) (Data, error) {
	if s, ok := starlark.AsString(v); ok {
		return Text{s}, nil
	}
	if err := r.chargeText(v); err != nil {
		return nil, err
	}
	return Text{v.String()}, nil
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

func (r *run) labeled(o *builtins.Outcomes) (Data, error) {
	all := o.Labels()
	data := Labeled{Entries: make([]LabelChance, len(all)), Error: o.Error()}
	for i, l := range all {
		if err := r.lookAt(i); err != nil {
			return nil, err
		}
		data.Entries[i] = LabelChance{label(l), o.Chance(i)}
	}
	return data, nil
}

func (r *run) table(t *builtins.ProbTable) (Data, error) {
	rows := t.Rows()
	data := Table{Rows: make([]TableRow, len(rows))}
	for i, row := range rows {
		if err := r.lookAt(i); err != nil {
			return nil, err
		}
		data.Rows[i] = TableRow{label(row.Label), row.Chance, row.Error}
	}
	return data, nil
}

func (r *run) grid(g *builtins.Grid) (Data, error) {
	data := Grid{Title: g.Title(), Corner: g.Corner(), Rows: labels(g.Rows()), Cols: labels(g.Cols()), Digits: g.Digits()}
	data.Cells = make([][]Cell, len(data.Rows))
	for i := range data.Rows {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		data.Cells[i] = make([]Cell, len(data.Cols))
		for j := range data.Cols {
			c := g.Cell(i, j)
			data.Cells[i][j] = Cell{c.Value, c.Error, c.Prob}
		}
	}
	return data, nil
}

func comparison(c *builtins.Comparison) Data {
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
// take when they are printed in full.
const (
	rowBytes  = 40 // around the numbers of a row
	wordBytes = 40 // two numbers of up to 20 digits: numerator and denominator
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
	case Chance:
		n += ratBytes(d.Value)
	case Number:
		n += ratBytes(d.Value)
	case Labeled:
		for _, e := range d.Entries {
			n += rowBytes + e.Label.size() + ratBytes(e.Value)
		}
	case Table:
		for _, row := range d.Rows {
			n += rowBytes + row.Label.size() + ratBytes(row.Value)
		}
	case Grid:
		for _, row := range d.Cells {
			for _, c := range row {
				n += rowBytes + ratBytes(c.Value)
			}
		}
	case Text:
		n += int64(len(d.Text))
	}
	return n
}

// size is about the length of the label's text.
func (l Label) size() int64 {
	switch l.shape {
	case intShape:
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
	return int64(d.Len()) * (rowBytes + wordBytes*int64(d.Words()))
}

func ratBytes(x *big.Rat) int64 {
	return int64(x.Num().BitLen()+x.Denom().BitLen()) / 3
}
