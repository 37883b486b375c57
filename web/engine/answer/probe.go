package answer

import (
	"context"
	"fmt"

	"dicescript/dist"
	"dicescript/lang"
)

// A ProbeArgs asks how likely an outcome of a result is, or for a cell of a grid.
type ProbeArgs struct {
	Recipe
	Timeout float64 `json:"timeout,omitempty"`
	Place   int     `json:"place"`  // of the output, from 0
	Series  int     `json:"series"` // of the roll in a comparison, from 0
	Low     int     `json:"low"`
	High    int     `json:"high"`
	Row     int     `json:"row,omitempty"` // of a grid, from 0
	Col     int     `json:"col,omitempty"`
}

// probe tells the chances of exactly the outcomes from low to high, of low or
// more, and of high or less; of a grid the value of the cell.
func (e *Engine) probe(ctx context.Context, args ProbeArgs) ([]Chance, error) {
	o := e.outcome(ctx, args.Recipe, args.Timeout)
	if args.Place < 0 || args.Place >= len(o.result.Outputs) {
		return nil, fmt.Errorf("probe: place: there is no output %d; there are %d", args.Place, len(o.result.Outputs))
	}
	if g, ok := o.result.Outputs[args.Place].Data.(lang.Grid); ok {
		if args.Row < 0 || args.Row >= len(g.Cells) || args.Col < 0 || args.Col >= len(g.Cells[args.Row]) {
			return nil, fmt.Errorf("probe: row, col: there is no cell %d, %d", args.Row, args.Col)
		}
		return []Chance{cellWords(g.Cells[args.Row][args.Col])}, nil
	}
	if args.Low > args.High {
		return nil, fmt.Errorf("probe: low: got %d, want at most high, which is %d", args.Low, args.High)
	}
	d := rollOf(o.result.Outputs[args.Place].Data, args.Series)
	if d == nil {
		return nil, fmt.Errorf("probe: place: output %d is no roll", args.Place)
	}
	return words(d, args.Low, args.High), nil
}

// rollOf is a roll of an output, nil when it has none.
func rollOf(data lang.Data, i int) *dist.Dist {
	switch data := data.(type) {
	case lang.Roll:
		if i == 0 {
			return data.Dist
		}
	case lang.Comparison:
		if i >= 0 && i < len(data.Rolls) {
			return data.Rolls[i].Dist
		}
	}
	return nil
}
