package dice

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"dicescript/builtins/meter"
	"dicescript/dist"
	"dicescript/lang/notation"
)

// Dice and groups of a tabletop. Each die is rolled, and rolled again; it may add dice;
// some of all that lie there are chosen; and each that is left counts what it is worth.
//
// Without a choice the total is that of independent dice, so one of them with all that
// it adds is enough: where a die shows a face of A with chance a, N dice are added and
// P(N = n) = a^n (1 - a), of which all dice but the last show a face of A. Hence
//
//	X = W_1 + ... + W_N + L
//
// with W a value under the condition of A, L one of the others, all independent.

// A handful is dice of one kind on their way to a total.
type handful struct {
	die   *dist.Dist // as rolled
	first *dist.Dist // of the dice that are thrown first: rolled again, and so on
	n     int
	adds  *adding
	keep  *chosen
	worth []worth
}

// adding is the rule by which dice add others.
type adding struct {
	on     dist.Set
	action notation.TableAction
}

// chosen are the highest or lowest dice, or all but those.
type chosen struct {
	action notation.TableAction
	n      int
}

// A worth is a step in what a die counts: from its face and what it counted before.
type worth func(face, before int) int

// countsAs is what a face counts.
func countsAs(steps []worth, face int) int {
	v := face
	for _, s := range steps {
		v = s(face, v)
	}
	return v
}

// dice is the total of dice with their modifiers.
func (t tableRoller) dice(x *notation.TableDice) (*dist.Dist, error) {
	count, err := t.whole(x.Count)
	if err != nil {
		return nil, err
	}
	n, ok := part{count, 1}.constant()
	switch {
	case !ok:
		return nil, fmt.Errorf("the number of dice has dice in it: that is not computed; a recipe asks times(d4, d6)")
	case n < 0 || n > notation.MaxDice:
		return nil, fmt.Errorf("the number of dice is 0 to %d, got %d", notation.MaxDice, n)
	}
	die, err := makeDie(t.ctx, notation.Pool{Sides: x.Sides, Fate: x.Fate})
	if err != nil {
		return nil, err
	}
	return t.thrown(&handful{die: die, first: die, n: n}, x.Modifiers)
}

// thrown applies modifiers to dice.
func (t tableRoller) thrown(h *handful, mods []notation.TableModifier) (*dist.Dist, error) {
	for i, m := range mods {
		if err := t.modify(h, m, successes(mods[:i])); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Text, err)
		}
	}
	d, err := t.total(h)
	if err != nil && len(mods) > 0 {
		return nil, fmt.Errorf("%s: %w", mods[len(mods)-1].Text, err)
	}
	return d, err
}

// successes reports whether successes have been counted.
func successes(mods []notation.TableModifier) bool {
	for _, m := range mods {
		if m.Action == notation.TableCount {
			return true
		}
	}
	return false
}

func (t tableRoller) modify(h *handful, m notation.TableModifier, counted bool) (err error) {
	least, top := h.die.Min(), h.die.Max()
	holds := func(face, before int) bool { return m.Pick.Holds(face, least, top, !counted || before > 0) }
	switch m.Action {
	case notation.TableReroll, notation.TableRerollAll:
		var on dist.Set
		if on, err = t.faces(h.first, holds); err != nil {
			return err
		}
		h.first, err = t.rerolled(h, on, m.Action == notation.TableRerollAll)
	case notation.TableExplode, notation.TableExplodeOnce, notation.TableCompound, notation.TablePenetrate, notation.TableRerollAdd:
		var on dist.Set
		if on, err = t.faces(h.die, holds); err != nil {
			return err
		}
		h.adds = &adding{on, m.Action}
		if m.Action == notation.TableExplodeOnce || m.Action == notation.TableRerollAdd {
			return nil
		}
		if never := h.die.In(on.Not()); never.Sign() == 0 {
			err = fmt.Errorf("every face adds a die, so this never ends")
		}
	case notation.TableRaise:
		h.worth = append(h.worth, func(_, before int) int { return max(before, m.N) })
	case notation.TableCap:
		h.worth = append(h.worth, func(_, before int) int { return min(before, m.N) })
	case notation.TableKeepHigh, notation.TableKeepLow, notation.TableDropHigh, notation.TableDropLow:
		h.keep = &chosen{m.Action, m.N}
	default:
		h.worth = append(h.worth, counting(m.Action, holds))
	}
	return err
}

