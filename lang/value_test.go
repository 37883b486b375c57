package lang_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"dicescript/dist"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

type weapon struct {
	Name    string
	Damage  *dist.Dist
	HitsAt  *big.Rat
	private int
}

type origin struct{ Home string }

type hero struct {
	origin
	Origin   origin
	Name     string
	HPMax    int
	Bonus    map[string]int
	Weapons  []weapon
	Off      *weapon
	Since    time.Time
	Strength uint8    `dice:"str"`
	Secret   chan int `dice:"-"`
}

func sheet(t *testing.T) hero {
	t.Helper()
	d8, err := dist.Die(8)
	if err != nil {
		t.Fatal(err)
	}
	return hero{
		Origin: origin{"Thay"}, Name: "Ann", HPMax: 31, Bonus: map[string]int{"sword": 5, "axe": 2, "bow": 3},
		Weapons: []weapon{{Name: "sword", Damage: d8, HitsAt: big.NewRat(3, 4)}, {Name: "axe", Damage: d8}},
		Since:   time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Strength: 17,
	}
}

// What the host gives is read as what it is.
func TestWithValue(t *testing.T) {
	h := newHost(t, lang.WithNames("x", "ann"))
	d6, err := dist.Die(6)
	if err != nil {
		t.Fatal(err)
	}
	type level int
	for _, c := range []struct {
		v         any
		src, want string
	}{
		{d6, "x.mean()", "7/2"}, {big.NewRat(2, 3), "x * 3", "2"}, {7, "x + 1", "8"}, {level(7), "x", "7"},
		{lang.Prob{Value: big.NewRat(1, 3)}, "1 - x", "2/3"}, {lang.Number{Value: big.NewRat(1, 3)}, "x", "1/3"}, {lang.Roll{Dist: d6}, "x.max()", "6"},
		{new(big.Int).Lsh(big.NewInt(1), 100), "x % 1000", "376"}, {json.Number("1267650600228229401496703205376"), "x % 1000", "376"},
		{"text", "len(x)", "4"}, {true, "1 if x else 0", "1"}, {nil, "1 if x == None else 0", "1"}, {(*hero)(nil), "int(x == None)", "1"}, {[]int(nil), "int(x == None)", "1"},
		{[]int{3, 4, 5}, "x[0] + x[-1] + len(x) + sum(x)", "23"}, {[3]int{3, 4, 5}, "sum(x[1:])", "9"}, {[]int{3, 4, 5}, "sum(x[::2])", "8"},
		{[]int{3, 4, 5}, "sum([n for n in x if n > 3])", "9"}, {[]int{3, 4, 5}, "sum(list(x) + [1])", "13"}, {[]int{3, 4, 5}, "int(4 in x) + 2 * int(9 in x)", "1"},
		{[]int{3, 4, 5}, "die_faces(x).mean()", "4"}, {[]*dist.Dist{d6, d6}, "max(x[0], x[1]).max()", "6"},
		{map[string]int{"b": 2, "a": 1}, "x['a'] + 10 * x.get('b') + 100 * x.get('c', 4) + 1000 * len(x)", "2421"},
		{map[string]int{"b": 2, "a": 1}, "int(','.join([k for k in x]) == 'a,b') + 2 * int('b' in x) + 4 * int('c' in x)", "3"},
		{map[int][]int{2: {5}, 1: {6}}, "x.values()[0][0] + 10 * x.keys()[1] + 100 * x.items()[1][1][0]", "526"},
		{map[bool]int{true: 5}, "x[True]", "5"}, {map[uint8]int{200: 5}, "x[200] + x.get(-1, 0) + x.get(1000, 0)", "5"},
		{map[string]int{"b": 2}, "dict(x)['b']", "2"}, {[]any{1, "a", []string{"b"}}, "len(x[2][0] + x[1]) + x[0]", "3"},
		{starlark.NewList([]starlark.Value{starlark.MakeInt(4)}), "x[0]", "4"},
	} {
		r, err := compiled(t, h, "output('got', "+c.src+")").Run(t.Context(), lang.WithValue("x", c.v))
		if err != nil {
			t.Errorf("%T: %s: %v", c.v, c.src, err)
		} else if got := rat(t, r, "got"); got != c.want {
			t.Errorf("%T: %s: got %s, want %s", c.v, c.src, got, c.want)
		}
	}
	ann := sheet(t)
	for _, v := range []any{ann, &ann} {
		for src, want := range map[string]string{
			"ann.hp_max": "31", "ann.str": "17", "ann.bonus['sword']": "5", "ann.weapons[0].damage.mean()": "9/2",
			"sum([ann.bonus[w.name] for w in ann.weapons])": "7", "ann.weapons[0].hits_at": "3/4", "len(ann.weapons[1].damage.support())": "8",
			"int(ann.off == None)": "1", "len(ann.origin.home)": "4", "int(ann.since.startswith('2026-01-02'))": "1",
			"int(hasattr(ann, 'secret')) + int(hasattr(ann.weapons[0], 'private'))": "0", "int(type(ann) == 'record')": "1",
		} {
			r, err := compiled(t, h, "output('got', "+src+")").Run(t.Context(), lang.WithValue("ann", v))
			if err != nil {
				t.Errorf("%s: %v", src, err)
			} else if got := rat(t, r, "got"); got != want {
				t.Errorf("%s: got %s, want %s", src, got, want)
			}
		}
	}
}

