package builtins

import (
	"context"
	"fmt"
	"math"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A process goes from state to state by chance: hit points that are lost, a
// skill that grows, a track that fills up. Where it goes next depends only on
// where it is. A state is a whole number, a label or a tuple, and the recipe's
// step function says what follows it.

// A state is one distinct state of a process. The engine tells states apart by
// their addresses.
type state struct{ value starlark.Value }

// String writes the state as a recipe does, for errors of the engine.
func (s *state) String() string { return shorten(s.value.String()) }

// A walk knows the states of a process so far and asks its step function.
type walk struct {
	cb     *callback
	seen   interner
	states []*state // by their numbers in seen
	scale  *labelSet
	mixed  bool // whether Outcomes with other labels came back too
}

func (w *walk) context() context.Context { return EnvOf(w.cb.thread).context() }

// state returns the state that v names.
func (w *walk) state(v starlark.Value) (*state, error) {
	words := int64(0)
	if _, ok := v.(starlark.Tuple); ok {
		var err error
		if words, err = chargeLabel(w.context(), v); err != nil {
			return nil, fmt.Errorf("a state: %w", err)
		}
	}
	i, err := w.seen.index(v)
	if err != nil {
		return nil, err
	}
	if i == len(w.states) {
		if err := dist.ChargeTable(w.context(), 1, stateWidth+words); err != nil {
			return nil, err
		}
		w.states = append(w.states, &state{v})
	}
	return w.states[i], nil
}

// number returns the state of a whole number.
func (w *walk) number(n int) (*state, error) { return w.state(starlark.MakeInt(n)) }

// step asks what follows a state.
func (w *walk) step(s *state) (*dist.Outcomes[*state], error) {
	if err := dist.ChargeWork(w.context(), callCost); err != nil {
		return nil, err
	}
	w.cb.args[0] = s.value
	v, err := w.cb.call()
	if err != nil {
		return nil, err
	}
	next, err := w.follow(v)
	if next == nil && err == nil {
		return nil, w.cb.returned(v, "want the next state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	return next, err
}

// follow returns a value as a distribution over states, nil when it is none.
func (w *walk) follow(v starlark.Value) (*dist.Outcomes[*state], error) {
	switch v := v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		if err := checkLabel(v); err != nil {
			return nil, fmt.Errorf("a state: %w", err)
		}
		s, err := w.state(v)
		if err != nil {
			return nil, err
		}
		return dist.Certain(s), nil
	case *Outcomes:
		w.note(v.labelSet)
		return dist.Relabel(w.context(), v.over, func(at int) (*state, error) { return w.state(v.labels[at]) })
	case *Roll, *Pool:
		d, _, err := rollOf(w.cb.thread, v)
		if err != nil {
			return nil, err
		}
		return dist.Classify(w.context(), d, nil, w.number)
	}
	return nil, nil
}

// note remembers the scale that the Outcomes of steps have in common.
func (w *walk) note(set *labelSet) {
	switch {
	case w.scale == nil && set.ordered:
		w.scale = set
	case !set.ordered || !set.same(w.scale):
		w.mixed = true
	}
}

// result makes a roll of states that are whole numbers and Outcomes of others.
func (w *walk) result(o *dist.Outcomes[*state]) (starlark.Value, error) {
	numbers := true
	for s, weight := range o.All() {
		if _, ok := wholeNumber(s.value); !ok && weight.Sign() > 0 {
			numbers = false
		}
	}
	if numbers {
		d, err := o.Values(w.context(), func(s *state) (int, error) {
			n, _ := wholeNumber(s.value)
			return n, nil
		})
		if err != nil {
			return nil, err
		}
		return NewRoll(d), nil
	}
	return w.outcomes(o)
}

func (w *walk) outcomes(o *dist.Outcomes[*state]) (starlark.Value, error) {
	in := &interner{}
	var t dist.Tally[int]
	for s, weight := range o.All() {
		if weight.Sign() == 0 {
			continue
		}
		i, err := in.index(s.value)
		if err != nil {
			return nil, err
		}
		n, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		t.Add(i, n)
	}
	set := newLabelSet(in, false)
	if w.scale == nil || w.mixed || !w.scale.holds(set) {
		over, err := dist.TallyOutcomes(w.context(), &t, nil, o.ErrorBound())
		return asOutcomes(set, over, err)
	}
	var placed dist.Tally[int]
	for i, n := range t.All() {
		at, err := w.scale.place(set.labels[i])
		if err != nil {
			return nil, err
		}
		placed.Add(at, n)
	}
	over, err := dist.TallyOutcomes(w.context(), &placed, w.scale.positions(), o.ErrorBound())
	return asOutcomes(w.scale, over, err)
}

// holds reports whether all labels of t are among those of s.
func (s *labelSet) holds(t *labelSet) bool {
	for _, label := range t.labels {
		if _, ok := s.find(label); !ok {
			return false
		}
	}
	return true
}

// A beginning is where a process starts. A start that is a roll or Outcomes is
// the first step of one more state, which comes before all others.
type beginning struct {
	at    *state
	steps int // how many steps come before the start: 0, or 1 of a roll
	first *dist.Outcomes[*state]
}

// begin returns argument i as the start of the process.
func (w *walk) begin(c call, i int) (*beginning, error) {
	v := c.value(i)
	switch v.(type) {
	case starlark.Int, starlark.String, starlark.Tuple:
		if err := checkLabel(v); err != nil {
			return nil, c.wrong(i, "%v", err)
		}
		s, err := w.state(v)
		return &beginning{at: s}, err
	}
	first, err := w.follow(v)
	if err != nil {
		return nil, err
	}
	if first == nil {
		return nil, c.want(i, "a state: a whole number, a label, a tuple, a roll or Outcomes")
	}
	return &beginning{at: &state{starlark.String("start")}, steps: 1, first: first}, nil
}

// before puts the start in front of the step function.
func (b *beginning) before(step func(*state) (*dist.Outcomes[*state], error)) func(*state) (*dist.Outcomes[*state], error) {
	if b.first == nil {
		return step
	}
	return func(s *state) (*dist.Outcomes[*state], error) {
		if s == b.at {
			return b.first, nil
		}
		return step(s)
	}
}

func walkBuiltins() []builtin {
	start := Param{Name: "start", Doc: "the state it begins in: a whole number, a label or a tuple; a roll or Outcomes when chance decides"}
	step := Param{Name: "step", Doc: "a function of a state that returns the next one, or a roll or Outcomes when chance decides; it is called once for every state"}
	return []builtin{
		{
			name: "iterate", free: true,
			params:  []Param{start, step, {Name: "n", Doc: "how many steps; None goes on until it comes to rest, in a state whose next state is itself"}},
			doc:     "The state of a process after n steps: a roll when the states are whole numbers, otherwise Outcomes.",
			errors:  "n is None and the process need not come to rest",
			example: `iterate(3, lambda hp: hp if hp in (0, 6) else either("1/2", hp - 1, hp + 1), None).pmf(6).fraction`,
			result:  "1/2",
			run:     iterate,
		},
		{
			name: "first_time", free: true,
			params: []Param{start, step,
				{Name: "done", Doc: "a function of a state that returns whether it is reached"},
				{Name: "limit", Doc: "the last number of steps that is told apart"}},
			doc: "How many steps a process takes until it is done: Outcomes over 0 to limit, and what is left beyond it. " +
				"Their p_at_most(n) is the chance of being done within n steps.",
			errors:  "a done that returns a chance or a roll instead of True or False",
			example: `first_time(12, lambda hp: hp - dice_pool(2, 6).sum(), lambda hp: hp <= 0, 6).p_at_most(2).fraction`,
			result:  "493/648",
			run:     firstTime,
		},
	}
}

func newWalk(c call) (*walk, *beginning, error) {
	cb, err := newCallback(c, 1, 1, "the state")
	if err != nil {
		return nil, nil, err
	}
	w := &walk{cb: cb}
	b, err := w.begin(c, 0)
	return w, b, err
}

func iterate(c call) (starlark.Value, error) {
	w, b, err := newWalk(c)
	if err != nil {
		return nil, err
	}
	var o *dist.Outcomes[*state]
	if c.value(2) == starlark.None {
		o, err = dist.Absorb(c.ctx(), b.at, b.before(w.step))
	} else {
		n, problem := c.atLeast(2, 0, 0)
		if problem != nil {
			return nil, problem
		}
		if n > math.MaxInt32 {
			return nil, c.wrong(2, "got %d, want at most %d; None goes on until it comes to rest", n, math.MaxInt32)
		}
		o, err = dist.Iterate(c.ctx(), b.at, b.before(w.step), n+b.steps)
	}
	if err != nil {
		return nil, err
	}
	return w.result(o)
}

func firstTime(c call) (starlark.Value, error) {
	w, b, err := newWalk(c)
	if err != nil {
		return nil, err
	}
	cb, err := newCallback(c, 2, 1, "the state")
	if err != nil {
		return nil, err
	}
	limit, err := c.atLeast(3, 0, 0)
	if err != nil {
		return nil, err
	}
	if err := dist.ChargeTable(c.ctx(), int64(limit), answerWords); err != nil {
		return nil, err
	}
	done := func(s *state) (bool, error) {
		if s == b.at && b.first != nil {
			return false, nil
		}
		cb.args[0] = s.value
		v, err := cb.call()
		if err != nil {
			return false, err
		}
		return cb.yes(v)
	}
	most := limit
	if most < math.MaxInt {
		most += b.steps
	}
	o, err := dist.FirstTime(c.ctx(), b.at, b.before(w.step), done, most)
	if err != nil {
		return nil, err
	}
	return timesOf(c.ctx(), o, limit, b.steps)
}

// timesOf labels the times of o, which begins with so many steps that are not
// counted, and what is left.
func timesOf(ctx context.Context, o *dist.Outcomes[int], limit, uncounted int) (starlark.Value, error) {
	in := &interner{}
	for n := range limit + 1 {
		in.index(starlark.MakeInt(n))
	}
	in.index(starlark.String(fmt.Sprintf(">%d", limit)))
	set := newLabelSet(in, true)
	if uncounted == 0 {
		return &Outcomes{labelSet: set, over: o}, nil
	}
	over, err := dist.Relabel(ctx, o, func(n int) (int, error) { return max(0, n-uncounted), nil })
	return asOutcomes(set, over, err)
}

// yes returns the answer of a function that says whether something holds.
func (cb *callback) yes(v starlark.Value) (bool, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), nil
	case *Prob, *Roll, *Pool, *Outcomes:
		return false, cb.returned(v, "want True or False: a state is reached or it is not, there is no chance about it")
	}
	return false, cb.returned(v, "want True or False")
}
