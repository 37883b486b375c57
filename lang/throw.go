// Real throws of a recipe: it runs once, with values that remember how they were made, and
// then its outputs are thrown.

package lang

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"math/big"

	"dicescript/builtins"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang/throw"

	"go.starlark.net/starlark"
)

// Throw runs the recipe and throws each of its outputs once: an expression of rolls die by
// die, a chance as a yes or no, a play as it is told, with the best choices where it chooses.
// Outputs that are no rolls, chances, outcomes or plans are left out; a recipe that puts out
// none of these is an [Error] of [KindInput]. The record has the seed where the source is a
// [throw.Seed].
//
// The limits are those of one run for both. Its cost is that of a run in which nothing is
// worked out beside it, and some 200 bytes for each value of dice.
func (p *Program) Throw(ctx context.Context, src throw.Source, opts ...RunOption) (*throw.Record, error) {
	for record, err := range p.Throws(ctx, src, opts...) {
		return record, err
	}
	return nil, NewError(KindInternal, "internal error: nothing was thrown", nil)
}

// Throws runs the recipe once and throws its outputs again and again, for as long as records
// are asked for. After an error there are no more. Each throw may use what [Limits] allow a
// run.
func (p *Program) Throws(ctx context.Context, src throw.Source, opts ...RunOption) iter.Seq2[*throw.Record, error] {
	return func(yield func(*throw.Record, error) bool) {
		o := newRunOptions(opts)
		o.thrown = true
		r, _, err := p.begin(ctx, o)
		if err != nil {
			yield(nil, err)
			return
		}
		err = r.protect(func() error {
			if p.foreign != nil {
				return r.runAnyDice(p)
			}
			_, err := r.execute(p.main)
			return err
		})
		if err != nil {
			r.finish()
			yield(nil, r.failure(err))
			return
		}
		about := throw.Record{Recipe: p.Hash(), Inputs: inputsOf(r.result)}
		r.throwAll(src, about, yield)
		r.finish()
	}
}

// inputsOf are the inputs of a run.
func inputsOf(result *Result) []throw.Input {
	var inputs []throw.Input
	for _, q := range result.Params {
		inputs = append(inputs, throw.Input{Name: q.Name, Value: q.Value})
	}
	return inputs
}

