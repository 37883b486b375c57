package lang_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/big"
	"os"
	"sync"
	"testing/fstest"
	"time"

	"dicescript/builtins"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// The whole life of a recipe: it is compiled, run with an input, and its results
// are asked for by their titles.
func Example() {
	recipe := `
bonus = param("bonus", 5, help="attack bonus")
output("hit", 1d20 + bonus >= 15)
output("damage", 2d6 + 3)
`
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "attack.star", []byte(recipe))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx, lang.WithInput("bonus", 7))
	if err != nil {
		log.Fatal(err)
	}
	hit, err := lang.Get[*big.Rat](result, "hit")
	if err != nil {
		log.Fatal(err)
	}
	damage, err := lang.Get[*dist.Dist](result, "damage")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("hit:", hit)
	fmt.Println("damage:", damage.Mean(), "at least 10:", damage.AtLeast(10))
	// Output:
	// hit: 13/20
	// damage: 10/1 at least 10: 7/12
}

// A host for strangers: tight limits, a folder of modules, and a print that goes
// to the log. It is made once and shared by all goroutines. An option that makes no
// sense is an error here, not in a run.
func ExampleNew() {
	host, err := lang.New(
		lang.WithLimits(lang.Limits{Steps: 1_000_000, Outputs: 20}),
		lang.WithModules("house/", os.DirFS("modules")),
		lang.WithPrint(func(_ context.Context, text string) { log.Print(text) }),
	)
	if err != nil {
		log.Fatal(err)
	}
	_, err = host.Compile(context.Background(), "attack.star", []byte(`load("house/combat.star", "hit")`))
	fmt.Println(err)

	_, err = lang.New(lang.WithModules("../secrets", os.DirFS("modules")))
	fmt.Println(err)
	// Output:
	// attack.star:1:6: there is no module house/combat.star
	// modules: prefix: got "../secrets", want "", "./" or the beginning of a name such as "campaign/"
}

// Every mistake in the grammar is reported at once, so that an editor can mark
// all of them.
func ExampleHost_Compile() {
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	recipe := "attack = 2 d6\nif attack >= 7\n    output(attack)\noutput('hit, attack)\n"
	_, err = host.Compile(context.Background(), "attack.star", []byte(recipe))
	for _, e := range lang.Errors(err) {
		fmt.Printf("%s error in line %d, column %d: %s\n", e.Kind, e.Position.Line, e.Position.Column, e.Message)
	}
	var first *lang.Error
	if errors.As(err, &first) {
		fmt.Println(first.Source)
	}
	// Output:
	// syntax error in line 1, column 10: write the number of dice and the die together: 2d6
	// syntax error in line 2, column 15: expected a colon, got the end of the line; def, if, else, for and while end in a colon
	// syntax error in line 4, column 8: this text is never closed; end it with the quote that it begins with
	// attack = 2 d6
}

// The inputs are known before a run: a form or a help text can be made of them.
// What an error suggests can be done for the author, here at the press of a button.
func ExampleError_fixes() {
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	line := "output(4d6d1)"
	_, err = host.Compile(context.Background(), "attack.star", []byte(line))
	for _, e := range lang.Errors(err) {
		fmt.Println(e)
		for _, fix := range e.Fixes {
			runes := []rune(line)
			fmt.Println(string(runes[:fix.Column-1]) + fix.Text + string(runes[fix.EndColumn-1:]))
		}
	}
	// Output:
	// attack.star:1:8: d1 is read in two ways: drop the lowest (write 4d6dl1) or drop the highest (write 4d6dh1)
	// output(4d6dl1)
	// output(4d6dh1)
}

func ExampleProgram_Params() {
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(context.Background(), "skill.star", []byte(`
skill = param("skill", 45, help="skill in percent", min=1, max=100)
mode = param("mode", "normal", choices=["easy", "normal", "hard"])
`))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range program.Params() {
		fmt.Printf("%s %s = %v: %q, from %v to %v, one of %v\n", p.Type, p.Name, p.Default, p.Help, p.Min, p.Max, p.Choices)
	}
	// What a person typed is read by the parameter.
	_, err = program.Params()[0].Parse("a lot")
	fmt.Println(err)
	// Output:
	// int skill = 45: "skill in percent", from 1 to 100, one of []
	// string mode = normal: "", from <nil> to <nil>, one of [easy normal hard]
	// skill: got "a lot", want a whole number
}

