// Sweeps: one recipe under every combination of some values of its inputs. Only what depends
// on an input that changes is run again, and several settings run at once.

package lang

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"

	"dicescript/builtins/meter"
	"dicescript/dist/upper"
	"dicescript/lang/eval"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Axis is an input with the values that it takes in turn, each as for [WithInput].
type Axis struct {
	Name   string
	Values []any
}

// Axes are the inputs of a sweep: it visits every combination of their values, the last
// axis changing fastest.
type Axes []Axis

// Len returns how many combinations there are, math.MaxInt when there are more than that.
func (a Axes) Len() int {
	n := int64(1)
	for _, axis := range a {
		n = upper.MulSat(n, int64(len(axis.Values)))
	}
	return int(min(n, math.MaxInt))
}

// A Setting is one combination of values of the inputs of a sweep, in the order of its axes.
type Setting struct {
	Inputs []Input
	// Err is why the recipe failed under the setting, an *[Error], or nil.
	Err error
}

// An Input is an input with a value: a bool, an int, a float64 or a string, or a *big.Int
// for what does not fit an int.
type Input struct {
	Name  string
	Value any
}

// Sweep runs the recipe under every combination of the values of some inputs and yields the
// settings in order, each with its result, which equals that of [Program.Run] but for the
// usage. The options are those of every run; an input that is on no axis keeps what they
// say. A setting under which the recipe fails has an error, and the sweep goes on.
//
// A statement of the top level that no input on an axis reaches is run once, and one that
// only some reach is run again only when one of those has changed; so the usage of a result
// is what it took beside that. As many settings run at once as there are processors, and
// text that the recipe prints arrives in the order of the settings.
//
// The limits hold for the sweep as a whole: steps, work, cells, bytes and printed bytes are
// those of all settings together, and each setting costs some steps by itself. When one is
// exceeded, when the context ends, or when an axis is none, the last setting that is yielded
// has the error.
func (p *Program) Sweep(ctx context.Context, axes Axes, opts ...RunOption) iter.Seq2[Setting, *Result] {
	return func(yield func(Setting, *Result) bool) {
		s, err := p.newSweep(axes, opts)
		if err != nil {
			yield(Setting{Err: err}, &Result{})
			return
		}
		s.each(ctx, yield)
	}
}

// settingSteps is what a setting costs besides what the recipe does: some microseconds.
const settingSteps = 50

// A sweep is what the runs of all settings share. It is immutable while several run at once.
type sweep struct {
	program *Program
	opts    []RunOption
	limits  Limits
	printer func(ctx context.Context, text string)
	axes    []sweptAxis
	count   int

	values map[string]starlark.Value // of inputs that are on no axis
	shown  []ParamValue
	reach  *eval.Reach
	parts  []eval.Part
	common memory // of parts that no axis reaches, by the first run
	all    eval.Inputs
}

// A sweptAxis is an axis whose values suit the input.
type sweptAxis struct {
	param  int // its place among the inputs of the recipe
	values []starlark.Value
	plain  []any
}

func (p *Program) newSweep(axes Axes, opts []RunOption) (*sweep, error) {
	if err := p.host.usable(); err != nil {
		return nil, err
	}
	o := newRunOptions(opts)
	if o.unfit != nil {
		return nil, o.unfit
	}
	s := &sweep{program: p, opts: opts, limits: o.limitsOf(p.host), printer: p.host.print, count: axes.Len()}
	if o.print != nil {
		s.printer = o.print
	}
	var err error
	if s.values, s.shown, err = p.settle(o); err != nil {
		return nil, err
	}
	if err := p.host.declared(o.values); err != nil {
		return nil, err
	}
	for _, a := range axes {
		axis, err := s.axis(a)
		if err != nil {
			return nil, err
		}
		s.axes = append(s.axes, axis)
	}
	if len(axes) > eval.MostInputs {
		return nil, inputError("the sweep has %d inputs; at most %d can change at once", len(axes), eval.MostInputs)
	}
	if need := upper.MulSat(int64(s.count), settingSteps); exceeds(need, s.limits.Steps) {
		return nil, &Error{
			Kind: KindLimit, cause: meter.Check(meter.Steps, need, s.limits.Steps),
			Message: fmt.Sprintf("the sweep has %s settings, which take at least %s steps; the limit is %s: give the inputs fewer values", upper.Grouped(int64(s.count)), upper.Grouped(need), upper.Grouped(s.limits.Steps)),
		}
	}
	s.read()
	return s, nil
}

// axis checks an axis.
func (s *sweep) axis(a Axis) (sweptAxis, error) {
	params := s.program.main.params
	i := slices.IndexFunc(params, func(q Param) bool { return q.Name == a.Name })
	switch {
	case i < 0:
		return sweptAxis{}, s.program.noInput(a.Name)
	case len(a.Values) == 0:
		return sweptAxis{}, inputError("%s: the sweep gives it no values", a.Name)
	case slices.ContainsFunc(s.axes, func(b sweptAxis) bool { return b.param == i }):
		return sweptAxis{}, inputError("%s: it is on two axes; give all its values to one", a.Name)
	}
	axis := sweptAxis{param: i}
	for _, from := range a.Values {
		v, err := params[i].accept(from)
		if err != nil {
			return axis, err
		}
		axis.values = append(axis.values, v)
		axis.plain = append(axis.plain, given.Plain(v))
	}
	return axis, nil
}

