package builtins

import (
	"slices"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Throws of dice that are thrown again: explosions, rerolls, open ends.

// A single is a die that can be thrown several times, and the dice that were thrown for it.
type single struct {
	c    define.Call
	t    *throwing.Thrower
	roll starlark.Value // of a die that is a roll with a derivation
	die  *dist.Dist     // of a die of a pool
	dice []*throwing.Die
	last int // the place from 1 of the last die in the throw
}

// throw throws the die, and returns what it shows.
func (s *single) throw() (int, error) {
	if s.roll == nil {
		d, err := s.t.Die(s.die)
		if err != nil {
			return 0, err
		}
		s.dice = append(s.dice, d)
		s.last = s.t.Place()
		return d.Value, nil
	}
	v, dice, err := s.t.Part(s.roll)
	if err != nil {
		return 0, err
	}
	s.dice = append(s.dice, dice...)
	s.last = s.t.Place()
	return s.t.Number(v)
}

// again throws the die again: note says of the dice that are new, and of those before them,
// how that came about.
func (s *single) again(note func(before, added *throwing.Die, place, next int)) (int, error) {
	from, place := len(s.dice), s.last
	n, err := s.throw()
	if err == nil && len(s.dice) == from+1 && from > 0 && s.last > place {
		note(s.dice[from-1], s.dice[from], place, s.last)
	}
	return n, err
}

func hasExploded(_, added *throwing.Die, place, _ int) { added.Exploded = place }

func wasRerolled(before, _ *throwing.Die, _, next int) { before.Rerolled = next }

// eachSingle throws a roll, or each die of a pool, by a rule that may throw it again.
func eachSingle(c define.Call, t *throwing.Thrower, result starlark.Value, rule func(*single, *dist.Dist) (int, error)) (starlark.Value, error) {
	pool, ok := c.Receiver.(*value.Pool)
	if !ok {
		d, err := c.Self()
		if err != nil {
			return nil, err
		}
		n, err := rule(&single{c: c, t: t, roll: c.Receiver}, d)
		return throwing.Roll(c.Methods(), n), err
	}
	var faces []int
	var dice [][]*throwing.Die
	for die, count := range pool.Pool().Blocks() {
		for range count {
			s := &single{c: c, t: t, die: die}
			n, err := rule(s, die)
			if err != nil {
				return nil, err
			}
			faces, dice = append(faces, n), append(dice, s.dice)
		}
	}
	return t.Pool(c.Methods(), faces, dice)
}

func throwExploded(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	depth, err := c.Limit(0, 0, 2)
	if err != nil {
		return nil, err
	}
	on := dist.Nothing
	if c.Given(1) {
		if on, err = callback.Faces(c, 1); err != nil {
			return nil, err
		}
	}
	return eachSingle(c, t, result, func(s *single, d *dist.Dist) (int, error) {
		faces := on
		if !c.Given(1) {
			faces = d.TopFace()
		}
		return s.chain(faces, depth)
	})
}

// chain throws a die, and again while certain faces show, at most so many times, and adds.
func (s *single) chain(faces dist.Set, most int) (int, error) {
	sum, err := s.throw()
	last := sum
	for n := 0; err == nil && faces.Contains(last) && (most == dist.Unlimited || n < most); n++ {
		last, err = s.again(hasExploded)
		sum += last
	}
	return sum, err
}

func throwRerolled(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	faces, err := callback.Faces(c, 0)
	if err != nil {
		return nil, err
	}
	most, err := c.Limit(1, 0, 1)
	if err != nil {
		return nil, err
	}
	return eachSingle(c, t, result, func(s *single, _ *dist.Dist) (int, error) {
		n, err := s.throw()
		for k := 0; err == nil && faces.Contains(n) && (most == dist.Unlimited || k < most); k++ {
			n, err = s.again(wasRerolled)
		}
		return n, err
	})
}

func throwOpenEnded(c define.Call, t *throwing.Thrower, _ starlark.Value) (starlark.Value, error) {
	hundred, high, low := dist.Must(dist.Die(100)), dist.Must(dist.Through(96, 100)), dist.Must(dist.Through(1, 5))
	sets, s, place := [3]dist.Set{low, high, high}, &single{c: c, t: t, die: hundred}, 0
	if len(c.Arguments()) > 1 {
		die, err := c.Roll(0)
		if err != nil {
			return nil, err
		}
		for i := range sets {
			if sets[i], err = triggerOf(c, i+1, die); err != nil {
				return nil, err
			}
		}
		s, place = &single{c: c, t: t, roll: c.Value(0)}, 4
	}
	limit, err := c.Limit(place, 0, 8)
	if err != nil {
		return nil, err
	}
	first, err := s.throw()
	if err != nil || !sets[0].Contains(first) && !sets[1].Contains(first) {
		return throwing.Roll(c.Methods(), first), err
	}
	chain := &single{c: c, t: t, die: s.die, roll: s.roll, dice: s.dice, last: s.last}
	last, err := chain.again(hasExploded)
	sum := last
	for n := 0; err == nil && sets[2].Contains(last) && (limit == dist.Unlimited || n < limit); n++ {
		last, err = chain.again(hasExploded)
		sum += last
	}
	if sets[0].Contains(first) {
		sum = -sum
	}
	return throwing.Roll(c.Methods(), first+sum), err
}

// throwConverted throws dice of which some faces count as another number.
func throwConverted(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	pool, ok := c.Receiver.(*value.Pool)
	if !ok {
		return byFaces(c, t, result)
	}
	thrown, _, err := t.Part(pool)
	if err != nil {
		return nil, err
	}
	v, err := c.Again(thrown, c.Arguments())
	if err != nil {
		return nil, err
	}
	dice, faces := t.DiceOf(thrown), throwing.FacesOf(v.(*value.Pool))
	for i, before := range throwing.FacesOf(thrown.(*value.Pool)) {
		if before != faces[i] && i < len(dice) && len(dice[i]) == 1 {
			dice[i][0].Counts = &faces[i]
		}
	}
	return t.Pool(c.Methods(), faces, dice)
}

// throwCount throws a pool and counts the dice that match; those that add a die do.
func throwCount(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	if _, ok := c.Receiver.(*value.Pool); !ok {
		return byFaces(c, t, result)
	}
	faces, err := callback.Faces(c, 0)
	if err != nil {
		return nil, err
	}
	if c.Given(1) {
		return throwCountAgain(c, t, faces)
	}
	thrown, _, err := t.Part(c.Receiver)
	if err != nil {
		return nil, err
	}
	dice, n := t.DiceOf(thrown), 0
	for i, face := range throwing.FacesOf(thrown.(*value.Pool)) {
		if !faces.Contains(face) {
			continue
		}
		n++
		if i < len(dice) {
			for _, d := range dice[i] {
				d.Counted = true
			}
		}
	}
	return throwing.Roll(c.Methods(), n), nil
}

func throwCountAgain(c define.Call, t *throwing.Thrower, faces dist.Set) (starlark.Value, error) {
	again, err := callback.Faces(c, 1)
	if err != nil {
		return nil, err
	}
	n := 0
	for die, count := range c.Receiver.(*value.Pool).Pool().Blocks() {
		for range count {
			s := &single{c: c, t: t, die: die}
			last, err := s.throw()
			for err == nil {
				if faces.Contains(last) {
					n++
					s.dice[len(s.dice)-1].Counted = true
				}
				if !again.Contains(last) {
					break
				}
				last, err = s.again(hasExploded)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return throwing.Roll(c.Methods(), n), nil
}

// throwSuccesses throws a success pool wave by wave.
func throwSuccesses(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	count, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	sides, err := c.Int(1)
	if err != nil {
		return nil, err
	}
	mode := dist.Baseline
	if c.Value(2) != nil {
		if mode, err = successMode(c, 2); err != nil {
			return nil, err
		}
	}
	waves, err := c.Limit(3, 1, 48)
	if err != nil {
		return nil, err
	}
	die := dist.Must(dist.Die(sides))
	total := 0
	for wave := 0; count > 0 && (waves == dist.Unlimited || wave < waves); wave++ {
		next, ones := 0, 0
		for range count {
			d, err := t.Die(die)
			if err != nil {
				return nil, err
			}
			if d.Counted = d.Value%2 == 0 || d.Value == sides; d.Counted {
				total++
			}
			if d.Value == sides {
				next++
			}
			if d.Value == 1 {
				ones++
			}
		}
		switch mode {
		case dist.OnesCancel:
			if ones > 0 {
				next = 0
			}
		case dist.OnesRemove:
			total -= ones
		case dist.Implode:
			for range ones {
				d, err := t.Die(die)
				if err != nil {
					return nil, err
				}
				total -= d.Value % 2
			}
		}
		count = next
	}
	return throwing.Roll(c.Methods(), max(0, total)), nil
}

// Which dice are kept. Of equal ones those are that were thrown first.

// An order compares two faces.
type faceOrder = func(a, b int) int

func highestFirst(a, b int) int { return b - a }
func lowestFirst(a, b int) int  { return a - b }

// keptBy returns which of the faces are kept: the first k in an order, or, where they are
// dropped, all but those, of which one always stays.
func keptBy(faces []int, order faceOrder, k int, drop bool) []bool {
	places := make([]int, len(faces))
	for i := range places {
		places[i] = i
	}
	if drop {
		// Of equal dice the last ones are dropped.
		slices.Reverse(places)
	}
	slices.SortStableFunc(places, func(i, j int) int { return order(faces[i], faces[j]) })
	first, last := 0, min(k, len(places))
	if drop {
		first, last = min(k, max(len(places)-1, 0)), len(places)
	}
	kept := make([]bool, len(faces))
	for _, i := range places[first:last] {
		kept[i] = true
	}
	return kept
}

// markKept marks the dice of a thrown pool, and returns the total of those that are kept.
func markKept(t *throwing.Thrower, thrown starlark.Value, faces []int, kept []bool) int {
	dice, sum := t.DiceOf(thrown), 0
	for i, face := range faces {
		if kept[i] {
			sum += face
		}
		if i < len(dice) {
			throwing.Mark(dice[i], kept[i])
		}
	}
	return sum
}

// keptEqual throws dice of keep_highest(count, sides, k) and the like.
func keptEqual(order faceOrder, drop bool) howThrown {
	return func(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
		p, err := equalDice(c)
		if err != nil {
			return nil, err
		}
		k, err := c.AtLeast(2, 0, 0)
		if err != nil {
			return nil, err
		}
		thrown, err := t.Draw(value.NewPool(c.Methods(), p))
		if err != nil {
			return nil, err
		}
		faces := throwing.FacesOf(thrown.(*value.Pool))
		return throwing.Roll(c.Methods(), markKept(t, thrown, faces, keptBy(faces, order, k, drop))), nil
	}
}

// keptDice throws a pool of which some dice are kept; with three arguments it is one of equal
// dice.
func keptDice(order faceOrder, drop bool) howThrown {
	return func(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
		if c.Receiver == nil {
			return keptEqual(order, drop)(c, t, result)
		}
		if _, ok := c.Receiver.(*value.Pool); !ok {
			return byFaces(c, t, result)
		}
		k, err := c.AtLeast(0, 0, 1)
		if err != nil {
			return nil, err
		}
		thrown, _, err := t.Part(c.Receiver)
		if err != nil {
			return nil, err
		}
		faces := throwing.FacesOf(thrown.(*value.Pool))
		return throwing.Roll(c.Methods(), markKept(t, thrown, faces, keptBy(faces, order, k, drop))), nil
	}
}

// ranks throws a pool of which the dice between two places from the top are kept.
func ranks(c define.Call, t *throwing.Thrower, pool starlark.Value, from, to func(size int) int) (starlark.Value, error) {
	thrown, _, err := t.Part(pool)
	if err != nil {
		return nil, err
	}
	faces := throwing.FacesOf(thrown.(*value.Pool))
	upTo := keptBy(faces, highestFirst, to(len(faces)), false)
	for i, above := range keptBy(faces, highestFirst, from(len(faces))-1, false) {
		upTo[i] = upTo[i] && !above
	}
	return throwing.Roll(c.Methods(), markKept(t, thrown, faces, upTo)), nil
}

func throwRank(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	k, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	if _, ok := c.Receiver.(*value.Pool); !ok {
		return byFaces(c, t, result)
	}
	at := func(int) int { return k }
	return ranks(c, t, c.Receiver, at, at)
}

// throwMiddle keeps the middle dice: an odd surplus drops the extra die from the high end.
func throwMiddle(c define.Call, t *throwing.Thrower, _ starlark.Value) (starlark.Value, error) {
	keep, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	above := func(size int) int { return (size - keep + 1) / 2 }
	return ranks(c, t, c.Receiver, func(size int) int { return above(size) + 1 }, func(size int) int { return above(size) + keep })
}

// throwExtreme throws max and min: of one pool a die of it, otherwise one of several rolls.
func throwExtreme(name string) howThrown {
	return func(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
		args := c.Arguments()
		if len(args) == 1 {
			if pool, ok := args[0].(*value.Pool); ok {
				rank := func(size int) int {
					if name == "min" {
						return size
					}
					return 1
				}
				return ranks(c, t, pool, rank, rank)
			}
		}
		return byFaces(c, t, result)
	}
}

// throwKeptDice throws a pool of which some dice are kept and looked at.
func throwKeptDice(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	thrown, _, err := t.Part(c.Receiver)
	if err != nil {
		return nil, err
	}
	faces := throwing.FacesOf(thrown.(*value.Pool))
	kept := []bool(nil)
	for i, way := range []struct {
		order faceOrder
		drop  bool
	}{{highestFirst, false}, {lowestFirst, false}, {highestFirst, true}, {lowestFirst, true}} {
		if !c.Given(i) {
			continue
		}
		k, err := c.Int(i)
		if err != nil {
			return nil, err
		}
		kept = keptBy(faces, way.order, k, way.drop)
	}
	markKept(t, thrown, faces, kept)
	dice := t.DiceOf(thrown)
	var own []int
	var ownDice []*throwing.Die
	for i, face := range faces {
		if kept[i] {
			own = append(own, face)
			if i < len(dice) && len(dice[i]) > 0 {
				ownDice = append(ownDice, dice[i][0])
			}
		}
	}
	return t.Hand(result.(*value.Multiset), own, ownDice)
}
