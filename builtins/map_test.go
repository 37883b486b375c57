package builtins

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

func TestMapMakesWhatTheFunctionReturns(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`map(lambda a, b: a - b, d(6), d(6)).pmf(0).fraction`, `1/6`},
		{`d(6).map(lambda x: x * x).mean().fraction`, `91/6`},
		{`d(6).map(lambda x: "even" if x % 2 == 0 else "odd").labels`, `["odd", "even"]`},
		{`d(6).map(lambda x: (x // 3, "a")).pmf((1, "a")).fraction`, `1/2`},
		{`d(6).map(lambda x: x >= 5).fraction`, `1/3`},
		{`type(d(6).map(lambda x: x >= 5))`, `Prob`},
		{`map(lambda a, b: a > b, d(8), 4).fraction`, `1/2`},
		{`map(fn=lambda x: x, rolls=d(6))`, `!map: rolls: it takes no name`},
		{`dice_pool(2, 6).map(lambda faces: faces[0] == faces[1]).fraction`, `1/6`},
		{`pool_map(dice_pool(3, 6), lambda faces: faces == sorted(faces)).fraction`, `7/27`},
		{`pool_map(d(6), lambda faces: len(faces))`, `DieRoll 1`},
		{`map(lambda total: total, dice_pool(2, 6)).pmf(7).fraction`, `1/6`},
		// A callback that keeps or changes its list does no harm.
		{"kept = []\ndef f(faces):\n  kept.append(faces)\n  return faces.pop()\ndice_pool(2, 2).map(f)\n[len(x) for x in kept]", `[1, 1, 1, 1]`},
		// A builtin can be the callback, and a function with a default or *args.
		{`map(max, d(6), d(6)).pmf(6).fraction`, `11/36`},
		{`d(6).map(lambda x, bonus = 2: x + bonus).min()`, `3`},
		{`map(lambda *faces: len(faces), d(6), d(6))`, `DieRoll 2`},
	})
}

func TestMapOfFollowUps(t *testing.T) {
	checkRecipes(t, [][2]string{
		// The number of dice is itself rolled.
		{`d(4).map(lambda n: dice_pool(n, 6)).mean()`, `8.75`},
		{`same(d(4).map(lambda n: dice_pool(n, 6)), times(d(4), d(6)))`, `True`},
		// Numbers and rolls mix: reroll a 1.
		{`d(6).map(lambda x: d(6) if x == 1 else x).pmf(6).fraction`, `7/36`},
		// Truth values and chances mix.
		{`d(6).map(lambda x: True if x == 6 else d(x).p_ge(5)).fraction`, `1/5`},
		{`d(2).map(lambda x: d(6).p_ge(4) if x == 1 else False).fraction`, `1/4`},
		// Labels and Outcomes mix; a scale that all share stays.
		{`d(2).map(lambda x: versus(d(6), d(6)) if x == 1 else "win").p_at_least("tie").fraction`, `19/24`},
		{`d(2).map(lambda x: "win" if x == 1 else versus(d(6), d(6))).labels`, `["lose", "tie", "win"]`},
		{`d(2).map(lambda x: versus(d(6), d(6)) if x == 1 else "rout").labels`, `["lose", "tie", "win", "rout"]`},
		{`d(2).map(lambda x: versus(d(6), d(6)) if x == 1 else "rout").p_at_least("win")`, `!have no order`},
		{`d(2).map(lambda x: versus(d(6), d(6)) if x == 1 else "rout").pmf("lose").fraction`, `5/24`},
	})
}

