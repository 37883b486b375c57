package builtins

import (
	"fmt"

	"dicescript/builtins/small"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A callback of rolls sees one result of each, every combination once. What it
// sees comes from sources: the outcomes of a roll, or the labels of Outcomes.

// A source is what one argument of a callback goes through: the outcomes of a
// roll, or the labels of Outcomes by their positions.
type source struct {
	dist   *dist.Dist
	labels []starlark.Value // nil for a roll
}

// sourceOf returns v as a source; ok is false when it is none.
func (c call) sourceOf(v starlark.Value) (s source, ok bool, err error) {
	if o, isOutcomes := v.(*value.Outcomes); isOutcomes {
		s.labels = o.Set().Labels()
		s.dist, err = o.Over().Values(c.ctx(), func(at int) (int, error) { return at, nil })
		return s, true, err
	}
	s.dist, ok, err = value.AsRoll(c.thread, v)
	return s, ok, err
}

// newRollCallback returns argument i of c as a function of the results of n
// rolls.
func newRollCallback(c call, i, n int) (*callback, error) {
	meaning := "a result of the roll"
	if n > 1 {
		meaning = fmt.Sprintf("a result of each of the %d rolls", n)
	}
	return newCallback(c, i, n, meaning)
}

// eachFaces calls cb for every combination of outcomes and passes each answer
// on with its weight, equal ones that follow on each other together.
func eachFaces(c call, cb *callback, sources []source, visit func(reply, dist.Weight) error) error {
	calls := int64(1)
	dice := make([]*dist.Dist, len(sources))
	for i, s := range sources {
		dice[i] = s.dist
		calls = product(calls, int64(s.dist.Len()))
	}
	if err := cb.pay(calls); err != nil {
		return err
	}
	if sources[len(sources)-1].labels == nil && cb.computed != nil {
		return dist.Rows(c.ctx(), dice, func(faces []int, w dist.Weight, last dist.Row) error {
			cb.setFrom(sources, faces)
			return cb.row(w, last, visit)
		})
	}
	return dist.Tuples(c.ctx(), dice, func(faces []int, w dist.Weight) error {
		cb.setFrom(sources, faces)
		v, err := cb.ask()
		if err != nil {
			return err
		}
		return visit(v, w)
	})
}

// setFrom sets the first arguments of the next call.
func (cb *callback) setFrom(sources []source, faces []int) {
	for i, x := range faces {
		if sources[i].labels == nil {
			cb.setInt(i, x)
		} else {
			cb.set(i, sources[i].labels[x])
		}
	}
}

// row calls cb for one face of the last roll after the other.
func (cb *callback) row(w dist.Weight, last dist.Row, visit func(reply, dist.Weight) error) error {
	for at := 0; at < last.Len(); {
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
func (cb *callback) computedRow(w dist.Weight, last dist.Row, at int, visit func(reply, dist.Weight) error) (int, error) {
	if cb.room == nil {
		cb.room = make([]small.Value, min(last.Len(), rowRoom))
	}
	room := cb.room
	n, nodes, ok := cb.computed.Row(cb.small, last.Faces[at:], room)
	made := n
	if !ok {
		made++
	}
	if err := cb.meter.Computed(int64(made), nodes); err != nil {
		return 0, err
	}
	face := len(cb.small) - 1
	for from := 0; from < n; {
		v, to := room[from], from+1
		for to < n && room[to] == v {
			to++
		}
		cb.filled = false
		cb.small[face] = small.MakeInt(int64(last.Faces[at+from]))
		if err := visit(reply{small: v}, w.Times(last.Weight(at+from, at+to))); err != nil {
			return 0, err
		}
		from = to
	}
	if n > 0 {
		cb.misses = 0
	}
	if ok {
		return n, nil
	}
	cb.small[face] = small.MakeInt(int64(last.Faces[at+n]))
	r, err := cb.leave()
	if err != nil {
		return 0, err
	}
	return made, visit(r, w.Times(last.Weight(at+n, at+made)))
}

// rowRoom is how many calls of a row are made before their answers are taken.
const rowRoom = 128