// What a recipe can't do with what the host gave it says so at its place.
func TestGivenValuesAreReadOnly(t *testing.T) {
	h := newHost(t, lang.WithNames("l", "m", "ann", "odd"))
	ann := sheet(t)
	for src, want := range map[string]string{
		"l[0] = 1": "can't be changed", "l.append(1)": "read_only_list has no .append", "m['a'] = 1": "can't be changed",
		"ann.name = 'Bo'": "can't be changed", "ann.nam": "record has no .nam; did you mean .name?", "l[5]": "there is no element 5",
		"m['zz']": "there is no key", "{l: 1}": "can't be the key", "ann == ann": "records are not compared", "odd[0]": "got a chan int, want",
		"[o for o in odd]": "got a chan int, want", "sum(odd)": "got a chan int, want", "l + [1]": "no meaning between a read-only list and a list",
	} {
		_, err := compiled(t, h, "\n"+src).Run(t.Context(), lang.WithValue("l", []int{1, 2, 3}), lang.WithValue("m", map[string]int{"a": 1}),
			lang.WithValue("ann", ann), lang.WithValue("odd", []any{make(chan int)}))
		var e *lang.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) || e.Position.Line != 2 || e.Kind == lang.KindInternal {
			t.Errorf("%s: got %v, want %q in line 2", src, err, want)
		}
	}
}

