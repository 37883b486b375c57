package eval

import (
	"fmt"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/dist/upper"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A machine is where the functions of one run are executed: it holds the thread that
// builtins are given, the account of the run, the frames that are free, and the error
// that is on its way.

// Hooks are what a run tells a machine about values that are not plain.
type Hooks interface {
	// Compare compares two values, op being one of == != < <= > >= in, not in. Its
	// result is a bool or a chance.
	Compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error)
	// Truth refuses a value that is no condition.
	Truth(v starlark.Value) error
	// Literal makes the value of a dice or range literal.
	Literal(l *notation.Literal) (starlark.Value, error)
	// Range makes the value of a range with computed ends, nil being an open one.
	Range(lo, hi starlark.Value) (starlark.Value, error)
	// Binary and Unary are arithmetic.
	Binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error)
	Unary(op syntax.Token, x starlark.Value) (starlark.Value, error)
	// Attribute is x.name.
	Attribute(x starlark.Value, name string) (starlark.Value, error)
	// Load returns the globals of a module.
	Load(module string) (starlark.StringDict, error)
	// Look looks at the limits of the run, and returns after how many steps to look
	// again.
	Look() (steps int64, err error)
	// TooDeep is the error of calls that nest deeper than so many.
	TooDeep(depth int64) error
}

// A Machine executes the functions of one run. It belongs to one goroutine.
type Machine struct {
	thread *starlark.Thread
	meter  *meter.Meter
	hooks  Hooks

	fuel    int64 // nodes that may be gone through until the next look
	granted int64 // fuel that has been given and not been paid for
	flushed int64 // steps that have been paid for
	rest    int64 // nodes that have been paid for beyond whole steps, below nodesPerStep

	free     []*frame
	base     int // how deep calls nest below those of the thread
	maxDepth int
	deepest  int
	stack    int // levels of Go's stack that are in use

	halted bool // whether the run has to end

	player *Player // of the play that runs, nil outside of one

	err error // on its way, while an expression has failed
}

// nodesPerStep is how many nodes of a recipe's tree make a step.
const nodesPerStep = 8

// callNodes is what a call of a recipe's function costs besides the nodes in it.
const callNodes = nodesPerStep

// NewMachine returns a machine for the run of a thread. The machine must be
// begun before it executes anything.
func NewMachine(h Hooks) *Machine { return &Machine{hooks: h} }

// Begin gives the machine a thread with fresh accounts. maxDepth bounds how deep calls
// nest; it is negative where nothing does.
func (m *Machine) Begin(thread *starlark.Thread, account *meter.Meter, maxDepth int64) {
	m.thread, m.meter = thread, account
	m.fuel, m.granted, m.rest = 0, 0, 0
	m.deepest, m.stack = 0, 0
	m.maxDepth = int(min(uint64(maxDepth), 1<<31-1))
	m.err, m.halted = nil, false
	thread.SetLocal(machineKey, m)
}

const machineKey = "dicescript.machine"

// machineOf is the machine of a thread, nil when it has none.
func machineOf(thread *starlark.Thread) *Machine {
	m, _ := thread.Local(machineKey).(*Machine)
	return m
}

// Depth is how deep calls have nested since the machine was begun.
func (m *Machine) Depth() int { return m.deepest }

// Flush writes what has been executed into the steps of the thread.
func (m *Machine) Flush() {
	nodes := m.granted - m.fuel + m.rest
	m.granted = m.fuel
	m.thread.Steps += uint64(nodes / nodesPerStep)
	m.flushed += nodes / nodesPerStep
	m.rest = nodes % nodesPerStep
}

// refuel pays for what has been executed and looks whether the run may go on.
func (m *Machine) refuel() error {
	m.Flush()
	steps, err := m.hooks.Look()
	if err != nil {
		return err
	}
	m.fuel = upper.MulSat(steps, nodesPerStep) - m.rest
	m.granted = m.fuel
	return nil
}

// Halt makes the machine look at once whether the run may go on.
func (m *Machine) Halt() {
	m.granted -= m.fuel
	m.fuel = 0
	m.halted = true
}

// spend pays for so many nodes before they are executed.
func (fr *frame) spend(nodes int64) bool {
	m := fr.m
	if m.fuel -= nodes; m.fuel >= 0 {
		return true
	}
	return fr.refuel()
}

//go:noinline
func (fr *frame) refuel() bool {
	err := fr.m.refuel()
	if err != nil {
		fr.m.err = err
	}
	return err == nil
}

// mostStack is how many levels of Go's stack calls may take: each of some 200 bytes.
const mostStack = stackLevels

// A failure stands for a value where there is none: the machine has the error.
type failure struct{ nothing }

// An unset stands for the value of a variable before it has one.
type unset struct{ nothing }

// nothing is a value that no recipe sees.
type nothing struct{}

func (nothing) String() string        { return "nothing" }
func (nothing) Type() string          { return "nothing" }
func (nothing) Freeze()               {}
func (nothing) Truth() starlark.Bool  { return false }
func (nothing) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: nothing") }

var (
	failed     = slot.Value{V: failure{}}
	unsetValue = slot.Value{V: unset{}}
	noneValue  = slot.Value{V: starlark.None}
)

// isFailed reports whether v stands for an error.
func isFailed(v slot.Value) bool {
	_, yes := v.V.(failure)
	return yes
}