// counting is what a die counts by a modifier that counts, or keeps what matches.
func counting(action notation.TableAction, holds func(face, before int) bool) worth {
	return func(face, before int) int {
		// What matches is asked of the number that lies there.
		lies := face
		if action == notation.TableKeepMatch || action == notation.TableDropMatch {
			lies = before
		}
		match := holds(lies, before)
		switch {
		case action == notation.TableCount && match:
			return 1
		case action == notation.TableCount:
			return 0
		case action == notation.TableKeepMatch && !match, action == notation.TableDropMatch && match:
			return 0
		case action == notation.TableDeduct && match:
			return -1
		case action == notation.TableSubtract && match:
			return -face
		}
		return before
	}
}

// faces is the set of the faces of a die that are meant.
func (t tableRoller) faces(die *dist.Dist, holds func(face, before int) bool) (dist.Set, error) {
	if err := dist.ChargeWork(t.ctx, int64(die.Len())); err != nil {
		return dist.Set{}, err
	}
	var on []int
	for face := range die.All() {
		if holds(face, face) {
			on = append(on, face)
		}
	}
	return dist.Only(on...), nil
}

// rerolled are the first dice when those on some faces are rolled again, once or until
// they show another face: what comes in their place is a die as rolled.
func (t tableRoller) rerolled(h *handful, on dist.Set, until bool) (*dist.Dist, error) {
	p := h.first.In(on)
	if p.Sign() == 0 {
		return h.first, nil
	}
	again := h.die
	if until {
		if h.die.In(on.Not()).Sign() == 0 {
			return nil, fmt.Errorf("every face is rolled again, so this never ends")
		}
		var err error
		if again, err = h.die.Remove(t.ctx, on); err != nil {
			return nil, err
		}
	}
	return t.mixed(h.first, on, p, again, dist.Constant(0))
}

// mixed is first where it is off the faces and otherwise with plus, and, with chance p
// on them, again.
func (t tableRoller) mixed(first *dist.Dist, on dist.Set, p *big.Rat, again, plus *dist.Dist) (*dist.Dist, error) {
	parts := []dist.Part{{Weight: p, Roll: again}}
	if q := new(big.Rat).Sub(big.NewRat(1, 1), p); q.Sign() > 0 {
		rest, err := first.Remove(t.ctx, on)
		if err == nil {
			rest, err = rest.Add(t.ctx, plus)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, dist.Part{Weight: q, Roll: rest})
	}
	return dist.Mixture(t.ctx, parts)
}

// total is what the dice count together.
func (t tableRoller) total(h *handful) (*dist.Dist, error) {
	switch {
	case h.n == 0:
		return dist.Constant(0), nil
	case h.keep == nil && h.adds != nil && h.adds.action == notation.TableRerollAdd:
		return t.oneAdded(h)
	case h.keep == nil:
		x, err := t.one(h)
		if err != nil {
			return nil, err
		}
		return x.Times(t.ctx, h.n)
	}
	die := h.first
	if h.adds != nil && h.adds.action == notation.TableCompound {
		var err error
		if die, err = die.Explode(t.ctx, h.adds.on, dist.Unlimited); err != nil {
			return nil, err
		}
	}
	pool, err := dist.Repeat(die, h.n)
	if err != nil {
		return nil, err
	}
	choose := func(p *dist.Pool) (*dist.Dist, error) { return chosenTotal(t.ctx, p, h.keep, h.worth) }
	if h.adds != nil && h.adds.action == notation.TableExplode {
		return pool.Added(t.ctx, dist.AgainOn(h.adds.on), h.keptRange(), choose)
	}
	return choose(pool)
}