func TestWithValueMisused(t *testing.T) {
	h := newHost(t, lang.WithNames("x"))
	p := compiled(t, h, "def f():\n    return x\noutput(1)")
	for _, c := range []struct {
		opts []lang.RunOption
		want string
	}{
		{nil, "uses x, to which this run gives no value"},
		{[]lang.RunOption{lang.WithValue("y", 1)}, "y: the host has not declared this name"},
		{[]lang.RunOption{lang.WithValue("x", make(chan int))}, "x: got a chan int, want"},
		{[]lang.RunOption{lang.WithValue("x", func() {})}, "x: got a func(), want"},
		{[]lang.RunOption{lang.WithValue("x", map[float64]int{})}, "keys are strings, integers or bools"},
		{[]lang.RunOption{lang.WithValue("x", []struct{ F func() }{})}, `F: got a func(), want`},
		{[]lang.RunOption{lang.WithValue("x", lang.Prob{Value: big.NewRat(4, 3)})}, "want a chance from 0 to 1"},
		{[]lang.RunOption{lang.WithValue("x", json.Number("much"))}, `got "much", want a number`},
	} {
		if r, err := p.Run(t.Context(), c.opts...); !isInput(err) || !strings.Contains(err.Error(), c.want) || r == nil {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	for name, want := range map[string]string{"d20": "not a name", "output": "name of the language", "len": "name of the language", "a b": "not a name"} {
		if _, err := lang.New(lang.WithNames(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// A recipe that does not use the name needs no value, and one that binds it has its own.
	for _, src := range []string{"output(1)", "x = 3\noutput(x)", "output((lambda x: x)(1))"} {
		if _, err := compiled(t, h, src).Run(t.Context()); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// A value for all runs gives way to that of one.
func TestWithValueOverBuiltin(t *testing.T) {
	p := compiled(t, newHost(t, lang.WithBuiltins(starlark.StringDict{"luck": starlark.MakeInt(1)})), "output('luck', luck)")
	for want, opts := range map[string][]lang.RunOption{"1": nil, "5": {lang.WithValue("luck", 5)}} {
		r, err := p.Run(t.Context(), opts...)
		if err != nil || rat(t, r, "luck") != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// One option serves many runs at once, and so does what it gives.
func TestWithValueConcurrently(t *testing.T) {
	ann := sheet(t)
	option := lang.WithValue("x", &ann)
	frozen := lang.WithValue("y", starlark.NewList([]starlark.Value{starlark.MakeInt(1)}))
	p := compiled(t, newHost(t, lang.WithNames("x", "y")), "output('n', sum(x.bonus.values()) + len(x.weapons) + x.weapons[0].damage.max() + y[0])")
	var runs sync.WaitGroup
	for range 16 {
		runs.Go(func() {
			r, err := p.Run(context.Background(), option, frozen)
			if err != nil {
				t.Error(err)
			} else if got, _ := lang.Get[int](r, "n"); got != 21 {
				t.Errorf("got %d", got)
			}
		})
	}
	runs.Wait()
}

// A large value is neither copied nor walked over when it is given.
func TestWithValueDoesNotCopy(t *testing.T) {
	many := make([]int, 1_000_000)
	many[999_999] = 7
	p := compiled(t, newHost(t, lang.WithNames("many")), "output('last', many[-1])")
	option := lang.WithValue("many", many)
	allocated := testing.AllocsPerRun(10, func() {
		if r, err := p.Run(context.Background(), option); err != nil || rat(t, r, "last") != "7" {
			t.Error(err)
		}
	})
	if allocated > 300 {
		t.Errorf("%v allocations", allocated)
	}
	if _, err := compiled(t, newHost(t, lang.WithNames("many"), lang.WithLimits(lang.Limits{Elements: 1000})), "output(len(list(many)))").Run(t.Context(), option); !isLimit(err) {
		t.Errorf("a list of all: %v", err)
	}
}

func TestSessionSet(t *testing.T) {
	s := newHost(t, lang.WithNames("ann")).NewSession(lang.WithValue("free", []int{1, 2}))
	if got := number(t, s, "sum(free)"); got != "3" {
		t.Errorf("got %s", got)
	}
	if _, err := s.Eval(t.Context(), "ann"); err == nil || !strings.Contains(err.Error(), "undefined: ann") {
		t.Errorf("without a value: %v", err)
	}
	if err := s.Set("ann", sheet(t)); err != nil {
		t.Fatal(err)
	}
	if got := number(t, s, "ann.hp_max"); got != "31" {
		t.Errorf("got %s", got)
	}
	evaluated(t, s, "def f():\n    return ann.hp_max\n")
	if err := s.Set("ann", hero{HPMax: 5}); err != nil {
		t.Fatal(err)
	}
	if got := number(t, s, "f()"); got != "5" {
		t.Errorf("a function sees %s", got)
	}
	for name, v := range map[string]any{"d20": 1, "f f": 1, "ok": make(chan int)} {
		if err := s.Set(name, v); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := s.SetLimits(lang.Limits{SessionBytes: 100_000}); err != nil {
		t.Fatal(err)
	}
	var big []starlark.Value
	for i := range 100_000 {
		big = append(big, starlark.MakeInt(i))
	}
	if err := s.Set("ann", starlark.NewList(big)); !isLimit(err) {
		t.Errorf("too large: %v", err)
	}
	if got := number(t, s, "ann.hp_max"); got != "5" {
		t.Errorf("afterwards ann.hp_max is %s", got)
	}
}

// A character sheet as a recipe sees it.
func ExampleWithValue() {
	type attack struct {
		Name   string
		Bonus  int
		Damage string
	}
	host, err := lang.New(lang.WithNames("attacks", "armor"))
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := host.Compile(context.Background(), "attacks.star", []byte(`
for a in attacks:
    output(a.name, (1d20 + a.bonus >= armor) * roll(a.damage).mean())
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := program.Run(context.Background(),
		lang.WithValue("attacks", []attack{{"sword", 7, "1d8+4"}, {"bow", 5, "1d6+2"}}),
		lang.WithValue("armor", 15))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range result.Outputs {
		mean, err := lang.Get[float64](result, o.Title)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.3f a swing\n", o.Title, mean)
	}
	// Output:
	// sword: 5.525 a swing
	// bow: 3.025 a swing
}

// A bot remembers who speaks.
func ExampleSession_Set() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	session := host.NewSession()
	if err := session.Set("me", struct{ Name, Class string }{"Ann", "wizard"}); err != nil {
		fmt.Println(err)
		return
	}
	result, err := session.Eval(context.Background(), `me.name + " the " + me.class_name if hasattr(me, "class_name") else me.name`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lang.Get[string](result, result.Outputs[0].Title))
	// Output: Ann <nil>
}
