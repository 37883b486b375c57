package callback

import (
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/small"
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
func (cb *Func) eachFaces(sources []Source, visit func(reply, dist.Weight) error) error {
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
func (cb *Func) eachRow(sources []Source, dice []*dist.Dist, calls int64, visit func(reply, dist.Weight) error) error {
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
func (cb *Func) row(w dist.Weight, last dist.Row, visit func(reply, dist.Weight) error) error {
	return cb.rowFrom(0, w, last, visit)
}

// rowFrom calls cb for the faces of the last roll from a place on.
func (cb *Func) rowFrom(at int, w dist.Weight, last dist.Row, visit func(reply, dist.Weight) error) error {
	for at < last.Len() {
		if cb.computed == nil {
			cb.setInt(len(cb.args)-1, last.Faces[at])
			r, err := cb.ask()
			if err == nil {
				err = visit(r, w.Times(last.Weight(at, at+1)))
			}
			if err != nil {
				return err
			}
			at++
			continue
		}
		n, err := cb.computedRow(w, last, at, visit)
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// computedRow makes some of the calls of a row, from a place on, and returns how
// many.
func (cb *Func) computedRow(w dist.Weight, last dist.Row, at int, visit func(reply, dist.Weight) error) (int, error) {
	if cb.room == nil {
		cb.room = make([]small.Value, min(last.Len(), rowRoom))
	}
	room := cb.room
	n, nodes, ok := cb.computed.Row(cb.small, last.Faces[at:], room)
	if ok {
		return n, cb.takeRow(w, last, at, room[:n], nodes, visit)
	}
	if err := cb.meter.Computed(1, nodes); err != nil {
		return 0, err
	}
	if err := cb.takeRow(w, last, at, room[:n], 0, visit); err != nil {
		return 0, err
	}
	cb.small[len(cb.small)-1].Set(small.MakeInt(int64(last.Faces[at+n])))
	r, err := cb.leave()
	if err != nil {
		return 0, err
	}
	return n + 1, visit(r, w.Times(last.Weight(at+n, at+n+1)))
}

// takeRow pays for calls of a row from a place on, which took so many nodes, and
// passes their answers on.
func (cb *Func) takeRow(w dist.Weight, last dist.Row, at int, answers []small.Value, nodes int64, visit func(reply, dist.Weight) error) error {
	if err := cb.meter.Computed(int64(len(answers)), nodes); err != nil {
		return err
	}
	face := len(cb.small) - 1
	for from := 0; from < len(answers); {
		v, to := answers[from], from+1
		for to < len(answers) && answers[to] == v {
			to++
		}
		cb.filled = false
		cb.small[face].Set(small.MakeInt(int64(last.Faces[at+from])))
		if err := visit(reply{small: v}, w.Times(last.Weight(at+from, at+to))); err != nil {
			return err
		}
		from = to
	}
	if len(answers) > 0 {
		cb.misses = 0
	}
	return nil
}

// rowRoom is how many calls of a row are made before their answers are taken.
const rowRoom = 128
