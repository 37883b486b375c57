package eval

import (
	"errors"
	"fmt"
	"strings"

	"dicescript/builtins/slot"
	"dicescript/builtins/suggest"

	"go.starlark.net/starlark"
)

// Arguments become parameters before the frame of the call is pushed: what does not fit is
// a mistake of the caller, at its place.

var errNoRun = errors.New("a function of a recipe can only be called in a run")

// A Misfit is the error of arguments that a function has no parameters for.
type Misfit string

func (e Misfit) Error() string { return string(e) }

func misfit(format string, args ...any) error { return Misfit(fmt.Sprintf(format, args...)) }

// A namedArg is an argument by name.
type namedArg struct {
	name  string
	value slot.Value
}

// Call calls a function with arguments of Starlark.
func (m *Machine) Call(f *Function, args starlark.Tuple, kwargs []starlark.Tuple) slot.Value {
	if m.fuel -= callNodes; m.fuel < 0 {
		if m.err = m.refuel(); m.err != nil {
			return failed
		}
	}
	var room [8]slot.Value
	values := room[:0]
	for _, v := range args {
		values = append(values, slot.Of(v))
	}
	var named []namedArg
	for _, kw := range kwargs {
		name, _ := starlark.AsString(kw[0])
		named = append(named, namedArg{name, slot.Of(kw[1])})
	}
	return m.call(f, values, named)
}

// call calls a function with arguments.
func (m *Machine) call(f *Function, args []slot.Value, named []namedArg) slot.Value {
	fr := m.enter(f)
	if err := fr.bind(args, named); err != nil {
		m.leave(fr)
		m.err = err
		return failed
	}
	return m.run(fr)
}

// bind sets the parameters of a frame.
func (fr *frame) bind(args []slot.Value, named []namedArg) error {
	d := fr.fn.def
	positional := d.ordinary - d.keywords
	if len(args) == positional && positional == len(d.params) && len(named) == 0 {
		copy(fr.slots, args)
		return nil
	}
	n := min(len(args), positional)
	if len(args) > n && !d.varargs {
		return fr.tooMany(len(args), len(named))
	}
	copy(fr.slots, args[:n])
	for i := n; i < d.ordinary; i++ {
		fr.slots[i] = unsetValue
	}
	next := d.ordinary
	if d.varargs {
		rest, err := fr.rest(args[n:])
		if err != nil {
			return err
		}
		fr.slots[next] = slot.Value{V: rest}
		next++
	}
	var others *starlark.Dict
	if d.kwargs {
		others = new(starlark.Dict)
		if err := fr.m.meter.Made(others); err != nil {
			return err
		}
		fr.slots[next] = slot.Value{V: others}
	}
	for _, a := range named {
		if err := fr.bindNamed(a, others, len(args)); err != nil {
			return err
		}
	}
	return fr.bindDefaults(n)
}

// rest is the tuple of the arguments that *args gets.
func (fr *frame) rest(args []slot.Value) (starlark.Tuple, error) {
	if err := fr.m.meter.Tuple(int64(len(args))); err != nil {
		return nil, err
	}
	rest := make(starlark.Tuple, len(args))
	for i, v := range args {
		rest[i] = v.Starlark()
	}
	return rest, nil
}

// bindNamed sets a parameter that is given by name.
func (fr *frame) bindNamed(a namedArg, others *starlark.Dict, positional int) error {
	d := fr.fn.def
	for i, name := range d.params[:d.ordinary] {
		if name != a.name {
			continue
		}
		if _, free := fr.slots[i].V.(unset); !free {
			return misfit("%s: got multiple values for parameter %s", d.name, a.name)
		}
		fr.slots[i] = a.value
		return nil
	}
	if len(d.params) == 0 {
		return fr.tooMany(positional, 1)
	}
	if others == nil {
		return misfit("%s: there is no argument %s%s", d.name, a.name, suggest.DidYouMean(suggest.Among(a.name, d.params[:d.ordinary])))
	}
	key := starlark.String(a.name)
	if _, twice, _ := others.Get(key); twice {
		return misfit("%s: got multiple values for parameter %s", d.name, a.name)
	}
	return fr.m.meter.SetKey(others, key, a.value.Starlark())
}

// bindDefaults gives the parameters from the nth on that have no value their defaults.
func (fr *frame) bindDefaults(n int) error {
	d := fr.fn.def
	first := d.ordinary - len(fr.fn.defaults)
	var missing []string
	for i := n; i < d.ordinary; i++ {
		if _, free := fr.slots[i].V.(unset); !free {
			continue
		}
		if i < first || fr.fn.defaults[i-first] == nil {
			missing = append(missing, d.params[i])
			continue
		}
		fr.slots[i] = slot.Of(fr.fn.defaults[i-first])
	}
	if missing == nil {
		return nil
	}
	return misfit("%s: missing %d argument%s (%s)", d.name, len(missing), plural(len(missing)), strings.Join(missing, ", "))
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// tooMany is the error of more arguments than there are parameters.
func (fr *frame) tooMany(positional, named int) error {
	d := fr.fn.def
	if len(d.params) == 0 {
		return misfit("%s: got %d arguments, want none", d.name, positional+named)
	}
	most := ""
	if len(fr.fn.defaults) > d.keywords {
		most = "at most "
	}
	return misfit("%s: got %d arguments, want %s%d", d.name, positional, most, d.ordinary-d.keywords)
}
