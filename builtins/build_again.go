package builtins

import (
	"strings"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Dice that are rolled again: explosions, open-ended rolls, rerolls, several
// copies of a roll, and pools whose successes roll on.

func againBuiltins() []builtin {
	maxChain := Param{Name: "max_chain", Doc: "how many further rolls may follow the first extra roll; None is unlimited", Default: "8", Also: []string{"cap"}}
	return []builtin{
		{
			name: "explode", on: onRolls, free: true, self: Param{Name: "roll", Doc: "the die; of a pool each die explodes"},
			params: []Param{
				{Name: "max_depth", Doc: "how many extra rolls there are at most; None is unlimited", Default: "2"},
				{Name: "on", Doc: "the results that explode; left out, the highest face", Default: "None"},
			},
			doc:     "Roll again and add while the highest face (or one that you name) shows.",
			errors:  "a negative max_depth; an explosion that can never end",
			example: "explode(d(6), None).mean().fraction",
			result:  "21/5",
			run:     explode,
		},
		{
			name: "open_ended_d100", free: true,
			params:  []Param{maxChain},
			doc:     "A d100 on which 96 to 100 adds a chain of further rolls and 1 to 5 subtracts one; the chain goes on at 96 and above.",
			errors:  "a negative max_chain",
			example: "open_ended_d100().p_ge(150).fraction",
			result:  "49/2000",
			run:     openEndedD100,
		},
		{
			name: "open_ended", free: true,
			params: []Param{
				{Name: "die", Doc: "the die of the first roll and of all others"},
				{Name: "low", Doc: "the first results that subtract a chain; None for none"},
				{Name: "high", Doc: "the first results that add a chain; None for none"},
				{Name: "chain", Doc: "the results on which a chain goes on"},
				maxChain,
			},
			doc:     "A roll that adds a chain of further rolls when the first is high and subtracts one when it is low.",
			errors:  "triggers that overlap; a negative max_chain; a chain that can never end",
			example: "open_ended(d(100), None, at_least(96), at_least(96), None).mean().fraction",
			result:  "1010/19",
			run:     openEnded,
		},
		{
			name: "reroll", on: onRolls, free: true, self: Param{Name: "roll", Doc: "the die; of a pool each die is rerolled"},
			params: []Param{
				{Name: "spec", Doc: "the results that are rerolled: a whole number, a list of them, or a band"},
				{Name: "times", Doc: "how often at most; None rerolls until another result shows", Default: "1"},
			},
			doc:     "Reroll certain results and keep the last one.",
			errors:  "a reroll that can never end",
			example: "reroll(d(6), [1, 2]).pmf(1).fraction",
			result:  "1/18",
			run:     reroll,
		},
		{
			name: "times", free: true,
			params: []Param{
				{Name: "n", Doc: "how many times; may be a roll itself"},
				{Name: "roll", Doc: "the roll"},
			},
			doc:     "The sum of several independent rolls of the same kind, as in a d4 of d6s.",
			errors:  "a negative number of times",
			example: "times(d(4), d(6)).mean().fraction",
			result:  "35/4",
			run:     timesRolled,
		},
		{
			name: "success_pool", free: true,
			params: []Param{
				{Name: "count", Doc: "how many dice"},
				{Name: "sides", Doc: "how many sides each of them has"},
				{Name: "mode", Doc: "what ones do: " + strings.Join(quotedModes(), ", "), Default: `"baseline"`},
				{Name: "waves", Doc: "how many waves there are at most; None is unlimited", Default: "48"},
			},
			doc:     "Successes of a pool in which even faces and the top face succeed and every top face adds a die to the next wave.",
			errors:  "a mode that is not one of these; a negative count; sides below 1",
			example: `success_pool(3, 6, waves=None).mean().fraction`,
			result:  "9/5",
			run:     successPool,
		},
	}
}

// limit returns argument i, a number of times that may be None for unlimited.
func (c call) limit(i, low, otherwise int) (int, error) {
	if c.value(i) == starlark.None {
		return dist.Unlimited, nil
	}
	n, err := c.intOr(i, otherwise)
	if err == nil && n < low {
		return 0, c.wrong(i, "got %d, want at least %d, or None for no limit", n, low)
	}
	return n, err
}

// setOrNone returns argument i as a set of outcomes, empty when it is None.
func (c call) setOrNone(i int) (dist.Set, error) {
	if !c.given(i) {
		return dist.Nothing, nil
	}
	return c.set(i)
}

// changed applies a change to a roll or to each die of a pool.
func (c call) changed(change func(*dist.Dist) (*dist.Dist, error)) (starlark.Value, error) {
	if p, ok := c.recv.(*Pool); ok {
		if err := chargeDice(c.ctx(), kindsOf(p.dice)); err != nil {
			return nil, err
		}
		return pooled(p.dice.Each(change))
	}
	d, err := c.self()
	if err != nil {
		return nil, err
	}
	return rolled(change(d))
}

func explode(c call) (starlark.Value, error) {
	depth, err := c.limit(0, 0, 2)
	if err != nil {
		return nil, err
	}
	on, err := c.setOrNone(1)
	if err != nil {
		return nil, err
	}
	return c.changed(func(d *dist.Dist) (*dist.Dist, error) {
		faces := on
		if !c.given(1) {
			if d.UnboundedAbove() {
				return nil, c.wrong(1, "an unlimited roll has no highest face; say which results explode")
			}
			faces = d.TopFace()
		}
		return d.Explode(c.ctx(), faces, depth)
	})
}

func openEndedD100(c call) (starlark.Value, error) {
	limit, err := c.limit(0, 0, 8)
	if err != nil {
		return nil, err
	}
	high := dist.Must(dist.Through(96, 100))
	low := dist.Must(dist.Through(1, 5))
	return rolled(dist.OpenEnded(c.ctx(), dist.Must(dist.Die(100)), low, high, high, limit))
}

func openEnded(c call) (starlark.Value, error) {
	die, err := c.roll(0)
	if err != nil {
		return nil, err
	}
	var sets [3]dist.Set
	for i := range sets {
		if sets[i], err = c.setOrNone(i + 1); err != nil {
			return nil, err
		}
	}
	limit, err := c.limit(4, 0, 8)
	if err != nil {
		return nil, err
	}
	return rolled(dist.OpenEnded(c.ctx(), die, sets[0], sets[1], sets[2], limit))
}

func reroll(c call) (starlark.Value, error) {
	s, err := c.set(0)
	if err != nil {
		return nil, err
	}
	limit, err := c.limit(1, 0, 1)
	if err != nil {
		return nil, err
	}
	return c.changed(func(d *dist.Dist) (*dist.Dist, error) { return d.Reroll(c.ctx(), s, limit) })
}

func timesRolled(c call) (starlark.Value, error) {
	roll, err := c.roll(1)
	if err != nil {
		return nil, err
	}
	if n, ok := wholeNumber(c.value(0)); ok {
		if n < 0 {
			return nil, c.wrong(0, "got %d, want at least 0", n)
		}
		return rolled(roll.Times(c.ctx(), n))
	}
	count, err := c.roll(0)
	if err != nil {
		return nil, err
	}
	return rolled(dist.TimesRolled(c.ctx(), count, roll))
}

func quotedModes() []string {
	var names []string
	for _, m := range dist.SuccessModes() {
		names = append(names, starlark.String(m.String()).String())
	}
	return names
}

func successPool(c call) (starlark.Value, error) {
	count, err := c.int(0)
	if err != nil {
		return nil, err
	}
	sides, err := c.int(1)
	if err != nil {
		return nil, err
	}
	mode := dist.Baseline
	if c.value(2) != nil {
		if mode, err = c.successMode(2); err != nil {
			return nil, err
		}
	}
	waves, err := c.limit(3, 1, 48)
	if err != nil {
		return nil, err
	}
	return rolled(dist.SuccessPool(c.ctx(), count, sides, mode, waves))
}

func (c call) successMode(i int) (dist.SuccessMode, error) {
	name, err := c.text(i)
	if err != nil {
		return 0, err
	}
	for _, m := range dist.SuccessModes() {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, c.wrong(i, "got %s, want one of %s", describe(c.value(i)), strings.Join(quotedModes(), ", "))
}
