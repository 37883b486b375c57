package eval

import (
	"errors"
	"fmt"

	"dicescript/builtins/runenv"
	"dicescript/builtins/slot"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A player runs a call that can be paused: the functions of the recipe that it calls stand
// in frames of its own, so that the whole of it can be put aside, copied, compared with
// another, and gone on with. It pauses where a word of the play is called, such as throw;
// the answer becomes the value of that call.
//
// The frames are pushed onto the thread of the run whenever the player runs, so that
// errors, builtins and backtraces see what they always see.

// A Player plays one function. It belongs to one run.
type Player struct {
	m      *Machine
	isWord func(starlark.Value) bool

	frames  []*frame // of the call, outermost first
	callee  *frame   // of a call that is being made
	tail    bool     // whether what calls it is left before
	request request
	value   slot.Value // that the last call has returned
	paused  bool

	last    place
	explain func(error) error
	failure error // of the word that the player waits for

	outside outside
	names   names
	key     keyWriter
	copies  branching
}

// A request is a word of the play with what it was called with.
type request struct {
	word   starlark.Value
	args   []slot.Value
	kwargs []namedArg
}

// Play returns a player of the machine of a thread. isWord says which builtins pause.
func Play(thread *starlark.Thread, isWord func(starlark.Value) bool) (*Player, error) {
	m := machineOf(thread)
	if m == nil {
		return nil, errNoRun
	}
	return &Player{m: m, isWord: isWord}, nil
}

// Begin makes the player play a function from its beginning. What it is given is copied,
// so that it may change it.
func (p *Player) Begin(callable starlark.Callable, args []starlark.Value) error {
	p.close()
	fn, ok := callable.(*Function)
	if !ok {
		return fmt.Errorf("got %s, want a function of the recipe", callable.Name())
	}
	c := p.branch() // of arguments, also of such as the function could reach otherwise
	values := make([]slot.Value, len(args))
	for i, v := range args {
		values[i] = c.slot(slot.Of(v))
	}
	if err := p.outside.take(p, fn); err != nil {
		return err
	}
	steps, err := fn.def.steps()
	if err != nil {
		return err
	}
	fr := p.m.enterCode(fn, steps)
	if err := fr.bind(values, nil); err != nil {
		p.m.leave(fr)
		return err
	}
	fr.begin()
	p.frames = append(p.frames[:0], fr)
	return nil
}

// Close lets go of what the player keeps from being changed.
func (p *Player) Close() {
	p.close()
	p.outside.release()
}

// close gives back the frames of the call.
func (p *Player) close() {
	for i := len(p.frames) - 1; i >= 0; i-- {
		p.drop(p.frames[i])
	}
	p.frames = p.frames[:0]
}

func (p *Player) drop(fr *frame) {
	fr.release(0)
	p.m.leave(fr)
}

// Run goes on until the call returns or a word is called; paused tells which.
func (p *Player) Run() (paused bool, err error) {
	outer := p.m.player
	p.m.player = p
	defer func() { p.m.player = outer }()
	p.paused = false
	err = p.call(0)
	return p.paused, err
}

// Word is the word that the player waits for, and how many arguments it was given.
func (p *Player) Word() (word starlark.Value, args int) {
	return p.request.word, len(p.request.args) + len(p.request.kwargs)
}

// Argument returns an argument of the word by its place or name, nil when it was not
// given.
func (p *Player) Argument(i int, name string) starlark.Value {
	if i < len(p.request.args) {
		return p.request.args[i].Starlark()
	}
	for _, a := range p.request.kwargs {
		if a.name == name {
			return a.value.Starlark()
		}
	}
	return nil
}

// Fail is an error of the word that the player waits for, where it was called.
func (p *Player) Fail(err error) error {
	p.failure = err
	return p.call(0)
}

// Explain makes errors of the function say more.
func (p *Player) Explain(explain func(error) error) { p.explain = explain }

// Line is the line at which the call waits or has ended last.
func (p *Player) Line() int { return int(p.last.line) }

// Variables are those that are read after the word that the player waits for, of the
// outermost call first.
func (p *Player) Variables() []runenv.Variable {
	var list []runenv.Variable
	for _, fr := range p.frames {
		locals := fr.fn.def.resolved.Locals
		for _, i := range fr.code.alive[fr.pc] {
			v := fr.slots[i]
			if c, ok := v.V.(*cell); ok {
				v = c.value
			}
			if _, none := v.V.(unset); none || int(i) >= len(locals) || int(i) == fr.into {
				continue
			}
			list = append(list, runenv.Variable{Name: locals[i].First.Name, Value: v.Starlark()})
		}
	}
	return list
}

// Depth is how many calls are open.
func (p *Player) Depth() int { return len(p.frames) }

// Value is what the call has returned.
func (p *Player) Value() starlark.Value { return p.value.Starlark() }

// Answer gives the value of the word that the player waits for.
func (p *Player) Answer(v starlark.Value) {
	fr := p.frames[len(p.frames)-1]
	fr.slots[fr.into] = slot.Of(v)
}

// A level is a frame of a player as the thread sees it.
type level struct {
	*Player
	i int
}

func (l level) frame() *frame             { return l.frames[min(l.i, len(l.frames)-1)] }
func (l level) Name() string              { return l.frame().Name() }
func (l level) Position() syntax.Position { return l.frame().Position() }
func (l level) Function() *Function       { return l.frame().fn }
func (l level) String() string            { return l.frame().String() }
func (l level) Type() string              { return "function" }
func (l level) Freeze()                   {}
func (l level) Truth() starlark.Bool      { return true }
func (l level) Hash() (uint32, error)     { return l.frame().Hash() }

// CallInternal goes on with the call of a level.
func (l level) CallInternal(*starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	if err := l.run(l.i); err != nil {
		return nil, err
	}
	return starlark.None, nil
}

// call goes on with the call at level i, which has not returned.
func (p *Player) call(i int) error {
	m := p.m
	levels := p.frames[i].code.levels
	if err := m.descend(levels); err != nil {
		return err
	}
	_, err := starlark.Call(m.thread, level{p, i}, nil, nil)
	m.stack -= levels
	return err
}

// run goes on with the call at level i; when it returns its frame is gone and its value is
// in p.value.
func (p *Player) run(i int) error {
	waits := i+1 < len(p.frames)
	for {
		fr := p.frames[i]
		if waits {
			if err := p.call(i + 1); err != nil || p.paused {
				return err
			}
			fr.slots[fr.into] = p.value
			waits = false
		}
		if p.failure != nil {
			err := p.failure
			p.failure = nil
			if p.explain != nil {
				err = p.explain(err)
			}
			return err
		}
		pc := fr.pc
		for body := fr.code.body; pc >= 0; {
			pc = body[pc](fr)
		}
		p.last = fr.at
		switch pc {
		case returned:
			p.value = fr.result
			p.frames = p.frames[:i]
			p.drop(fr)
			return nil
		case calling:
			if p.tail {
				p.drop(fr)
				p.frames[i] = p.callee
				continue
			}
			p.frames = append(p.frames, p.callee)
			waits = true
		case paused:
			p.paused = true
			return nil
		default:
			err := p.m.err
			p.m.err = nil
			if err == nil {
				err = errors.New("internal error: a play has stopped without a reason")
			}
			if p.explain != nil {
				err = p.explain(err)
			}
			return err
		}
	}
}

// pausing emits a call that may pause, whose value is given to a variable; without one it
// is what the function returns.
func (c *compiler) pausing(x *syntax.CallExpr, to *syntax.Ident) {
	var arguments func(fr *frame) (slot.Value, []slot.Value, []namedArg, bool)
	cost := c.costed(func() { arguments = c.arguments(x) })
	into, tail := 0, to == nil
	if tail {
		into = c.slot()
		c.writes(into)
	} else {
		into = c.plainLocal(to)
	}
	at := placeOf(x.Lparen)
	c.emit(func(next int) stmt {
		return func(fr *frame) int {
			if !fr.spend(cost + callNodes) {
				return aborted
			}
			f, values, named, ok := arguments(fr)
			if !ok {
				return aborted
			}
			fr.at = at
			fr.pc, fr.into = next, into
			p := fr.m.player
			if own, ok := f.V.(*Function); ok {
				steps, err := own.def.steps()
				if err != nil {
					fr.m.err = err
					return aborted
				}
				callee := fr.m.enterCode(own, steps)
				if err := callee.bind(values, named); err != nil {
					fr.m.leave(callee)
					fr.m.err = err
					return aborted
				}
				callee.begin()
				p.callee, p.tail = callee, tail
				return calling
			}
			if f.V != nil && p.isWord(f.V) {
				p.request = request{f.V, values, named}
				return paused
			}
			v := fr.call(at, f, values, named)
			if v.V != nil && isFailed(v) {
				return aborted
			}
			fr.slots[into] = v
			return next
		}
	})
	if !tail {
		return
	}
	c.reads(into)
	c.emit(func(int) stmt {
		return func(fr *frame) int {
			fr.result = fr.slots[into]
			return returned
		}
	})
}
