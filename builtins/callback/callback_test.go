package callback

import (
	"errors"
	"testing"

	"dicescript/builtins/define"
	"dicescript/dist"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// asking is a table of builtins that each ask a function in one way.
func asking() *define.Table {
	one := []define.Param{{Name: "fn"}}
	d6 := dist.Must(dist.Die(6))
	return define.NewTable([]define.Family{{Name: "ask", Builtins: []define.Builtin{
		{Name: "call", Free: true, Params: one, Run: func(c define.Call) (starlark.Value, error) {
			f, err := New(c, 0, 2, "a face and another")
			if err != nil {
				return nil, err
			}
			return f.Call(starlark.MakeInt(1), starlark.MakeInt(2))
		}},
		{Name: "holds", Free: true, Params: one, Run: func(c define.Call) (starlark.Value, error) {
			f, err := New(c, 0, 1, "a face")
			if err != nil {
				return nil, err
			}
			yes, err := f.Holds(starlark.MakeInt(6))
			return starlark.Bool(yes), err
		}},
		{Name: "map", Free: true, Params: one, Run: func(c define.Call) (starlark.Value, error) {
			f, err := OfRolls(c, 0, 2)
			if err != nil {
				return nil, err
			}
			die := Source{dist: d6}
			return f.Map([]Source{die, die}, nil)
		}},
		{Name: "sorted_faces", Free: true, Params: one, Run: func(c define.Call) (starlark.Value, error) {
			f, err := New(c, 0, 1, "the sorted faces")
			if err != nil {
				return nil, err
			}
			return f.MapSorted([]*dist.Pool{dist.Must(dist.Repeat(d6, 2))})
		}},
		{Name: "matching", Free: true, Params: one, Run: func(c define.Call) (starlark.Value, error) {
			set, err := FacesOf(c, 0, d6)
			if err != nil {
				return nil, err
			}
			return c.Rolled(d6.Keep(c.Context(), set))
		}},
	}}}, nil)
}

// What is asked of two dice in several ways is the same.
func TestAnswersBecomeOneValue(t *testing.T) {
	for source, want := range map[string]string{
		`call(lambda a, b: (a, b))`:                        "(1, 2)",
		`call(max)`:                                        "2", // a builtin is a function too
		`call(lambda a, b, c=5: c)`:                        "5",
		`holds(lambda face: face == 6)`:                    "True",
		`map(lambda a, b: a + b)`:                          "DieRoll 2..12, mean 7.000",
		`sorted_faces(lambda faces: faces[0] + faces[1])`:  "DieRoll 2..12, mean 7.000",
		`map(lambda a, b: a == b)`:                         "0.16666666666666666",
		`sorted_faces(lambda faces: faces[0] == faces[1])`: "0.16666666666666666",
		`map(lambda a, b: "pair" if a == b else "apart")`:  "Outcomes(pair: 0.16666666666666666, apart: 0.8333333333333334)",
		`sorted_faces(lambda faces: faces.append(0) or 1)`: "DieRoll 1",
		`matching(lambda face: face % 2 == 0)`:             "DieRoll 2..6, mean 4.000",
		`matching([5, 6])`:                                 "DieRoll 5..6, mean 5.500",
	} {
		v, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "test", source, withMax())
		if err != nil || v.String() != want {
			t.Errorf("%s is %v, %v, want %s", source, v, err, want)
		}
	}
}

func TestFunctionsThatCantBeAsked(t *testing.T) {
	for source, want := range map[string]string{
		`call(1)`:                                   "call: fn: got 1, want a function",
		`call(lambda a: a)`:                         "call: fn: the lambda takes 1 argument, but it is given 2: a face and another",
		`call(lambda a, b, c: a)`:                   "call: fn: the lambda takes 3 arguments, but it is given 2: a face and another",
		`call(lambda a, b, *, c: a)`:                "call: fn: the lambda needs its parameter c by name, but it is given values without names",
		`holds(lambda face: face)`:                  "holds: fn: returned 6 for 6, want True or False",
		`holds(lambda face: None)`:                  "holds: fn: returned nothing for 6; every way through the function must end in a return with a value",
		`map(lambda a, b: 1 if a == b else "none")`: `map: fn: returned 1 for 1 and 1 but "none" for 1 and 2; want the same kind of answer always: whole numbers and rolls, labels and Outcomes, or truth values and chances`,
	} {
		_, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "test", source, withMax())
		var failed *starlark.EvalError
		if err == nil || !errors.As(err, &failed) || failed.Msg != want {
			t.Errorf("%s fails with %v, want %s", source, err, want)
		}
	}
}

func withMax() starlark.StringDict {
	names := asking().Globals()
	names["max"] = starlark.Universe["max"]
	return names
}
