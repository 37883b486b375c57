package answer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/throw"
)

// A RollArgs asks to really roll: notation or an expression, or an output of a
// recipe.
type RollArgs struct {
	Recipe
	Timeout float64 `json:"timeout,omitempty"`
	Expr    string  `json:"expr,omitempty"`
	Place   int     `json:"place,omitempty"` // of the output, from 0, when there is no expression
	Count   int     `json:"count,omitempty"` // 0 is 1
	Seed    *int64  `json:"seed,omitempty"`  // the same dice every time
}

// A Rolled is what came up.
type Rolled struct {
	Text string `json:"text"`
	Dice string `json:"dice,omitempty"`
	Note string `json:"note,omitempty"`
}

const mostRolls = 1000

// roll rolls.
func (e *Engine) roll(ctx context.Context, args RollArgs) ([]Rolled, error) {
	if args.Count < 0 || args.Count > mostRolls {
		return nil, fmt.Errorf("roll: count: got %d, want 1 to %d", args.Count, mostRolls)
	}
	ctx, cancel := e.deadline(ctx, args.Timeout)
	defer cancel()
	roller, err := e.roller(ctx, args)
	if err != nil {
		return nil, err
	}
	src := source(args.Seed)
	rolled := []Rolled{}
	for range max(1, args.Count) {
		d, err := roller(src)
		if err != nil {
			return nil, err
		}
		rolled = append(rolled, Rolled(d))
	}
	return rolled, ctx.Err()
}

func source(seed *int64) rand.Source {
	if seed != nil {
		return dist.SeededSource(*seed)
	}
	return systemSource{}
}

// systemSource is the randomness of the runtime, which the system has seeded.
type systemSource struct{}

func (systemSource) Uint64() uint64 { return rand.Uint64() }

func (e *Engine) roller(ctx context.Context, args RollArgs) (throw.Roller, error) {
	if args.Expr == "" {
		o := e.outcome(ctx, args.Recipe, args.Timeout)
		if args.Place < 0 || args.Place >= len(o.result.Outputs) {
			return nil, fmt.Errorf("roll: place: there is no output %d; there are %d", args.Place, len(o.result.Outputs))
		}
		return throw.Data(ctx, o.result.Outputs[args.Place].Data)
	}
	x, bad := notation.ParseRoll(args.Expr)
	input := args.Expr
	if bad == nil {
		input = "roll(" + strconv.Quote(args.Expr) + ")"
	}
	host, err := e.host(args.Recipe, nil)
	if err != nil {
		return nil, err
	}
	result, err := host.NewSession().Eval(ctx, input)
	switch {
	case err != nil:
		return nil, err
	case len(result.Outputs) != 1:
		return nil, errors.New("roll: want one expression, such as 4d6kh3 + 2")
	}
	data := result.Outputs[0].Data
	if n, ok := data.(lang.Number); ok && bad == nil && n.Value.IsInt() && n.Value.Num().IsInt64() {
		data = lang.Roll{Dist: dist.Constant(int(n.Value.Num().Int64()))}
	}
	if roll, ok := data.(lang.Roll); ok && bad == nil {
		return throw.Notation(x, roll.Dist), nil
	}
	return throw.Data(ctx, data)
}
