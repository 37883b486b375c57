package play

import (
	"math/big"
	"slices"

	"dicescript/dist"
)

// The edges that lead on from a state are gathered from what its answers lead to.

// edges gathers edges, those with the same target and earning together.
type edges struct {
	list []dist.Edge
	at   map[int][]int // where the edges to a target stand, once there are many
}

// fewEdges is how many edges are looked through.
const fewEdges = 12

func (e *edges) clear() {
	clear(e.list)
	e.list, e.at = e.list[:0], nil
}

// find returns where the edge stands that leads to a state and earns that much, or -1.
func (e *edges) find(to int, earn *big.Rat) int {
	if e.at != nil {
		for _, k := range e.at[to] {
			if sameEarning(e.list[k].Earn, earn) {
				return k
			}
		}
		return -1
	}
	return slices.IndexFunc(e.list, func(x dist.Edge) bool { return x.To == to && sameEarning(x.Earn, earn) })
}

func sameEarning(a, b *big.Rat) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
}

func (e *edges) add(to int, n dist.Weight, earn *big.Rat) {
	if n.IsZero() {
		return
	}
	if earn != nil && earn.Sign() == 0 {
		earn = nil
	}
	if k := e.find(to, earn); k >= 0 {
		e.list[k].Weight = e.list[k].Weight.Plus(n)
		return
	}
	e.list = append(e.list, dist.Edge{To: to, Weight: n, Earn: earn})
	switch {
	case e.at != nil:
		e.at[to] = append(e.at[to], len(e.list)-1)
	case len(e.list) > fewEdges:
		e.at = make(map[int][]int, 2*fewEdges)
		for k, x := range e.list {
			e.at[x.To] = append(e.at[x.To], k)
		}
	}
}

// addInt adds an edge whose weight is an integer.
func (e *edges) addInt(to int, n *big.Int, earn *big.Rat) error {
	weight, err := dist.NewWeight(n)
	if err == nil {
		e.add(to, weight, earn)
	}
	return err
}
