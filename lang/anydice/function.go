package anydice

import (
	"slices"

	"dicescript/dist"
	"dicescript/dist/upper"
)

// A call turns its arguments into what the parameters want. A die for a
// parameter that wants a number or a sequence is expanded: the body runs once
// for each roll, and the call is the mixture of its results. The variables of
// one call are one copy, also over all those runs.

// maxStack bounds the levels of the tree that nested calls stand in, so that no
// setting of the depth runs out of stack.
const maxStack = 60_000

func (e *call) eval(r *run) (value, error) {
	base := len(r.args)
	for _, x := range e.args {
		v, err := x.eval(r)
		if err != nil {
			r.args = r.args[:base]
			return value{}, err
		}
		r.args = append(r.args, v)
	}
	args := r.args[base:len(r.args):len(r.args)]
	v, err := r.call(e, args)
	r.args = r.args[:base]
	return v, located(e.at, err)
}

func (r *run) call(e *call, args []value) (value, error) {
	if err := r.step(); err != nil {
		return value{}, err
	}
	if f := r.functions[e.shape]; f != nil {
		return r.callUser(f, args)
	}
	if b := r.program.shapes[e.shape].builtin; b != nil {
		return b.call(r, args)
	}
	return value{}, r.unknownFunction(e)
}

func (r *run) unknownFunction(e *call) error {
	name := r.program.shapes[e.shape].name
	var known []string
	for i, f := range r.functions {
		if f != nil {
			known = append(known, r.program.shapes[i].name)
		}
	}
	known = append(known, builtinNames...)
	if near := nearest(name, known); near != "" {
		return faultf(e.at, "there is no function [%s]; did you mean [%s]?", name, near)
	}
	return faultf(e.at, "there is no function [%s]", name)
}

// callUser calls a user's function.
func (r *run) callUser(f *function, args []value) (value, error) {
	if r.depth >= r.maxDepth {
		r.warned, r.cut = true, true
		return dice(empty), nil
	}
	if r.stack+f.height > maxStack {
		return value{}, &dist.LimitError{Resource: callsResource, Unit: "levels of nested calls", Need: int64(r.stack + f.height), Limit: maxStack}
	}
	known := r.factsOf(f)
	c := newConversion(f, args)
	if c.nothing {
		return dice(empty), nil
	}
	if !known.busy && !c.expands {
		return r.enter(f, &c)
	}
	return r.remembering(f, known.reads, args, r.depth, func() (value, error) { return r.enter(f, &c) })
}

// enter runs a function in a copy of the variables.
func (r *run) enter(f *function, c *conversion) (value, error) {
	r.depth++
	r.deepest = max(r.deepest, r.depth)
	r.stack += f.height + 1
	m := r.begin()
	var v value
	var err error
	if c.expands {
		v, err = r.expand(f, c)
	} else if err = c.convert(r); err == nil {
		v, err = r.runBody(f, c.args)
	}
	r.end(m)
	r.stack -= f.height + 1
	r.depth--
	return v, err
}

// runBody runs the body once. Of two parameters with the same name the first
// counts.
func (r *run) runBody(f *function, args []value) (value, error) {
	for i := len(f.params) - 1; i >= 0; i-- {
		r.assign(f.params[i].slot, args[i])
	}
	ended, err := r.execAll(f.body)
	if err != nil {
		return value{}, err
	}
	if !ended {
		return dice(empty), nil
	}
	return r.takeResult(), nil
}

// takeResult is the result that has just ended a body.
func (r *run) takeResult() value {
	v := r.result
	r.result = value{}
	return v
}

// A conversion is the arguments of a call on their way to the parameters.
type conversion struct {
	params  []parameter
	args    []value
	expands bool // some argument is expanded
	nothing bool // some argument that would be expanded is empty
}

func newConversion(f *function, args []value) conversion {
	c := conversion{params: f.params, args: args}
	for i, p := range f.params {
		if p.kind != numberParam && p.kind != sequenceParam {
			continue
		}
		switch v := args[i]; {
		case isNothing(v):
			c.nothing = true
		case v.kind == dieValue, p.kind == numberParam && v.isSequence():
			c.expands = true
		}
	}
	return c
}

// convert turns the arguments that are not expanded into what their parameters
// want, in a list of its own.
func (c *conversion) convert(r *run) error {
	var out []value
	for i, p := range c.params {
		v := c.args[i]
		w := v
		switch {
		case p.kind == sequenceParam && v.kind == numberValue:
			w = sequence([]int{v.n})
		case p.kind == dieParam && v.kind != dieValue:
			d, err := r.toDie(v)
			if err != nil {
				return err
			}
			w = dice(d)
		case p.kind == numberParam && v.isSequence():
			var err error
			if w, err = scalar(v); err != nil {
				return err
			}
		default:
			continue
		}
		if out == nil {
			out = append(out, c.args...)
		}
		out[i] = w
	}
	if out != nil {
		c.args = out
	}
	return nil
}

// An axis is one expanded parameter: the totals of a die, or the rolls of a
// pool.
type axis struct {
	param int
	pool  *die // of rolls; nil for totals

	outcomes []int
	weights  []dist.Weight
}