// read finds what the axes reach.
func (s *sweep) read() {
	for i := range s.axes {
		s.all |= 1 << i
	}
	if s.program.foreign != nil {
		return
	}
	s.reach = s.program.main.code.Reach(func(call *syntax.CallExpr) int {
		q, err := readParam(call)
		if err != nil {
			return -1
		}
		return slices.IndexFunc(s.axes, func(a sweptAxis) bool { return s.program.main.params[a.param].Name == q.Name })
	})
	s.parts = s.reach.Parts(nil)
}

// places are the places on the axes of a setting.
func (s *sweep) places(setting int, into []int) []int {
	into = slices.Grow(into[:0], len(s.axes))[:len(s.axes)]
	for i := len(s.axes) - 1; i >= 0; i-- {
		n := len(s.axes[i].values)
		into[i] = setting % n
		setting /= n
	}
	return into
}

// setting is the setting of a run.
func (s *sweep) setting(number int, err error) Setting {
	out := Setting{Inputs: make([]Input, len(s.axes)), Err: err}
	for i, at := range s.places(number, nil) {
		axis := &s.axes[i]
		out.Inputs[i] = Input{s.program.main.params[axis.param].Name, axis.plain[at]}
	}
	return out
}

// An outcome is what a setting has come to.
type outcome struct {
	result *Result
	prints []string
	err    error
}

// each runs all settings and yields them in order.
func (s *sweep) each(ctx context.Context, yield func(Setting, *Result) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	total := sweepTotal{limits: s.limits}
	deliver := func(first int, block []outcome) bool {
		for i, o := range block {
			for _, text := range o.prints {
				s.printer(ctx, text)
			}
			err := o.err
			over := total.add(&o.result.Usage)
			if over != nil {
				err = over
			}
			if !yield(s.setting(first+i, err), o.result) || over != nil || isEnded(err) {
				return false
			}
		}
		return true
	}
	first := s.newBlock(ctx)
	if !deliver(0, []outcome{first.first()}) {
		return
	}
	s.common = first.common()
	s.blocks(ctx, deliver)
}

// isEnded reports whether an error ends the sweep, and not only a run.
func isEnded(err error) bool {
	var e *Error
	return errors.As(err, &e) && (e.Kind == KindDeadline || e.Kind == KindCancelled)
}

// A sweepTotal is what the settings have used together.
type sweepTotal struct {
	limits                            Limits
	steps, work, cells, bytes, prints int64
}

// add adds the usage of a setting, and returns the error of a limit that is exceeded then.
func (t *sweepTotal) add(u *Usage) error {
	t.steps += u.Steps + settingSteps
	t.work += u.Work
	t.cells += u.Cells
	t.bytes += u.Bytes
	t.prints += u.PrintBytes
	for _, c := range []struct {
		what        meter.Resource
		used, limit int64
	}{
		{meter.Steps, t.steps, t.limits.Steps}, {meter.Work, t.work, t.limits.Work}, {meter.Cells, t.cells, t.limits.Cells},
		{meter.Bytes, t.bytes, t.limits.Bytes}, {meter.PrintBytes, t.prints, t.limits.PrintBytes},
	} {
		if err := meter.Check(c.what, c.used, c.limit); err != nil {
			return &Error{Kind: KindLimit, Message: limitMessage("the settings together take too much", err), cause: err}
		}
	}
	return nil
}

// mostAtOnce bounds how many settings run at once.
const mostAtOnce = 16

// blockOf is how many settings make a block: enough that a block can
// use again what it has found, and few enough that there are blocks for all processors. It
// does not look at how many processors there are, so that the usage is the same everywhere.
func (s *sweep) blockOf() int {
	if n := s.program.host.inBlocks; n > 0 {
		return n
	}
	return min(max(s.count/32, 1), 512)
}

// blocks runs the settings after the first one and has them delivered in order.
func (s *sweep) blocks(ctx context.Context, deliver func(first int, block []outcome) bool) {
	size := s.blockOf()
	workers := min(runtime.GOMAXPROCS(0), mostAtOnce, (s.count-1+size-1)/size)
	if workers < 2 {
		for first := 1; first < s.count; {
			b := s.newBlock(ctx)
			for range min(size, s.count-first) {
				if !deliver(first, []outcome{b.setting(first)}) {
					return
				}
				first++
			}
		}
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	type job struct {
		first, n int
		done     chan []outcome
	}
	jobs, queue := make(chan job), make(chan job, workers)
	for range workers {
		go func() {
			for j := range jobs {
				b := s.newBlock(ctx)
				var done []outcome
				for i := range j.n {
					done = append(done, b.setting(j.first+i))
				}
				j.done <- done
			}
		}()
	}
	go func() {
		defer close(jobs)
		defer close(queue)
		for first := 1; first < s.count && ctx.Err() == nil; first += size {
			j := job{first, min(size, s.count-first), make(chan []outcome, 1)}
			jobs <- j
			queue <- j
		}
	}()
	going := true
	for j := range queue {
		if block := <-j.done; going && !deliver(j.first, block) {
			going = false
			cancel()
		}
	}
	cancel()
}
