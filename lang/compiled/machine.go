package compiled

import (
	"dicescript/builtins/small"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A machine is where a compiled function runs: a stack of local variables, the
// result of the innermost function, and the count of steps.

type (
	expr func(m *Machine) small.Value // small.Nothing when it does not fit
	test func(m *Machine) verdict
	step func(m *Machine) flow
)

// A verdict is what a condition comes to.
type verdict uint8

const (
	no verdict = iota
	yes
	unclear // it does not fit
)

func verdictOf(b bool) verdict {
	if b {
		return yes
	}
	return no
}

func (v verdict) value() small.Value {
	if v == unclear {
		return small.Nothing
	}
	return small.MakeBool(v == yes)
}

// A flow is where a statement leads to.
type flow uint8

const (
	next flow = iota
	broken
	continued
	returned
	lost // it does not fit
)

// A Host does what machines have no means for: operations on dice and chances,
// and calls of builtins. It is nil where there are none. What it returns as an
// error makes the call one of the interpreter.
type Host interface {
	Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error)
	Unary(op syntax.Token, x starlark.Value) (starlark.Value, error)
	Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error)
	// Call calls a builtin that has no effect.
	Call(fn starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)
	// Dice returns the value of a dice literal.
	Dice(literal any) (starlark.Value, error)
	// Attr returns a property or a method of dice, a chance and the like.
	Attr(v starlark.Value, name string) (starlark.Value, error)
	// Beside returns the host for a machine of another goroutine, which has a thread of
	// its own, nil when there is none. Nothing else runs meanwhile but such machines.
	Beside(thread *starlark.Thread) Host
	// Lasting reports whether a value never changes, also not in ways that nobody
	// notices, so that two goroutines may use it.
	Lasting(v starlark.Value) bool
}

// Limits of one call. A call that needs more is made by the interpreter, which
// looks at the clock and at the limits of its run.
const (
	maxSteps = 1 << 20 // steps
	maxDepth = 64      // calls of functions in each other
	maxItems = 1 << 12 // items of one list or tuple
	maxText  = 1 << 12 // bytes of one text
)

// A Machine runs compiled functions. It belongs to one goroutine.
type Machine struct {
	local  []small.Value // of the function that runs
	bound  *Bound        // the function that runs
	result small.Value   // of the statement return
	steps  int64
	depth  int

	stack  []small.Value
	top    int
	depths int // how deep calls may go
	find   func(*starlark.Function) *Function
	live   func(name string) starlark.Value
	given  func(name string) starlark.Value
	host   Host
	beside bool // whether others may use the same values meanwhile
	tuples tupleTable

	finished func(*starlark.Function) starlark.StringDict
}

// NewMachine returns a machine. find returns the compiled form of a function of
// the recipe or its modules, nil where there is none; host may be nil.
func NewMachine(find func(*starlark.Function) *Function, host Host) *Machine {
	none := func(string) starlark.Value { return nil }
	running := func(*starlark.Function) starlark.StringDict { return nil }
	return &Machine{find: find, host: host, depths: maxDepth, live: none, given: none, finished: running}
}

// SetFinished says what the globals of the file of a function are when the file has run
// to its end, so that they don't change any more; nil when it has not.
func (m *Machine) SetFinished(globals func(*starlark.Function) starlark.StringDict) {
	m.finished = globals
}

// SetLive says what the globals of a session mean, and what its host has given to
// begin with; nil for a name without a value.
func (m *Machine) SetLive(live, given func(name string) starlark.Value) {
	m.live, m.given = live, given
}

// SetDepth bounds how deep calls may go, if that is less than a machine allows
// anyway.
func (m *Machine) SetDepth(n int) { m.depths = min(maxDepth, n) }

// Steps returns how many steps the last call took, also one that did not fit.
func (m *Machine) Steps() int64 { return m.steps }

// spend counts n steps and reports whether that many may be taken.
func (m *Machine) spend(n int64) bool {
	m.steps += n
	return m.steps <= maxSteps
}

// Call calls a bound function, whose parameters are as many as args. ok is false
// when the interpreter has to make the call.
func (m *Machine) Call(b *Bound, args []small.Value) (v small.Value, ok bool) {
	m.steps, m.depth = 0, 0
	if len(args) != b.fn.params || m.depths < 1 {
		return small.Nothing, false
	}
	frame := m.begin(b)
	for i, v := range args {
		frame[i].Set(v)
	}
	v = b.fn.body(m)
	if v.IsStuck() || m.steps > maxSteps {
		return small.Nothing, false
	}
	return v, true
}

// rowSteps is after how many steps a row of calls ends early, so that its caller
// can look at the clock.
const rowSteps = 1 << 12

// Row calls a bound function with one face after the other in the last place of
// args, and puts what it returns into out. It ends early after a call that does not
// fit, which ok tells, and after many steps.
func (m *Machine) Row(b *Bound, args []small.Value, faces []int, out []small.Value) (n int, steps int64, ok bool) {
	if len(args) != b.fn.params || m.depths < 1 {
		return 0, 0, false
	}
	body, params, last := b.fn.body, b.fn.params, len(args)-1
	frame := m.begin(b)
	copy(frame, args)
	frame[last] = small.Value{}
	for n < len(faces) && n < len(out) && steps < rowSteps {
		m.steps, m.top, m.depth = 0, b.fn.slots, 0
		if b.fn.assigns {
			copy(frame, args)
			frame[last] = small.Value{}
		}
		forget(frame[params:])
		frame[last].N = int64(faces[n])
		v := body(m)
		steps += m.steps
		if v.IsStuck() || m.steps > maxSteps {
			return n, steps, false
		}
		out[n].Set(v)
		n++
	}
	return n, steps, true
}

// begin makes room at the bottom of the stack for the variables of b, which is about to
// run. It is mostly there from the call before.
func (m *Machine) begin(b *Bound) []small.Value {
	if m.bound == b && len(m.local) > 0 && &m.local[0] == &m.stack[0] {
		m.top = b.fn.slots
		forget(m.local[b.fn.params:])
		return m.local
	}
	m.top = 0
	m.local, m.bound = m.frame(b.fn), b
	return m.local
}

// frame makes room for the variables of a function, which have no value yet.
func (m *Machine) frame(f *Function) []small.Value {
	base := m.top
	m.top += f.slots
	if m.top > len(m.stack) {
		m.stack = make([]small.Value, 2*m.top+16)
		base, m.top = 0, f.slots
	}
	frame := m.stack[base:m.top:m.top]
	forget(frame[f.params:])
	return frame
}

// forget leaves variables without a value.
func forget(variables []small.Value) {
	for i := range variables {
		variables[i].Set(small.Nothing)
	}
}

// enter calls b with a frame that holds its arguments.
func (m *Machine) enter(b *Bound, frame []small.Value) small.Value {
	if m.depth+1 >= m.depths {
		return small.Nothing
	}
	local, bound := m.local, m.bound
	m.local, m.bound = frame, b
	m.depth++
	v := b.fn.body(m)
	m.depth--
	m.local, m.bound = local, bound
	return v
}