// axes lists the expanded parameters, and the slip of what they are expanded
// over.
func (c *conversion) axes(r *run) ([]*axis, slip, error) {
	if err := c.convert(r); err != nil {
		return nil, nil, err
	}
	var list []*axis
	var s slip
	for i, p := range c.params {
		v := c.args[i]
		if v.kind != dieValue || p.kind != numberParam && p.kind != sequenceParam {
			continue
		}
		a := &axis{param: i}
		if p.kind == sequenceParam && v.die.count > 1 {
			if err := poolOf(v.die.count); err != nil {
				return nil, nil, err
			}
			base, slipped, err := r.fit(v.die.base, v.die.slip, v.die.count)
			if err != nil {
				return nil, nil, err
			}
			a.pool = &die{base: base, count: v.die.count, slip: slipped}
			s = s.plus(slipped.times(v.die.count))
		} else {
			t, slipped, err := r.totalAndSlip(v.die)
			if err != nil {
				return nil, nil, err
			}
			if t, slipped, err = r.fit(t, slipped, 2); err != nil {
				return nil, nil, err
			}
			s = s.plus(slipped)
			a.outcomes, a.weights, err = r.weighted(t)
			if err != nil {
				return nil, nil, err
			}
		}
		list = append(list, a)
	}
	return list, s, nil
}

// weighted lists the outcomes of a distribution with their weights.
func (r *run) weighted(d *dist.Dist) ([]int, []dist.Weight, error) {
	if err := r.chargeWeights(int64(d.Len()), 64*int64(d.Words())); err != nil {
		return nil, nil, err
	}
	outcomes := make([]int, 0, d.Len())
	weights := make([]dist.Weight, 0, d.Len())
	for x, n := range d.All() {
		w, err := dist.NewWeight(n)
		if err != nil {
			return nil, nil, err
		}
		outcomes, weights = append(outcomes, x), append(weights, w)
	}
	return outcomes, weights, nil
}

// combinations is how many values an axis has.
func (a *axis) combinations() int64 {
	if a.pool == nil {
		return int64(len(a.outcomes))
	}
	return multisets(a.pool.count, a.pool.base.Len())
}

// each visits the values of the axis in order: totals ascending, rolls of a
// pool in the position order.
func (a *axis) each(r *run, sequences bool, visit func(v value, w dist.Weight) error) error {
	if a.pool != nil {
		l, err := r.newRolls(a.pool, !r.lowestFirst)
		if err != nil {
			return err
		}
		return l.walk(func(w dist.Weight) error {
			if err := r.holdElements(len(l.faces)); err != nil {
				return err
			}
			return visit(sequence(slices.Clone(l.faces)), w)
		})
	}
	for i, x := range a.outcomes {
		v := number(x)
		if sequences {
			v = sequence(a.outcomes[i : i+1 : i+1])
		}
		if err := visit(v, a.weights[i]); err != nil {
			return err
		}
	}
	return nil
}

// An expansion is a call that runs once for each combination of rolls.
type expansion struct {
	f     *function
	known *facts
	args  []value // the ones that are being run
	axes  []*axis
	mixer mixer
}

// expand runs the body for every combination of the expanded parameters, the
// first one moving fastest.
func (r *run) expand(f *function, c *conversion) (value, error) {
	axes, s, err := c.axes(r)
	if err != nil {
		return value{}, err
	}
	x := &expansion{f: f, known: r.factsOf(f), args: append([]value(nil), c.args...), axes: axes}
	done, err := r.withoutRolls(x)
	if err == nil && !done {
		err = r.everyCombination(x)
	}
	if err != nil {
		return value{}, err
	}
	out, err := x.mixer.finish(r, s)
	return dice(out), err
}

// combinations is how often the body runs for every combination.
func (x *expansion) combinations() int64 {
	count := int64(1)
	for _, a := range x.axes {
		count = upper.MulSat(count, a.combinations())
	}
	return count
}

// everyCombination runs the body for every combination.
func (r *run) everyCombination(x *expansion) error {
	if err := chargeCombinations(r.ctx, x.combinations()); err != nil {
		return err
	}
	w, err := dist.NewWeight(bigOne)
	if err != nil {
		return err
	}
	return r.eachOf(x, len(x.axes)-1, w, func(w dist.Weight) error { return r.runOnce(x, w) })
}

// eachOf visits the combinations of the axes up to the one at i, with their
// weights times w.
func (r *run) eachOf(x *expansion, i int, w dist.Weight, visit func(w dist.Weight) error) error {
	if i < 0 {
		return visit(w)
	}
	a := x.axes[i]
	sequences := x.f.params[a.param].kind == sequenceParam
	return a.each(r, sequences, func(v value, weight dist.Weight) error {
		if err := r.step(); err != nil {
			return err
		}
		x.args[a.param] = v
		return r.eachOf(x, i-1, w.Times(weight), visit)
	})
}

// runOnce runs the body for one combination.
func (r *run) runOnce(x *expansion, w dist.Weight) error {
	v, err := r.oneResult(x)
	if err != nil {
		return err
	}
	return x.mixer.add(r, v, w)
}

// oneResult is the result for the arguments of the moment. A body that calls
// further functions is remembered for each combination, unless it sees what the
// combination before has left.
func (r *run) oneResult(x *expansion) (value, error) {
	if !x.known.calls || x.known.carries {
		return r.runBody(x.f, x.args)
	}
	return r.remembering(x.f, x.known.reads, x.args, r.depth-1, func() (value, error) { return r.runBody(x.f, x.args) })
}
