package callback

import (
	"errors"

	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// What a callback sees of sorted faces is found by calling it with lists that tell what is
// looked at (value.Faces, dist.Project). Only one multiset of those that it can't tell apart is
// then shown to it.

// errEvery says that every multiset has to be shown.
var errEvery = errors.New("callback: every multiset has to be shown")

// eachSorted visits multisets, those together that the callback can't tell apart; it
// returns errEvery, and has visited none, where that is not worth while.
func (cb *Func) eachSorted(sets []*dist.Multiset, visit func([][]int, dist.Weight) error) error {
	if cb.computed == nil || !cb.computed.IsPure() {
		return errEvery
	}
	var t *teller
	classes, ok, err := dist.Project(cb.context(), sets, func(faces [][]int, seen *dist.Seen) error {
		if t == nil {
			t = cb.teller(sets)
		}
		return t.tell(faces, seen)
	})
	switch {
	case err != nil:
		return err
	case !ok:
		return errEvery
	}
	if err := cb.pay(classes.Len()); err != nil {
		return err
	}
	return classes.Each(cb.context(), visit)
}

// A teller calls a callback beside the run, which nothing outlives that fails in such a call.
type teller struct {
	cb       *Func
	thread   *starlark.Thread
	computed slot.Forked // nil where there is none
	args     []slot.Value
	known    [][]int // what the faces of each multiset can be
}

func (cb *Func) teller(sets []*dist.Multiset) *teller {
	t := &teller{cb: cb, thread: &starlark.Thread{Name: cb.thread.Name}, args: make([]slot.Value, len(sets))}
	t.computed = cb.computed.Fork(t.thread)
	runenv.Of(cb.thread).ID() // which is given when it is first asked for
	for _, m := range sets {
		t.known = append(t.known, m.Faces())
	}
	return t
}

// toldShare is which part of what the run has left a call may spend that tells what it
// looks at.
const toldShare = 64

// tell calls the function with lists that tell seen what it looks at. Where the call fails,
// everything counts as seen: what it has failed at may be the list itself.
func (t *teller) tell(faces [][]int, seen *dist.Seen) error {
	if t.computed == nil {
		seen.All()
		return nil
	}
	if err := t.cb.pay(1); err != nil {
		return err
	}
	for i, list := range faces {
		t.args[i] = slot.Of(value.NewFaces(seen, i, list, t.known[i]))
	}
	spent := begin(runenv.Of(t.cb.thread), t.thread, t.computed, toldShare)
	if !t.call() {
		seen.All()
		return t.cb.context().Err()
	}
	spent.end(t.computed)
	ok, err := spent.settle(t.cb)
	if !ok {
		seen.All()
	}
	return err
}

// call reports whether the call has come to a value.
func (t *teller) call() (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	v, err := t.computed.Call(t.args)
	if err != nil {
		return false
	}
	value.Untraced(v.Starlark())
	return true
}
