package chain

import "dicescript/dist/internal/work"

// States fall into strongly connected components: those that lead to each other, directly
// or by way of others. Between components a process goes one way only (Tarjan,
// "Depth-first search and linear graph algorithms", 1972).

// components holds strongly connected components, each after all those that it leads to.
type components struct {
	states []int32 // of the first component, the second and so on
	bounds []int32 // component k has states[bounds[k]:bounds[k+1]]
}

func (c *components) len() int           { return len(c.bounds) - 1 }
func (c *components) at(k int) []int32   { return c.states[c.bounds[k]:c.bounds[k+1]] }
func (c *components) closeAt(number int) { c.bounds = append(c.bounds, int32(number)) }

// A condenser finds components.
type condenser struct {
	wayspan
	within []int32 // when it is set, edges to states of other numbers than that of where are not followed
	where  int32

	number []int32 // the order in which a state was entered, from 1 on; 0 when it was not
	low    []int32
	open   []bool // whether it is on the stack
	stack  []int32
	path   []visited
	count  int32
	components
}

// A visited state has edges that are still to be followed.
type visited struct{ state, next, last int32 }

func newCondenser(meter work.Meter, span wayspan) (*condenser, error) {
	n := len(span.g.States)
	if err := chargePass(meter, n, len(span.g.Edges), 4); err != nil {
		return nil, err
	}
	return &condenser{wayspan: span, number: make([]int32, n), low: make([]int32, n), open: make([]bool, n)}, nil
}

// condense returns the components of the states that can be reached from start.
func (g *Graph) condense(meter work.Meter, span wayspan, start int32) (*components, error) {
	c, err := newCondenser(meter, span)
	if err != nil {
		return nil, err
	}
	c.closeAt(0)
	tick := work.NewTicker(meter)
	if err := c.from(start, &tick); err != nil {
		return nil, err
	}
	return &c.components, nil
}

// inside returns the components of states that are a component when all ways are looked
// at, by the ways of the span.
func (c *condenser) inside(states []int32, tick *work.Ticker) (*components, error) {
	c.components, c.count = components{bounds: []int32{0}}, 0
	for _, s := range states {
		c.number[s] = 0
	}
	for _, s := range states {
		if c.number[s] == 0 {
			if err := c.from(s, tick); err != nil {
				return nil, err
			}
		}
	}
	return &c.components, nil
}

func (c *condenser) enter(v int32) {
	c.count++
	c.number[v], c.low[v] = c.count, c.count
	c.stack = append(c.stack, v)
	c.open[v] = true
	from, to := c.edges(v)
	c.path = append(c.path, visited{v, from, to})
}

// from visits all that v leads to, without recursion.
func (c *condenser) from(v int32, tick *work.Ticker) error {
	c.enter(v)
	for len(c.path) > 0 {
		top := &c.path[len(c.path)-1]
		v := top.state
		if top.next < top.last {
			w := c.g.Edges[top.next].To
			top.next++
			switch {
			case c.within != nil && c.within[w] != c.where:
			case c.number[w] == 0:
				c.enter(w)
			case c.open[w]:
				c.low[v] = min(c.low[v], c.number[w])
			}
			continue
		}
		if err := tick.Tick(int(c.span(v)) + 8); err != nil {
			return err
		}
		c.path = c.path[:len(c.path)-1]
		if len(c.path) > 0 {
			up := c.path[len(c.path)-1].state
			c.low[up] = min(c.low[up], c.low[v])
		}
		if c.low[v] == c.number[v] {
			c.leave(v)
		}
	}
	return nil
}

// span is how many edges lead on from a state.
func (c *condenser) span(v int32) int32 {
	from, to := c.edges(v)
	return to - from
}

// leave takes the component of v off the stack.
func (c *condenser) leave(v int32) {
	at := len(c.stack) - 1
	for c.stack[at] != v {
		at--
	}
	for _, w := range c.stack[at:] {
		c.open[w] = false
	}
	c.states = append(c.states, c.stack[at:]...)
	c.stack = c.stack[:at]
	c.closeAt(len(c.states))
}

// comesBack reports whether the states of a component lead to each other: there are
// several, or the only one leads to itself.
func (w wayspan) comesBack(states []int32) bool {
	if len(states) > 1 {
		return true
	}
	from, to := w.edges(states[0])
	for _, e := range w.g.Edges[from:to] {
		if e.To == states[0] {
			return true
		}
	}
	return false
}

// Returns reports whether the process, which takes first ways, may come back to a state.
func (g *Graph) Returns(meter work.Meter) (bool, error) {
	span := wayspan{g: g}
	found, err := g.condense(meter, span, 0)
	if err != nil {
		return false, err
	}
	for k := range found.len() {
		if span.comesBack(found.at(k)) {
			return true, nil
		}
	}
	return false, nil
}
