// What a session holds from one input to the next: it is counted, it has a limit, and
// what nothing reaches any more is let go.

package lang

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/builtins/slot"
	"dicescript/lang/eval"

	"go.starlark.net/starlark"
)

// Counting goes over all that a session holds. So it is done only once so much may
// have been added that it matters: what a run is charged for is at least what it can
// have left behind.

// holdings is the account of what a session holds, in bytes.
type holdings struct {
	counted int64 // when it was counted last
	added   int64 // at most, since then
}

// Sizes of what a session keeps of the text of a function or a module, for errors,
// documentation and to run it.
const (
	unitBytes   = 3 << 10
	sourceBytes = 48 // for each byte of the text
)

// leastCounted is how much may have been added before it is counted.
const leastCounted = 1 << 20

// stepBytes is what a recipe can keep of one step that nothing else is charged for, as
// in making a list longer.
const stepBytes = 8

func codeBytes(u *unit) int64 { return unitBytes + sourceBytes*int64(len(u.lines.Text)) }

// Size is about how many bytes the session holds: what its names mean, the functions
// with their text, and the modules that it has loaded. What nothing reaches any more is
// let go before. It takes a look at everything that the session holds, some 30 ns for
// each element of a list. While another goroutine uses the session it is 0.
func (s *Session) Size() int64 {
	if s.enter() != nil {
		return 0
	}
	defer s.leave()
	s.count()
	return s.held.counted
}

// A meaning is what a name means in a session.
type meaning struct {
	value starlark.Value // nil when it means nothing
	own   bool           // the host has not given it
}

// meanings are those of some names as they are.
func (s *Session) meanings(names map[string]bool) map[string]meaning {
	now := map[string]meaning{}
	for name := range names {
		now[name] = meaning{s.globals[name], s.own[name]}
	}
	return now
}

// mean gives a name back what it meant.
func (s *Session) mean(name string, m meaning) {
	delete(s.globals, name)
	delete(s.own, name)
	if m.value != nil {
		s.globals[name] = m.value
	}
	if m.own {
		s.own[name] = true
	}
	if at := s.places[name]; at != nil || m.own {
		at = s.global(name)
		*at = eval.Unset()
		if m.value != nil {
			*at = slot.Of(m.value)
		}
	}
}

// hold keeps what an input has left behind, given what the names that it binds meant
// before. When that is too much, it is undone.
func (s *Session) hold(u *unit, before map[string]meaning) error {
	for name := range before {
		if s.globals[name] != nil {
			s.own[name] = true
		}
	}
	used := s.run.meter.Used()
	s.held.added += used.Bytes + 8*used.Cells + stepBytes*used.Steps
	if s.run.units[u.file] == u {
		s.held.added += codeBytes(u)
	}
	for _, m := range u.loads {
		s.held.added += codeBytes(m)
	}
	return s.fit(u.file, before)
}

// fit counts what the session holds, if it may be much, and refuses what was added
// when it is too much.
func (s *Session) fit(file string, before map[string]meaning) error {
	limit := s.run.limits.SessionBytes
	if !exceeds(s.held.counted+s.held.added, limit) && s.held.added <= max(s.held.counted, leastCounted) {
		return nil
	}
	if s.count(); !exceeds(s.held.counted, limit) {
		return nil
	}
	err := meter.Check(meter.Session, s.held.counted, limit)
	message := "this is too much to keep: it " + err.Error() + "; what was defined here is not kept"
	if forgotten := s.undo(before, limit); len(forgotten) > 0 {
		message += ", nor what was added to before: " + strings.Join(forgotten, ", ")
	}
	return &Error{Kind: KindLimit, Message: message, Position: Position{File: file}, cause: err}
}

// undo gives names the meaning back that they had. What an input has put into lists
// and dicts of earlier ones can't be undone: then the names that hold most are
// forgotten, and undo returns them.
func (s *Session) undo(before map[string]meaning, limit int64) (forgotten []string) {
	for name, m := range before {
		s.mean(name, m)
	}
	shares := s.count()
	// Where many names hold the same, it goes from one to the next. After some rounds
	// more and more are forgotten at once, so that there are not as many rounds as names.
	const rounds = 8
	for least := 1; exceeds(s.held.counted, limit) && len(shares) > 0; least++ {
		if least > rounds {
			least *= 2
		}
		free := int64(0)
		for i, share := range shares {
			if (least <= rounds || i >= least) && !exceeds(s.held.counted-free, limit) {
				break
			}
			free += share.bytes
			forgotten = append(forgotten, share.name)
			s.mean(share.name, meaning{value: s.host.globals[share.name]})
		}
		shares = s.count()
	}
	if exceeds(s.held.counted, limit) { // by the modules
		clear(s.run.modules)
		s.loads = nil
		s.count()
	}
	return forgotten
}

// A share is what one name holds of a session.
type share struct {
	name  string
	bytes int64
}

// count counts what the session holds, lets go of the texts that nothing needs any
// more, and returns what each name holds, the largest first. What several hold is the
// first one's.
func (s *Session) count() []share {
	needed := map[*unit]bool{}
	held := &meter.Held{}
	held.Code = func(fn meter.Function) int64 {
		u := s.run.units[fn.Defined().Filename()]
		if u == nil || needed[u] {
			return 0
		}
		needed[u] = true
		return codeBytes(u)
	}
	var shares []share
	for _, name := range slices.Sorted(maps.Keys(s.own)) {
		shares = append(shares, share{name, held.Add(s.globals[name])})
	}
	rest := int64(0)
	for u, globals := range s.run.modules {
		for _, v := range globals {
			held.Add(v)
		}
		if !needed[u] {
			needed[u] = true
			rest += codeBytes(u)
		}
	}
	for file, u := range s.run.units {
		if !needed[u] {
			delete(s.run.units, file)
		}
	}
	for _, text := range s.loads {
		rest += int64(len(text))
	}
	s.held = holdings{counted: held.Total() + rest}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.bytes, a.bytes) })
	return shares
}
