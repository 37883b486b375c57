package builtins

import (
	"fmt"

	"dicescript/builtins/define"
	"dicescript/builtins/play"
	"dicescript/builtins/runenv"
	"dicescript/builtins/throwing"

	"go.starlark.net/starlark"
)

// Play runs a function as it would be told at the table, throw by throw, but all ways at
// once. Its words mean something only in a function that is played.

func playBuiltins() []define.Builtin {
	fn := define.Param{Name: "fn", Doc: "a function that tells the rule with throw, given, choose, earn and draw"}
	args := define.Param{Name: "args", Variadic: true, Doc: "what fn is called with; it may change its own copies"}
	return []define.Builtin{
		{
			Name: "play", Free: true,
			Params: []define.Param{fn, args,
				{Name: "goal", Default: `"highest"`, Doc: `whether choices want the mean payoff "highest" or "lowest"`},
				{Name: "scale", Default: "None", Doc: "the scale that the labels stand on"}},
			Doc: "The exact result of a rule that rolls, looks and rolls again: fn is run in all ways, each with its chance. " +
				"It may loop and call functions; a loop may go on until something happens. " + answerDoc + " Where fn chooses, the result is the best plan.",
			Errors: "a play that may go on for ever; evidence that is impossible; changing a list from outside of the play; " + answerErrors,
			Example: "def attack():\n    x = throw(d(20))\n    if x == 20:\n        return 2 * throw(d(6)) + 3\n    return d(6) + 3 if x >= 11 else 0\n" +
				"play(attack).mean().fraction",
			Result: "137/40",
			Run:    playAll,
		},
		{
			Name: "evidence", Free: true,
			Params:  []define.Param{fn, args},
			Doc:     "The chance that every given of a play holds.",
			Example: "def two_alike():\n    given(throw(d(6)) == throw(d(6)))\n    return True\nevidence(two_alike).fraction",
			Result:  "1/6",
			Run: func(c define.Call) (starlark.Value, error) {
				player, fn, err := playerOf(c)
				if err != nil {
					return nil, err
				}
				fn, args := heldRule(c, fn)
				rule := &play.Rule{Call: c, Player: player, Word: wordOf(c), Fn: fn, Args: args}
				holds, err := rule.Evidence()
				return thrownRule(c, holds, func(t *throwing.Thrower) (starlark.Value, error) {
					yes, err := rule.Holds(t)
					return throwing.Prob(c.Methods(), yes), err
				}), err
			},
		},
		{
			Name: "throw", Free: true,
			Params:  []define.Param{{Name: "x", Doc: "a roll, which gives a whole number; a pool, the ascending list of its faces; a hand, its sorted cards; Outcomes, a label; a chance, whether it comes true"}},
			Doc:     "In a play: throws dice, and the function sees what they show. A whole number is that number.",
			Errors:  "outside of a play; in a function that a builtin such as map calls",
			Example: "def luck():\n    low, middle, high = throw(dice_pool(3, 6))\n    return middle + throw(d(6)) if high == 6 else low\nplay(luck).mean().fraction",
			Result:  "1849/432",
			Run:     outsideOfPlay("throw", "return the roll itself, which is mixed in"),
		},
		{
			Name: "given", Free: true,
			Params:  []define.Param{{Name: "c", Doc: "what is true or not, or a chance that weighs this branch"}},
			Doc:     "In a play: what comes after it is on condition of it.",
			Errors:  "outside of a play; evidence that never holds",
			Example: "def which():\n    n = throw(die_faces([4, 6, 8, 12]))\n    for seen in (4, 2, 3):\n        given(throw(d(n)) == seen)\n    return n\nplay(which).pmf(4).fraction",
			Result:  "24/35",
			Run:     outsideOfPlay("given", "use .keep on the roll"),
		},
		{
			Name: "draw", Free: true,
			Params:  []define.Param{{Name: "list", Doc: "a list that the play has made or was given"}},
			Doc:     "In a play: an element of a list, each equally likely, taken out of it.",
			Errors:  "outside of a play; an empty list; a list from outside of the play",
			Example: "def bag():\n    chips = [\"red\", \"red\", \"blue\"]\n    return draw(chips) == draw(chips)\nplay(bag).fraction",
			Result:  "1/3",
			Run:     outsideOfPlay("draw", "use deck(...).deal(n)"),
		},
		{
			Name: "choose", Free: true,
			Params: []define.Param{
				{Name: "options", Doc: "a list of values, or a dict of {option: what it is}, whose keys are given back"},
				{Name: "who", Default: "None", Doc: "the name of the other side, which wants the opposite"}},
			Doc:    "In a play: a decision, which is made as well as possible. Of equal options the first is taken.",
			Errors: "outside of a play; nothing to choose from; a second other side; evidence that may fail after it",
			Example: "def reroll_once():\n    x = throw(d(6))\n    if choose([\"keep\", \"reroll\"]) == \"reroll\":\n        x = throw(d(6))\n    return x\n" +
				"play(reroll_once).value.fraction",
			Result: "17/4",
			Run:    outsideOfPlay("choose", "the choice of a function that only sees its arguments is max(...)"),
		},
		{
			Name: "earn", Free: true,
			Params:  []define.Param{{Name: "n", Doc: "a whole number, a Number, or a roll that nobody looks at"}},
			Doc:     "In a play: adds to its payoff, which needs no variable then. What fn returns is added at the end.",
			Errors:  "outside of a play",
			Example: "def coins():\n    while throw(d(6)) > 1:\n        earn(1)\nplay(coins).mean().fraction",
			Result:  "5",
			Run:     outsideOfPlay("earn", "return the number"),
		},
	}
}