// Inputs are Go values; one that does not suit is an error of its own kind, and
// nothing is run.
func ExampleProgram_Run() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "skill.star", []byte(`
skill = param("skill", 45, min=1, max=100)
output("success", 1d100 <= skill)
`))
	if err != nil {
		log.Fatal(err)
	}
	for _, skill := range []any{60, 120, "high"} {
		result, err := program.Run(ctx, lang.WithInput("skill", skill))
		var e *lang.Error
		switch {
		case errors.As(err, &e) && e.Kind == lang.KindInput:
			fmt.Println("please check:", e.Message)
		case err != nil:
			log.Fatal(err)
		default:
			success, _ := lang.Get[float64](result, "success")
			fmt.Println("success:", success)
		}
	}
	// Output:
	// success: 0.6
	// please check: skill: got 120, want at most 100
	// please check: skill: got "high", want a whole number
}

// A run that fails still has the outputs recorded before the failure.
func ExampleProgram_Run_partial() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "half.star", []byte(`
output("first", 1d6 == 6)
def second(n):
    return 1d6 // n
output("second", second(0))
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	for _, o := range result.Outputs {
		fmt.Println("recorded:", o.Title, o.Kind())
	}
	fmt.Println(err)
	var e *lang.Error
	if errors.As(err, &e) {
		for _, f := range e.Frames {
			fmt.Println("  called at", f.Position)
		}
	}
	// Output:
	// recorded: first Prob
	// half.star:4:16: //: division by zero
	//   called at half.star:5:18
	//   called at half.star:4:16
}

// A deadline stops a recipe that would never end.
func ExampleProgram_Run_deadline() {
	host, err := lang.New(lang.WithLimits(lang.Limits{Steps: lang.Unlimited}))
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(context.Background(), "ever.star", []byte("while True:\n    pass\n"))
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err = program.Run(ctx)
	fmt.Println(err)
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output:
	// ever.star:1:1: the time for this run is used up
	// true
}

// A program may be run from any number of goroutines, each with its own inputs.
func ExampleProgram_Run_concurrent() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "score.star", []byte(`
kept = param("kept", 3)
output("score", keep_highest(4, 6, kept))
`))
	if err != nil {
		log.Fatal(err)
	}
	var means [4]*big.Rat
	var all sync.WaitGroup
	for i := range means {
		all.Go(func() {
			result, err := program.Run(ctx, lang.WithInput("kept", i+1))
			if err != nil {
				log.Fatal(err)
			}
			score, err := lang.Get[*dist.Dist](result, "score")
			if err != nil {
				log.Fatal(err)
			}
			means[i] = score.Mean()
		})
	}
	all.Wait()
	for i, mean := range means {
		fmt.Println("keep", i+1, "mean", mean)
	}
	// Output:
	// keep 1 mean 6797/1296
	// keep 2 mean 6055/648
	// keep 3 mean 15869/1296
	// keep 4 mean 14/1
}

// Get computes with results: a roll is a distribution, a chance or a number an
// exact fraction.
func ExampleGet() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "score.star", []byte(`
output("score", 4d6kh3)
output("good", 4d6kh3 >= 15)
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	score, _ := lang.Get[*dist.Dist](result, "score")
	good, _ := lang.Get[*big.Rat](result, "good")
	rounded, _ := lang.Get[float64](result, "good")
	fmt.Println(score.Mean(), good, rounded)

	_, err = lang.Get[float64](result, "score")
	fmt.Println(err)
	_, err = lang.Get[float64](result, "god")
	fmt.Println(err)
	// Output:
	// 15869/1296 25/108 0.23148148148148148
	// output "score" is a DieRoll, which is no float64
	// there is no output "god"; did you mean good?
}

