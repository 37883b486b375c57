package markov

// The states of a process fall into components: those that lead to each other,
// directly or by way of others. Between components the process goes one way
// only (Tarjan, "Depth-first search and linear graph algorithms", 1972).

// Components returns the strongly connected components of a graph, each after
// all those that it leads to. The states of a component are ascending in the
// order in which they were found.
func Components(to [][]int) [][]int {
	n := len(to)
	s := search{to: to, number: make([]int, n), low: make([]int, n), onStack: make([]bool, n)}
	for v := range n {
		if s.number[v] == 0 {
			s.from(v)
		}
	}
	return s.found
}

type search struct {
	to      [][]int
	number  []int // 0 when not visited
	low     []int
	onStack []bool
	stack   []int
	path    []visitedState
	count   int
	found   [][]int
}

type visitedState struct{ state, next int }

func (s *search) enter(v int) {
	s.count++
	s.number[v], s.low[v] = s.count, s.count
	s.stack = append(s.stack, v)
	s.onStack[v] = true
	s.path = append(s.path, visitedState{state: v})
}

// from visits all that v leads to, without recursion.
func (s *search) from(v int) {
	s.enter(v)
	for len(s.path) > 0 {
		top := &s.path[len(s.path)-1]
		v := top.state
		if top.next < len(s.to[v]) {
			w := s.to[v][top.next]
			top.next++
			if s.number[w] == 0 {
				s.enter(w)
			} else if s.onStack[w] {
				s.low[v] = min(s.low[v], s.number[w])
			}
			continue
		}
		s.path = s.path[:len(s.path)-1]
		if len(s.path) > 0 {
			up := s.path[len(s.path)-1].state
			s.low[up] = min(s.low[up], s.low[v])
		}
		if s.low[v] == s.number[v] {
			s.leave(v)
		}
	}
}

// leave takes the component of v off the stack.
func (s *search) leave(v int) {
	at := len(s.stack) - 1
	for s.stack[at] != v {
		at--
	}
	component := append([]int(nil), s.stack[at:]...)
	for _, w := range component {
		s.onStack[w] = false
	}
	s.stack = s.stack[:at]
	s.found = append(s.found, component)
}
