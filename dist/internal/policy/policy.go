// Package policy finds the best plan for states that lead to each other and in which
// one of two sides chooses how to go on (policy iteration: Howard, "Dynamic
// Programming and Markov Processes", 1960). A plan is looked for in floats; from there
// on, values are exact: those of a plan solve linear equations, and a plan that no
// single choice improves is the best.
package policy

import (
	"cmp"
	"math"
	"math/big"

	"dicescript/dist/internal/linear"
	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A Problem is states with what is possible in them. They are numbered, and what the
// values outside contribute to a way is a constant, in integers over one denominator.
type Problem struct {
	Turns []Turn   // by state
	Ways  []Way    // of all states
	Unit  *big.Int // the denominator of the constants
	Scale float64  // about the largest value
	Work  int64    // of a look at everything once
}

// A Turn is a state with its ways to go on: Ways[First:Last].
type Turn struct {
	First, Last int
	Against     bool // the choice is that of the side that wants the lowest value
}

// Better reports whether a value is better than another for who chooses.
func (t Turn) Better(comparison int) bool {
	return comparison > 0 && !t.Against || comparison < 0 && t.Against
}

// A Way leads to states of the problem and, with the rest of its weight, out of
// it.
type Way struct {
	Total   *big.Int
	To      []int
	W       []*big.Int
	Outside *big.Int // the weights of the ways out times the values there, times the unit
	Leaves  bool

	// The same, about.
	About, AboutOutside float64
	AboutW              []float64
}

// A Solution is the best plan, a way for each state, and the values X / (Den Unit).
type Solution struct {
	Plan []int
	X    []*big.Int
	Den  *big.Int
}

// Solve returns the best plan. Where some state can never be left for good it returns
// that state, and -1 otherwise.
func Solve(meter work.Meter, p *Problem) (s Solution, stuck int, err error) {
	k := &search{Problem: p, meter: meter, tick: work.NewTicker(meter)}
	if i := k.begin(); i >= 0 {
		return Solution{}, i, nil
	}
	if err := k.approach(); err != nil {
		return Solution{}, -1, err
	}
	if err := k.improve(); err != nil {
		return Solution{}, -1, err
	}
	return Solution{k.plan, k.x, k.den}, -1, nil
}

// A search holds the plan so far and its values.
type search struct {
	*Problem
	meter work.Meter
	tick  work.Ticker
	plan  []int
	x     []*big.Int
	den   *big.Int
}

// begin plans, for every state, the first way that comes closer to leaving the
// problem, so that the plan ends surely. It returns a state that cannot leave, or -1.
func (k *search) begin() int {
	const never = math.MaxInt
	far := make([]int, len(k.Turns))
	from := make([][]int, len(k.Turns))
	var queue []int
	for i, t := range k.Turns {
		far[i] = never
		for _, w := range k.Ways[t.First:t.Last] {
			if w.Leaves && far[i] == never {
				far[i] = 0
				queue = append(queue, i)
			}
			for _, j := range w.To {
				from[j] = append(from[j], i)
			}
		}
	}
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		for _, i := range from[j] {
			if far[i] == never {
				far[i] = far[j] + 1
				queue = append(queue, i)
			}
		}
	}
	k.plan = make([]int, len(k.Turns))
	for i, t := range k.Turns {
		if far[i] == never {
			return i
		}
		for at := t.Last - 1; at >= t.First; at-- {
			closer := k.Ways[at].Leaves && far[i] == 0
			for _, j := range k.Ways[at].To {
				closer = closer || far[j] < far[i]
			}
			if closer {
				k.plan[i] = at
			}
		}
	}
	return -1
}

// ends reports whether a plan leaves the problem surely.
func (k *search) ends(plan []int) bool {
	from := make([][]int, len(plan))
	leaves := make([]bool, len(plan))
	var queue []int
	for i, at := range plan {
		w := &k.Ways[at]
		if w.Leaves {
			leaves[i] = true
			queue = append(queue, i)
		}
		for _, j := range w.To {
			from[j] = append(from[j], i)
		}
	}
	found := len(queue)
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		for _, i := range from[j] {
			if !leaves[i] {
				leaves[i] = true
				found++
				queue = append(queue, i)
			}
		}
	}
	return found == len(plan)
}

// mostSweeps bounds how long a plan is looked for in floats.
const mostSweeps = 2000

