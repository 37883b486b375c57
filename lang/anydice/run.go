package anydice

import (
	"context"

	"dicescript/dist"
)

// A run holds what a program has while it runs. Variables are dynamically
// scoped: a call sees all variables of its caller and works on a copy. Here
// there is one slot for each variable, and a call notes what it overwrites on a
// trail, from which everything is put back when it ends.

// An Output is one output of a run.
type Output struct {
	Title string
	// Roll is its distribution, nil for the empty die, which has no outcomes.
	Roll *dist.Dist
	// Line is the line of the output statement, from 1.
	Line int

	inner *dist.Dist // Roll as if it were exact
	slip  slip
}

// shownBits is the length of chances that are only shown.
const shownBits = 320

// Shorter returns the output with its chances rounded to some hundred digits,
// for a host to which the exact ones are too long. The error bound of the Roll
// says by how much; it is far below what any rendering shows. Cost: a division
// for each outcome.
func (o Output) Shorter(ctx context.Context) (Output, error) {
	if o.Roll == nil || o.Roll.Words() <= shownBits/64+1 {
		return o, nil
	}
	rounded, moved, err := o.inner.Rounded(ctx, shownBits)
	if err != nil {
		return o, err
	}
	s := newSlip()
	s.bound.Set(moved)
	o.inner, o.slip = rounded, s.plus(o.slip)
	o.Roll, err = rounded.Within(o.slip.float())
	return o, err
}

// A Result is what a run puts out.
type Result struct {
	Outputs []Output
	// DepthExceeded warns that a function called itself, or others, more than
	// "maximum function depth" deep, and that the calls beyond gave the empty
	// die.
	DepthExceeded bool
}

// Options are what a host may choose about a run. The zero Options have no
// limits of their own.
type Options struct {
	// Meter is told of the steps of the interpreter; nil is none.
	Meter Meter
	// Output is called with each output before it is recorded; its error ends
	// the run. It may be nil.
	Output func(Output) error
}

type run struct {
	ctx     context.Context
	program *Program
	meter   Meter
	put1    func(Output) error
	steps   int64 // not yet told to the meter

	slots     []slot
	trail     []saved
	frame     int // number of the call that runs
	frames    int // of all calls so far
	functions []*function
	result    value // of the function that has just ended
	outputs   []Output

	lowestFirst  bool
	explodeDepth int
	maxDepth     int

	depth   int // nested calls of users' functions
	deepest int // the most nested ones since it was last reset
	cut     bool
	warned  bool
	stack   int // of the Go stack, in levels of the tree

	args      []value // of the calls that are being made
	facts     map[*function]*facts
	memory    memory
	fairDice  map[int]*die
	sums      map[sumKey]*die // with the slip of the rounding alone
	roundings map[*dist.Dist]*die
	catalogue catalogue
	plans     plans
}

// A slot holds the value of a variable, and the call that it belongs to.
type slot struct {
	v     value
	owner int
}

// A saved is a slot as it was before a call assigned to it.
type saved struct {
	index int
	was   slot
}

// Run runs the program. The error is an *[Error]; there are no outputs then.
//
// The context stops the run when it is done, and carries the budget of the
// engine, see [dist.WithBudget].
func (p *Program) Run(ctx context.Context, o Options) (*Result, error) {
	r := newRun(ctx, p, o)
	_, err := r.execAll(p.body)
	if err == nil {
		err = r.settleSteps()
	}
	if err != nil {
		return nil, p.report(err)
	}
	return &Result{Outputs: r.outputs, DepthExceeded: r.warned}, nil
}

func newRun(ctx context.Context, p *Program, o Options) *run {
	return &run{
		ctx: ctx, program: p, meter: o.Meter, put1: o.Output,
		slots:        make([]slot, len(p.variables)),
		functions:    make([]*function, len(p.shapes)),
		explodeDepth: 2, maxDepth: 10,
		facts:     map[*function]*facts{},
		memory:    newMemory(),
		fairDice:  map[int]*die{},
		sums:      map[sumKey]*die{},
		roundings: map[*dist.Dist]*die{},
		catalogue: newCatalogue(),
		plans:     defaultPlans,
	}
}

// assign sets a variable of the call that runs.
func (r *run) assign(index int, v value) {
	s := &r.slots[index]
	if s.owner != r.frame {
		r.trail = append(r.trail, saved{index, *s})
		s.owner = r.frame
	}
	s.v = v
}

// A mark is where a call began.
type mark struct{ frame, trail int }

// begin starts a copy of the variables.
func (r *run) begin() mark {
	m := mark{r.frame, len(r.trail)}
	r.frames++
	r.frame = r.frames
	return m
}

// end drops the copy.
func (r *run) end(m mark) {
	for i := len(r.trail) - 1; i >= m.trail; i-- {
		r.slots[r.trail[i].index] = r.trail[i].was
		r.trail[i].was = slot{}
	}
	r.trail = r.trail[:m.trail]
	r.frame = m.frame
}

// put records an output.
func (r *run) put(at place, title string, d *die) error {
	o := Output{Title: title}
	o.Line, _ = r.program.text.position(at)
	if !d.isEmpty() {
		t, s, err := r.totalAndSlip(d)
		if err != nil {
			return err
		}
		o.inner, o.slip = t, s
		if o.Roll, err = t.Within(s.float()); err != nil {
			return err
		}
	}
	if r.put1 != nil {
		if err := r.put1(o); err != nil {
			return err
		}
	}
	r.outputs = append(r.outputs, o)
	return nil
}

// A catalogue finds equal distributions again, so that they are one.
type catalogue struct {
	number map[*dist.Dist]int
	alike  map[uint64][]*dist.Dist
}

func newCatalogue() catalogue {
	return catalogue{number: map[*dist.Dist]int{}, alike: map[uint64][]*dist.Dist{}}
}

// maxAlike bounds how many distributions of one fingerprint are looked through.
const maxAlike = 16

// canonical returns the one of equal distributions that came first.
func (r *run) canonical(d *dist.Dist) *dist.Dist {
	c := &r.catalogue
	if _, ok := c.number[d]; ok {
		return d
	}
	key, err := d.Fingerprint(r.ctx)
	for _, k := range c.alike[key] {
		same := false
		if err == nil {
			same, err = dist.Same(r.ctx, k, d)
		}
		if same {
			return k
		}
	}
	if err != nil {
		return d // whatever is done with it meets the limit too
	}
	c.number[d] = len(c.number) + 1
	if len(c.alike[key]) < maxAlike {
		c.alike[key] = append(c.alike[key], d)
	}
	return d
}

// numberOf returns the number of a distribution, the same for equal ones.
func (r *run) numberOf(d *dist.Dist) int { return r.catalogue.number[r.canonical(d)] }
