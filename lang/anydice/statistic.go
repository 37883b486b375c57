package anydice

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"dicescript/dist"
	"dicescript/dist/upper"
)

// A body that wants a roll of a pool as a sequence often looks at little of it:
// its sum, how many dice show a six, how many more than four, the highest. Then
// it is run once for each combination of those statistics instead of once for
// each roll. Which ones it looks at comes out by running it: the roll is a value
// whose statistics are not known, and the run stops with a wish for the first
// one that is missing. When the body wants to see more than statistics, it is
// run for every roll after all.
//
// A statistic is linear, the sum over the dice of a number for each face, as
// sums and counts are, or it is what the die of one rank shows.

// plans say from which sizes on it is worth going another way. They are
// variable for tests, which want small pools to go the same ways.
type plans struct {
	statistics int64 // runs of the body from which statistics are tried
	pool       int64 // rolls of a pool from which it takes part
	faces      int64 // rolls of a pool from which loops over faces are tried
	share      int64 // quarters of the rolls that there may be combinations of statistics
	exact      int   // machine words of a total that stays exact
}

var defaultPlans = plans{statistics: 1500, pool: 20, faces: 5000, share: 3, exact: exactWords}

// maxStatistics bounds how many statistics of one roll are looked at together.
const maxStatistics = 6

// A statistic is one that a body asks for.
type statistic struct {
	rank   int    // of a die, 1 for the highest; 0 for a linear statistic
	values []int  // of a linear statistic, for each face of the pool
	key    string // the same for the same statistic
	all    bool   // no statistic: all the dice
}

var everything = statistic{all: true}

// A wish ends a run that needs to know more about a roll.
type wish struct {
	roll *roll
	want statistic
}

func (w *wish) Error() string { return "anydice: a statistic of a roll is not known yet" }

// A roll is one roll of a pool, of which some statistics are known.
type roll struct {
	run          *run // that pays for what is found out
	pool         *die
	faces        []int // of one die, ascending
	highestFirst bool
	known        []statistic
	values       [maxStatistics]int
	list         []combination // of the values of what is known, nil until it is needed
}

func (r *run) newRoll(pool *die) (*roll, error) {
	if err := r.holdElements(pool.base.Len()); err != nil {
		return nil, err
	}
	return &roll{run: r, pool: pool, faces: pool.base.Outcomes(), highestFirst: !r.lowestFirst}, nil
}

func (l *roll) wish(s statistic) error { return &wish{roll: l, want: s} }

// linear returns the sum of f over the dice.
func (l *roll) linear(f func(face int) int) (int, error) {
	s, err := l.linearStatistic(f)
	if err != nil {
		return 0, err
	}
	same, largest := true, 0
	for _, n := range s.values {
		same = same && n == s.values[0]
		largest = max(largest, n, -max(n, -1<<62))
	}
	if same {
		n, ok := mul(s.values[0], l.pool.count)
		if !ok {
			return 0, errRange
		}
		return n, nil
	}
	if _, ok := mul(largest, l.pool.count); !ok {
		return 0, l.wish(everything) // the rolls show whether it is ever too large
	}
	for i := range l.known {
		if l.known[i].key == s.key {
			return l.values[i], nil
		}
	}
	return 0, l.wish(s)
}

// linearStatistic is the sum of f over the dice.
func (l *roll) linearStatistic(f func(face int) int) (statistic, error) {
	const each = 4 // words of a value and of its part of the key
	if err := l.run.spend(1 + len(l.faces)/8); err != nil {
		return statistic{}, err
	}
	if err := dist.ChargeTable(l.run.ctx, int64(len(l.faces)), each); err != nil {
		return statistic{}, err
	}
	values := make([]int, len(l.faces))
	key := make([]byte, 0, 4*len(l.faces))
	for i, face := range l.faces {
		values[i] = f(face)
		key = append(strconv.AppendInt(key, int64(values[i]), 10), ' ')
	}
	return statistic{values: values, key: string(key)}, nil
}

func (l *roll) sum() (int, error) { return l.linear(func(face int) int { return face }) }

