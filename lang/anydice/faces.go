package anydice

import (
	"errors"
	"math/big"
	"slices"

	"dicescript/dist"
)

// A body that goes through the faces in a loop, and asks in each pass only how
// many dice show the face of the moment, sees a pool face by face. So does one
// that goes through the roll itself, because the roll is sorted. Of r dice that
// are not told of yet, c show the next face in C(r, c) ways, and what the
// passes before have left in the variables, with r, is all that matters. So
// the passes are made for all states at once, and states that are alike are
// put together: the multiset state machine again, with the body as its step.

// A faceLoop is such a loop in the body of a function.
type faceLoop struct {
	index   int   // in the body
	vars    []int // slots that the passes, and what comes after them, assign to
	loop    *loop
	through bool // it goes through the roll, not through faces
}

// faceLoopOf returns the loop over faces of a body that looks at the parameter
// in a slot nowhere else, nil when there is none.
func (r *run) faceLoopOf(f *function, slot int) *faceLoop {
	known := r.factsOf(f)
	if p, ok := known.faceLoops[slot]; ok {
		return p
	}
	p := r.findFaceLoop(f, slot)
	if known.faceLoops == nil {
		known.faceLoops = map[int]*faceLoop{}
	}
	known.faceLoops[slot] = p
	return p
}

func (r *run) findFaceLoop(f *function, slot int) *faceLoop {
	if assigns(f.body, slot) {
		return nil
	}
	var found *faceLoop
	for i, s := range f.body {
		if !r.looksAt([]statement{s}, slot, -1) {
			continue
		}
		l, ok := s.(*loop)
		if !ok || found != nil || assigns(l.body, l.slot) {
			return nil
		}
		over, through := l.over.(*variable)
		through = through && over.slot == slot
		switch {
		case through && r.looksAt(l.body, slot, -1):
			return nil
		case !through && (r.looksAtIn(l.over, slot, -1) || r.looksAt(l.body, slot, l.slot)):
			return nil
		}
		found = &faceLoop{index: i, loop: l, vars: assigned(f.body[i:]), through: through}
		if through && !r.mentions(f.body[i+1:], l.slot) {
			found.vars = slices.DeleteFunc(found.vars, func(v int) bool { return v == l.slot })
		}
	}
	return found
}

// mentions reports whether statements, or what they call, may read a variable.
func (r *run) mentions(list []statement, slot int) bool {
	found := false
	eachOwn(list, func(e expression) {
		eachExpression(e, func(e expression) {
			switch e := e.(type) {
			case *variable:
				found = found || e.slot == slot
			case *call:
				f := r.functions[e.shape]
				found = found || f != nil && slices.Contains(r.factsOf(f).reads, slot)
			}
		})
	})
	return found
}

// looksAt reports whether statements look at a roll in any way but for its
// length and, when face is the slot of a variable, for how often that shows.
func (r *run) looksAt(list []statement, slot, face int) bool {
	looks := false
	eachOwn(list, func(e expression) { looks = looks || r.looksAtIn(e, slot, face) })
	return looks
}

func (r *run) looksAtIn(e expression, slot, face int) bool {
	is := func(e expression, slot int) bool {
		v, ok := e.(*variable)
		return ok && v.slot == slot
	}
	switch e := e.(type) {
	case *variable:
		return e.slot == slot
	case *prefixed:
		return !(e.op == opLength && is(e.x, slot)) && r.looksAtIn(e.x, slot, face)
	case *infix:
		if face >= 0 && (e.op == opEqual || e.op == opUnequal) && (is(e.x, slot) && is(e.y, face) || is(e.x, face) && is(e.y, slot)) {
			return false
		}
		return r.looksAtIn(e.x, slot, face) || r.looksAtIn(e.y, slot, face)
	case *sequenceLiteral:
		for _, q := range e.parts {
			for _, x := range []expression{q.from, q.to, q.times} {
				if x != nil && r.looksAtIn(x, slot, face) {
					return true
				}
			}
		}
	case *call:
		return r.callLooksAt(e, slot, face, is)
	}
	return false
}

func (r *run) callLooksAt(e *call, slot, face int, is func(e expression, slot int) bool) bool {
	if f := r.functions[e.shape]; f != nil {
		for _, read := range r.factsOf(f).reads {
			if read == slot {
				return true
			}
		}
	} else if face >= 0 {
		switch r.program.shapes[e.shape].name {
		case "count _ in _":
			if is(e.args[0], face) && is(e.args[1], slot) {
				return false
			}
		case "_ contains _":
			if is(e.args[0], slot) && is(e.args[1], face) {
				return false
			}
		}
	}
	for _, x := range e.args {
		if r.looksAtIn(x, slot, face) {
			return true
		}
	}
	return false
}

