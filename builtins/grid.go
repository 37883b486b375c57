package builtins

import (
	"fmt"
	"math/big"

	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A grid is a table in two directions, such as the chance to win for every skill
// of one side against every skill of the other.

// A Grid is a two-dimensional table of chances or numbers.
type Grid struct {
	title, corner string
	rows, cols    []starlark.Value
	cells         [][]GridCell
	digits        int
}

// A GridCell is one value of a [Grid].
type GridCell struct {
	Value *big.Rat
	Error float64 // the truth is within this of Value
	Prob  bool    // whether it is a chance
}

var (
	_ starlark.HasAttrs   = (*Grid)(nil)
	_ starlark.Comparable = (*Grid)(nil)
)

// Title returns the title of the grid, which may be empty.
func (g *Grid) Title() string { return g.title }

// Corner returns what stands where the headings of rows and columns meet.
func (g *Grid) Corner() string { return g.corner }

// Rows returns the headings of the rows: text and whole numbers.
func (g *Grid) Rows() []starlark.Value { return append([]starlark.Value(nil), g.rows...) }

// Cols returns the headings of the columns: text and whole numbers.
func (g *Grid) Cols() []starlark.Value { return append([]starlark.Value(nil), g.cols...) }

// Cell returns the cell in a row and a column, counted from 0.
func (g *Grid) Cell(row, col int) GridCell { return g.cells[row][col] }

// Digits returns how many decimals to print.
func (g *Grid) Digits() int { return g.digits }

// String names the grid and its size.
func (g *Grid) String() string {
	name := ""
	if g.title != "" {
		name = g.title + ", "
	}
	return fmt.Sprintf("Grid(%s%d x %d)", name, len(g.rows), len(g.cols))
}

func (g *Grid) Type() string                             { return "Grid" }
func (g *Grid) Freeze()                                  {}
func (g *Grid) Truth() starlark.Bool                     { return true }
func (g *Grid) Hash() (uint32, error)                    { return starlark.String(g.String()).Hash() }
func (g *Grid) Attr(name string) (starlark.Value, error) { return attrOf(g, name) }
func (g *Grid) AttrNames() []string                      { return attrNames("Grid") }

// CompareSameType reports whether two grids show the same.
func (g *Grid) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Grid)
	return structurally(op, ok && g.sameAs(other), g)
}

func (g *Grid) sameAs(h *Grid) bool {
	if g.title != h.title || g.corner != h.corner || g.digits != h.digits ||
		!sameHeadings(g.rows, h.rows) || !sameHeadings(g.cols, h.cols) {
		return false
	}
	for i, row := range g.cells {
		for j, a := range row {
			if b := h.cells[i][j]; a.Value.Cmp(b.Value) != 0 || a.Error != b.Error || a.Prob != b.Prob {
				return false
			}
		}
	}
	return true
}

func sameHeadings(a, b []starlark.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].String() != b[i].String() {
			return false
		}
	}
	return true
}

// maxGridDigits is the largest number of decimals that a grid prints.
const maxGridDigits = 20

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
	g := &Grid{rows: rows, cols: cols}
	if g.title, err = c.textOr(3, ""); err != nil {
		return nil, err
	}
	if g.corner, err = c.textOr(4, ""); err != nil {
		return nil, err
	}
	if g.digits, err = c.atLeast(5, 0, 2); err != nil {
		return nil, err
	}
	if g.digits > maxGridDigits {
		return nil, c.wrong(5, "got %d, want at most %d", g.digits, maxGridDigits)
	}
	return g, g.fill(cb)
}

// textOr returns argument i as text, or what it is when left out.
func (c call) textOr(i int, otherwise string) (string, error) {
	if c.value(i) == nil {
		return otherwise, nil
	}
	return c.text(i)
}

// headings returns argument i as the headings of rows or columns.
func (c call) headings(i int) ([]starlark.Value, error) {
	values, ok := elements(c.value(i))
	if !ok {
		return nil, c.want(i, "a list of whole numbers or text")
	}
	if len(values) == 0 {
		return nil, c.wrong(i, "got an empty list, want at least one heading")
	}
	for n, v := range values {
		switch v.(type) {
		case starlark.Int, starlark.String:
		default:
			return nil, c.wrong(i, "item %d: got %s, want a whole number or text", n+1, describe(v))
		}
	}
	return append([]starlark.Value(nil), values...), nil
}

// fill asks cb for every cell.
func (g *Grid) fill(cb *callback) error {
	if err := cb.chargeCalls(product(int64(len(g.rows)), int64(len(g.cols)))); err != nil {
		return err
	}
	if err := dist.ChargeTable(EnvOf(cb.thread).context(), int64(len(g.rows)*len(g.cols)), answerWords); err != nil {
		return err
	}
	g.cells = make([][]GridCell, len(g.rows))
	for i, row := range g.rows {
		g.cells[i] = make([]GridCell, len(g.cols))
		for j, col := range g.cols {
			cb.args[0], cb.args[1] = row, col
			v, err := cb.call()
			if err != nil {
				return err
			}
			if g.cells[i][j], err = cellOf(cb, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellOf returns what cb answered as a cell.
func cellOf(cb *callback, v starlark.Value) (GridCell, error) {
	switch v := v.(type) {
	case *Prob:
		return GridCell{Value: v.rat, Error: v.bound, Prob: true}, nil
	case starlark.Bool:
		return GridCell{Value: boolRat(bool(v)), Prob: true}, nil
	case starlark.Int, starlark.Float, *Number:
		if r, bound, problem := ratOf(v); problem == "" {
			return GridCell{Value: r, Error: bound}, nil
		}
	}
	problem := "want a chance or a number"
	if isRollLike(v) {
		problem += ": ask the roll for its mean() or for a chance such as p_ge(10)"
	}
	return GridCell{}, cb.returned(v, problem)
}