// outsideOfPlay is what a word does where nobody plays.
func outsideOfPlay(name, instead string) func(define.Call) (starlark.Value, error) {
	return func(c define.Call) (starlark.Value, error) {
		if env := runenv.Of(c.Thread); env != nil && env.Playing > 0 {
			return nil, fmt.Errorf("a function that a builtin calls, such as that of map, throws nothing: %s", instead)
		}
		return nil, fmt.Errorf("nothing is played here: write the rule as a function, def rule(): ... %s(...) ..., and ask play(rule)", name)
	}
}

// playWords are the words of a play by their names.
var playWords = map[string]play.Word{"throw": play.Throw, "given": play.Given, "draw": play.Draw, "choose": play.Choose, "earn": play.Earn}

// wordOf returns what the builtins of the table mean that c is in.
func wordOf(c define.Call) func(starlark.Value) play.Word {
	return func(v starlark.Value) play.Word {
		b, ok := v.(*starlark.Builtin)
		if !ok {
			return play.None
		}
		if word, ok := playWords[b.Name()]; ok && c.IsGlobal(b) {
			return word
		}
		return play.None
	}
}

func playerOf(c define.Call) (runenv.Player, starlark.Callable, error) {
	fn, err := c.Function(0)
	if err != nil {
		return nil, nil, err
	}
	env := runenv.Of(c.Thread)
	if env == nil || env.Host == nil {
		return nil, nil, fmt.Errorf("a function can only be played in a run")
	}
	word := wordOf(c)
	player, err := env.Host.Play(c.Thread, func(v starlark.Value) bool { return word(v) != play.None })
	return player, fn, err
}

func playAll(c define.Call) (starlark.Value, error) {
	player, fn, err := playerOf(c)
	if err != nil {
		return nil, err
	}
	fn, args := heldRule(c, fn)
	rule := &play.Rule{Call: c, Player: player, Word: wordOf(c), Fn: fn, Args: args}
	if c.Given(2) {
		if rule.Lowest, err = lowestGoal(c, 2); err != nil {
			return nil, err
		}
	}
	if rule.Scale, err = scaleOrNone(c, 3); err != nil {
		return nil, err
	}
	v, plan, err := rule.Play()
	if err != nil {
		return nil, err
	}
	if plan == nil {
		return thrownRule(c, v, func(t *throwing.Thrower) (starlark.Value, error) {
			told, err := rule.Throw(t, nil)
			if err != nil {
				return nil, err
			}
			return rule.Result(t, told, v)
		}), nil
	}
	_, bound := plan.Value()
	return &Plan{methods: c.Methods(), told: plan, rule: rule, bound: bound}, nil
}

// heldRule returns a function that is played and its arguments: in a run that is thrown as
// they are now.
func heldRule(c define.Call, fn starlark.Callable) (starlark.Callable, []starlark.Value) {
	env := runenv.Of(c.Thread)
	if !env.Thrown {
		return fn, c.Rest(1)
	}
	held := env.Host.Snapshot(append(starlark.Tuple{fn}, c.Rest(1)...)).(starlark.Tuple)
	return held[0].(starlark.Callable), held[1:]
}

// thrownRule returns what a play comes to as a value that is thrown by telling it.
func thrownRule(c define.Call, v starlark.Value, throw func(*throwing.Thrower) (starlark.Value, error)) starlark.Value {
	return throwing.Noted(c.Thread, v, func() *throwing.Derivation {
		return &throwing.Derivation{Write: c.String, Throw: throw}
	})
}

// notInPlay refuses what has no meaning in a function that is played in all ways at once.
func notInPlay(c define.Call, instead string) error {
	if env := runenv.Of(c.Thread); env != nil && env.Playing > 0 {
		return fmt.Errorf("it has no place in a play, which goes all ways at once: %s", instead)
	}
	return nil
}
