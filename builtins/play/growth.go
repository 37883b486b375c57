package play

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A play whose states are too many mostly has a variable that grows and grows, or calls
// that nest deeper and deeper. So that its error can name that, some states are looked at
// on the way: one at each line, each time that the states have become twice as many.

// A growth is what has been seen at a line, in the order of the states.
type growth struct {
	round int // when it was looked at last
	seen  []sizes
}

// The sizes of what is read later, the variables of the outermost call first.
type sizes struct {
	depth     int // how many calls are open
	variables []variableSize
}

type variableSize struct {
	name string
	size *big.Int // how far a number is from 0, or how long a list is; nil for neither
}

// watch looks at the state that the player waits in, if it is its turn.
func (w *world) watch(line int) {
	g := w.growths[line]
	if g == nil {
		g = &growth{}
		w.growths[line] = g
	}
	if g.round == w.round {
		return
	}
	g.round = w.round
	g.seen = append(g.seen, w.sizes())
}

// sizes are those of the state that the player waits in.
func (w *world) sizes() sizes {
	s := sizes{depth: w.player.Depth()}
	for _, v := range w.player.Variables() {
		s.variables = append(s.variables, variableSize{v.Name, sizeOf(v.Value)})
	}
	return s
}

func sizeOf(v starlark.Value) *big.Int {
	if n, ok := v.(starlark.Int); ok {
		size := n.BigInt()
		return size.Abs(size)
	}
	if n := starlark.Len(v); n >= 0 {
		return big.NewInt(int64(n))
	}
	return nil
}

// Something is said to grow that has never become smaller in the last times that it was
// looked at, and has had some different sizes.
const (
	mostLooks  = 8
	leastLooks = 4
	leastSizes = 3
)

// grown names what has grown.
func (g *growth) grown() (variables []string, calls bool) {
	if len(g.seen) < leastLooks {
		return nil, false
	}
	last := g.seen[max(0, len(g.seen)-mostLooks):]
	if calls = grows(last, func(s sizes) *big.Int { return big.NewInt(int64(s.depth)) }); calls {
		return nil, true
	}
	for i, v := range last[0].variables {
		named := func(s sizes) *big.Int {
			if i < len(s.variables) && s.variables[i].name == v.name {
				return s.variables[i].size
			}
			return nil
		}
		if grows(last, named) {
			variables = append(variables, v.name)
		}
	}
	return variables, false
}

// grows reports whether a size becomes larger and larger.
func grows(seen []sizes, of func(sizes) *big.Int) bool {
	different := 1
	for k := 1; k < len(seen); k++ {
		a, b := of(seen[k-1]), of(seen[k])
		if a == nil || b == nil || a.Cmp(b) > 0 {
			return false
		}
		if a.Cmp(b) < 0 {
			different++
		}
	}
	return different >= leastSizes
}

// grows is the error of a play with too many states, which names what tells them apart.
func (w *world) grows(problem string) error {
	last := &w.nodes[len(w.nodes)-1]
	for last.ends || last.saved == nil && last.from > 0 {
		last = &w.nodes[last.from]
	}
	if last.saved == nil {
		return errors.New(problem)
	}
	w.player.Load(last.saved, false)
	w.round++
	w.watch(last.line)
	variables, calls := w.growths[last.line].grown()
	var shown []string
	for _, v := range w.player.Variables() {
		shown = append(shown, v.Name+" = "+value.Shorten(v.Value.String()))
	}
	if len(shown) > mostShown {
		shown = append([]string{"..."}, shown[len(shown)-mostShown:]...)
	}
	one := ""
	if len(shown) > 0 {
		one = fmt.Sprintf(" (one of them, at line %d: %s)", last.line, strings.Join(shown, ", "))
	}
	switch {
	case calls:
		return errors.New(problem + one + "; calls nest deeper and deeper: a function that calls itself and goes on after that, as in x + f(), is kept open; return f() leaves nothing behind, and earn(x) adds to a total that nobody reads")
	case len(variables) > 0:
		return errors.New(problem + one + "; " + strings.Join(variables, " and ") + " grows and grows, and what is read later tells states apart: leave the loop at some size, or use earn(n), which adds to a total that nobody reads")
	}
	return errors.New(problem + one + "; what is read later tells states apart: a counter that only grows, or a list of all that was thrown, makes very many; earn(n) adds to a total that nobody reads")
}

// A grownError is the error of a limit that says what has grown.
type grownError struct {
	error
	limit error
}

func (e *grownError) Unwrap() error { return e.limit }
