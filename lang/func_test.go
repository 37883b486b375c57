package lang_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math/big"
	"strings"
	"testing"
	"time"

	"dicescript/dist"
	"dicescript/lang"

	"pgregory.net/rapid"
)

func die(t testing.TB, n int) *dist.Dist {
	t.Helper()
	d, err := dist.Die(n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

type beast struct {
	Name   string
	HitDie *dist.Dist `dice:"hd"`
	Armor  int
	Tags   []string
	Secret chan int `dice:"-"`
}

type rank string

// What recipes give arrives as what the function takes, and what it returns is what
// WithValue would have made of it.
func TestWithFuncTakesAndReturns(t *testing.T) {
	d6 := die(t, 6)
	for _, c := range []struct {
		fn        any
		src, want string
	}{
		{func(n int) int { return n + 1 }, "f(4)", "5"},
		{func(n uint8) uint8 { return n }, "f(255)", "255"},
		{func(n int64, m *big.Int) *big.Int { return new(big.Int).Lsh(m, uint(n)) }, "f(100, 3) % 1000", "128"},
		{func(x float64) float64 { return x * 2 }, "f(0.25)", "1/2"},
		{func(x float64) float64 { return x }, "f(1d4 >= 2)", "3/4"},
		{func(x *big.Rat) *big.Rat { return new(big.Rat).Inv(x) }, "f(1d6 >= 5)", "3"},
		{func(s string) string { return s + "!" }, "len(f('abc'))", "4"},
		{func(r rank) rank { return r }, "len(f('abc'))", "3"},
		{func(b bool) bool { return !b }, "int(f(False))", "1"},
		{func(d *dist.Dist) *dist.Dist { return d }, "f(2d6).mean()", "7"},
		{func(d *dist.Dist) *dist.Dist { return d }, "f(5).mean()", "5"},
		{func(d *dist.Dist) bool { return d == nil }, "int(f(None))", "1"},
		{func(p *dist.Pool) *dist.Pool { return p }, "f(4d6).drop_lowest().max()", "18"},
		{func(p *dist.Pool) int { return p.Size() }, "f(4d6) + 10 * f(1d6) + 100 * f(4d6 + 1)", "114"},
		{func(ctx context.Context, p *dist.Pool) (*dist.Dist, error) { return p.Total(ctx) }, "f(3d6).mean()", "21/2"},
		{func(ns []int) int { return len(ns) }, "f((1, 2)) + 10 * f([]) + 100 * f(range(3)) + 1000 * f(None)", "302"},
		{func(ns ...int) int { return len(ns) }, "f() + f(1, 2)", "2"},
		{func(s string, ns ...*dist.Dist) *dist.Dist { return ns[len(s)] }, "f('a', 1d4, 1d6).max()", "6"},
		{func(m map[string][]int) int { return m["b"][1] }, "f({'a': [], 'b': [1, 2]})", "2"},
		{func(m map[int]bool) bool { return m[-1] }, "int(f({-1: True}))", "1"},
		{func(b beast) *dist.Dist { return b.HitDie }, "f({'hd': 1d8, 'name': 'owl', 'tags': ['bird']}).max()", "8"},
		{func(b *beast) string { return b.Tags[0] }, "len(f({'tags': ['bird']}))", "4"},
		{func(name string) beast { return beast{Name: name, HitDie: d6, Armor: 3} }, "f('ox').armor + f('ox').hd.max()", "9"},
		{func(a [2]int) int { return a[0] - a[1] }, "f([5, 3])", "2"},
		{func(since time.Time) int { return since.Year() }, "f('2026-01-02T00:00:00Z')", "2026"},
		{func(x any) string { return fmt.Sprintf("%T", x) }, "int(f([1]) == '[]interface {}' and f('a') == 'string' and f({}) == 'lang.Dict' and f(2) == 'int' and f(None) == '<nil>')", "1"},
		{func(p lang.Prob) *big.Rat { return p.Value }, "f(1d6 >= 5)", "1/3"},
		{func(p lang.Data) string { return p.Kind() }, "int(f(1d6 >= 5) == 'Prob')", "1"},
		{func(r lang.Roll) lang.Roll { return r }, "f(1d6).max()", "6"},
		{func() []int { return []int{3, 4} }, "sum([x for x in f()])", "7"},
		{func() map[string]int { return map[string]int{"a": 2} }, "f()['a']", "2"},
		{func() {}, "int(f() == None)", "1"},
		{func() error { return nil }, "int(f() == None)", "1"},
		{func(x int) int { return x * x }, "map(lambda face: f(face), 1d6).max()", "36"},
		{func(x int) int { return x * x }, "map(f, 1d6).max()", "36"},
		{func(x json.Number) int { return len(x) }, "f('12')", "2"},
	} {
		h := newHost(t, lang.WithFunc("f", c.fn, lang.Doc{}))
		r, err := compiled(t, h, "output('got', "+c.src+")").Run(t.Context())
		if err != nil {
			t.Errorf("%T: %s: %v", c.fn, c.src, err)
		} else if got := rat(t, r, "got"); got != c.want {
			t.Errorf("%T: %s: got %s, want %s", c.fn, c.src, got, c.want)
		}
	}
}

// What a function returns another one gets as it was.
func TestWithFuncGivesBackTheSame(t *testing.T) {
	type handle struct{ hidden *int }
	mine := &handle{new(int)}
	list, table := []any{make(chan int)}, map[string]int{}
	h := newHost(t,
		lang.WithFunc("make", func() *handle { return mine }, lang.Doc{}),
		lang.WithFunc("same", func(h handle, any any) bool { return h == *mine && any.(handle) == *mine }, lang.Doc{}),
		lang.WithFunc("lists", func() []any { return list }, lang.Doc{}),
		lang.WithFunc("samelist", func(l []any) bool { return &l[0] == &list[0] }, lang.Doc{}),
		lang.WithFunc("maps", func() map[string]int { return table }, lang.Doc{}),
		lang.WithFunc("put", func(m map[string]int) { m["seen"] = 1 }, lang.Doc{}),
	)
	r := mustRun(t, h, "h = make()\noutput('got', int(same(h, h)) + 2 * int(samelist(lists())))\nput(maps())")
	if got := rat(t, r, "got"); got != "3" || table["seen"] != 1 {
		t.Errorf("got %s and %v", got, table)
	}
}

// What does not suit is said in the words of recipes, with the name of the parameter.
func TestWithFuncRefuses(t *testing.T) {
	doc := lang.Doc{Signature: "f(it, times=1)"}
	for _, c := range []struct {
		fn        any
		src, want string
	}{
		{func(int, int) {}, "f('a')", `f: it: got "a", want a whole number`},
		{func(int, int) {}, "f()", "f: it: missing; write f(it, times=1)"},
		{func(int, int) {}, "f(1, 2, 3)", "f: got 3 arguments, want at most 2: write f(it, times=1)"},
		{func(int, int) {}, "f(1, time=3)", "f: time: no such parameter; did you mean times?"},
		{func(int, int) {}, "f(1, times=1d6)", "f: times: got a roll, want a whole number"},
		{func(uint8, int) {}, "f(256)", "f: it: got 256, want a whole number from 0 to 255"},
		{func(int8, int) {}, "f(128)", "f: it: got 128, want a whole number from -128 to 127"},
		{func(string, int) {}, "f(5)", "f: it: got 5, want text in quotes"},
		{func(bool, int) {}, "f(0)", "f: it: got 0, want True or False"},
		{func(float64, int) {}, "f('1/2')", `f: it: got "1/2", want a number`},
		{func(*dist.Dist, int) {}, "f('1d6')", `f: it: got "1d6", want a roll; roll("2d6") reads dice from text`},
		{func(*dist.Pool, int) {}, "f(3)", "f: it: got 3, want dice like 4d6"},
		{func([]int, int) {}, "f([1, 'b'])", `f: it: element 1: got "b", want a whole number`},
		{func([]int, int) {}, "f({})", "f: it: got a dict, want a list"},
		{func([2]int, int) {}, "f([1])", "f: it: got a list of 1, want 2 elements"},
		{func(map[string]int, int) {}, "f({1: 2})", "f: it: a key: got 1, want text in quotes"},
		{func(map[string]int, int) {}, "f({'a': 'b'})", `f: it: "a": got "b", want a whole number`},
		{func(map[string]int, int) {}, "f([])", "f: it: got a list, want a dict"},
		{func(beast, int) {}, "f({'armour': 1})", `f: it: there is no field "armour"; did you mean armor?; write some of armor, hd, name, tags`},
		{func(beast, int) {}, "f({'armor': []})", "f: it: armor: got a list, want a whole number"},
		{func(beast, int) {}, "f([])", "f: it: got a list, want a dict with the keys armor, hd, name, tags"},
		{func(lang.Prob, int) {}, "f(1d6)", "f: it: got a roll, want a chance"},
		{func(time.Time, int) {}, "f('soon')", `f: it: got "soon": parsing time`},
	} {
		h := newHost(t, lang.WithFunc("f", c.fn, doc))
		_, err := compiled(t, h, "x = 1\n"+c.src).Run(t.Context())
		var e *lang.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Message, c.want) || e.Kind != lang.KindRuntime || e.Position.Line != 2 {
			t.Errorf("%T: %s:\n got %v\nwant %s", c.fn, c.src, err, c.want)
		}
	}
}

func TestWithFuncMisused(t *testing.T) {
	for _, c := range []struct {
		name string
		fn   any
		sig  string
		want string
	}{
		{"f", 5, "", "func: f: got int, want a function"},
		{"f", nil, "", "want a function"},
		{"f", (func())(nil), "", "want a function"},
		{"d6", func() {}, "", `func: "d6" is not a name that a recipe can use`},
		{"f", func(chan int) {}, "", "parameter 1: chan int is no type that a recipe can give"},
		{"f", func(context.Context, func()) {}, "", "parameter 1: func() is no type"},
		{"f", func(map[float64]int) {}, "", "the keys of a map are strings, integers or bools"},
		{"f", func([]struct{ F func() }) {}, "", `parameter 1: F: func() is no type that a recipe can give; the tag dice:"-" leaves it out`},
		{"f", func() (int, int) { return 0, 0 }, "", "it returns 2 values"},
		{"f", func() chan int { return nil }, "", "what it returns: got a chan int"},
		{"f", func(int) {}, "g(x)", `want one like "f(name, level=1)"`},
		{"f", func(int) {}, "f(x", `want one like "f(name, level=1)"`},
		{"f", func(int) {}, "f(x): return\nf(x)", `want one like "f(name, level=1)"`},
		{"f", func(int) {}, "f()", "has 0 parameters, the function 1"},
		{"f", func(int) {}, "f(x='a')", `x: got "a", want a whole number`},
		{"f", func(int) {}, "f(x=y)", "x: want a number, a text"},
		{"f", func(int) {}, "f(*x)", "want *name for the last parameter of a variadic function"},
		{"f", func(...int) {}, "f(x)", "want *name for the last parameter of a variadic function"},
		{"f", func(int) {}, "f(**x)", "want *name"},
		{"f", func(int) {}, "f(*)", "want *name"},
	} {
		_, err := lang.New(lang.WithFunc(c.name, c.fn, lang.Doc{Signature: c.sig}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %T %q: got %v, want %s", c.name, c.fn, c.sig, err, c.want)
		}
	}
}

type hungry struct{ more int }

func (h *hungry) Error() string { return fmt.Sprintf("%d more", h.more) }

// Errors are causes, panics are errors, at the place of the call.
func TestWithFuncFails(t *testing.T) {
	h := newHost(t,
		lang.WithFunc("missing", func(name string) (int, error) { return 0, fmt.Errorf("there is no %s: %w", name, fs.ErrNotExist) }, lang.Doc{}),
		lang.WithFunc("eat", func() error { return &hungry{3} }, lang.Doc{}),
		lang.WithFunc("boom", func() { panic("it blew up") }, lang.Doc{}),
		lang.WithFunc("late", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, lang.Doc{}),
		lang.WithFunc("odd", func() any { return make(chan int) }, lang.Doc{}),
	)
	for src, want := range map[string]struct {
		kind    lang.Kind
		message string
		is      func(error) bool
	}{
		"missing('ogre')":           {lang.KindRuntime, "missing: there is no ogre: file does not exist", func(err error) bool { return errors.Is(err, fs.ErrNotExist) }},
		"eat()":                     {lang.KindRuntime, "eat: 3 more", func(err error) bool { e := new(hungry); return errors.As(err, &e) && e.more == 3 }},
		"map(lambda x: eat(), 1d6)": {lang.KindRuntime, "eat: 3 more", func(err error) bool { e := new(hungry); return errors.As(err, &e) }},
		"boom()":                    {lang.KindInternal, "internal error: it blew up", func(err error) bool { e := new(lang.Error); return errors.As(err, &e) && len(e.Stack) > 0 }},
		"late()":                    {lang.KindDeadline, "the time for this run is used up", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
		"odd()":                     {lang.KindInternal, "it returned what no recipe can have: a chan int", func(error) bool { return true }},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if src != "late()" {
			ctx = t.Context()
		}
		_, err := compiled(t, h, "x = 1\n"+src).Run(ctx)
		cancel()
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != want.kind || !strings.Contains(e.Message, want.message) || !want.is(err) || e.Position.Line != 2 {
			t.Errorf("%s: got %v (%v), want %v", src, err, e.Kind, want)
		}
	}
}

// The run pays for what its functions do and give, and its limits hold in them.
func TestWithFuncIsCharged(t *testing.T) {
	d6 := die(t, 6)
	big := die(t, 1_000_000)
	h := newHost(t,
		lang.WithFunc("many", func(ctx context.Context, n int) (*dist.Dist, error) { return dist.Must(dist.Repeat(d6, n)).Total(ctx) }, lang.Doc{}),
		lang.WithFunc("large", func() *dist.Dist { return big }, lang.Doc{}),
		lang.WithFunc("text", func() string { return strings.Repeat("x", 2<<20) }, lang.Doc{}),
		lang.WithFunc("first", func(l []int) int { return l[0] }, lang.Doc{}),
	)
	for src, resource := range map[string]string{
		"many(100000)": "", "[large() for _ in range(100)]": "cells", "text()": "text bytes", "l = list(range(1000000))\nfor _ in range(1000):\n    first(l)": "steps",
	} {
		_, err := compiled(t, h, src).Run(t.Context(), lang.WithRunLimits(lang.Limits{Work: 10_000_000}))
		var limit *dist.LimitError
		if !errors.As(err, &limit) || resource != "" && !strings.Contains(strings.ToLower(string(limit.Resource)), strings.Fields(resource)[0]) {
			t.Errorf("%s: got %v, want the limit of %s", src, err, resource)
		}
	}
}

// Sessions, modules and calls from Go reach the functions too, and help shows them.
func TestWithFuncElsewhere(t *testing.T) {
	h := newHost(t, lang.WithFunc("bonus", func(level int, of string) int { return level * len(of) }, lang.Doc{Signature: `bonus(level, of="axe")`, Text: "What a hero adds."}),
		lang.WithFunc("plain", func(int, ...string) {}, lang.Doc{}))
	s := h.NewSession()
	if _, err := s.Eval(t.Context(), "def f(x):\n    return bonus(x)\n"); err != nil {
		t.Fatal(err)
	}
	r, err := s.Eval(t.Context(), "f(2)")
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := r.Outputs[0].Data.(lang.Number); !ok || n.Value.RatString() != "6" {
		t.Errorf("got %v", r.Outputs)
	}
	if docs := s.Doc("bonus"); len(docs) != 1 || docs[0].Signature != `bonus(level, of="axe")` || docs[0].Text != "What a hero adds." {
		t.Errorf("got %+v", docs)
	}
	if docs := s.Doc("plain"); len(docs) != 1 || docs[0].Signature != "plain(arg1, *arg2)" {
		t.Errorf("got %+v", docs)
	}
	p := compiled(t, h, "def f(x):\n    return bonus(x, of='sword')")
	r, err = p.Call(t.Context(), "f", 3)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := lang.Get[int](r, "f"); n != 15 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

// A function that returns what it gets changes nothing: what is put out is what would have
// been put out without it.
func TestWithFuncChangesNothing(t *testing.T) {
	identity := newHost(t,
		lang.WithFunc("roll_of", func(d *dist.Dist) *dist.Dist { return d }, lang.Doc{}),
		lang.WithFunc("pool_of", func(p *dist.Pool) *dist.Pool { return p }, lang.Doc{}),
		lang.WithFunc("rat_of", func(r *big.Rat) *big.Rat { return r }, lang.Doc{}),
		lang.WithFunc("ints_of", func(r []int) []int { return r }, lang.Doc{}),
	)
	rapid.Check(t, func(t *rapid.T) {
		count, sides := rapid.IntRange(1, 4).Draw(t, "count"), rapid.IntRange(2, 8).Draw(t, "sides")
		ns := rapid.SliceOfN(rapid.IntRange(-5, 5), 1, 5).Draw(t, "numbers")
		list, _ := json.Marshal(ns)
		src := fmt.Sprintf("output('a', roll_of(%dd%d))\noutput('b', pool_of(dice_pool(%d, %d)).drop_lowest(0))\noutput('c', rat_of((%dd%d).mean()))\noutput('d', sum(ints_of(%s)))", count, sides, count, sides, count, sides, list)
		plain := src
		for _, name := range []string{"roll_of", "pool_of", "rat_of", "ints_of"} {
			plain = strings.ReplaceAll(plain, name, "")
		}
		var got [2][]byte
		for i, text := range []string{src, plain} {
			p, err := identity.Compile(context.Background(), "r.star", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got[i], _ = json.Marshal(r.Outputs)
		}
		if string(got[0]) != string(got[1]) {
			t.Errorf("got %s\nwant %s", got[0], got[1])
		}
	})
}

// monster is a function of the host that recipes call like any other.
func ExampleWithFunc() {
	hitDice := map[string][2]int{"goblin": {2, 6}, "ogre": {7, 10}}
	monster := func(ctx context.Context, name string) (*dist.Pool, error) {
		dice, ok := hitDice[name]
		if !ok {
			return nil, fmt.Errorf("name: there is no monster %q", name)
		}
		die, err := dist.Die(dice[1])
		if err != nil {
			return nil, err
		}
		return dist.Repeat(die, dice[0])
	}
	host, err := lang.New(lang.WithFunc("monster", monster, lang.Doc{Signature: "monster(name)", Text: "The hit points of a monster."}))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	program, err := host.Compile(ctx, "hunt.star", []byte(`
output("dead", 3d6 >= monster("goblin"))
output("gone", monster("unicorn"))
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	dead, _ := lang.Get[*big.Rat](result, "dead")
	fmt.Println(dead.FloatString(4))
	fmt.Println(err)
	// Output:
	// 0.8480
	// hunt.star:3:16: monster: name: there is no monster "unicorn"
}
