package define

import (
	"errors"
	"slices"
	"testing"

	"dicescript/builtins/value"
	"dicescript/dist"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// someTable has a function, a function with a method twin, and an attribute.
func someTable() *Table {
	side := Param{Name: "sides", Also: []string{"faces"}, Doc: "how many"}
	return NewTable([]Family{
		{Name: "build", Builtins: []Builtin{{
			Name: "die", Free: true, Params: []Param{side},
			Run: func(c Call) (starlark.Value, error) {
				n, err := c.Int(0)
				if err != nil {
					return nil, err
				}
				return c.Rolled(dist.Die(n))
			},
		}}},
		{Name: "change", Builtins: []Builtin{
			{
				Name: "shift", On: []string{"DieRoll"}, Free: true, Self: Param{Name: "roll"},
				Params: []Param{{Name: "delta", Default: "1"}},
				Run: func(c Call) (starlark.Value, error) {
					d, err := c.Self()
					if err != nil {
						return nil, err
					}
					n, err := c.IntOr(0, 1)
					if err != nil {
						return nil, err
					}
					return c.Rolled(d.Shift(c.Context(), n))
				},
			},
			{
				Name: "size", On: []string{"DieRoll"},
				Attr: func(c Call) (starlark.Value, error) {
					return starlark.MakeInt(c.Receiver.(*value.Roll).Dist().Len()), nil
				},
			},
		}},
	}, starlark.StringDict{"answer": starlark.MakeInt(42)})
}

func TestTableMakesFunctionsMethodsAndAttributes(t *testing.T) {
	table := someTable()
	for source, want := range map[string]string{
		`die(6)`:                                 "DieRoll 1..6, mean 3.500",
		`die(faces=6).shift()`:                   "DieRoll 2..7, mean 4.500",
		`shift(die(6), delta=2)`:                 "DieRoll 3..8, mean 5.500",
		`shift(delta=2, roll=die(6)).size`:       "6",
		`die(answer).size`:                       "42",
		`dir(die(2)) == ["shift", "size"]`:       "True",
		`(die(6) + die(6)).shift(-2).size`:       "11", // what operators make has the methods too
		`[f(die(2)) for f in [shift]][0].size`:   "2",
		`getattr(die(6).shift(1), "size", None)`: "6",
	} {
		v, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "test", source, table.Globals())
		if err != nil || v.String() != want {
			t.Errorf("%s is %v, %v, want %s", source, v, err, want)
		}
	}
}

func TestTableSaysWhichArgumentIsWrong(t *testing.T) {
	table := someTable()
	for source, want := range map[string]string{
		`die()`:              "die: sides: missing; write die(sides)",
		`die(6, 8)`:          "die: got 2 arguments, want at most 1: write die(sides)",
		`die(side=6)`:        "die: side: no such parameter; did you mean sides?",
		`die(6, sides=6)`:    "die: sides: given twice; write it once: die(sides)",
		`die("six")`:         `die: sides: got "six", want a whole number`,
		`shift(delta=1)`:     "shift: roll: missing; write shift(roll, delta=1)",
		`die(6).shift(1, 2)`: "shift: got 2 arguments, want at most 1: write .shift(delta=1)",
		`shift("six")`:       `shift: roll: got "six", want a roll; roll("2d6") reads dice from text`,
	} {
		_, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "test", source, table.Globals())
		var failed *starlark.EvalError
		if err == nil || !errors.As(err, &failed) || failed.Msg != want {
			t.Errorf("%s fails with %v, want %s", source, err, want)
		}
	}
}

// A value has the methods of the table that its builtin is in, and no others.
func TestValuesHaveTheMethodsOfTheirTable(t *testing.T) {
	bare := NewTable([]Family{{Name: "build", Builtins: []Builtin{{
		Name: "die", Free: true,
		Run: func(c Call) (starlark.Value, error) { return c.Rolled(dist.Die(6)) },
	}}}}, nil)
	v, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "test", "die()", bare.Globals())
	if err != nil {
		t.Fatal(err)
	}
	if names := v.(starlark.HasAttrs).AttrNames(); len(names) > 0 {
		t.Errorf("a roll of a table without methods has %v", names)
	}
	if m, err := v.(starlark.HasAttrs).Attr("shift"); m != nil || err != nil {
		t.Errorf("shift is %v, %v, want nothing", m, err)
	}
	other, err := starlark.EvalOptions(&syntax.FileOptions{}, new(starlark.Thread), "test", "die(6)", someTable().Globals())
	if err != nil {
		t.Fatal(err)
	}
	if m, err := other.(starlark.HasAttrs).Attr("highest"); m != nil || err != nil {
		t.Errorf("highest is %v, %v, want nothing", m, err)
	}
}

func TestEntriesAreInTheOrderOfTheFamilies(t *testing.T) {
	var got []string
	for _, e := range someTable().Entries() {
		got = append(got, e.Group+" "+e.Receiver+" "+e.Signature)
	}
	want := []string{"build  die(sides)", "change DieRoll .shift(delta=1)", "change  shift(roll, delta=1)", "change DieRoll .size"}
	if !slices.Equal(got, want) {
		t.Errorf("the entries are %q, want %q", got, want)
	}
}

func TestBindOnlyReads(t *testing.T) {
	def := &Builtin{Name: "x", Params: []Param{{Name: "a"}, {Name: "b", Default: "2"}, {Name: "rest", Variadic: true}}}
	c, err := def.Bind(starlark.Tuple{starlark.MakeInt(1)}, nil)
	if err != nil || !c.Given(0) || c.Given(1) || !c.Omitted(1) || len(c.Rest(2)) > 0 || c.Param(7) != "rest" {
		t.Errorf("one argument is bound as %v, %v", c, err)
	}
	if _, err := def.Bind(nil, nil); err == nil {
		t.Error("a call without its first argument is bound")
	}
}
