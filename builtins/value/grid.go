package value

import (
	"fmt"
	"math/big"

	"dicescript/builtins/meter"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A grid is a table in two directions, such as the chance to win for every skill
// of one side against every skill of the other.

// A Grid is a two-dimensional table of chances or numbers.
type Grid struct {
	made
	headings Headings
	cells    [][]GridCell
	digits   int
	size     meter.Size
}

// Headings are the texts around the cells of a [Grid].
type Headings struct {
	Title, Corner string
	Rows, Cols    []starlark.Value // text and whole numbers
}

// A GridCell is one value of a [Grid].
type GridCell struct {
	Value *big.Rat
	Bound float64 // the truth is within this of Value
	Prob  bool    // whether it is a chance
}

var (
	_ starlark.HasAttrs   = (*Grid)(nil)
	_ starlark.Comparable = (*Grid)(nil)
)

// NewGrid returns cells, row by row, as a value with methods. Nobody may change
// what it is given.
func NewGrid(m Methods, h Headings, cells [][]GridCell, digits int) *Grid {
	g := &Grid{made: made{methods: m}, headings: h, cells: cells, digits: digits}
	g.size = sizeOfGrid(g)
	return g
}

// Title returns the title of the grid, which may be empty.
func (g *Grid) Title() string { return g.headings.Title }

// Corner returns what stands where the headings of rows and columns meet.
func (g *Grid) Corner() string { return g.headings.Corner }

// Rows returns the headings of the rows: text and whole numbers.
func (g *Grid) Rows() []starlark.Value { return append([]starlark.Value(nil), g.headings.Rows...) }

// Cols returns the headings of the columns: text and whole numbers.
func (g *Grid) Cols() []starlark.Value { return append([]starlark.Value(nil), g.headings.Cols...) }

// Cell returns the cell in a row and a column, counted from 0.
func (g *Grid) Cell(row, col int) GridCell { return g.cells[row][col] }

// Digits returns how many decimals to print.
func (g *Grid) Digits() int { return g.digits }

// String names the grid and its size.
func (g *Grid) String() string {
	name := ""
	if g.headings.Title != "" {
		name = g.headings.Title + ", "
	}
	return fmt.Sprintf("Grid(%s%d x %d)", name, len(g.headings.Rows), len(g.headings.Cols))
}

func (g *Grid) Type() string                             { return "Grid" }
func (g *Grid) Freeze()                                  {}
func (g *Grid) Truth() starlark.Bool                     { return true }
func (g *Grid) Hash() (uint32, error)                    { return starlark.String(g.String()).Hash() }
func (g *Grid) Attr(name string) (starlark.Value, error) { return g.methods.Attr(g, name) }
func (g *Grid) AttrNames() []string                      { return g.methods.AttrNames(g) }

// CompareSameType reports whether two grids show the same.
func (g *Grid) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Grid)
	return structurally(op, ok && g.sameAs(other), g)
}

func (g *Grid) sameAs(h *Grid) bool {
	a, b := g.headings, h.headings
	if a.Title != b.Title || a.Corner != b.Corner || g.digits != h.digits ||
		!sameHeadings(a.Rows, b.Rows) || !sameHeadings(a.Cols, b.Cols) {
		return false
	}
	for i, row := range g.cells {
		for j, a := range row {
			if b := h.cells[i][j]; a.Value.Cmp(b.Value) != 0 || a.Bound != b.Bound || a.Prob != b.Prob {
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
		if !sameLabel(a[i], b[i]) {
			return false
		}
	}
	return true
}