// keptRange is where the total of the kept dice lies, however many dice are added.
func (h *handful) keptRange() dist.Set {
	if h.keep.action != notation.TableKeepHigh && h.keep.action != notation.TableKeepLow {
		return dist.Everything
	}
	least, most := math.MaxInt, math.MinInt
	for _, die := range []*dist.Dist{h.first, h.die} {
		for face := range die.All() {
			worth := countsAs(h.worth, face)
			least, most = min(least, worth), max(most, worth)
		}
	}
	fewest := min(h.keep.n, h.n)
	within, _ := dist.Through(min(least*h.keep.n, least*fewest), max(most*h.keep.n, most*fewest))
	return within
}

// one is what a die counts with all that it adds.
func (t tableRoller) one(h *handful) (*dist.Dist, error) {
	counted := func(d *dist.Dist, less int) (*dist.Dist, error) {
		if len(h.worth) == 0 {
			return d.Shift(t.ctx, -less)
		}
		return d.Map(t.ctx, func(face int) (int, error) { return countsAs(h.worth, face-less), nil })
	}
	first, err := counted(h.first, 0)
	if err != nil || h.adds == nil {
		return first, err
	}
	on, p := h.adds.on, h.first.In(h.adds.on)
	if p.Sign() == 0 {
		return first, nil
	}
	if h.adds.action == notation.TableCompound {
		whole, err := h.first.Explode(t.ctx, on, dist.Unlimited)
		if err != nil {
			return nil, err
		}
		return counted(whole, 0)
	}
	hit, err := h.first.Keep(t.ctx, on)
	if err == nil {
		hit, err = counted(hit, 0)
	}
	if err != nil {
		return nil, err
	}
	less := 0
	if h.adds.action == notation.TablePenetrate {
		less = 1
	}
	var added *dist.Dist
	if h.adds.action == notation.TableExplodeOnce {
		added, err = counted(h.die, 0)
	} else {
		added, err = t.endless(h.die, on, func(d *dist.Dist) (*dist.Dist, error) { return counted(d, less) })
	}
	if err != nil {
		return nil, err
	}
	if hit, err = hit.Add(t.ctx, added); err != nil {
		return nil, err
	}
	parts := []dist.Part{{Weight: p, Roll: hit}}
	if q := new(big.Rat).Sub(big.NewRat(1, 1), p); q.Sign() > 0 {
		miss, err := h.first.Remove(t.ctx, on)
		if err == nil {
			miss, err = counted(miss, 0)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, dist.Part{Weight: q, Roll: miss})
	}
	return dist.Mixture(t.ctx, parts)
}

// endless is what a die counts with all that it adds, without end.
func (t tableRoller) endless(die *dist.Dist, on dist.Set, counted func(*dist.Dist) (*dist.Dist, error)) (*dist.Dist, error) {
	miss, err := die.Remove(t.ctx, on)
	if err == nil {
		miss, err = counted(miss)
	}
	if err != nil {
		return nil, err
	}
	p := die.In(on)
	if p.Sign() == 0 {
		return miss, nil
	}
	hit, err := die.Keep(t.ctx, on)
	if err == nil {
		hit, err = counted(hit)
	}
	if err != nil {
		return nil, err
	}
	coin, err := dist.Coin(p)
	if err != nil {
		return nil, err
	}
	n, err := coin.Explode(t.ctx, dist.Only(1), dist.Unlimited)
	if err != nil {
		return nil, err
	}
	hits, err := dist.TimesRolled(t.ctx, n, hit)
	if err != nil {
		return nil, err
	}
	return hits.Add(t.ctx, miss)
}

// oneAdded is the total of dice of which one that matches adds one die: whether any
// does is known from how many do.
func (t tableRoller) oneAdded(h *handful) (*dist.Dist, error) {
	p := h.first.In(h.adds.on)
	worthOf := func(d *dist.Dist) (*dist.Dist, error) {
		return d.Map(t.ctx, func(face int) (int, error) { return countsAs(h.worth, face), nil })
	}
	matches, err := dist.Coin(p)
	if err == nil {
		matches, err = matches.Times(t.ctx, h.n)
	}
	if err != nil {
		return nil, err
	}
	added, err := worthOf(h.die)
	if err != nil {
		return nil, err
	}
	var parts []dist.Part
	for m := range matches.All() {
		sum := dist.Constant(0)
		for _, kind := range []struct {
			n  int
			on dist.Set
		}{{m, h.adds.on}, {h.n - m, h.adds.on.Not()}} {
			if kind.n == 0 {
				continue
			}
			one, err := h.first.Keep(t.ctx, kind.on)
			if err == nil {
				one, err = worthOf(one)
			}
			if err == nil {
				one, err = one.Times(t.ctx, kind.n)
			}
			if err == nil {
				sum, err = sum.Add(t.ctx, one)
			}
			if err != nil {
				return nil, err
			}
		}
		if m > 0 {
			if sum, err = sum.Add(t.ctx, added); err != nil {
				return nil, err
			}
		}
		parts = append(parts, dist.Part{Weight: matches.PMF(m), Roll: sum})
	}
	return dist.Mixture(t.ctx, parts)
}

