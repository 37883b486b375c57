package door

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/throw"
)

// ThrowParams are those of throw.
type ThrowParams struct {
	Expression string `json:"expression" jsonschema:"notation such as 4d6kh3 + 2, or an expression whose value is a roll, a chance or outcomes"`
	Seed       *int64 `json:"seed,omitempty" jsonschema:"a whole number that always gives the same dice (default: one at random, which the result has)"`
	Bounds
}

// A Thrown is what came up.
type Thrown struct {
	Seed    int64          `json:"seed" jsonschema:"gives the same throw again"`
	Outputs []ThrownOutput `json:"outputs"`
	Error   *Failure       `json:"error,omitempty"`
}

// A ThrownOutput is one thing that was thrown.
type ThrownOutput struct {
	Title  string       `json:"title"`
	Result any          `json:"result" jsonschema:"a number, a label, or whether it happened"`
	Chance ThrownChance `json:"chance" jsonschema:"how often that happens in the long run"`
	Shown  string       `json:"shown,omitempty" jsonschema:"the dice, where they can be told apart: [6 4 3 (1)] + 2; in parentheses are those that were not kept"`
}

// A ThrownChance says how often a result happens. Labels and chances have no order.
type ThrownChance struct {
	Exactly *Chance `json:"exactly,omitempty"`
	AtLeast *Chance `json:"at_least,omitempty"`
	AtMost  *Chance `json:"at_most,omitempty"`
}

// A Chance is an exact probability.
type Chance struct {
	Exact string  `json:"exact"`
	Value float64 `json:"value" jsonschema:"the nearest float"`
	Error float64 `json:"error,omitempty" jsonschema:"how far the true value may be off; 0 when exact"`
}

func chanceOf(p *big.Rat, bound float64) *Chance {
	value, _ := p.Float64()
	return &Chance{p.RatString(), value, bound}
}

// Throw really rolls the dice of an expression.
func (e *Engine) Throw(ctx context.Context, p ThrowParams) (*Thrown, error) {
	own, err := settings(p.Limits)
	if err != nil {
		return nil, err
	}
	ctx, cancel, err := e.context(ctx, p.Timeout)
	if err != nil {
		return nil, err
	}
	defer cancel()
	t := &Thrown{Seed: seedOf(p.Seed), Outputs: []ThrownOutput{}}
	out, err := e.throw(ctx, p.Expression, own, dist.SeededSource(t.Seed))
	if err != nil {
		t.Error = &e.failures(err, own)[0]
		return t, nil
	}
	t.Outputs = append(t.Outputs, out)
	return t, nil
}

// seedOf is a seed that was named, or one at random that every JSON reader holds.
func seedOf(named *int64) int64 {
	if named != nil {
		return *named
	}
	var b [8]byte
	crand.Read(b[:]) // never fails
	return int64(binary.LittleEndian.Uint64(b[:]) >> 11)
}

func (e *Engine) throw(ctx context.Context, text string, own limits.Settings, src rand.Source) (ThrownOutput, error) {
	roller, data, err := throw.Expression(ctx, e.host.NewSession(lang.WithRunLimits(own.Run)), text)
	if err != nil {
		return ThrownOutput{}, err
	}
	drawn, err := roller(src)
	if err != nil {
		return ThrownOutput{}, lang.NewError(lang.KindRuntime, err.Error(), err)
	}
	out := ThrownOutput{Title: strings.TrimSpace(text), Shown: drawn.Dice}
	switch data := data.(type) {
	case lang.Prob:
		p := data.Value
		if drawn.Text == "no" {
			p = new(big.Rat).Sub(big.NewRat(1, 1), p)
		}
		out.Result, out.Chance.Exactly = drawn.Text == "yes", chanceOf(p, data.Bound)
	case lang.Outcomes:
		out.Result = drawn.Text
		for _, o := range data.Entries {
			if o.Label.String() == drawn.Text {
				out.Chance.Exactly = chanceOf(o.Value, data.Bound)
			}
		}
	case lang.Roll:
		n, err := strconv.Atoi(drawn.Text)
		if err != nil {
			return ThrownOutput{}, errors.New("a roll is no number: " + drawn.Text)
		}
		d := data.Dist
		out.Result = n
		out.Chance = ThrownChance{chanceOf(d.PMF(n), d.Bound()), chanceOf(d.AtLeast(n), d.Bound()), chanceOf(d.AtMost(n), d.Bound())}
	}
	return out, nil
}
