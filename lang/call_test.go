package lang_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

const callable = `
bonus = param("bonus", 2)
output("top", bonus)
def damage(dice, times=1):
    output("inner", dice)
    return (roll(dice) + bonus) * times
def total(hero, more=[]):
    return sum([w for w in hero.weapons]) + sum(more)
def rows(n):
    return [{"n": i, "chance": d(6) >= i, "die": d(i), "tags": ["a", None, True, 1.5]} for i in range(1, n + 1)]
def pairs():
    return {1: "a", (1, 2): [1 << 80]}
def nothing():
    pass
def bad(x):
    return x.missing
def endless():
    while True:
        pass
notes = "text"
`

func TestCall(t *testing.T) {
	p := compiled(t, newHost(t), callable)
	r, err := p.Call(t.Context(), "damage", "2d6", lang.Named{"times", 3}, lang.WithInput("bonus", 5))
	if err != nil {
		t.Fatal(err)
	}
	if got := titles(r); got != "inner:Text damage:DieRoll" {
		t.Errorf("got %s", got)
	}
	d, err := lang.Get[*dist.Dist](r, "damage")
	if err != nil || d.Mean().Cmp(big.NewRat(36, 1)) != 0 {
		t.Errorf("got %v, %v", d, err)
	}
	r, err = p.Call(t.Context(), "total", struct{ Weapons []int }{[]int{3, 4}}, []int{1, 1})
	if got, _ := lang.Get[int](r, "total"); err != nil || got != 9 {
		t.Errorf("got %d, %v", got, err)
	}
	r, err = p.Call(t.Context(), "nothing")
	if err != nil || len(r.Outputs) != 0 {
		t.Errorf("None: %v, %v", r.Outputs, err)
	}
}