// What would exceed a limit is refused before it is done. The *dist.LimitError
// says what was wanted, and Usage what was used until then.
func ExampleWithLimits() {
	ctx := context.Background()
	host, err := lang.New(lang.WithLimits(lang.Limits{Outcomes: 1000}))
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "many.star", []byte(`
output("few", 10d6)
output("many", 1000d6)
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	var limit *dist.LimitError
	if errors.As(err, &limit) {
		fmt.Println(limit.Resource == dist.OutcomesResource, limit.Need, "of", limit.Limit)
	}
	fmt.Println("recorded:", result.Usage.Outputs)
	// Output:
	// true 5001 of 1000
	// recorded: 1
}

// luck(roll) is the better of two such rolls: a function of the host that takes
// whatever stands for a roll, and whose work is charged to the run.
func ExampleWithBuiltins() {
	luck := func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var v starlark.Value
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "roll", &v); err != nil {
			return nil, err
		}
		roll, ok, err := value.AsRoll(thread, v)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("luck: roll: got %s, want a roll", v)
		}
		better, err := dist.Max(runenv.Of(thread).Context, roll, roll)
		if err != nil {
			return nil, err
		}
		return builtins.NewRoll(better), nil
	}
	host, err := lang.New(lang.WithBuiltins(starlark.StringDict{
		"luck": starlark.NewBuiltin("luck", luck),
	}))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	program, err := host.Compile(ctx, "luck.star", []byte(`
output("lucky", luck(1d20) >= 15)
output("unlucky", luck("1d20"))
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	lucky, _ := lang.Get[*big.Rat](result, "lucky")
	fmt.Println(lucky)
	fmt.Println(err)
	// Output:
	// 51/100
	// luck.star:3:19: luck: roll: got "1d20", want a roll
}

// Recipes load modules from the files that the host gives: a folder, an
// embed.FS, or a map.
func ExampleWithModules() {
	files := fstest.MapFS{"combat.star": {Data: []byte(`
def hit(bonus, armor):
    """The chance to hit."""
    return 1d20 + bonus >= armor
`)}}
	ctx := context.Background()
	host, err := lang.New(lang.WithModules("house/", files))
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "attack.star", []byte(`
load("house/combat.star", "hit")
output("hit", hit(5, 15))
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	hit, _ := lang.Get[*big.Rat](result, "hit")
	fmt.Println(hit)
	// Output: 11/20
}

// Print gets the context of the run, in which a host finds whose run it is.
func ExampleWithPrint() {
	type user struct{}
	host, err := lang.New(lang.WithPrint(func(ctx context.Context, text string) {
		fmt.Printf("%s: %s\n", ctx.Value(user{}), text)
	}))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.WithValue(context.Background(), user{}, "ada")
	program, err := host.Compile(ctx, "note.star", []byte(`print("mean", (2d6).mean())`))
	if err != nil {
		log.Fatal(err)
	}
	if _, err := program.Run(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: ada: mean 7
}

// A session is for a prompt: each input knows what those before it defined, and
// the value of an expression is an output.
func ExampleHost_NewSession() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	session := host.NewSession()
	for _, input := range []string{"score = 4d6kh3", "score >= 15", "scores", "score.mean()"} {
		result, err := session.Eval(ctx, input)
		if err != nil {
			fmt.Println(err)
		}
		for _, o := range result.Outputs {
			value, _ := lang.Get[*big.Rat](result, o.Title)
			fmt.Println(o.Title, "is", value)
		}
	}

	words, start := session.Complete("x = sco")
	fmt.Println(words, start)
	for _, doc := range session.Doc("keep_highest") {
		fmt.Println(doc.Signature)
	}
	// Output:
	// score >= 15 is 25/108
	// input 3:1:1: undefined: scores; did you mean score?
	// score.mean() is 15869/1296
	// [score] 4
	// keep_highest(count, sides, keep)
}

// One program, compiled once, serves several tiers.
func ExampleWithRunLimits() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := host.Compile(context.Background(), "walk.star", []byte(`
for i in range(10000):
    pass
output("d6", 1d6)
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	tiers := []struct {
		name   string
		limits lang.Limits
	}{{"free", lang.Limits{Steps: 1000}}, {"paid", lang.Limits{Steps: 1_000_000}}}
	for _, tier := range tiers {
		_, err := program.Run(context.Background(), lang.WithRunLimits(tier.limits))
		var e *lang.Error
		switch {
		case errors.As(err, &e) && e.Kind == lang.KindLimit:
			fmt.Println(tier.name + ": too much for this tier")
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(tier.name + ": fine")
		}
	}
	// Output:
	// free: too much for this tier
	// paid: fine
}

// What a run prints goes to whoever asked for that run.
func ExampleWithRunPrint() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := host.Compile(context.Background(), "hello.star", []byte(`print("rolling for", param("name", "nobody"))`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"Ann", "Bo"} {
		print := func(_ context.Context, text string) { fmt.Printf("to %s: %s\n", name, text) }
		if _, err := program.Run(context.Background(), lang.WithInput("name", name), lang.WithRunPrint(print)); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// to Ann: rolling for Ann
	// to Bo: rolling for Bo
}

// A session of a stranger holds little, and says how much.
func ExampleSession_Size() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	session := host.NewSession(lang.WithRunLimits(lang.Limits{SessionBytes: 1 << 20}))
	for _, input := range []string{"a = 20d20.sum()", "b = list(range(1000))", "c = list(range(500000))"} {
		if _, err := session.Eval(context.Background(), input); err != nil {
			fmt.Println("refused:", input)
		}
	}
	fmt.Println("less than 100 kB:", session.Size() < 100_000)
	// Output:
	// refused: c = list(range(500000))
	// less than 100 kB: true
}