// assigned lists the slots that statements assign to, each once.
func assigned(list []statement) []int {
	var slots []int
	add := func(slot int) {
		if !slices.Contains(slots, slot) {
			slots = append(slots, slot)
		}
	}
	eachStatement(list, func(s statement) {
		switch s := s.(type) {
		case *assignment:
			add(s.slot)
		case *loop:
			add(s.slot)
		}
	})
	return slots
}

func assigns(list []statement, slot int) bool { return slices.Contains(assigned(list), slot) }

// A faceState is what the passes so far have left: the variables and the number
// of dice that are not told of yet.
type faceState struct {
	vars   []value
	left   int
	weight dist.Weight
}

// A faceWalk is a call that is run face by face.
type faceWalk struct {
	r       *run
	x       *expansion
	plan    *faceLoop
	roll    *roll
	weights map[int]dist.Weight // of the faces that are not told of yet
	most    int                 // states there may be
	unit    dist.Weight
	choose  binomials
	results []weighedResult
}

// errNotByFaces ends the try to go face by face.
var errNotByFaces = errors.New("anydice: the body does not go face by face")

// byFaces runs the body face by face. It is false when the body does not go
// through the faces in that way; then nothing was done.
func (r *run) byFaces(x *expansion, p *pooled, w dist.Weight) (bool, error) {
	a, l := p.axis, p.roll
	plan := r.faceLoopOf(x.f, x.f.params[a.param].slot)
	if plan == nil || a.pool.count > 1000 {
		return false, nil
	}
	for i, q := range x.f.params {
		if i != a.param && q.slot == x.f.params[a.param].slot {
			return false, nil
		}
	}
	outcomes, weights, err := r.weighted(a.pool.base)
	if err != nil {
		return false, err
	}
	unit, err := dist.NewWeight(bigOne)
	if err != nil {
		return false, err
	}
	most := int(min(max(20_000, a.combinations()/4), 200_000))
	f := &faceWalk{r: r, x: x, plan: plan, weights: map[int]dist.Weight{}, most: most, unit: unit, choose: binomials{run: r}}
	for i, face := range outcomes {
		f.weights[face] = weights[i]
	}
	f.roll = &roll{run: r, pool: l.pool, faces: l.faces, highestFirst: l.highestFirst}
	x.args[a.param] = value{kind: rollValue, roll: f.roll}
	if err := f.run(); err != nil {
		if asked, ok := err.(*wish); ok && asked.roll == f.roll || err == errNotByFaces {
			return false, nil
		}
		return false, err
	}
	for _, c := range f.results {
		if err := x.mixer.add(r, c.v, w.Times(c.weight)); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (f *faceWalk) run() error {
	r, body := f.r, f.x.f.body
	for i := len(f.x.f.params) - 1; i >= 0; i-- {
		r.assign(f.x.f.params[i].slot, f.x.args[i])
	}
	before := body[:f.plan.index]
	if ended, err := r.execAll(before); err != nil {
		return err
	} else if ended {
		return f.add(r.takeResult(), f.unit, f.roll.pool.count)
	}
	states, err := f.passes()
	if err != nil {
		return err
	}
	for _, s := range states {
		f.restore(s)
		f.roll.known = nil
		ended, err := r.execAll(body[f.plan.index+1:])
		if err != nil {
			return err
		}
		v := dice(empty)
		if ended {
			v = r.takeResult()
		}
		if err := f.add(v, s.weight, s.left); err != nil {
			return err
		}
	}
	return nil
}

// passes makes the passes of the loop.
func (f *faceWalk) passes() ([]faceState, error) {
	states := []faceState{{vars: f.variables(), left: f.roll.pool.count, weight: f.unit}}
	if f.plan.through {
		faces := slices.Clone(f.roll.faces)
		if f.roll.highestFirst {
			slices.Reverse(faces)
		}
		var err error
		for _, face := range faces {
			if states, err = f.passThrough(states, face); err != nil {
				return nil, err
			}
		}
		return states, nil
	}
	over, err := f.plan.loop.over.eval(f.r)
	if err != nil {
		return nil, err
	}
	if over.kind != sequenceValue || len(over.seq) > maxFaces || !distinct(over.seq) {
		return nil, errNotByFaces // the loop says what is wrong with it
	}
	for _, face := range over.seq {
		if states, err = f.pass(states, face); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// maxFaces bounds the passes of a loop that is run face by face.
const maxFaces = 1 << 16

func distinct(seq []int) bool {
	seen := make(map[int]bool, len(seq))
	for _, x := range seq {
		if seen[x] {
			return false
		}
		seen[x] = true
	}
	return true
}

// variables are the values of what the passes assign to.
func (f *faceWalk) variables() []value {
	vars := make([]value, len(f.plan.vars))
	for i, slot := range f.plan.vars {
		vars[i] = f.r.slots[slot].v
	}
	return vars
}

func (f *faceWalk) restore(s faceState) {
	for i, slot := range f.plan.vars {
		f.r.assign(slot, s.vars[i])
	}
}

// add notes a result when so many dice are not told of, which may show any of
// the faces that are left.
func (f *faceWalk) add(v value, w dist.Weight, left int) error {
	ways, err := f.restPower(left)
	if err != nil {
		return err
	}
	if w = w.Times(ways); w.IsZero() {
		return nil
	}
	f.results = append(f.results, weighedResult{v, w})
	return nil
}

// rest is the weight of the faces that are not told of yet.
func (f *faceWalk) rest() dist.Weight {
	var sum dist.Weight
	for _, face := range f.roll.faces {
		if w, ok := f.weights[face]; ok {
			sum = sum.Plus(w)
		}
	}
	return sum
}

func (f *faceWalk) restPower(n int) (dist.Weight, error) { return powerOf(f.rest(), n) }

func powerOf(w dist.Weight, n int) (dist.Weight, error) {
	p := w.Int()
	return dist.NewWeight(p.Exp(p, big.NewInt(int64(n)), nil))
}

// pass makes one pass of the loop for every state, and every number of dice
// that show the face.
func (f *faceWalk) pass(states []faceState, face int) ([]faceState, error) {
	weight, shown := f.weights[face]
	delete(f.weights, face)
	last := f.rest().IsZero()
	powers, err := []dist.Weight{f.unit}, error(nil)
	f.roll.known = nil
	if shown {
		if powers, err = f.r.powersOf(weight, f.roll.pool.count); err != nil {
			return nil, err
		}
		if err := f.roll.tell(face); err != nil {
			return nil, err
		}
	}
	next := newFaceStates(f)
	for _, s := range states {
		from, to := 0, 0
		if shown {
			to = s.left
		}
		if last {
			from = s.left
		}
		choose, err := f.choose.row(s.left)
		if err != nil {
			return nil, err
		}
		for c := from; c <= to; c++ {
			f.restore(s)
			f.roll.values[0], f.roll.values[1] = c, f.roll.pool.count-c
			w := s.weight.Times(choose[c]).Times(powers[c])
			ended, err := f.onePass(face)
			if err != nil {
				return nil, err
			}
			if ended {
				err = f.add(f.r.takeResult(), w, s.left-c)
			} else {
				err = next.add(s.left-c, w)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return next.list, nil
}

// passThrough makes as many passes of the loop as dice show the face, for every
// state and every such number.
func (f *faceWalk) passThrough(states []faceState, face int) ([]faceState, error) {
	powers, err := f.r.powersOf(f.weights[face], f.roll.pool.count)
	if err != nil {
		return nil, err
	}
	delete(f.weights, face)
	last := f.rest().IsZero()
	next := newFaceStates(f)
	for _, s := range states {
		f.restore(s)
		ended := false
		var v value
		choose, err := f.choose.row(s.left)
		if err != nil {
			return nil, err
		}
		for c := 0; c <= s.left; c++ {
			var err error
			if c > 0 && !ended {
				if ended, err = f.onePass(face); err != nil {
					return nil, err
				}
				if ended {
					v = f.r.takeResult()
				}
			}
			w := s.weight.Times(choose[c]).Times(powers[c])
			switch {
			case ended:
				err = f.add(v, w, s.left-c)
			case !last || c == s.left:
				err = next.add(s.left-c, w)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return next.list, nil
}

// onePass runs the body of the loop.
func (f *faceWalk) onePass(face int) (ended bool, err error) {
	if err := f.r.step(); err != nil {
		return false, err
	}
	f.r.assign(f.plan.loop.slot, number(face))
	return f.r.execAll(f.plan.loop.body)
}

// faceStates puts states together that are alike.
type faceStates struct {
	walk  *faceWalk
	index map[string]int
	list  []faceState
}

func newFaceStates(f *faceWalk) *faceStates { return &faceStates{walk: f, index: map[string]int{}} }

// add adds the state that the variables are in.
func (t *faceStates) add(left int, w dist.Weight) error {
	s := faceState{vars: t.walk.variables(), left: left, weight: w}
	key, ok := t.walk.keyOf(s)
	if !ok || len(t.list) >= t.walk.most {
		return errNotByFaces
	}
	if i, ok := t.index[string(key)]; ok {
		t.list[i].weight = t.list[i].weight.Plus(w)
		return nil
	}
	t.index[string(key)] = len(t.list)
	t.list = append(t.list, s)
	return nil
}

func (f *faceWalk) keyOf(s faceState) ([]byte, bool) {
	key, ok := f.r.appendKey(f.r.memory.key[:0], number(s.left))
	for _, v := range s.vars {
		if ok {
			key, ok = f.r.appendKey(key, v)
		}
	}
	f.r.memory.key = key
	return key, ok
}

// tell makes the roll know how many dice show a face, and how many do not.
func (l *roll) tell(face int) error {
	shown, err := l.linearStatistic(func(x int) int { return one(x == face) })
	if err != nil {
		return err
	}
	others, err := l.linearStatistic(func(x int) int { return one(x != face) })
	l.known = []statistic{shown, others}
	return err
}
