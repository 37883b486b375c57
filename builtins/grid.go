package builtins

import (
	"fmt"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A grid asks a function of the recipe for every cell of a table in two directions.

func gridBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "grid", Free: true,
		Params: []define.Param{
			{Name: "rows", Doc: "the headings of the rows: whole numbers or text"},
			{Name: "cols", Doc: "the headings of the columns: whole numbers or text"},
			{Name: "fn", Doc: "a function of the headings of a row and of a column that returns a chance or a number"},
			{Name: "title", Default: `""`, Doc: "a title for the grid"},
			{Name: "corner", Default: `""`, Doc: "what stands where the headings meet"},
			{Name: "digits", Default: "2", Doc: "how many decimals to print"},
		},
		Doc:     "A table in two directions: a chance or a number for every row and column, to be shown by output.",
		Errors:  "a function that returns something else for some cell",
		Example: `grid([1, 2, 3], [4, 6, 8], lambda dice, sides: dice_pool(dice, sides).mean(), title="Mean", corner="dice")`,
		Result:  "Grid(Mean, 3 x 3)",
		Run:     grid,
	}}
}

func grid(c define.Call) (starlark.Value, error) {
	rows, err := headings(c, 0)
	if err != nil {
		return nil, err
	}
	cols, err := headings(c, 1)
	if err != nil {
		return nil, err
	}
	cb, err := callback.New(c, 2, 2, "the row and the column")
	if err != nil {
		return nil, err
	}
	h := value.Headings{Rows: rows, Cols: cols}
	if h.Title, err = c.TextOr(3, ""); err != nil {
		return nil, err
	}
	if h.Corner, err = c.TextOr(4, ""); err != nil {
		return nil, err
	}
	digits, err := c.AtLeast(5, 0, 2)
	if err != nil {
		return nil, err
	}
	if digits > maxGridDigits {
		return nil, c.Wrong(5, "got %d, want at most %d", digits, maxGridDigits)
	}
	cells, err := cb.Cells(h)
	if err != nil {
		return nil, err
	}
	return value.NewGrid(c.Methods(), h, cells, digits), nil
}

// headings returns argument i as the headings of rows or columns.
func headings(c define.Call, i int) ([]starlark.Value, error) {
	values, ok := value.Elements(c.Value(i))
	if !ok {
		return nil, c.Want(i, "a list of whole numbers or text")
	}
	if len(values) == 0 {
		return nil, c.Wrong(i, "got an empty list, want at least one heading")
	}
	for n, v := range values {
		switch v.(type) {
		case starlark.Int, starlark.String:
			if err := c.Meter().Name(v); err != nil {
				return nil, c.Label(i, fmt.Errorf("item %d: %w", n+1, err))
			}
		default:
			return nil, c.Wrong(i, "item %d: got %s, want a whole number or text", n+1, value.Describe(v))
		}
	}
	return append([]starlark.Value(nil), values...), nil
}

// maxGridDigits is the largest number of decimals that a grid prints.
const maxGridDigits = 20
