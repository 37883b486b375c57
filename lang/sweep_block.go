// A block of settings of a sweep runs one after the other, and uses again what parts of the
// recipe did for the same values of the inputs that reach them.

package lang

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"dicescript/builtins/slot"
	"dicescript/lang/eval"

	"go.starlark.net/starlark"
)

// A memory holds what parts of the top level did. That of a sweep is only read.
type memory struct {
	effects map[effectKey]*effect
	values  notated // of literals and notation
	modules map[*unit]starlark.StringDict
}

// An effectKey is a part with the values of the inputs that reach it.
type effectKey struct {
	part   int
	inputs int // the number of their combination
}

// An effect is what a part did.
type effect struct {
	globals []slot.Value
	outputs []Output
	counted []bool // whether a title counts the outputs
	prints  []string
}

// A block runs settings. It belongs to one goroutine.
type block struct {
	sweep   *sweep
	ctx     context.Context
	run     *run
	options runOptions
	memory  memory

	module  *eval.Module // of the run that goes on
	places  []int        // of its setting
	prints  []string
	part    int // that is executed, -1 for none
	outputs int // before it
	printed int
	broken  bool // the run is to be made again by itself

	isFirst bool
	seen    []*effect // of all parts, in the first run of a sweep
}

// newBlock returns a block that knows what the sweep has in common.
func (s *sweep) newBlock(ctx context.Context) *block {
	b := &block{sweep: s, ctx: ctx, options: newRunOptions(s.opts)}
	b.memory = memory{effects: map[effectKey]*effect{}, values: s.common.values.clone(), modules: maps.Clone(s.common.modules)}
	return b
}

// clone returns the values for another goroutine to add to.
func (n *notated) clone() notated {
	return notated{few: slices.Clone(n.few), many: maps.Clone(n.many)}
}

// first runs the first setting and notes what every part of the recipe does.
func (b *block) first() outcome {
	b.isFirst = true
	return b.setting(0)
}

// common is what all settings of the sweep have in common, after the first run.
func (b *block) common() memory {
	m := memory{effects: map[effectKey]*effect{}, values: b.memory.values, modules: b.memory.modules}
	s := b.sweep
	if b.module == nil || s.reach == nil {
		return m
	}
	s.parts = s.reach.Parts(b.module)
	for i, e := range b.seen {
		if p := &s.parts[i]; p.Inputs == 0 && b.module.Keeps(p, e.globals) {
			m.effects[effectKey{part: i}] = e
		}
	}
	return m
}

// setting runs one setting.
func (b *block) setting(number int) outcome {
	s := b.sweep
	b.places = s.places(number, b.places)
	b.begin()
	out := outcome{result: b.run.result}
	var err error
	if s.program.foreign != nil {
		err = b.run.protect(func() error { return b.run.runAnyDice(s.program) })
	} else if err = b.run.protect(b.execute); b.broken {
		return b.alone()
	} else if err != nil {
		err = b.run.failure(err)
	}
	b.run.finish()
	b.memory.values, b.memory.modules = b.run.values, b.run.modules
	if err != nil {
		b.run, b.module = nil, nil
		out.err = err
	}
	out.prints, b.prints = b.prints, nil
	return out
}

// alone runs the setting as if there were no others.
func (b *block) alone() outcome {
	b.run, b.module, b.prints = nil, nil, nil
	memory := b.memory
	b.memory.values, b.memory.modules = notated{}, nil
	b.begin()
	out := outcome{result: b.run.result}
	err := b.run.protect(func() error { _, err := b.run.execute(b.sweep.program.main); return err })
	if err != nil {
		out.err = b.run.failure(err)
	}
	b.run.finish()
	out.prints, b.prints = b.prints, nil
	b.run, b.memory = nil, memory
	return out
}

// begin prepares the run of the setting.
func (b *block) begin() {
	s := b.sweep
	if b.run == nil {
		b.run = newRun(s.program.host, b.options, s.program.units)
		b.run.params = maps.Clone(s.values)
		b.run.printer = func(_ context.Context, text string) { b.prints = append(b.prints, text) }
	}
	r := b.run
	r.begin(b.ctx)
	r.sourceBytes, r.loads = s.program.sourceBytes, s.program.loads
	r.values, r.modules = b.memory.values, b.memory.modules
	r.result.Notes = texts(s.program.main.notes)
	r.result.Params = slices.Clone(s.shown)
	for i, at := range b.places {
		a := &s.axes[i]
		r.params[s.program.main.params[a.param].Name] = a.values[at]
		r.result.Params[a.param].Value = a.plain[at]
	}
	b.part, b.broken = -1, false
}

// execute runs the top level of the recipe part by part.
func (b *block) execute() error {
	r, u := b.run, b.sweep.program.main
	outer := r.unit
	r.unit = u
	defer func() { r.unit = outer }()
	if err := r.lacks(u); err != nil {
		return err
	}
	b.module = u.code.Module(r.predeclared, nil)
	return r.machine.ExecuteParts(b.module, b.known)
}

// known is asked before each part of the top level. It reports whether the part has had its
// effect, since it did the same before.
func (b *block) known(part int) bool {
	if b.part >= 0 {
		b.note()
	}
	if b.part = -1; part == len(b.sweep.parts) || b.broken {
		return false
	}
	if e := b.effect(part); e != nil {
		b.apply(part, e)
		return true
	}
	b.part, b.outputs, b.printed = part, len(b.run.result.Outputs), len(b.prints)
	return false
}

// key is a part with the values of the inputs that reach it.
func (b *block) key(part int) effectKey {
	key := effectKey{part: part}
	for i := range b.sweep.axes {
		if b.sweep.parts[part].Inputs.Has(i) {
			key.inputs = key.inputs*len(b.sweep.axes[i].values) + b.places[i]
		}
	}
	return key
}

// effect is what a part did before, nil where that is not known.
func (b *block) effect(part int) *effect {
	p := &b.sweep.parts[part]
	if p.Again || b.isFirst {
		return nil
	}
	key := b.key(part)
	if p.Inputs == 0 {
		if e := b.sweep.common.effects[key]; e != nil {
			return e
		}
	}
	return b.memory.effects[key]
}

// note notes what the part did that has been executed.
func (b *block) note() {
	p := &b.sweep.parts[b.part]
	if b.broken = b.broken || b.module.Breaks(p); b.broken {
		return
	}
	if !b.isFirst && (p.Again || p.Inputs == b.sweep.all) {
		return
	}
	e := &effect{globals: b.module.Values(p)}
	if !b.isFirst && !b.module.Keeps(p, e.globals) {
		return
	}
	e.outputs = slices.Clone(b.run.result.Outputs[b.outputs:])
	e.counted = slices.Clone(b.run.counted[b.outputs:])
	e.prints = slices.Clone(b.prints[b.printed:])
	if b.isFirst {
		b.seen = append(b.seen, e)
		return
	}
	b.memory.effects[b.key(b.part)] = e
}

// apply has the effect of a part on the run.
func (b *block) apply(part int, e *effect) {
	r := b.run
	b.module.Assign(&b.sweep.parts[part], e.globals)
	for _, text := range e.prints {
		r.print(text)
	}
	for i, o := range e.outputs {
		if e.counted[i] {
			o.Title = "output_" + strconv.Itoa(len(r.result.Outputs))
		}
		if err := r.recordAt(o.Title, o.Data, o.Line, e.counted[i]); err != nil {
			r.halt(&Error{Kind: KindLimit, Message: err.Error(), cause: err})
		}
	}
	b.broken = b.broken || r.stop != nil // by an effect that exceeds a limit
}