// positions adds up the dice at positions of the sorted roll.
func (l *roll) positions(at []int) (int, error) {
	sum, ok := 0, true
	for _, p := range at {
		if p < 1 || p > l.pool.count {
			continue
		}
		if !l.highestFirst {
			p = l.pool.count + 1 - p
		}
		x, err := l.ranked(p)
		if err != nil {
			return 0, err
		}
		if sum, ok = add(sum, x); !ok {
			return 0, errRange
		}
	}
	return sum, nil
}

// ranked returns the die of a rank.
func (l *roll) ranked(rank int) (int, error) {
	for i := range l.known {
		if l.known[i].rank == rank {
			return l.values[i], nil
		}
	}
	return 0, l.wish(statistic{rank: rank, key: "@" + strconv.Itoa(rank)})
}

// withoutRolls runs a call without looking at every roll of its pools. It is
// false when that is not worth it or can't be done; then nothing was done.
func (r *run) withoutRolls(x *expansion) (bool, error) {
	if x.known.carries || x.combinations() < r.plans.statistics {
		return false, nil
	}
	y := &expansion{f: x.f, known: x.known, args: x.args}
	var pools []*pooled
	for _, a := range x.axes {
		if a.pool != nil && a.combinations() >= r.plans.pool {
			l, err := r.newRoll(a.pool)
			if err != nil {
				return false, err
			}
			pools = append(pools, &pooled{axis: a, roll: l})
		} else {
			y.axes = append(y.axes, a)
		}
	}
	w, err := dist.NewWeight(bigOne)
	if err != nil {
		return false, err
	}
	for len(pools) > 0 {
		y.mixer = mixer{}
		err := r.eachOf(y, len(y.axes)-1, w, func(w dist.Weight) error { return r.byStatistics(y, pools, w) })
		var all *everyRoll
		if !errors.As(err, &all) {
			x.mixer = y.mixer
			return err == nil, err
		}
		pools = slices.DeleteFunc(pools, func(p *pooled) bool {
			if p.roll == all.roll {
				y.axes = append(y.axes, p.axis)
				return true
			}
			return false
		})
	}
	return false, nil
}

// A pooled is a parameter that is given a roll of which statistics are known.
type pooled struct {
	axis *axis
	roll *roll
}

// everyRoll ends the try to do without looking at every roll of a pool.
type everyRoll struct{ roll *roll }

func (e *everyRoll) Error() string { return "anydice: every roll has to be looked at" }

// byStatistics runs the body once for each combination of the statistics that
// it asks for.
func (r *run) byStatistics(x *expansion, pools []*pooled, w dist.Weight) error {
	if len(pools) == 1 && pools[0].axis.combinations() >= r.plans.faces {
		if done, err := r.byFaces(x, pools[0], w); done || err != nil {
			return err
		}
	}
	for _, p := range pools {
		x.args[p.axis.param] = value{kind: rollValue, roll: p.roll}
	}
	for {
		results, err := r.forEach(x, pools, w)
		if err == nil {
			for _, c := range results {
				if err := x.mixer.add(r, c.v, c.weight); err != nil {
					return err
				}
			}
			return nil
		}
		asked, ok := err.(*wish)
		if !ok || !slices.ContainsFunc(pools, func(p *pooled) bool { return p.roll == asked.roll }) {
			return err
		}
		if asked.want.all || len(asked.roll.known) == maxStatistics {
			return &everyRoll{asked.roll}
		}
		asked.roll.known = append(asked.roll.known, asked.want)
		asked.roll.list = nil
	}
}

// A combination is the values of the known statistics, with their weight.
type combination struct {
	values [maxStatistics]int
	weight dist.Weight
}

// A weighedResult is a result of the body with its weight.
type weighedResult struct {
	v      value
	weight dist.Weight
}

// forEach returns the results of the body for every combination of the known
// statistics of several pools.
func (r *run) forEach(x *expansion, pools []*pooled, w dist.Weight) ([]weighedResult, error) {
	for _, p := range pools {
		if err := r.listCombinations(p.roll, p.axis.combinations()); err != nil {
			return nil, err
		}
	}
	var results []weighedResult
	var each func(i int, w dist.Weight) error
	each = func(i int, w dist.Weight) error {
		if i < len(pools) {
			l := pools[i].roll
			for _, c := range l.list {
				l.values = c.values
				if err := each(i+1, w.Times(c.weight)); err != nil {
					return err
				}
			}
			return nil
		}
		if err := r.step(); err != nil {
			return err
		}
		v, err := r.oneResult(x)
		if err != nil {
			return err
		}
		if v.kind == rollValue {
			if v, err = scalar(v); err != nil {
				return err
			}
		}
		results = append(results, weighedResult{v, w})
		return nil
	}
	return results, each(0, w)
}

