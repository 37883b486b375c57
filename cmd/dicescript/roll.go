package main

import (
	crand "crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"dicescript/cmd/dicescript/internal/throw"
	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"
)

// This file is roll: dice are really rolled, and beside what they show stands
// how often that happens in the long run.

// mostRolls is how many times roll rolls at most.
const mostRolls = 1_000_000

// rollDice is dicescript roll.
func (t *tool) rollDice(args []string) int {
	f := quietFlags()
	count := f.Int("n", 1, "roll so many times: `N`")
	seed := f.String("seed", "", "the same dice every time, for the same whole number: `S`")
	rest, err := parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("roll")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) == 0 || strings.TrimSpace(rest[0]) == "":
		return t.misused("want dice in quotes: dicescript roll '4d6kh3 + 2'")
	case len(rest) > 1:
		return t.misused("want one argument, got %s as well: put the dice in quotes", strings.Join(rest[1:], " "))
	case *count < 1 || *count > mostRolls:
		return t.misused("-n: got %d, want 1 to %d", *count, mostRolls)
	}
	src, err := source(*seed)
	if err != nil {
		return t.misused("--seed: %s", err)
	}
	r, err := t.roller(rest[0])
	if err != nil {
		t.explain(err)
		return exitCode(err)
	}
	return t.rollTimes(r, src, *count)
}

// source is where the randomness comes from: of a seed always the same.
func source(seed string) (rand.Source, error) {
	if seed != "" {
		n, err := strconv.ParseInt(seed, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("got %q, want a whole number", seed)
		}
		return dist.SeededSource(n), nil
	}
	var key [32]byte
	crand.Read(key[:]) // never fails
	return rand.NewChaCha8(key), nil
}

func (t *tool) rollTimes(r roller, src rand.Source, count int) int {
	for range count {
		if err := t.ctx.Err(); err != nil {
			return exitFailed
		}
		line, err := r(src)
		if err != nil {
			fmt.Fprintf(t.stderr, "dicescript: %s\n", err)
			return exitFailed
		}
		if _, err := io.WriteString(t.stdout, printable(line)+"\n"); err != nil {
			return exitFailed
		}
	}
	return exitOK
}

// A roller rolls once and tells what came up.
type roller func(src rand.Source) (string, error)

// roller makes a roller of notation, or of an expression that has a value to
// roll.
func (t *tool) roller(text string) (roller, error) {
	x, bad := notation.ParseRoll(text)
	host, done, err := t.host(&options{}, ".")
	if err != nil {
		return nil, err
	}
	defer done()
	input := text
	if bad == nil {
		input = "roll(" + strconv.Quote(text) + ")"
	}
	result, err := host.NewSession().Eval(t.ctx, input)
	switch {
	case err != nil && bad != nil && looksLikeNotation(text):
		return nil, notationError(text, bad)
	case err != nil:
		return nil, err
	case len(result.Outputs) != 1:
		return nil, errors.New("want one expression to roll, such as 4d6kh3 + 2")
	}
	data := result.Outputs[0].Data
	switch data := data.(type) {
	case lang.Roll:
		if bad == nil {
			return thrown(x, data.Dist), nil
		}
	case lang.Number:
		if n := data.Value; bad == nil && n.IsInt() && n.Num().IsInt64() {
			return thrown(x, dist.Constant(int(n.Num().Int64()))), nil
		}
	}
	return sampled(t, data)
}

// looksLikeNotation reports whether a text that is neither notation nor an
// expression was meant as notation: it has no words but those of notation.
func looksLikeNotation(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789dDkKhHlLrRoOmMiIaAF!<>=%+-*/(). ") == ""
}

// notationError is an error of notation, with its place in the text.
func notationError(text string, err error) error {
	var e *notation.Error
	if !errors.As(err, &e) {
		return err
	}
	return &lang.Error{
		Kind: lang.KindSyntax, Message: e.Msg, Source: text,
		Position: lang.Position{File: "roll", Line: e.Line, Column: e.Col},
	}
}

// thrown rolls the dice of notation.
func thrown(x notation.Expr, d *dist.Dist) roller {
	chances := map[int]string{}
	return func(src rand.Source) (string, error) {
		r, err := throw.Once(x, src)
		if err != nil {
			return "", err
		}
		chance, ok := chances[r.Total]
		if !ok {
			chance = longRun(d, r.Total)
			chances[r.Total] = chance
		}
		return fmt.Sprintf("%d  %s  (%s)", r.Total, r.Shown, chance), nil
	}
}

// longRun tells how often a roll comes up this high.
func longRun(d *dist.Dist, total int) string {
	if d.Len() == 1 {
		return "always"
	}
	bound := d.ErrorBound()
	if !d.UnboundedBelow() && total <= d.Min() {
		bound = 0 // nothing is below the lowest of an unlimited roll
	}
	return percentage(d.AtLeast(total), bound) + " roll this or more"
}

// percentage prints a chance as tables do.
func percentage(p *big.Rat, bound float64) string { return report.Percent(p, bound) + " %" }

// sampled draws from the exact chances of a value.
func sampled(t *tool, data lang.Data) (roller, error) {
	switch data := data.(type) {
	case lang.Roll:
		s, err := data.Dist.Sampler(t.ctx)
		if err != nil {
			return nil, err
		}
		return func(src rand.Source) (string, error) {
			n := s.Draw(src)
			return fmt.Sprintf("%d  (%s)", n, longRun(data.Dist, n)), nil
		}, nil
	case lang.Chance:
		return yesOrNo(t, data)
	case lang.Labeled:
		return labels(t, data)
	}
	return nil, fmt.Errorf("there is nothing to roll: this is a %s, want a roll, a chance or outcomes", data.Kind())
}

// yesOrNo draws whether something of a given chance happens.
func yesOrNo(t *tool, c lang.Chance) (roller, error) {
	coin, err := dist.Coin(c.Value)
	if err != nil {
		return nil, err
	}
	s, err := coin.Sampler(t.ctx)
	if err != nil {
		return nil, err
	}
	return func(src rand.Source) (string, error) {
		answer := "no"
		if s.Draw(src) == 1 {
			answer = "yes"
		}
		return fmt.Sprintf("%s  (the chance of yes is %s)", answer, percentage(c.Value, c.Error)), nil
	}, nil
}

// labels draws one of several labels.
func labels(t *tool, l lang.Labeled) (roller, error) {
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
	d, err := dist.Weighted(places, weights)
	if err != nil {
		return nil, err
	}
	s, err := d.Sampler(t.ctx)
	if err != nil {
		return nil, err
	}
	return func(src rand.Source) (string, error) {
		e := l.Entries[s.Draw(src)]
		return fmt.Sprintf("%s  (%s)", e.Label, percentage(e.Value, l.Error)), nil
	}, nil
}
