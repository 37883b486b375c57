package lang_test

import (
	"strings"
	"testing"

	"dicescript/lang"
)

// Mistakes in a play are told where they are made, with what to do instead.
func TestMistakesInPlays(t *testing.T) {
	const ask = "output(\"x\", play(f))\n"
	for _, c := range []struct{ name, src, at, want string }{
		{"a throw outside", "x = throw(d6)\n", "1:5", "nothing is played here: write the rule as a function"},
		{"given in a function that is not played", "def f():\n    given(True)\n    return 1\noutput(\"x\", f())\n", "2:5", "ask play(rule)"},
		{"a throw in map", "def f():\n    return map(lambda x: x + throw(d6), d6)\n" + ask, "2:30", "return the roll itself, which is mixed in"},
		{"a throw in sorted", "def f():\n    return sorted([3, 1], key=lambda x: throw(d6))[0]\n" + ask, "2:41", "return the roll itself, which is mixed in"},
		{"a play that cannot end", "def f():\n    while throw(d6) < 7:\n        pass\n    return 1\n" + ask, "5:13", "the play may go on for ever: from line 2"},
		{"evidence that is impossible", "def f():\n    given(throw(d6) > 6)\n    return 1\n" + ask, "4:13", "the evidence is impossible"},
		{"a list from outside", "seen = []\ndef f():\n    seen.append(throw(d6))\n    return 1\n" + ask, "3:10", "own = list(...)"},
		{"drawing from outside", "bag = [1, 2]\ndef f():\n    return draw(bag)\n" + ask, "3:12", "draw takes from a list of the play's own"},
		{"drawing too often", "def f():\n    bag = [1]\n    return draw(bag) + draw(bag)\n" + ask, "3:24", "there is nothing left to draw (after 1)"},
		{"a whole number as evidence", "def f():\n    given(throw(d6))\n    return 1\n" + ask, "2:5", "given(x == 6)"},
		{"a throw of a list", "def f():\n    return throw([1, 2])\n" + ask, "2:12", "throw(die_faces(list))"},
		{"an error in a branch, with its path", "def f():\n    a = throw(d6)\n    b = throw(d6)\n    return [1, 2, 3][a + b - 3]\n" + ask, "4:21", "there is no element 3: the last one is 2, counted from 0 (after 1, 5)"},
		{"no return", "def f():\n    if throw(d6) > 3:\n        return 1\n" + ask, "4:13", "returned nothing at line 2"},
		{"two kinds of answers", "def f():\n    if throw(d6) > 3:\n        return 1\n    return \"one\"\n" + ask, "5:13", `returned "one" at line 4 but 1 at line 3`},
		{"evidence after a choice", "def f():\n    x = choose([1, 2])\n    given(throw(d6) > x)\n    return x\n" + ask, "5:13", "put it before the choice"},
		{"gain without end", "def f():\n    while choose([\"more\", \"stop\"]) == \"more\":\n        earn(1)\n" + ask, "4:13", "coming back to line 2 again and again earns more"},
		{"a second other side", "def f():\n    return choose([1, 2], who=\"a\") + choose([1, 2], who=\"b\")\n" + ask, "2:38", `got "b" beside "a"`},
		{"print", "def f():\n    print(throw(d6))\n    return 1\n" + ask, "2:5", "return what is to be seen"},
		{"output", "def f():\n    output(\"y\", throw(d6))\n    return 1\n" + ask, "2:5", "output(play(fn))"},
		{"a counter that grows", "def f():\n    n = 0\n    while n >= 0:\n        n += 1 if throw(d2) == 1 else -1\n    return 1\n" + ask, "6:13", "n grows and grows"},
		{"a list that grows", "def f():\n    seen = []\n    while sum(seen) >= 0:\n        seen.append(throw(d6))\n    return 1\n" + ask, "6:13", "seen grows and grows"},
		{"calls that nest", "def f():\n    return throw(d2) + f()\n" + ask, "3:13", "calls nest deeper and deeper"},
	} {
		h, err := lang.New(lang.WithLimits(lang.Limits{Bytes: 48 << 20}))
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.Compile(t.Context(), "rule.star", []byte(c.src))
		if err == nil {
			_, err = p.Run(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), "rule.star:"+c.at+":") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s at %s", c.name, err, c.want, c.at)
		}
	}
}

// A variable is forgotten only where nobody reads it any more.
func TestVariablesThatAreReadLater(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"the variable of a loop that makes no round": {"    x = throw(d3)\n    for x in range(throw(d2) - 1):\n        pass\n    return x == 0", "1/2"},
		"a variable of a comprehension of that name": {"    a = throw(d2)\n    b = sum([a for a in range(throw(d2))])\n    throw(d2)\n    return a == 1", "1/2"},
		"what a function inside reads":               {"    a = throw(d2)\n    f = lambda: a\n    throw(d2)\n    a = throw(d4)\n    throw(d2)\n    return f() == 4", "1/4"},
		"what the caller reads after a call":         {"    a = throw(d4)\n    b = helper()\n    return a == 4 and b == 1", "1/8"},
		"an element that is added to":                {"    i, list = throw(d2) - 1, [0, 0]\n    list[i] += throw(d4)\n    return list[1] == 4", "1/8"},
		"a variable that is written on one way only": {"    a = throw(d4)\n    if throw(d2) == 1:\n        a = 9\n    throw(d2)\n    return a == 4", "1/8"},
		"a variable of the round before":             {"    last, same = 0, False\n    for i in range(3):\n        x = throw(d2)\n        same = same or x == last\n        last = x\n    return same", "3/4"},
		"the operand to the left of a throw":         {"    a = throw(d2)\n    return a * 10 + throw(d2) == 21", "1/4"},
	} {
		src := "def helper():\n    return throw(d2)\n\ndef rule():\n" + c.body + "\noutput(\"x\", play(rule))\n"
		h, err := lang.New()
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.Compile(t.Context(), "rule.star", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		res, err := p.Run(t.Context())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := res.Outputs[0].Data.(lang.Prob).Value.RatString(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