func TestCallMisused(t *testing.T) {
	p := compiled(t, newHost(t, lang.WithLimits(lang.Limits{Steps: 100_000})), callable)
	for _, c := range []struct {
		fn   string
		args []any
		kind lang.Kind
		want string
	}{
		{"damge", nil, lang.KindInput, `has no function "damge"; did you mean damage?`},
		{"notes", nil, lang.KindInput, "notes is no function of the recipe, it is a text"},
		{"damage", nil, lang.KindInput, "missing"},
		{"damage", []any{"2d6", 1, 2, 3}, lang.KindInput, "got 4 arguments, want at most 2"},
		{"damage", []any{make(chan int)}, lang.KindInput, "argument 1: got a chan int"},
		{"damage", []any{"2d6", lang.Named{"time", 1}}, lang.KindInput, "time"},
		{"damage", []any{"2d6", lang.Named{"times", func() {}}}, lang.KindInput, "argument 2: got a func()"},
		{"damage", []any{"2d6", lang.WithInput("nope", 1)}, lang.KindInput, "no input"},
		{"bad", []any{7}, lang.KindRuntime, "has no .missing"},
		{"endless", nil, lang.KindLimit, "steps"},
	} {
		r, err := p.Call(t.Context(), c.fn, c.args...)
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.want) || r == nil {
			t.Errorf("%s(%v): got %v, want %q", c.fn, c.args, err, c.want)
		}
		if c.fn == "bad" && (e.Position.Line == 0 || e.Frames[len(e.Frames)-1].Function != "bad") {
			t.Errorf("bad: at %v, %v", e.Position, e.Frames)
		}
	}
	any, err := newHost(t).Compile(t.Context(), "old.anydice", []byte("output 3d6"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := any.Call(t.Context(), "f"); !isInput(err) {
		t.Errorf("AnyDice: %v", err)
	}
}

func TestCallConcurrently(t *testing.T) {
	p := compiled(t, newHost(t), callable)
	var calls sync.WaitGroup
	for n := range 16 {
		calls.Go(func() {
			r, err := p.Call(context.Background(), "total", map[string]any{"weapons": 1}, []int{n})
			if err == nil {
				t.Error("a dict has no fields")
			}
			r, err = p.Call(context.Background(), "rows", n)
			if err != nil {
				t.Error(err)
				return
			}
			if rows, err := lang.Get[[]map[string]any](r, "rows"); err != nil || len(rows) != n {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
	calls.Wait()
}

// A list or dict comes back as whatever holds it.
func TestGetStructured(t *testing.T) {
	p := compiled(t, newHost(t), callable)
	r, err := p.Call(t.Context(), "rows", 2)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		N      uint8
		Chance *big.Rat
		Odds   float64 `dice:"chance"`
		Die    *dist.Dist
		Tags   []any
	}
	type named struct {
		N int
		P *float64 `dice:"chance"`
	}
	rows, err := lang.Get[[]row](r, "rows")
	if err != nil || len(rows) != 2 || rows[1].N != 2 || rows[1].Die.Max() != 2 || !reflect.DeepEqual(rows[1].Tags, []any{"a", nil, true, 1.5}) {
		t.Errorf("got %+v, %v", rows, err)
	}
	more, err := lang.Get[[2]named](r, "rows")
	if err != nil || more[1].N != 2 || *more[1].P != 5./6 {
		t.Errorf("got %+v, %v", more, err)
	}
	plain, err := lang.Get[any](r, "rows")
	if first, ok := plain.([]any)[0].(lang.Dict); err != nil || !ok || first[0] != (lang.Entry{"n", 1}) || first.Map()["die"].(lang.Roll).Dist.Max() != 1 {
		t.Errorf("got %v, %v", plain, err)
	}
	r, err = p.Call(t.Context(), "pairs")
	if err != nil {
		t.Fatal(err)
	}
	d, err := lang.Get[lang.Dict](r, "pairs")
	if want := (lang.Dict{{1, "a"}, {[]any{1, 2}, []any{new(big.Int).Lsh(big.NewInt(1), 80)}}}); err != nil || !reflect.DeepEqual(d, want) {
		t.Errorf("got %v, %v", d, err)
	}
	if s, err := lang.Get[string](r, "pairs"); err == nil {
		t.Errorf("a dict as a string: %q", s)
	}
	text, err := lang.Get[lang.Text](r, "pairs")
	if err != nil || text.Text != `{1: "a", (1, 2): [1208925819614629174706176]}` {
		t.Errorf("got %q, %v", text.Text, err)
	}
	r = mustRun(t, newHost(t), "output('yes', True)\noutput('l', [1, 2.5])\noutput('n', [1, 2])\noutput('s', {'a': [1]})")
	if yes, err := lang.Get[bool](r, "yes"); !yes || err != nil {
		t.Errorf("got %v, %v", yes, err)
	}
	if n, err := lang.Get[[]int16](r, "n"); len(n) != 2 || err != nil {
		t.Errorf("got %v, %v", n, err)
	}
	if m, err := lang.Get[map[string][]*big.Int](r, "s"); err != nil || m["a"][0].Int64() != 1 {
		t.Errorf("got %v, %v", m, err)
	}
	for want, err := range map[string]error{
		"element 1: it is 5/2, which is no int":            second(lang.Get[[]int](r, "l")),
		"element 0: it is a Number, which is no string":    second(lang.Get[[]string](r, "l")),
		`output "l" is a list of 2, want 3 elements`:       second(lang.Get[[3]float64](r, "l")),
		`output "l" is a list, which is no map[string]int`: second(lang.Get[map[string]int](r, "l")),
		`output "s" is a dict, which is no []int`:          second(lang.Get[[]int](r, "s")),
		"a: it is a list, which is no int":                 second(lang.Get[map[string]int](r, "s")),
		`key a: it is a string`:                            nil,
	} {
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func second[T any](_ T, err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return err
}

// A recipe is a library of rules for a program: its functions are called with what the
// program knows, and what they return comes back.
func ExampleProgram_Call() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := host.Compile(context.Background(), "rules.star", []byte(`
def attack(bonus, armor):
    return {"hit": 1d20 + bonus >= armor, "damage": 1d8 + 4}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := program.Call(context.Background(), "attack", 7, lang.Named{Name: "armor", Value: 15})
	if err != nil {
		fmt.Println(err)
		return
	}
	attack, err := lang.Get[struct {
		Hit    *big.Rat
		Damage *dist.Dist
	}](result, "attack")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(attack.Hit, attack.Damage.Mean())
	// Output: 13/20 17/2
}