// approach looks for a good plan in floats. It need not be the best, nor even
// good: what it finds is only where the exact search begins.
func (k *search) approach() error {
	x := make([]float64, len(k.Turns))
	choices := len(k.Ways) > len(k.Turns)
	for pass := range 2 {
		if pass == 1 && !choices {
			break
		}
		for sweep := range mostSweeps {
			if err := k.meter.Work(k.Work); err != nil {
				return err
			}
			if moved := k.sweep(x, pass == 1, sweep%2 == 1); !(moved > 1e-14*k.Scale) {
				break
			}
		}
	}
	plan := make([]int, len(k.plan))
	for i, t := range k.Turns {
		plan[i] = k.plan[i]
		best := k.near(plan[i], i, x)
		for at := t.First; at < t.Last; at++ {
			if v := k.near(at, i, x); t.Better(cmp.Compare(v, best)) && math.Abs(v-best) > 1e-11*k.Scale {
				plan[i], best = at, v
			}
		}
	}
	if k.ends(plan) {
		k.plan = plan
	}
	return nil
}

// sweep values every state once by the states around it, by the plan or by the
// best way, and returns how far a value moved at most.
func (k *search) sweep(x []float64, best, backwards bool) float64 {
	moved := 0.0
	for n := range k.Turns {
		i := n
		if backwards {
			i = len(k.Turns) - 1 - n
		}
		v := k.near(k.plan[i], i, x)
		if best {
			for at := k.Turns[i].First; at < k.Turns[i].Last; at++ {
				if w := k.near(at, i, x); k.Turns[i].Better(cmp.Compare(w, v)) {
					v = w
				}
			}
		}
		moved = max(moved, math.Abs(v-x[i]))
		x[i] = v
	}
	return moved
}

// near is about what a way is worth, tried until it leaves its state; a way that
// never does is worth what the state is.
func (k *search) near(at, i int, x []float64) float64 {
	w := &k.Ways[at]
	sum, stays := w.AboutOutside, 0.0
	for e, j := range w.To {
		if j == i {
			stays = w.AboutW[e]
			continue
		}
		sum += w.AboutW[e] * x[j]
	}
	if stays == w.About {
		return x[i]
	}
	return sum / (w.About - stays)
}

// improve makes the plan the best one: first the answers of the other side until
// none is better, then all moves of this side that are better, and so on.
func (k *search) improve() error {
	if err := k.value(); err != nil {
		return err
	}
	for {
		changed, err := k.change(true)
		if err != nil {
			return err
		}
		if !changed {
			if changed, err = k.change(false); err != nil || !changed {
				return err
			}
		}
		if err := k.value(); err != nil {
			return err
		}
	}
}

// value solves for the values of the plan: total x - sum of w x inside = outside.
func (k *search) value() error {
	eq := &linear.Equations{}
	right := make([]*big.Int, len(k.plan))
	for i, at := range k.plan {
		w := &k.Ways[at]
		row := map[int]*big.Int{i: new(big.Int).Set(w.Total)}
		for e, j := range w.To {
			nat.AddTerm(row, j, new(big.Int).Neg(w.W[e]))
		}
		eq.Add(row)
		right[i] = w.Outside
	}
	s, err := linear.NewSolver(k.meter, eq)
	if err != nil {
		return err
	}
	k.x, k.den, err = s.Solve(right)
	return err
}

// change takes, in all states of one side, a way that is strictly better than the
// planned one, the best of them.
func (k *search) change(against bool) (bool, error) {
	changed := false
	sum, best, term := new(big.Int), new(big.Rat), new(big.Int)
	if err := k.meter.Work(upper.MulSat(k.Work, int64(nat.WordsFor(k.den)+nat.WordsFor(k.Unit)))); err != nil {
		return false, err
	}
	for i, t := range k.Turns {
		if t.Against != against || t.Last-t.First < 2 {
			continue
		}
		planned := k.plan[i]
		best.SetInt(k.x[i])
		for at := t.First; at < t.Last; at++ {
			if at == planned {
				continue
			}
			w := &k.Ways[at]
			sum.Mul(w.Outside, k.den)
			for e, j := range w.To {
				sum.Add(sum, term.Mul(w.W[e], k.x[j]))
			}
			// sum / total against best
			if c := sum.Cmp(term.Mul(w.Total, best.Num())); best.IsInt() && t.Better(c) ||
				!best.IsInt() && t.Better(new(big.Rat).SetFrac(sum, w.Total).Cmp(best)) {
				best.SetFrac(sum, w.Total)
				k.plan[i] = at
				changed = true
			}
		}
		if err := k.tick.Tick(64); err != nil {
			return false, err
		}
	}
	return changed, nil
}
