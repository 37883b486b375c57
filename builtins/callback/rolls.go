package callback

import (
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// A callback of rolls sees one result of each, every combination once. What it
// sees comes from sources: the outcomes of a roll, or the labels of Outcomes.

// A Source is what one argument of a callback goes through: the outcomes of a
// roll, or the labels of Outcomes by their positions.
type Source struct {
	dist   *dist.Dist
	labels []starlark.Value // nil for a roll
}

// SourceOf returns v as a source; ok is false when it is none.
func SourceOf(c define.Call, v starlark.Value) (s Source, ok bool, err error) {
	if o, isOutcomes := v.(*value.Outcomes); isOutcomes {
		s.labels = o.Set().Labels()
		s.dist, err = o.Over().Values(c.Context(), func(at int) (int, error) { return at, nil })
		return s, true, err
	}
	s.dist, ok, err = value.AsRoll(c.Thread, v)
	return s, ok, err
}

// OfRolls returns argument i of c as a function of the results of n
// rolls.
func OfRolls(c define.Call, i, n int) (*Func, error) {
	meaning := "a result of the roll"
	if n > 1 {
		meaning = fmt.Sprintf("a result of each of the %d rolls", n)
	}
	return New(c, i, n, meaning)
}

// eachFaces calls the function for every combination of outcomes and passes each answer
// on with its weight, equal ones that follow on each other together.
func (cb *Func) eachFaces(sources []Source, visit func(slot.Value, dist.Weight) error) error {
	calls := int64(1)
	dice := make([]*dist.Dist, len(sources))
	for i, s := range sources {
		dice[i] = s.dist
		calls = upper.MulSat(calls, int64(s.dist.Len()))
	}
	if err := cb.pay(calls); err != nil {
		return err
	}
	if sources[len(sources)-1].labels == nil && cb.computed != nil {
		return cb.eachRow(sources, dice, calls, visit)
	}
	return dist.Tuples(cb.context(), dice, func(faces []int, w dist.Weight) error {
		cb.setFrom(sources, faces)
		v, err := cb.ask()
		if err != nil {
			return err
		}
		return visit(v, w)
	})
}

// eachRow is eachFaces with all faces of the last roll together.
func (cb *Func) eachRow(sources []Source, dice []*dist.Dist, calls int64, visit func(slot.Value, dist.Weight) error) error {
	crew := cb.crew(calls, visit)
	err := dist.Rows(cb.context(), dice, func(faces []int, w dist.Weight, last dist.Row) error {
		cb.setFrom(sources, faces)
		if crew != nil {
			return crew.row(w, last)
		}
		return cb.row(w, last, visit)
	})
	if crew != nil && err == nil {
		err = crew.finish()
	}
	return err
}

// setFrom sets the first arguments of the next call.
func (cb *Func) setFrom(sources []Source, faces []int) {
	for i, x := range faces {
		if sources[i].labels == nil {
			cb.setInt(i, x)
		} else {
			cb.set(i, sources[i].labels[x])
		}
	}
}

// row calls cb for one face of the last roll after the other.
func (cb *Func) row(w dist.Weight, last dist.Row, visit func(slot.Value, dist.Weight) error) error {
	return cb.rowFrom(0, w, last, visit)
}

// rowFrom calls cb for the faces of the last roll from a place on.
func (cb *Func) rowFrom(at int, w dist.Weight, last dist.Row, visit func(slot.Value, dist.Weight) error) error {
	if cb.room == nil {
		cb.room = make([]slot.Value, min(last.Len(), rowRoom))
	}
	for at < last.Len() {
		n, err := cb.rowOf(last.Faces[at:], cb.room)
		if taken := cb.takeRow(w, last, at, cb.room[:n], visit); taken != nil {
			return taken
		}
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// takeRow passes on the answers of calls of a row from a place on, equal ones together.
func (cb *Func) takeRow(w dist.Weight, last dist.Row, at int, answers []slot.Value, visit func(slot.Value, dist.Weight) error) error {
	face := len(cb.args) - 1
	for from := 0; from < len(answers); {
		v, to := answers[from], from+1
		for to < len(answers) && isSame(answers[to], v) {
			to++
		}
		cb.setInt(face, last.Faces[at+from])
		if err := visit(v, w.Times(last.Weight(at+from, at+to))); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// isSame reports whether two answers are one and the same, at a glance.
func isSame(a, b slot.Value) bool {
	switch x := a.V.(type) {
	case nil:
		return b.V == nil && a.N == b.N
	case starlark.Bool, starlark.String:
		return b.V == x
	}
	return false
}

// rowRoom is how many calls of a row are made before their answers are taken.
const rowRoom = 128
