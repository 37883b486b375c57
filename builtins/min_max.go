package builtins

import (
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The lowest and the highest of several values. Of rolls it is a roll again, of
// one pool its lowest or highest die, and of all else what Starlark says.

func extremeBuiltins() []define.Builtin {
	return []define.Builtin{
		extremeBuiltin("min", "The lowest of several numbers; of rolls, the roll of the lower one; of one pool, its lowest die.",
			"min(d(20), d(20)).mean().fraction", "287/40"),
		extremeBuiltin("max", "The highest of several numbers; of rolls, the roll of the higher one; of one pool, its highest die.",
			"max(dice_pool(2, 20)).mean().fraction", "553/40"),
	}
}

// extremeBuiltin defines min or max.
func extremeBuiltin(name, doc, example, result string) define.Builtin {
	return define.Builtin{
		Name: name, Free: true,
		Params: []define.Param{
			{Name: "values", Doc: "two or more values, one list, or one pool", Variadic: true},
			{Name: "key", Doc: "a function that says by what each value is compared", Default: "None"},
		},
		Doc: doc, Errors: "one roll alone; nothing to choose from; values that can't be compared",
		Example: example, Result: result,
		Raw: func(c define.Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return extreme{c, name}.of(args, kwargs)
		},
	}
}

// An extreme is one use of min or max.
type extreme struct {
	define.Call
	name string
}

func (e extreme) of(args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	key, err := e.key(kwargs)
	if err != nil {
		return nil, err
	}
	values := []starlark.Value(args)
	if len(args) == 1 {
		switch v := args[0].(type) {
		case *value.Pool:
			if key != nil {
				return nil, define.ArgError("key", "of dice there is none: %s(pool) is the %s die; pool.map(fn) looks at the faces", e.name, e.word())
			}
			return e.die(v)
		case *value.Roll:
			return nil, e.alone(v)
		}
		list, ok := value.Elements(args[0])
		if dict, isDict := args[0].(*starlark.Dict); isDict {
			list, ok = dict.Keys(), true
		}
		if !ok {
			return nil, fmt.Errorf("got %s alone, want several values or a list", value.Describe(args[0]))
		}
		values = list
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("got nothing to choose from, want at least one value")
	}
	if key == nil {
		for _, v := range values {
			if value.IsDice(v) {
				return e.ofRolls(values)
			}
		}
	}
	return e.choose(values, key)
}

// alone is the error of one roll alone.
func (e extreme) alone(v *value.Roll) error {
	if sides := value.FairSides(v); sides > 0 {
		return fmt.Errorf("got one die; %s(2d%d) is the %s of two, and d%d.%s() the %s face", e.name, sides, e.word(), sides, e.name, e.word())
	}
	return fmt.Errorf("got one roll alone; %s(roll, roll) is the %s of two of them, and roll.%s() the %s possible total", e.name, e.word(), e.name, e.word())
}

func (e extreme) word() string {
	if e.name == "max" {
		return "highest"
	}
	return "lowest"
}

// key returns the function given as key=.
func (e extreme) key(kwargs []starlark.Tuple) (starlark.Callable, error) {
	for _, kw := range kwargs {
		if name := string(kw[0].(starlark.String)); name != "key" {
			return nil, define.ArgError(name, "no such parameter; write %s(a, b) or %s(list, key=function)", e.name, e.name)
		}
		if kw[1] == starlark.None {
			continue
		}
		f, ok := kw[1].(starlark.Callable)
		if !ok {
			return nil, define.ArgError("key", "got %s, want a function", value.Describe(kw[1]))
		}
		return f, nil
	}
	return nil, nil
}

// die returns the highest or the lowest die of a pool.
func (e extreme) die(p *value.Pool) (starlark.Value, error) {
	rank := 1
	if e.name == "min" {
		rank = p.Pool().Size()
	}
	return e.Rolled(p.Pool().OrderStat(e.Context(), rank))
}

// ofRolls returns the roll of the higher or lower of several rolls.
func (e extreme) ofRolls(values []starlark.Value) (starlark.Value, error) {
	rolls := make([]*dist.Dist, len(values))
	for i, v := range values {
		d, ok, err := value.AsRoll(e.Thread, v)
		if !ok {
			return nil, fmt.Errorf("value %d: %s", i+1, value.NotRoll(v))
		}
		if err != nil {
			return nil, err
		}
		rolls[i] = d
	}
	ctx := e.Context()
	if e.name == "max" {
		return e.Rolled(dist.Max(ctx, rolls...))
	}
	return e.Rolled(dist.Min(ctx, rolls...))
}

// choose returns the first of the greatest or least values.
func (e extreme) choose(values []starlark.Value, key starlark.Callable) (starlark.Value, error) {
	op := syntax.LT
	if e.name == "max" {
		op = syntax.GT
	}
	var best, bestKey starlark.Value
	for i, v := range values {
		if err := runenv.LookAt(e.Thread, i); err != nil {
			return nil, err
		}
		k := v
		if key != nil {
			var err error
			if k, err = starlark.Call(e.Thread, key, starlark.Tuple{v}, nil); err != nil {
				return nil, err
			}
		}
		if best == nil {
			best, bestKey = v, k
			continue
		}
		if err := e.Meter().Compared(k, 1); err != nil {
			return nil, err
		}
		answer, err := value.Compare(e.Thread, op, k, bestKey)
		if err != nil {
			return nil, err
		}
		better, err := value.Truth(e.Thread, answer)
		if err != nil {
			return nil, err
		}
		if better {
			best, bestKey = v, k
		}
	}
	return best, nil
}
