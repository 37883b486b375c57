package lang_test

import (
	"context"
	"os"
	"testing"

	"dicescript/lang"
)

// What callbacks take, compiled and oneByOne. Each result is a chance that is
// known otherwise.
var callbackWork = []struct{ name, recipe, want string }{
	// P(a - b <= 0) of two d100 is 101/200.
	{"difference_100x100", `
output("p", map(lambda a, b: max(a - b, 0), d(100), d(100)) == 0)
`, "101/200"},
	// Four equal initiatives: each wins as often.
	{"initiative_4d20", `
def first(a, b, c, e):
    if a >= b and a >= c and a >= e:
        return 1
    if b >= c and b >= e:
        return 2
    return 3 if c >= e else 4
output("p", map(first, d(20), d(20), d(20), d(20)) == 4)
`, "361/1600"},
	// The largest set of 10d10 and its face; all ten are different for 10! in 10^10.
	{"states_10d10", `
def best_set(best, face, count):
    if count >= best[0]:
        return (count, face)
    return best
output("p", dice_pool(10, 10).evaluate(best_set, (1, 0), lambda best: best[0] == 1))
`, "567/1562500"},
	{"pool_map_5d6", `
output("p", (5d6).map(lambda faces: faces[0] == faces[1] and faces[3] == faces[4]))
`, "1/36"},
	{"classes_5d10", `
output("p", map_sorted(lambda a, b: a[-1] + a[-2] > b[0] + b[1] + 50, dice_pool(5, 10), dice_pool(5, 10)))
`, "0"},
	// It makes a list grow, so that the interpreter makes all calls.
	{"declined_50x50", `
def f(a, b):
    seen = []
    seen.append(a)
    return seen[0] == b
output("p", map(f, d(50), d(50)))
`, "1/50"},
	// A function is made for each state, and called a few times.
	{"closures", `
def turn(state):
    good, bad = state
    if good == 3 or bad == 3:
        return state
    def after(face):
        return (good + 1, bad) if face >= 10 else (good, bad + 1)
    return d(20).map(after)
output("p", iterate((0, 0), turn, None).map(lambda state: state[0] == 3))
`, "949003/1600000"},
	// The interpreter makes every other call.
	{"halved_50x50", `
def f(a, b):
    if b % 2 == 0:
        seen = []
        seen.append(a)
        return seen[0] == b
    return a == b
output("p", map(f, d(50), d(50)))
`, "1/50"},
}

func BenchmarkCallback(b *testing.B) {
	compiled, oneByOne := bothHosts(b, lang.WithLimits(lang.Limits{Steps: 1 << 40, Work: 1 << 40}))
	for _, work := range callbackWork {
		for _, host := range []struct {
			name string
			host *lang.Host
		}{{"compiled", compiled}, {"oneByOne", oneByOne}} {
			b.Run(work.name+"/"+host.name, func(b *testing.B) {
				ctx := context.Background()
				p, err := host.host.Compile(ctx, work.name+".star", []byte(work.recipe))
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					r, err := p.Run(ctx)
					if err != nil {
						b.Fatal(err)
					}
					if got := r.Outputs[0].Data.(lang.Prob).Value.RatString(); got != work.want {
						b.Fatalf("got %s, want %s", got, work.want)
					}
				}
			})
		}
	}
}

// What making functions ready takes when a recipe is compiled, which is begun
// with the bundled modules known.
func BenchmarkCompile(b *testing.B) {
	compiled, oneByOne := bothHosts(b)
	src, err := os.ReadFile("../stdlib/brp.star")
	if err != nil {
		b.Fatal(err)
	}
	for _, host := range []struct {
		name string
		host *lang.Host
	}{{"compiled", compiled}, {"oneByOne", oneByOne}} {
		b.Run(host.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := host.host.Compile(context.Background(), "recipe.star", src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
