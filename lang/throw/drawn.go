package throw

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"
)

// A Drawn is what came up once, with how often that happens in the long run.
type Drawn struct {
	Text string // "12", "Hit", "yes"
	Dice string // how a total came about, see [Throw]; "" when there are no dice to show
	Note string // "3.1 % roll this or more"
}

// A Roller rolls once, with the randomness of src.
type Roller func(src rand.Source) (Drawn, error)

// Notation rolls the dice of notation, whose exact chances are d.
func Notation(x notation.Expr, d *dist.Dist) Roller {
	notes := map[int]string{}
	counted := notation.Counted(x)
	return func(src rand.Source) (Drawn, error) {
		r, err := Once(x, src)
		if err != nil {
			return Drawn{}, err
		}
		note, ok := notes[r.Total]
		if !ok {
			note = longRun(d, r.Total)
			if counted != "" {
				note = diceOf(r.Total) + counted + "; " + note
			}
			notes[r.Total] = note
		}
		return Drawn{strconv.Itoa(r.Total), r.Shown, note}, nil
	}
}

// diceOf writes a number of dice.
func diceOf(n int) string {
	if n == 1 {
		return "1 die"
	}
	return strconv.Itoa(n) + " dice"
}

// Data draws from the exact chances of a roll, of outcomes or of a chance. Other
// data have nothing to roll, which is an error.
func Data(ctx context.Context, data lang.Data) (Roller, error) {
	switch data := data.(type) {
	case lang.Roll:
		if data.Dist == nil {
			return nil, errors.New("there is nothing to roll: the die is empty")
		}
		s, err := data.Dist.Sampler(ctx)
		if err != nil {
			return nil, err
		}
		return func(src rand.Source) (Drawn, error) {
			n := s.Draw(src)
			return Drawn{Text: strconv.Itoa(n), Note: longRun(data.Dist, n)}, nil
		}, nil
	case lang.Prob:
		return yesOrNo(ctx, data)
	case lang.Outcomes:
		return labels(ctx, data)
	}
	return nil, fmt.Errorf("there is nothing to roll: this is a %s, want a roll, a chance or outcomes", data.Kind())
}

// longRun tells how often a roll comes up this high.
func longRun(d *dist.Dist, total int) string {
	if d.Len() == 1 {
		return "always"
	}
	bound := d.Bound()
	if !d.UnboundedBelow() && total <= d.Min() {
		bound = 0 // nothing is below the lowest of an unlimited roll
	}
	return percentage(d.AtLeast(total), bound) + " roll this or more"
}

// percentage prints a chance as tables do.
func percentage(p *big.Rat, bound float64) string { return report.Percent(p, bound) + " %" }

// yesOrNo draws whether something of a given chance happens.
func yesOrNo(ctx context.Context, c lang.Prob) (Roller, error) {
	coin, err := dist.Coin(c.Value)
	if err != nil {
		return nil, err
	}
	s, err := coin.Sampler(ctx)
	if err != nil {
		return nil, err
	}
	note := "the chance of yes is " + percentage(c.Value, c.Bound)
	return func(src rand.Source) (Drawn, error) {
		if s.Draw(src) == 1 {
			return Drawn{Text: "yes", Note: note}, nil
		}
		return Drawn{Text: "no", Note: note}, nil
	}, nil
}

// labels draws one of several labels.
func labels(ctx context.Context, l lang.Outcomes) (Roller, error) {
	common := big.NewInt(1)
	for _, e := range l.Entries {
		gcd := new(big.Int).GCD(nil, nil, common, e.Value.Denom())
		common.Mul(common, new(big.Int).Quo(e.Value.Denom(), gcd))
	}
	places := make([]int, len(l.Entries))
	weights := make([]*big.Int, len(l.Entries))
	for i, e := range l.Entries {
		w := new(big.Int).Quo(common, e.Value.Denom())
		places[i], weights[i] = i, w.Mul(w, e.Value.Num())
	}
	d, err := dist.Weighted(ctx, places, weights)
	if err != nil {
		return nil, err
	}
	s, err := d.Sampler(ctx)
	if err != nil {
		return nil, err
	}
	return func(src rand.Source) (Drawn, error) {
		e := l.Entries[s.Draw(src)]
		return Drawn{Text: e.Label.String(), Note: percentage(e.Value, l.Bound)}, nil
	}, nil
}
