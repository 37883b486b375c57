package throwing

import (
	"errors"
	"math/big"
)

// A source that enumerates: what is thrown is thrown again and again, once for every way in
// which chance can decide it. So the results of throws, each with the weight of its way, are
// the distribution of what is thrown, and not an estimate of it.

// Enumerate calls throw once for each way in which chance can decide, and then visit with
// the chance of that way. Ways whose chance is below least are given up: rest is what they
// have together, 0 when least is nil and there are none. It is an error when there are more
// than most ways.
func Enumerate(most int, least *big.Rat, throw func(Source) error, visit func(chance *big.Rat)) (rest *big.Rat, err error) {
	e := &enumeration{least: least, left: &most, rest: new(big.Rat)}
	err = e.all(throw, func() { visit(e.chance()) })
	return e.rest, err
}

// Errors of an enumeration.
var (
	ErrTooManyWays = errors.New("chance can decide in too many ways to go through them all")
	errGivenUp     = errors.New("this way is too unlikely to be followed")
	errFails       = errors.New("the evidence does not hold on this way")
)

// An enumeration goes through all ways by their decisions: the last decision that can still
// be made otherwise is, and what follows on it is found anew.
type enumeration struct {
	path  []decision
	next  int // the place in the path of the decision to be made next
	least *big.Rat
	left  *int // how many ways may still be gone
	rest  *big.Rat
}

// A decision is one of several with their chances.
type decision struct {
	taken   int
	count   int
	weights []*big.Int // nil when all are equally likely
	total   *big.Int
	chance  *big.Rat     // of all decisions up to this one
	ways    [][]decision // of a condition: those in which it holds
}

func (e *enumeration) all(throw func(Source) error, visit func()) error {
	for {
		if *e.left--; *e.left < 0 {
			return ErrTooManyWays
		}
		e.next = 0
		switch err := attempt(func() error { return throw(e) }); {
		case errors.Is(err, errGivenUp):
			e.rest.Add(e.rest, e.chance())
		case err != nil:
			return err
		default:
			visit()
		}
		for len(e.path) > 0 && !e.path[len(e.path)-1].advance() {
			e.path = e.path[:len(e.path)-1]
		}
		if len(e.path) == 0 {
			return nil
		}
		e.weigh(len(e.path) - 1)
	}
}

// advance takes the next alternative that can happen, and reports whether there is one.
func (d *decision) advance() bool {
	for d.taken++; d.taken < d.count; d.taken++ {
		if d.weights == nil || d.weights[d.taken].Sign() > 0 {
			return true
		}
	}
	return false
}

// chance is that of the way that is gone.
func (e *enumeration) chance() *big.Rat {
	if len(e.path) == 0 {
		return big.NewRat(1, 1)
	}
	return e.path[len(e.path)-1].chance
}

// weigh finds the chance of the decisions up to one.
func (e *enumeration) weigh(i int) {
	d := &e.path[i]
	w := big.NewInt(1)
	if d.weights != nil {
		w = d.weights[d.taken]
	}
	before := big.NewRat(1, 1)
	if i > 0 {
		before = e.path[i-1].chance
	}
	d.chance = new(big.Rat).SetFrac(w, d.total)
	d.chance.Mul(d.chance, before)
}

// decide makes the next decision. A way that is too unlikely is given up: the panic is met
// by [attempt].
func (e *enumeration) decide(d decision) int {
	if e.next == len(e.path) {
		d.taken = -1
		d.advance()
		e.path = append(e.path, d)
		e.weigh(e.next)
	}
	got := &e.path[e.next]
	e.next++
	if e.least != nil && got.chance.Cmp(e.least) < 0 {
		panic(errGivenUp)
	}
	return got.taken
}

// Below decides for each number once.
func (e *enumeration) Below(n uint64) uint64 {
	if n == 1 {
		return 0
	}
	return uint64(e.decide(decision{count: int(n), total: new(big.Int).SetUint64(n)}))
}

// Pick decides for each weight once.
func (e *enumeration) Pick(weights []*big.Int, total *big.Int) int {
	return e.decide(decision{count: len(weights), weights: weights, total: total})
}

// attempt calls f and turns the end of a way into its error.
func attempt(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != error(errGivenUp) {
				panic(p)
			}
			err = errGivenUp
		}
	}()
	return f()
}

// A conditioner is a source that can throw on condition without trying again and again.
type conditioner interface {
	// given calls try with sources of its own. A try on which the condition does not hold
	// returns errFails; the last one holds.
	given(try func(Source) error) error
}

// given goes through all ways of try, and takes each in which it holds with its share of
// their chance.
func (e *enumeration) given(try func(Source) error) error {
	if e.next == len(e.path) {
		d, rest, err := e.condition(try)
		if err != nil {
			return err
		}
		e.rest.Add(e.rest, rest.Mul(rest, e.chance()))
		e.decide(*d)
	} else {
		e.next++
	}
	made := e.path[e.next-1]
	return try(&enumeration{path: made.ways[made.taken], left: e.left, rest: new(big.Rat)})
}

// condition is the decision between the ways in which a condition holds; rest is the chance
// of those that were given up, of all in which it may hold.
func (e *enumeration) condition(try func(Source) error) (d *decision, rest *big.Rat, err error) {
	inner := &enumeration{left: e.left, rest: new(big.Rat)}
	if e.least != nil {
		inner.least = new(big.Rat).Quo(e.least, e.chance())
	}
	d = &decision{total: new(big.Int)}
	var chances []*big.Rat
	sum, holds := new(big.Rat), false
	err = inner.all(func(src Source) error {
		err := try(src)
		if holds = err == nil; errors.Is(err, errFails) {
			err = nil
		}
		return err
	}, func() {
		if holds {
			d.ways = append(d.ways, append([]decision(nil), inner.path...))
			chances = append(chances, inner.chance())
			sum.Add(sum, inner.chance())
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if len(chances) == 0 {
		return nil, nil, errImpossible
	}
	common := big.NewInt(1)
	for _, p := range chances {
		gcd := new(big.Int).GCD(nil, nil, common, p.Denom())
		common.Mul(common, new(big.Int).Quo(p.Denom(), gcd))
	}
	for _, p := range chances {
		w := new(big.Int).Quo(common, p.Denom())
		d.weights = append(d.weights, w.Mul(w, p.Num()))
		d.total.Add(d.total, w)
	}
	d.count = len(chances)
	rest = inner.rest
	if rest.Sign() > 0 {
		rest = new(big.Rat).Quo(rest, new(big.Rat).Add(sum, rest))
	}
	return d, rest, nil
}
