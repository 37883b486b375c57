package eval

import (
	"fmt"

	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A frame is one call of a function: its variables, and where it is. Frames are used
// again and again. To Starlark's thread a frame is the callable that is being called:
// so a backtrace, a profile and a host's builtin find the calls of a recipe as they
// find any other.

type frame struct {
	m      *Machine
	fn     *Function
	code   *code
	slots  []slot.Value // variables, parameters first, then what loops need
	locks  []lock
	at     place
	result slot.Value
	row    *row           // of calls in one, or nil
	skip   func(int) bool // of a top level that is run in parts, or nil

	// Of a call that is played: where it goes on, and the variable that the value of the
	// call that it waits for is put into.
	pc, into int
}

// A lock keeps what a loop goes through from being changed.
type lock struct {
	of starlark.Iterable
	it starlark.Iterator
}

// A place is a line and a column of a file.
type place struct{ line, col int32 }

func placeOf(p syntax.Position) place { return place{p.Line, p.Col} }

// Where a statement leads to, besides to a place in the body.
const (
	returned = -1
	aborted  = -2
	calling  = -3 // a call that is played: the machine has its frame
	paused   = -4 // a word of the play: the machine has the request
)

// enter takes a frame for a call of a function; the parameters are to be set.
func (m *Machine) enter(f *Function) *frame { return m.enterCode(f, f.def.code()) }

func (m *Machine) enterCode(f *Function, c *code) *frame {
	var fr *frame
	if n := len(m.free) - 1; n >= 0 {
		fr = m.free[n]
		m.free = m.free[:n]
	} else {
		fr = &frame{m: m}
	}
	fr.fn, fr.code = f, c
	if cap(fr.slots) >= c.slots {
		fr.slots = fr.slots[:c.slots]
	} else {
		fr.slots = make([]slot.Value, c.slots, c.slots+4)
	}
	return fr
}

// leave gives a frame back.
func (m *Machine) leave(fr *frame) {
	clear(fr.slots)
	fr.fn, fr.result, fr.row, fr.skip = nil, slot.Value{}, nil, nil
	m.free = append(m.free, fr)
}

// run makes the call whose parameters are set, and gives the frame back.
func (m *Machine) run(fr *frame) slot.Value {
	c := fr.code
	if err := m.descend(c.levels); err != nil {
		m.leave(fr)
		m.err = err
		return failed
	}
	fr.begin()
	_, err := starlark.Call(m.thread, fr, nil, nil)
	if err != nil {
		m.leave(fr)
		m.err = err
		return failed
	}
	v := fr.result
	m.leave(fr)
	return v
}

// descend takes the levels of Go's stack that a call needs, unless calls nest too deeply.
func (m *Machine) descend(levels int) error {
	depth := m.base + m.thread.CallStackDepth()
	if depth >= m.maxDepth || m.stack > mostStack-levels {
		return m.hooks.TooDeep(int64(min(depth, m.maxDepth)))
	}
	if depth >= m.deepest {
		m.deepest = depth + 1
	}
	m.stack += levels
	return nil
}

// begin prepares the variables of a call whose parameters are set.
func (fr *frame) begin() {
	for _, i := range fr.code.unset {
		fr.slots[i] = unsetValue
	}
	for _, i := range fr.code.cells {
		fr.slots[i] = slot.Value{V: &cell{value: fr.slots[i]}}
	}
	fr.at, fr.pc = fr.code.at, 0
}

// CallInternal executes the body: starlark.Call has pushed the frame.
func (fr *frame) CallInternal(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	defer fr.exit()
	pc := 0
	if fr.row != nil {
		pc = fr.runRow()
	}
	if fr.skip != nil {
		pc = fr.runParts()
	}
	body := fr.code.body
	for pc >= 0 {
		pc = body[pc](fr)
	}
	if pc == returned {
		return starlark.None, nil
	}
	return nil, fr.m.takeError()
}

// exit undoes what a call has taken, also after a panic.
func (fr *frame) exit() {
	fr.m.stack -= fr.code.levels
	if len(fr.locks) > 0 {
		fr.release(0)
	}
}

// release gives back the locks of iteration beyond the first n.
func (fr *frame) release(n int) {
	for i := len(fr.locks) - 1; i >= n; i-- {
		fr.locks[i].it.Done()
		fr.locks[i] = lock{}
	}
	fr.locks = fr.locks[:n]
}

// fail notes an error at a place.
func (fr *frame) fail(at place, err error) slot.Value {
	fr.at = at
	fr.m.err = err
	return failed
}

// failf notes an error at a place.
func (fr *frame) failf(at place, format string, args ...any) slot.Value {
	return fr.fail(at, fmt.Errorf(format, args...))
}

// Name is that of the function.
func (fr *frame) Name() string { return fr.fn.Name() }

// Position is where the call is.
func (fr *frame) Position() syntax.Position {
	return syntax.MakePosition(&fr.fn.def.file.name, fr.at.line, fr.at.col)
}

// Function is the function that is called.
func (fr *frame) Function() *Function { return fr.fn }

// The rest of starlark.Value.

func (fr *frame) String() string        { return fr.fn.String() }
func (fr *frame) Type() string          { return "function" }
func (fr *frame) Freeze()               {}
func (fr *frame) Truth() starlark.Bool  { return true }
func (fr *frame) Hash() (uint32, error) { return fr.fn.Hash() }

// A cell is a variable that functions inside of its function use too.
type cell struct {
	nothing
	value slot.Value
}
