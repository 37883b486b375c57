package callback

import (
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// The cells of a grid are asked for row by row.

// Cells returns the answers for every row and column of a grid.
func (cb *Func) Cells(h value.Headings) ([][]value.GridCell, error) {
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
	cb    *Func
	cells [][]value.GridCell // of the rows so far
}

// row asks for the cells of the next row.
func (f *gridFilling) row() error {
	cells := make([]value.GridCell, len(f.Cols))
	for j, col := range f.Cols {
		v, err := f.cb.Call(f.Rows[len(f.cells)], col)
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
		return value.GridCell{Value: exact.Indicator(bool(v)), Prob: true}, true
	case starlark.Int, starlark.Float, *value.Number:
		if r, bound, problem := value.RatOf(v); problem == "" {
			return value.GridCell{Value: r, Bound: bound}, true
		}
	}
	return cell, false
}

// noCell says that what cb answered is no cell.
func noCell(cb *Func, v starlark.Value) error {
	problem := "want a chance or a number"
	if value.IsDice(v) {
		problem += ": ask the roll for its mean() or for a chance such as p_ge(10)"
	}
	return cb.Returned(v, problem)
}
