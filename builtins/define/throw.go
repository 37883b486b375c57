package define

import (
	"dicescript/builtins/runenv"
	"dicescript/builtins/throwing"

	"go.starlark.net/starlark"
)

// In a run that is thrown, what a builtin returns remembers the call.

// held returns the call as its result remembers it: with lists and functions as they are
// now. Outside of a run that is thrown it is the call itself.
func (c Call) held() Call {
	if env := runenv.Of(c.Thread); env == nil || !env.Thrown || c.def.Throw == nil || env.Host == nil {
		return c
	}
	return c.Held()
}

// Held returns the call with lists and functions as they are now.
func (c Call) Held() Call {
	env := runenv.Of(c.Thread)
	for _, v := range c.args {
		switch v.(type) {
		case *starlark.List, starlark.Tuple, *starlark.Dict, starlark.Callable:
			c.args = env.Host.Snapshot(starlark.Tuple(c.args)).(starlark.Tuple)
			return c
		}
	}
	return c
}

// noted returns a result as one that remembers the call.
func (c Call) noted(v starlark.Value) starlark.Value {
	return throwing.Noted(c.Thread, v, func() *throwing.Derivation {
		d := &throwing.Derivation{Write: func() string { return c.text(v) }}
		if throw := c.def.Throw; throw != nil {
			result := v
			d.Throw = func(t *throwing.Thrower) (starlark.Value, error) {
				c.Thread = t.Thread // of a session: that of the input that throws
				return throw(c, t, result)
			}
		}
		return d
	})
}

// text writes the call that has made v: dice that were asked for by numbers are notation.
func (c Call) text(v starlark.Value) string {
	plain := c.Receiver == nil
	for _, x := range c.args {
		_, number := x.(starlark.Int)
		plain = plain && number
	}
	if plain {
		if text := throwing.Dice(v); text != "" {
			return text
		}
	}
	return c.String()
}

// String writes the call as a recipe does.
func (c Call) String() string {
	var args []starlark.Value
	recv := c.Receiver
	if c.def.Free && recv != nil {
		recv, args = nil, append(args, recv)
	}
	for i, v := range c.args {
		if rest, ok := v.(starlark.Tuple); ok && i < len(c.def.Params) && c.def.Params[i].Variadic {
			args = append(args, rest...)
			continue
		}
		if v != nil {
			args = append(args, v)
		}
	}
	return throwing.Call(c.def.Name, recv, args)
}

// Arguments returns all arguments by their places, nil where one was left out.
func (c Call) Arguments() []starlark.Value { return c.args }

// Again makes the same call with another receiver and other arguments.
func (c Call) Again(recv starlark.Value, args []starlark.Value) (starlark.Value, error) {
	c.Receiver, c.args = recv, args
	if c.def.Raw != nil {
		return c.def.Raw(c, args, nil)
	}
	return c.def.Run(c)
}