func TestMapErrors(t *testing.T) {
	checkRecipes(t, [][2]string{
		{`map(lambda x: x)`, `!map: rolls: missing; write at least one roll after the function`},
		{`map(d(6), lambda x: x)`, `!map: fn: the function comes first, as in map(fn, roll)`},
		{`map(3, d(6))`, `!map: fn: got 3, want a function`},
		{`map(lambda x: x, "2d6")`, `!map: rolls: got "2d6", want a roll`},
		{`map(lambda x: x, d(6), d(6))`, `!map: fn: the lambda takes 1 argument, but it is given 2: a result of each of the 2 rolls`},
		{"def f(a, b, c): return a\nmap(f, d(6), d(6))", `!map: fn: f takes 3 arguments, but it is given 2`},
		{`d(6).map(lambda: 1)`, `!map: fn: the lambda takes no arguments, but it is given 1: a result of the roll`},
		{"def f(a, *, bonus): return a\nd(6).map(f)", `!map: fn: f needs its parameter bonus by name`},
		{"def f(x):\n  if x > 3: return 1\nd(6).map(f)", `!map: fn: returned nothing for 1; every way through the function must end in a return`},
		{`d(6).map(lambda x: x / 2)`, `!map: fn: returned 0.5 for 1, want a whole number: // divides without a remainder`},
		{`d(6).map(lambda x: d(6).mean())`, `!map: fn: returned a number with a fraction (3.5) for 1, want a whole number`},
		{`d(6).map(lambda x: x if x > 1 else "one")`, `!map: fn: returned "one" for 1 but 2 for 2; want the same kind of answer always`},
		{`d(6).map(lambda x: x if x > 1 else True)`, `!returned True for 1 but 2 for 2`},
		{`d(6).map(lambda x: [x])`, `!a label of several parts is a tuple: return (a, b)`},
		{`d(6).map(lambda x: {})`, `!returned a dict for 1, want a whole number, a label`},
		{`d(6).map(lambda x: ([x],))`, `!got a list in a tuple`},
		{`d(6).map(lambda x: "")`, `!the label for 1: got an empty text`},
		{`d(6).map(lambda x: d)`, `!to call a function, write its parentheses`},
		{`d(6).map(lambda x: x << 70)`, `!want a whole number from -2^63 to 2^63-1`},
		{`map(lambda x, y: None, d(6), d(4))`, `!returned nothing for 1 and 1`},
		{`dice_pool(2, 6).map(lambda faces: None)`, `!returned nothing for [1, 1]`},
		{`d(6).map(lambda x: undefined)`, `!undefined: undefined`},
		{`map_sorted(lambda x: 1)`, `!map_sorted: pools: missing`},
		{`map_sorted(lambda x: 1, 3)`, `!map_sorted: pools: got 3, want a pool`},
		{`pool_map(3, lambda x: 1)`, `!pool_map: pool: got 3, want a pool`},
	})
}

func TestOutcomesMap(t *testing.T) {
	attack := `o = classify(d(20), scale().step("miss").step("hit").step("crit"), lambda x: "crit" if x == 20 else "hit" if x >= 11 else "miss")` + "\n"
	checkRecipes(t, [][2]string{
		{attack + `o.map({"miss": 0, "hit": d(6), "crit": dice_pool(2, 6)}).mean().fraction`, `77/40`},
		{attack + `o.map(lambda label: len(label)).mean().fraction`, `71/20`},
		{attack + `o.map({"miss": "bad", "hit": "good", "crit": "good"}).pmf("good").fraction`, `1/2`},
		{attack + `o.map({"miss": False, "hit": d(6).p_ge(4), "crit": True}).fraction`, `11/40`},
		{attack + `o.map({"miss": 0, "hit": 1})`, `!map: fn: the dict has no answer for the label "crit"`},
		{attack + `o.map({"miss": 0, "hit": 1, "crt": 2})`, `!map: fn: there is no label "crt"; did you mean "crit"?`},
		{attack + `o.map(3)`, `!map: fn: got 3, want a function or a dict`},
		{attack + `o.map(lambda label: None)`, `!map: fn: returned nothing for "miss"`},
		// Labels can be looked at together.
		{attack + `map(lambda a, b: a == b, o, o).fraction`, `91/200`},
	})
}

// sortedMultisets is the slow way: all tuples, sorted.
func TestMapSortedIsMapOfSortedFaces(t *testing.T) {
	for _, pools := range []string{
		`dice_pool(3, 6)`, `dice_pool(2, 4) + d(6)`, `pool(die_faces([1, 1, 3]), d(3), d(3))`,
	} {
		checkRecipes(t, [][2]string{
			{fmt.Sprintf("p = %s\nf = lambda faces: tuple(faces)\nsame(p.map_sorted(f).map(str), p.map(lambda faces: str(tuple(sorted(faces)))))", pools), `True`},
		})
	}
	// Risk, three against two, from the enumeration of all 7776 rolls.
	risk := `
def battle(a, b):
  return -int(a[2] <= b[1]) - int(a[1] <= b[0])
r = map_sorted(battle, dice_pool(3, 6), dice_pool(2, 6))
`
	checkRecipes(t, [][2]string{
		{risk + `r.pmf(0).fraction`, `1445/3888`},
		{risk + `r.pmf(-2).fraction`, `2275/7776`},
		{risk + `r.pmf(-1).fraction`, `2611/7776`},
		// What a callback does to its lists, or keeps of them, harms no other call.
		{"kept = []\ndef f(a, b):\n  kept.append(a)\n  return a.pop() + b.pop()\nr = map_sorted(f, dice_pool(2, 6), dice_pool(2, 6))\nsame(r, dice_pool(2, 6).highest() + dice_pool(2, 6).highest())", `True`},
	})
}

