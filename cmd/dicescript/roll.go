package main

import (
	crand "crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"dicescript/dist"
	"dicescript/lang/report"
	"dicescript/lang/throw"
)

// This file is roll: dice are really rolled, and beside what they show stands
// how often that happens in the long run.

// mostRolls is how many times roll rolls at most.
const mostRolls = 1_000_000

type rollOptions struct {
	*patience
	count   int
	seed    string
	dialect string
	sets    settings
}

func rollFlags() (*flag.FlagSet, *rollOptions) {
	f, o := quietFlags(), &rollOptions{}
	f.IntVar(&o.count, "n", 1, "roll `N` times")
	f.StringVar(&o.seed, "seed", "", "`S` is a whole number, which always gives the same dice")
	dialectFlag(f, &o.dialect)
	f.Var(&o.sets, "set", "the value of a name in a dialect, of mod in @mod: `name=value`")
	o.patience = patienceFlags(f, patientTime)
	return f, o
}

// rollDice is dicescript roll.
func (t *tool) rollDice(args []string) int {
	f, o := rollFlags()
	p := o.patience
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
	case o.count < 1 || o.count > mostRolls:
		return t.misused("-n: got %d, want 1 to %d", o.count, mostRolls)
	}
	if err := p.check(); err != nil {
		return t.misused("%s", err)
	}
	if len(o.sets) > 0 && o.dialect == "" {
		return t.misused("--set is for names such as @mod, with --dialect")
	}
	text, err := inDialect(o.dialect, rest[0], o.sets)
	if err != nil {
		return t.misused("%s", err)
	}
	src, err := randomness(o.seed)
	if err != nil {
		return t.misused("--seed: %s", err)
	}
	return t.within(p, func(t *tool) int {
		r, err := t.roller(text)
		if err != nil {
			t.explain(err)
			return exitCode(err)
		}
		return t.rollTimes(r, src, o.count)
	})
}

// randomness is where the randomness comes from: of a seed always the same.
func randomness(seed string) (rand.Source, error) {
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

func (t *tool) rollTimes(r throw.Roller, src rand.Source, count int) int {
	for range count {
		if err := t.ctx.Err(); err != nil {
			fmt.Fprintln(t.stderr, "dicescript: stopped before the end")
			return exitFailed
		}
		drawn, err := r(src)
		if err != nil {
			fmt.Fprintf(t.stderr, "dicescript: %s\n", err)
			return exitFailed
		}
		if _, err := io.WriteString(t.stdout, report.Visible(lineOf(drawn))+"\n"); err != nil {
			return exitFailed
		}
	}
	return exitOK
}

// lineOf is what came up in a line.
func lineOf(d throw.Drawn) string {
	if d.Dice != "" {
		return fmt.Sprintf("%s  %s  (%s)", d.Text, d.Dice, d.Note)
	}
	return fmt.Sprintf("%s  (%s)", d.Text, d.Note)
}

// roller makes a roller of notation, or of an expression that has a value to
// roll.
func (t *tool) roller(text string) (throw.Roller, error) {
	host, done, err := t.host(&options{}, ".")
	if err != nil {
		return nil, err
	}
	defer done()
	r, _, err := throw.Expression(t.ctx, host.NewSession(), text)
	return r, err
}