// chosenTotal is what the chosen dice of a pool count. Dropped dice may be all.
func chosenTotal(ctx context.Context, p *dist.Pool, c *chosen, worth []worth) (*dist.Dist, error) {
	n, high := min(c.n, p.Size()), true
	switch c.action {
	case notation.TableKeepLow:
		high = false
	case notation.TableDropLow:
		n = p.Size() - n
	case notation.TableDropHigh:
		n, high = p.Size()-n, false
	}
	if len(worth) == 0 && n > 0 {
		if high {
			return p.Highest(ctx, n)
		}
		return p.Lowest(ctx, n)
	}
	from, to := 0, n
	if high {
		from, to = p.Size()-n, p.Size()
	}
	type state struct{ seen, sum int }
	tally, err := dist.Evaluate(ctx, p, state{}, func(s state, face, count int) (state, error) {
		kept := max(0, min(to, s.seen+count)-max(from, s.seen))
		s.seen += count
		s.sum += kept * countsAs(worth, face)
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	var sums dist.Tally[int]
	for s, w := range tally.All() {
		sums.Add(s.sum, w)
	}
	return dist.TallyDist(ctx, &sums, p.Bound())
}

// group is the total of several rolls, of which modifiers choose.
func (t tableRoller) group(x *notation.TableGroup) (*dist.Dist, error) {
	var items []*dist.Dist
	for _, item := range x.Items {
		if x.Joined && len(x.Modifiers) > 0 {
			dice, err := t.separate(item)
			if err != nil {
				return nil, err
			}
			items = append(items, dice...)
			continue
		}
		d, err := t.whole(item)
		if err != nil {
			return nil, err
		}
		items = append(items, d)
	}
	if err := meter.Faces(t.ctx, len(items)); err != nil {
		return nil, err
	}
	pool, err := dist.NewPool(items...)
	if err != nil {
		return nil, err
	}
	h := &handful{die: dist.Constant(0)}
	for i, m := range x.Modifiers {
		if m.Pick.Top || m.Pick.Least {
			return nil, fmt.Errorf("%s: totals have no highest face", m.Text)
		}
		if err := t.modify(h, m, successes(x.Modifiers[:i])); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Text, err)
		}
	}
	if h.keep != nil {
		return chosenTotal(t.ctx, pool, h.keep, h.worth)
	}
	sum := dist.Constant(0)
	for _, d := range items {
		if len(h.worth) > 0 {
			if d, err = d.Map(t.ctx, func(n int) (int, error) { return countsAs(h.worth, n), nil }); err != nil {
				return nil, err
			}
		}
		if sum, err = sum.Add(t.ctx, d); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// separate are the dice of a plain sum, each for itself.
func (t tableRoller) separate(x notation.Term) ([]*dist.Dist, error) {
	switch x := x.(type) {
	case *notation.TableDice:
		n := x.Count.(*notation.Fixed).Over
		if err := meter.Faces(t.ctx, n); err != nil {
			return nil, err
		}
		die, err := makeDie(t.ctx, notation.Pool{Sides: x.Sides, Fate: x.Fate})
		dice := make([]*dist.Dist, n)
		for i := range dice {
			dice[i] = die
		}
		return dice, err
	case *notation.TableOp:
		left, err := t.separate(x.X)
		if err != nil {
			return nil, err
		}
		right, err := t.separate(x.Y)
		return append(left, right...), err
	}
	return nil, fmt.Errorf("this is no sum of dice")
}
