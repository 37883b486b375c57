package builtins

import (
	"fmt"

	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A grid asks a function of the recipe for every cell of a table in two directions.

func gridBuiltins() []builtin {
	return []builtin{{
		name: "grid", free: true,
		params: []Param{
			{Name: "rows", Doc: "the headings of the rows: whole numbers or text"},
			{Name: "cols", Doc: "the headings of the columns: whole numbers or text"},
			{Name: "fn", Doc: "a function of the headings of a row and of a column that returns a chance or a number"},
			{Name: "title", Default: `""`, Doc: "a title for the grid"},
			{Name: "corner", Default: `""`, Doc: "what stands where the headings meet"},
			{Name: "digits", Default: "2", Doc: "how many decimals to print"},
		},
		doc:     "A table in two directions: a chance or a number for every row and column, to be shown by output.",
		errors:  "a function that returns something else for some cell",
		example: `grid([1, 2, 3], [4, 6, 8], lambda dice, sides: dice_pool(dice, sides).mean(), title="Mean", corner="dice")`,
		result:  "Grid(Mean, 3 x 3)",
		run:     grid,
	}}
}

func grid(c call) (starlark.Value, error) {
	rows, err := c.headings(0)
	if err != nil {
		return nil, err
	}
	cols, err := c.headings(1)
	if err != nil {
		return nil, err
	}
	cb, err := newCallback(c, 2, 2, "the row and the column")
	if err != nil {
		return nil, err
	}
	h := value.Headings{Rows: rows, Cols: cols}
	if h.Title, err = c.textOr(3, ""); err != nil {
		return nil, err
	}
	if h.Corner, err = c.textOr(4, ""); err != nil {
		return nil, err
	}
	digits, err := c.atLeast(5, 0, 2)
	if err != nil {
		return nil, err
	}
	if digits > maxGridDigits {
		return nil, c.wrong(5, "got %d, want at most %d", digits, maxGridDigits)
	}
	cells, err := filled(h, cb)
	if err != nil {
		return nil, err
	}
	return value.NewGrid(c.methods(), h, cells, digits), nil
}

// textOr returns argument i as text, or what it is when left out.
func (c call) textOr(i int, otherwise string) (string, error) {
	if c.value(i) == nil {
		return otherwise, nil
	}
	if err := c.meter().Name(c.value(i)); err != nil {
		return "", c.label(i, err)
	}
	return c.text(i)
}

// headings returns argument i as the headings of rows or columns.
func (c call) headings(i int) ([]starlark.Value, error) {
	values, ok := value.Elements(c.value(i))
	if !ok {
		return nil, c.want(i, "a list of whole numbers or text")
	}
	if len(values) == 0 {
		return nil, c.wrong(i, "got an empty list, want at least one heading")
	}
	for n, v := range values {
		switch v.(type) {
		case starlark.Int, starlark.String:
			if err := c.meter().Name(v); err != nil {
				return nil, c.label(i, fmt.Errorf("item %d: %w", n+1, err))
			}
		default:
			return nil, c.wrong(i, "item %d: got %s, want a whole number or text", n+1, value.Describe(v))
		}
	}
	return append([]starlark.Value(nil), values...), nil
}

// filled asks cb for every cell.
func filled(h value.Headings, cb *callback) ([][]value.GridCell, error) {
	size := upper.MulSat(int64(len(h.Rows)), int64(len(h.Cols)))
	if err := cb.pay(size); err != nil {
		return nil, err
	}
	if err := meter.Of(cb.thread).Keep(size); err != nil {
		return nil, err
	}
	f := &gridFilling{Headings: h, cb: cb}
	if err := f.sideBySide(); err != nil {
		return nil, err
	}
	for len(f.cells) < len(h.Rows) {
		if err := f.row(); err != nil {
			return nil, err
		}
	}
	return f.cells, nil
}

// A gridFilling asks for the cells of a grid row by row.
type gridFilling struct {
	value.Headings
	cb    *callback
	cells [][]value.GridCell // of the rows so far
}

// row asks for the cells of the next row.
func (f *gridFilling) row() error {
	cells := make([]value.GridCell, len(f.Cols))
	for j, col := range f.Cols {
		f.cb.args[0], f.cb.args[1] = f.Rows[len(f.cells)], col
		v, err := f.cb.call()
		if err != nil {
			return err
		}
		ok := false
		if cells[j], ok = cellOf(v); !ok {
			return noCell(f.cb, v)
		}
	}
	f.cells = append(f.cells, cells)
	return nil
}

// cellOf returns what a callback answered as a cell; ok is false when it is none.
func cellOf(v starlark.Value) (cell value.GridCell, ok bool) {
	switch v := v.(type) {
	case *value.Prob:
		return value.GridCell{Value: v.Rat(), Bound: v.Bound(), Prob: true}, true
	case starlark.Bool:
		return value.GridCell{Value: boolRat(bool(v)), Prob: true}, true
	case starlark.Int, starlark.Float, *value.Number:
		if r, bound, problem := value.RatOf(v); problem == "" {
			return value.GridCell{Value: r, Bound: bound}, true
		}
	}
	return cell, false
}

// noCell says that what cb answered is no cell.
func noCell(cb *callback, v starlark.Value) error {
	problem := "want a chance or a number"
	if value.IsDice(v) {
		problem += ": ask the roll for its mean() or for a chance such as p_ge(10)"
	}
	return cb.returned(v, problem)
}

// maxGridDigits is the largest number of decimals that a grid prints.
const maxGridDigits = 20
