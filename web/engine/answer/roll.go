package answer

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"dicescript/lang"
	"dicescript/lang/report"
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
	Seed    any     `json:"seed,omitempty"`  // a whole number or a text: the same dice every time
}

// A Rolled is what came up.
type Rolled struct {
	Text   string        `json:"text"`
	Dice   string        `json:"dice,omitempty"`
	Note   string        `json:"note,omitempty"`
	Record *throw.Record `json:"record"`
}

const mostRolls = 1000

// roll rolls.
func (e *Engine) roll(ctx context.Context, args RollArgs) ([]Rolled, error) {
	if args.Count < 0 || args.Count > mostRolls {
		return nil, fmt.Errorf("roll: count: got %d, want 1 to %d", args.Count, mostRolls)
	}
	ctx, cancel := e.deadline(ctx, args.Timeout)
	defer cancel()
	records, err := e.throws(ctx, args)
	if err != nil {
		return nil, err
	}
	rolled := []Rolled{}
	for record, err := range records {
		if err != nil {
			return nil, err
		}
		i := 0
		if args.Expr == "" {
			if i = slices.IndexFunc(record.Outputs, func(o throw.Output) bool { return o.Place == args.Place }); i < 0 {
				return nil, fmt.Errorf("roll: place: there is nothing to throw in output %d", args.Place)
			}
			record.Outputs = record.Outputs[i : i+1]
			i = 0
		}
		text, dice, note := report.ThrowParts(&record.Outputs[i])
		rolled = append(rolled, Rolled{text, dice, note, record})
		if len(rolled) >= max(1, args.Count) {
			break
		}
	}
	return rolled, ctx.Err()
}

// A ThrowArgs asks for real throws of a recipe, or of an expression.
type ThrowArgs struct {
	Recipe
	Timeout float64 `json:"timeout,omitempty"`
	Expr    string  `json:"expr,omitempty"`
	Count   int     `json:"count,omitempty"` // 0 is 1
	Seed    any     `json:"seed,omitempty"`  // a whole number or a text: the same dice every time
}

// A Thrown is a throw, with a line for people.
type Thrown struct {
	Record *throw.Record `json:"record"`
	Text   string        `json:"text"`
}

// throw throws each output of a recipe.
func (e *Engine) throw(ctx context.Context, args ThrowArgs) ([]Thrown, error) {
	if args.Count < 0 || args.Count > mostRolls {
		return nil, fmt.Errorf("throw: count: got %d, want 1 to %d", args.Count, mostRolls)
	}
	ctx, cancel := e.deadline(ctx, args.Timeout)
	defer cancel()
	records, err := e.throws(ctx, RollArgs{Recipe: args.Recipe, Expr: args.Expr, Seed: args.Seed})
	if err != nil {
		return nil, err
	}
	var thrown []Thrown
	for record, err := range records {
		if err != nil {
			return nil, err
		}
		if thrown = append(thrown, Thrown{record, report.ThrowLine(record)}); len(thrown) >= max(1, args.Count) {
			break
		}
	}
	return thrown, ctx.Err()
}

// throws are the throws that are asked for, as many as one wants.
func (e *Engine) throws(ctx context.Context, args RollArgs) (iter.Seq2[*throw.Record, error], error) {
	src, err := source(args.Seed)
	if err != nil {
		return nil, err
	}
	host, err := e.host(args.Recipe, nil)
	if err != nil {
		return nil, err
	}
	if args.Expr != "" {
		return host.NewSession().Throws(ctx, src, args.Expr), nil
	}
	program, err := host.Compile(ctx, nameOf(args.Recipe), []byte(args.Text))
	if err != nil {
		return nil, err
	}
	return program.Throws(ctx, src, lang.WithInputs(fitting(program.Params(), args.Inputs))), nil
}

// source is that of a seed: without one, of a seed at random, which the record has.
func source(seed any) (throw.Source, error) {
	if seed == nil {
		return throw.Seed(throw.NumberSeed(rand.Uint64())), nil
	}
	text, err := throw.SeedText(seed)
	return throw.Seed(text), err
}