// listCombinations lists the combinations of the known statistics of a roll
// that can come up. rolls is the number of rolls of the pool: there should be
// fewer combinations.
func (r *run) listCombinations(l *roll, rolls int64) error {
	if l.list != nil {
		return nil
	}
	list, err := r.combinationsOf(l, rolls)
	if err == errTooMany || err == nil && int64(len(list)) > upper.MulSat(rolls, r.plans.share)/4 {
		return &everyRoll{l}
	}
	l.list = list
	return err
}

// errTooMany ends a walk that takes longer than looking at every roll.
var errTooMany = errors.New("anydice: the statistics of a roll have too many values")

// combinationsOf lists the combinations of the known statistics of a roll that
// can come up. rolls is the number of rolls of the pool.
func (r *run) combinationsOf(l *roll, rolls int64) ([]combination, error) {
	ranks := 0
	for _, s := range l.known {
		if s.rank > 0 {
			ranks++
		}
	}
	switch {
	case ranks == 0:
		return r.linearCombinations(l, rolls)
	case len(l.known) == 1:
		return r.oneRank(l)
	}
	return r.machineCombinations(l, rolls)
}

// linearCombinations puts faces together that all statistics treat alike. The
// rolls of those classes are few.
func (r *run) linearCombinations(l *roll, rolls int64) ([]combination, error) {
	switch len(l.known) {
	case 0:
		w, err := r.poolScale(l.pool, dist.Constant(0))
		return []combination{{weight: w}}, err
	case 1:
		return r.oneLinear(l)
	}
	outcomes, weights, err := r.weighted(l.pool.base)
	if err != nil {
		return nil, err
	}
	index := map[[maxStatistics]int]int{}
	var classes [][maxStatistics]int
	var kinds []int
	var sums []dist.Weight
	for i := range outcomes {
		var class [maxStatistics]int
		for j, s := range l.known {
			class[j] = s.values[i]
		}
		k, ok := index[class]
		if !ok {
			k = len(classes)
			index[class] = k
			classes = append(classes, class)
			kinds = append(kinds, k)
			sums = append(sums, dist.Weight{})
		}
		sums[k] = sums[k].Plus(weights[i])
	}
	count := multisets(l.pool.count, len(classes))
	if count > min(rolls/2, 300_000) || l.pool.count > 3000 {
		return r.machineCombinations(l, rolls)
	}
	if err := chargeCombinations(r.ctx, count); err != nil {
		return nil, err
	}
	walk, err := r.rollsOf(kinds, sums, l.pool.count)
	if err != nil {
		return nil, err
	}
	var t dist.Tally[[maxStatistics]int]
	err = walk.walk(func(w dist.Weight) error {
		if err := r.spend(1 + len(walk.faces)*len(l.known)/8); err != nil {
			return err
		}
		var values [maxStatistics]int
		for _, k := range walk.faces {
			for j, n := range classes[k] {
				values[j] += n
			}
		}
		t.Add(values, w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.listed(&t)
}

// multisets is how many multisets of so many dice there are: C(n+k-1, n), or
// math.MaxInt64 when that is larger.
func multisets(dice, kinds int) int64 {
	few, many := uint64(min(dice, kinds-1)), uint64(max(dice, kinds-1))
	c := uint64(1)
	for i := uint64(1); i <= few; i++ {
		hi, lo := bits.Mul64(c, many+i)
		if hi >= i {
			return math.MaxInt64
		}
		if c, _ = bits.Div64(hi, lo, i); c > math.MaxInt64 {
			return math.MaxInt64
		}
	}
	return int64(c)
}

func (r *run) listed(t *dist.Tally[[maxStatistics]int]) ([]combination, error) {
	if err := r.holdCombinations(t.Len()); err != nil {
		return nil, err
	}
	list := make([]combination, 0, t.Len())
	for values, w := range t.All() {
		list = append(list, combination{values, w})
	}
	return list, nil
}

// holdCombinations charges the combinations of the statistics of a roll, and what the
// body makes of them.
func (r *run) holdCombinations(n int) error {
	const words = 24 // of the values, the weight, and a result with its weight
	return dist.ChargeTable(r.ctx, int64(n), words)
}

// oneLinear is the distribution of one linear statistic: a sum of equal dice.
func (r *run) oneLinear(l *roll) ([]combination, error) {
	i := -1
	each, err := l.pool.base.Map(r.ctx, func(int) (int, error) { i++; return l.known[0].values[i], nil })
	if err != nil {
		return nil, err
	}
	sum, err := each.Times(r.ctx, l.pool.count)
	if err != nil {
		return nil, err
	}
	return r.singleValues(l, sum)
}

// oneRank is the distribution of what the die of one rank shows.
func (r *run) oneRank(l *roll) ([]combination, error) {
	pool, err := repeatDie(l.pool.base, l.pool.count)
	if err != nil {
		return nil, err
	}
	die, err := pool.OrderStat(r.ctx, l.known[0].rank)
	if err != nil {
		return nil, err
	}
	return r.singleValues(l, die)
}

// singleValues lists the values of the one statistic of a roll that is known, which has a
// distribution.
func (r *run) singleValues(l *roll, of *dist.Dist) ([]combination, error) {
	outcomes, weights, err := r.weighted(of)
	if err != nil {
		return nil, err
	}
	scale, err := r.poolScale(l.pool, of)
	if err != nil {
		return nil, err
	}
	if err := r.holdCombinations(len(outcomes)); err != nil {
		return nil, err
	}
	list := make([]combination, len(outcomes))
	for j, n := range outcomes {
		list[j].values[0] = n
		list[j].weight = weights[j].Times(scale)
	}
	return list, nil
}

// poolScale is what the weights of something about a pool have to be multiplied
// with to add up to the ways that the pool can fall.
func (r *run) poolScale(pool *die, d *dist.Dist) (dist.Weight, error) {
	ways := pool.base.Total()
	if err := r.chargeWeights(1, upper.MulSat(int64(ways.BitLen()), int64(pool.count))); err != nil {
		return dist.Weight{}, err
	}
	ways.Exp(ways, big.NewInt(int64(pool.count)), nil)
	return dist.NewWeight(ways.Quo(ways, d.Total()))
}

// machineCombinations goes through the faces with the statistics so far.
func (r *run) machineCombinations(l *roll, rolls int64) ([]combination, error) {
	type state struct {
		placed int
		values [maxStatistics]int
	}
	if err := dist.ChargeTable(r.ctx, int64(len(l.faces)), 8); err != nil {
		return nil, err
	}
	index := map[int]int{}
	for i, face := range l.faces {
		index[face] = i
	}
	pool, err := repeatDie(l.pool.base, l.pool.count)
	if err != nil {
		return nil, err
	}
	// A roll is walked through die by die, and a call of the machine is a small thing.
	calls, most := int64(0), max(20_000, min(upper.MulSat(rolls/4, 1+int64(l.pool.count)/16), 3_000_000))
	placedCounts := false
	for _, s := range l.known {
		placedCounts = placedCounts || s.rank > 0
	}
	t, err := dist.Evaluate(r.ctx, pool, state{}, func(s state, face, n int) (state, error) {
		if calls++; calls > most {
			return s, errTooMany
		}
		i := index[face]
		for j, k := range l.known {
			if k.rank == 0 {
				s.values[j] += n * k.values[i]
				continue
			}
			fromBelow := l.pool.count + 1 - k.rank
			if s.placed < fromBelow && fromBelow <= s.placed+n {
				s.values[j] = face
			}
		}
		if placedCounts {
			s.placed += n
		}
		return s, nil
	})
	if limit := (*dist.LimitError)(nil); errors.As(err, &limit) {
		return nil, errTooMany // while every roll may take less
	}
	if err != nil {
		return nil, err
	}
	var sums dist.Tally[[maxStatistics]int]
	for s, w := range t.All() {
		sums.Add(s.values, w)
	}
	return r.listed(&sums)
}