func TestCallsAreChargedFirst(t *testing.T) {
	env := &runenv.Env{Context: context.Background(), Meter: meter.NewTable().NewMeter(meter.Limits{}.Filled())}
	_, err := recipeIn(t, "map(lambda a, b, c: 1, d(1000), d(1000), d(1000))", env)
	var limit *dist.LimitError
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "map: fn: it would be called 1 000 000 000 times: would need") {
		t.Errorf("got %v", err)
	}
	_, err = recipeIn(t, "map_sorted(lambda a: 1, dice_pool(50, 50))", env)
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "map_sorted: fn: it would be called more often than can be counted") {
		t.Errorf("got %v", err)
	}
}

func TestCallbacksEndWithTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	stop := starlark.NewBuiltin("stop", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
		if calls++; calls == 10 {
			cancel()
		}
		return starlark.MakeInt(1), nil
	})
	thread := &starlark.Thread{}
	runenv.Set(thread, &runenv.Env{Context: ctx})
	globals := Globals()
	_, err := starlark.Call(thread, globals["map"], starlark.Tuple{stop, NewRoll(dist.Must(dist.Die(1 << 20)))}, nil)
	if !errors.Is(err, context.Canceled) || calls > 1<<12 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// An unlimited roll keeps its error through a callback, and a chance has it too.
func TestMapKeepsTheError(t *testing.T) {
	checkRecipes(t, [][2]string{
		{"e = explode(d(6), None)\ne.error > 0 and e.map(lambda x: x % 2).error >= e.error", `True`},
		{"e = explode(d(6), None)\nmap(lambda x, y: \"high\" if x > y else \"low\", e, e).error >= 2 * e.error", `True`},
		{"e = explode(d(6), None)\ne.map(lambda x: x > 3).error == e.error", `True`},
		{"e = explode(d(6), None)\ne.map(lambda x: d(x)).error >= e.error", `True`},
		{"e = explode(d(6), None)\ne.map(lambda x: x % 2).mean()", `!mean: `},
	})
}

var benchmarkRecipes = map[string]struct{ Source, want string }{
	"callback_100x100": {`
def f(a, b):
  if a <= 5 and b > a:
    return "crit"
  if a <= 50 and b > 30:
    return "hit"
  return "miss"
def run():
  return map(f, d(100), d(100)).pmf("hit").fraction
`, "63/200"},
	"two_pools": {`
def f(a, b):
  return a[4] > b[4]
def run():
  return map_sorted(f, dice_pool(5, 10), dice_pool(5, 10)).fraction
`, "726931071/2000000000"},
	"pool_callback": {`
def f(faces):
  return max(faces)
def run():
  return dice_pool(5, 6).map(f).pmf(6).fraction
`, "4651/7776"},
	"markov_30": {`
def step(n):
  return 100 if n >= 100 else either("1/2", n + 1, max(n - 1, 0))
def run():
  return iterate(50, step, 30).pmf(50).fraction
`, new(big.Rat).SetFrac(new(big.Int).Binomial(30, 15), new(big.Int).Lsh(big.NewInt(1), 30)).RatString()},
}

func BenchmarkCallbacks(b *testing.B) {
	for name, c := range benchmarkRecipes {
		b.Run(name, func(b *testing.B) {
			thread := &starlark.Thread{}
			runenv.Set(thread, &runenv.Env{Context: context.Background()})
			globals, err := starlark.ExecFileOptions(dialect, thread, "bench.star", c.Source, Globals())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				v, err := starlark.Call(thread, globals["run"], nil, nil)
				if err != nil {
					b.Fatal(err)
				}
				if got := printed(v); got != c.want {
					b.Fatalf("got %s, want %s", got, c.want)
				}
			}
		})
	}
}