// Hash is the SHA-256 of the recipe and of the modules that it stands on, as "sha256:...":
// of the text of the recipe, and then, by their names, of each module's name and hash, each
// followed by a byte 0.
func (p *Program) Hash() string {
	h := sha256.New()
	h.Write([]byte(p.main.lines.Text + "\x00"))
	for _, m := range p.Modules() {
		h.Write([]byte(m.Name + "\x00" + m.Hash + "\x00"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// A shownValue is an output with the value that it was made of.
type shownValue struct {
	output int
	value  starlark.Value
}

// keepShown keeps the value of the output that was recorded last, in a run that is thrown.
func (r *run) keepShown(v starlark.Value) {
	if r.thrown {
		r.keeps = append(r.keeps, shownValue{len(r.result.Outputs) - 1, v})
	}
}

// throwAll throws the outputs of the run until nobody asks for more.
func (r *run) throwAll(src throw.Source, about throw.Record, yield func(*throw.Record, error) bool) {
	list := r.throwable()
	if len(list) == 0 {
		yield(nil, inputError("there is nothing to throw: want a recipe that puts out a roll, a chance, outcomes or a plan"))
		return
	}
	if seeded, ok := src.(*throw.Seeded); ok {
		about.Seed = seeded.Text()
		about.Commitment = throw.Commitment(about.Recipe, about.Inputs, about.Seed)
	}
	for nth := 1; ; nth++ {
		record := about
		if nth > 1 {
			record.Nth = nth
			r.meter.Begin(r.ctx, r.thread)
			r.env.Context = r.meter.Context()
		}
		err := r.protect(func() (err error) { record.Outputs, err = r.throwOnce(src, list); return err })
		if reader, ok := src.(*throw.Reader); ok && err == nil {
			err = reader.Err()
		}
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			yield(nil, r.failure(err))
			return
		}
		if !yield(&record, nil) {
			return
		}
	}
}

// throwable are the outputs that can be thrown.
func (r *run) throwable() []shownValue {
	var list []shownValue
	for _, s := range r.keeps {
		if _, ok := s.value.(*builtins.Plan); ok || throwing.Throwable(s.value) {
			list = append(list, s)
		}
	}
	return list
}

// throwOnce throws each output once.
func (r *run) throwOnce(src throw.Source, shown []shownValue) ([]throw.Output, error) {
	t := throwing.New(r.thread, src)
	outputs := make([]throw.Output, 0, len(shown))
	for _, s := range shown {
		o := r.result.Outputs[s.output]
		out := throw.Output{Title: o.Title, Place: s.output, Kind: o.Data.Kind(), Line: o.Line, Throws: []*throw.Throw{}}
		if plan, ok := s.value.(*builtins.Plan); ok {
			if err := r.throwPlan(t, &out, plan); err != nil {
				return nil, err
			}
			outputs = append(outputs, out)
			continue
		}
		v, throws, err := r.throwValue(t, s.value, o.Line)
		if err != nil {
			return nil, err
		}
		out.Throws = append(out.Throws, throws...)
		if err := r.came(&out, o.Data, v); err != nil {
			return nil, err
		}
		outputs = append(outputs, out)
	}
	return outputs, nil
}

func (r *run) throwValue(t *throwing.Thrower, v starlark.Value, line int) (starlark.Value, []*throw.Throw, error) {
	if pool, ok := v.(*value.Pool); ok {
		thrown, throws, err := t.Once(pool, line)
		if err != nil {
			return nil, nil, err
		}
		n, err := t.Number(thrown)
		return starlark.MakeInt(n), throws, err
	}
	thrown, throws, err := t.Once(v, line)
	return thrown, throws, err
}

// throwPlan plays a plan once, with the best choices: its result is what that pays.
func (r *run) throwPlan(t *throwing.Thrower, out *throw.Output, plan *builtins.Plan) error {
	pays, throws, err := plan.Throw(t)
	if err != nil {
		return err
	}
	out.Throws = append(out.Throws, throws...)
	payoff, err := plan.Payoff(r.thread)
	if err != nil {
		return err
	}
	if roll, ok := payoff.(*value.Roll); ok && pays.IsInt() && pays.Num().IsInt64() {
		n := int(pays.Num().Int64())
		out.Result, out.Chance = n, chancesOf(roll.Dist(), n)
		return nil
	}
	out.Result = pays.RatString()
	if labels, ok := payoff.(*value.Outcomes); ok {
		data, err := r.labeled(labels)
		if err != nil {
			return err
		}
		out.Chance = chancesOfLabel(data.(Outcomes), TextLabel(pays.RatString()))
	}
	return nil
}

// came notes the result of an output, with its chances.
func (r *run) came(out *throw.Output, data Data, v starlark.Value) error {
	out.Result = throwing.Plain(throwing.LabelOf(v))
	switch data := data.(type) {
	case Roll:
		n, ok := out.Result.(int)
		if !ok {
			return NewError(KindInternal, "internal error: a roll has shown no number", nil)
		}
		out.Chance = chancesOf(data.Dist, n)
	case Prob:
		out.Result = throwing.Plain(v)
		p := data.Value
		if out.Result == false {
			p = new(big.Rat).Sub(big.NewRat(1, 1), p)
		}
		out.Chance.Exactly = throw.NewChance(p, data.Bound)
	case Outcomes:
		out.Chance = chancesOfLabel(data, label(throwing.LabelOf(v)))
	}
	return nil
}

func chancesOf(d *dist.Dist, n int) throw.Chances {
	bound := d.Bound()
	least := bound
	if !d.UnboundedBelow() && n <= d.Min() {
		least = 0 // nothing is below the lowest of an unlimited roll
	}
	return throw.Chances{
		Exactly: throw.NewChance(d.PMF(n), bound), AtLeast: throw.NewChance(d.AtLeast(n), least), AtMost: throw.NewChance(d.AtMost(n), bound),
	}
}

func chancesOfLabel(data Outcomes, l Label) throw.Chances {
	at := -1
	for i, e := range data.Entries {
		if e.Label.String() == l.String() {
			at = i
		}
	}
	if at < 0 {
		return throw.Chances{Exactly: throw.NewChance(new(big.Rat), data.Bound)}
	}
	c := throw.Chances{Exactly: throw.NewChance(data.Entries[at].Value, data.Bound)}
	if !data.Ordered {
		return c
	}
	below, above := new(big.Rat), new(big.Rat)
	for i, e := range data.Entries {
		if i <= at {
			below.Add(below, e.Value)
		}
		if i >= at {
			above.Add(above, e.Value)
		}
	}
	c.AtLeast, c.AtMost = throw.NewChance(above, data.Bound), throw.NewChance(below, data.Bound)
	return c
}
