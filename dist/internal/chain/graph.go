package chain

import (
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A Graph is the states of a process with the ways to go on from them. The process begins
// in state 0.
type Graph struct {
	States []State
	Ways   []Way  // those of a state stand side by side, as do the edges of a way
	Edges  []Edge // of all ways

	wide     []*big.Int       // weights that are no words
	earnings []*big.Rat       // what edges earn, from 1 on
	places   map[string]int32 // of earnings
}

// A State has the ways from First up to Last. When it is known and has none, it is an end.
type State struct {
	First, Last int32
	Known       bool
	Against     bool     // the choice is that of the side that wants the lowest payoff
	Payoff      *big.Rat // of an end; nil is 0
}

// IsEnd reports whether the process ends in the state.
func (s *State) IsEnd() bool { return s.Known && s.First == s.Last }

// A Way has the edges from First up to Last, whose weights add up to Total.
type Way struct {
	First, Last int32
	Total       *big.Int
	Err         float64 // how far the chances of the edges may be off, in total variation
}

// An Edge leads to a state. There are many, so it is short and holds no pointer.
type Edge struct {
	To   int32
	earn int32    // the number of what it earns, 0 being nothing; its complement when the weight is no word
	w    nat.Limb // the weight, or else its place among the wide ones
}

// A weight is that of an edge. It is immutable.
type weight struct {
	word nat.Limb
	wide *big.Int // when it is no word
}

// int returns the weight, which may be shared.
func (w weight) int() *big.Int {
	if w.wide != nil {
		return w.wide
	}
	return new(big.Int).SetUint64(uint64(w.word))
}

func (w weight) isZero() bool { return w.wide == nil && w.word == 0 }

// earning returns the number of what an edge earns.
func (e *Edge) earning() int32 {
	if e.earn < 0 {
		return ^e.earn
	}
	return e.earn
}

// weight returns the weight of an edge.
func (g *Graph) weight(e *Edge) weight {
	if e.earn < 0 {
		return weight{wide: g.wide[e.w]}
	}
	return weight{word: e.w}
}

// MaxStates bounds the states of a graph, whatever the budget.
const MaxStates = 1 << 24

// stateCells is about how many words a state and a way take, beside the edges.
const stateCells = 16

// Add adds a state of which nothing is known yet and returns its number. It is charged
// when it is learned.
func (g *Graph) Add() int {
	g.States = append(g.States, State{})
	return len(g.States) - 1
}

// End makes a state an end with a payoff, which may be nil and is not copied.
func (g *Graph) End(s int, payoff *big.Rat) {
	n := int32(len(g.Ways))
	g.States[s].Known, g.States[s].First, g.States[s].Last, g.States[s].Payoff = true, n, n, payoff
}

// Way begins a way of state s, charging so many edges with weights of so many words. The
// edges follow by [Graph.Edge]; all ways of a state are added before those of another.
func (g *Graph) Way(meter work.Meter, s int, total *big.Int, err float64, edges, words int) error {
	if err := meter.Table(1, stateCells); err != nil {
		return err
	}
	if err := meter.Table(int64(edges), int64(words)+1); err != nil {
		return err
	}
	if err := meter.Work(upper.MulSat(int64(edges)+1, work.Visit)); err != nil {
		return err
	}
	if err := meter.Places(int64(len(g.Edges) + edges)); err != nil {
		return err
	}
	if cap(g.Edges)-len(g.Edges) < edges {
		g.Edges = slices.Grow(g.Edges, max(edges, len(g.Edges)))
	}
	at := &g.States[s]
	if !at.Known {
		at.Known, at.First = true, int32(len(g.Ways))
	}
	n := int32(len(g.Edges))
	g.Ways = append(g.Ways, Way{First: n, Last: n, Total: total, Err: err})
	at.Last = int32(len(g.Ways))
	return nil
}

// Edge adds an edge to the way that was begun last.
func (g *Graph) Edge(to int, weight []nat.Limb, earn int32) {
	e := Edge{To: int32(to), earn: earn}
	switch x := nat.Trim(weight); len(x) {
	case 0:
		return
	case 1:
		e.w = x[0]
	default:
		e.w, e.earn = nat.Limb(len(g.wide)), ^earn
		g.wide = append(g.wide, nat.Natural(x))
	}
	g.Edges = append(g.Edges, e)
	g.Ways[len(g.Ways)-1].Last++
}

// Earning returns the number of what an edge earns; it is copied.
func (g *Graph) Earning(r *big.Rat) int32 {
	if r.Sign() == 0 {
		return 0
	}
	name := r.RatString()
	n, ok := g.places[name]
	if !ok {
		if g.places == nil {
			g.places = map[string]int32{}
		}
		g.earnings = append(g.earnings, new(big.Rat).Set(r))
		n = int32(len(g.earnings))
		g.places[name] = n
	}
	return n
}

// Earns reports whether any edge earns something.
func (g *Graph) Earns() bool { return len(g.earnings) > 0 }

// edgesOf returns the edges of a way.
func (g *Graph) edgesOf(way int32) []Edge {
	w := &g.Ways[way]
	return g.Edges[w.First:w.Last]
}

// A Plan says which way each state takes. A nil plan takes the first one, as in a chain.
type Plan []int32

// way returns the way of a state that is no end.
func (p Plan) way(g *Graph, s int32) int32 {
	if p == nil {
		return g.States[s].First
	}
	return p[s]
}

// A wayspan is the edges that are looked at: those of the ways of a plan, or of all ways.
type wayspan struct {
	g    *Graph
	plan Plan
	all  bool
}

// edges returns the range of the edges that lead on from a state.
func (w wayspan) edges(s int32) (from, to int32) {
	at := &w.g.States[s]
	if at.First == at.Last {
		return 0, 0
	}
	if w.all {
		return w.g.Ways[at.First].First, w.g.Ways[at.Last-1].Last
	}
	way := &w.g.Ways[w.plan.way(w.g, s)]
	return way.First, way.Last
}

// Unending returns a state from which no end can be reached, by whatever ways, or -1.
func (g *Graph) Unending(meter work.Meter) (int, error) {
	return g.unending(meter, wayspan{g: g, all: true})
}

func (g *Graph) unending(meter work.Meter, span wayspan) (int, error) {
	n := len(g.States)
	if err := chargePass(meter, n, len(g.Edges), 2); err != nil {
		return -1, err
	}
	// Edges backwards: those into state j stand from into[j] on.
	into := make([]int32, n+2)
	for s := range g.States {
		from, to := span.edges(int32(s))
		for _, e := range g.Edges[from:to] {
			into[e.To+2]++
		}
	}
	for j := 2; j < len(into); j++ {
		into[j] += into[j-1]
	}
	before := make([]int32, into[n+1])
	for s := range g.States {
		from, to := span.edges(int32(s))
		for _, e := range g.Edges[from:to] {
			before[into[e.To+1]] = int32(s)
			into[e.To+1]++
		}
	}
	ends := make([]bool, n)
	var queue []int32
	for s := range g.States {
		if g.States[s].IsEnd() {
			ends[s] = true
			queue = append(queue, int32(s))
		}
	}
	for len(queue) > 0 {
		j := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range before[into[j]:into[j+1]] {
			if !ends[i] {
				ends[i] = true
				queue = append(queue, i)
			}
		}
	}
	for s, ok := range ends {
		if !ok {
			return s, nil
		}
	}
	return -1, nil
}

// chargePass charges a pass over so many states and edges that takes so many words for
// each.
func chargePass(meter work.Meter, states, edges, words int) error {
	if err := meter.Table(int64(states)+int64(edges)/2, int64(words)); err != nil {
		return err
	}
	return meter.Work(4*int64(states) + 2*int64(edges))
}
