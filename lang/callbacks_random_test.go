package lang_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Functions of every kind are drawn for every builtin that calls one. What they come to is
// what the interpreter comes to alone, wherever they have to be left to it.

// calling are recipes with a function to draw: BODY answers with numbers, labels or truth
// values for X and Y, TRUTH with truth values, NUMBER is one, WHERE is a condition. n..m is
// a number to draw.
var calling = []string{
	"def f(a):\nBODY(a,(a * 3 % 11))output('r', map(f, d(2..60)))",
	"def f(a, b):\nBODY(a,b)output('r', map(f, d(2..30), 1..3#d2..8))",
	"def f(a, b, c):\nBODY(a,(b + c))output('r', map(f, d(2..12), d(2..9), d(2..9)))",
	"o = map(lambda a: ('u%d' % (a % 5), a % 3), d(30))\ndef f(a, b):\nBODY(len(a[0]) + a[1],b)output('r', map(f, o, d(2..30)))",
	"o = map(lambda a: ('u%d' % (a % 5), a % 3), d(30))\ndef f(b, a):\nBODY(b,len(a[0]) + a[1])output('r', map(f, d(2..30), o))",
	"o = map(lambda a: ('u%d' % (a % 7), a % 3), d(40))\ndef f(a):\nBODY(a[1],int(a[0][1:]))output('r', o.map(f))",
	"def f(a):\nBODY(a[0],sum(a))output('r', pool(d(2..6), d(2..6), d(2..6)).map(f))",
	"def f(a):\nBODY(a[-1],len([x for x in a if x > 2]))output('r', map_sorted(f, dice_pool(2..6, 2..6)))",
	"def f(a):\nBODY(a[1],sum(a))output('r', dice_pool(2..6, 2..6).map_sorted(f))",
	"def f(a, b):\nBODY(a[-1],sum(b))output('r', map_sorted(f, dice_pool(2..4, 2..6), dice_pool(2..4, 2..6)))",
	"def f(s, x, n):\n    if WHERE(x,n):\n        return (NUMBER(s,x)) % 9\n    return (s + len('x' * n)) % 9\ndef g(s):\nBODY(s,3)output('r', dice_pool(2..8, 2..8).evaluate(f, 0, g))",
	"def f(s, x, n, m):\n    if WHERE(x,n):\n        return (s[0] + NUMBER(x,m)) % 6, (s[1] + n) % 3\n    return (s[0] + len('x' * n)) % 6, s[1]\ndef g(s):\nBODY(s[0],s[1])output('r', evaluate(f, (0, 0), dice_pool(2..5, 5), dice_pool(2..5, 6), finish=g))",
	"def f(s):\n    return map(lambda a: ((NUMBER(s[0],a)) % 7, 'x' * (a % 3 + 1)), d(6))\ndef g(s):\nBODY(s[0],len(s[1]))output('r', map(g, iterate((0, 'x'), f, 1..6)))",
	"def f(s):\n    return map(lambda a: (NUMBER(s,a)) % 7, d(6))\ndef g(s):\nTRUTH(s,2)output('r', first_time(0, f, g, 1..12))",
	"s = scale().step('lo').step('mid').step('hi')\ndef f(a):\n    if WHERE(a,(a % 3)):\n        return 'lo' if a > 4 else 'm' + 'i' * 1 + 'd'\n    return 'hi'\noutput('r', classify(d(2..40), s, f))",
	"s = scale().step('lo').step('mid').step('hi')\ndef f(a, b):\n    if WHERE(a,b):\n        return 'lo' if a > b else 'm' + 'i' * 1 + 'd'\n    return 'hi'\noutput('r', joint_classify(d(2..40), d(2..20), s, f))",
	"def f(a, b):\n    if WHERE(a,b):\n        return NUMBER(a,b)\n    return d(20) + NUMBER(a,b) >= 10\noutput('r', grid(range(2..20), range(2..20), f))",
	"def f(a):\nTRUTH(a,3)output('r', dice_pool(1..8, 2..20).count(f))",
	"def f(a):\nTRUTH(a,3)output('r', d(2..20).keep(f))",
	"def f(a):\nTRUTH(a,3)output('r', explode(d(2..20), 3, f))",
	"def f(a):\nBODY(a[0],a[-1])output('r', deck([c % 5 for c in range(8..20)]).deal(3).map_sorted(f))",
	"def f(s, c, n):\n    if WHERE(c,n):\n        return (NUMBER(s,c)) % 5\n    return (s + len('x' * n)) % 9\noutput('r', deck([c % 5 for c in range(8..20)]).deal(3).evaluate(f, 0, lambda s: s))",
	"def g(a):\n    return NUMBER(a,2)\ndef f(a, b):\n    n = 0\n    for i in range(a % 5):\n        n += g(i + b) if WHERE(i,b) else len('x' * i)\n    return n\noutput('r', map(f, d(2..20), d(2..20)))",
}

// What is drawn, with X and Y for what it is about.
var (
	numbers = []string{
		"X % 7", "Y % 5", "X - Y", "max(X, Y)", "len('x' * (X % 4)) + Y", "int(str(X % 10))", "abs(X - Y)", "X // 2 + Y % 3", "sorted([X, Y])[0]", "{1: 5}.get(X, Y)",
	}
	labels = []string{
		"str(NUMBER(X,Y))", "'x' * 3 + str(X % 3)", "(NUMBER(X,Y), NUMBER(Y,X))", "(('z' * 2, X % 4), Y % 2 == 0)", "'%d' % (NUMBER(X,Y))", "((X > Y), 1)",
	}
	truths     = []string{"X > Y", "(NUMBER(X,Y)) % 2 == 0", "'x' * (X % 3) == 'xx'", "X in [Y, 3, 4]"}
	conditions = []string{"True", "False", "X == 1", "X > 3", "Y > 2", "(X * 7 + Y) % 5 == 0", "'x' * (X % 2) == 'x'"}
)

// A drawer draws recipes.
type drawer struct{ *rand.Rand }

func (d drawer) of(list []string) string { return list[d.IntN(len(list))] }

// recipe draws what the words of a template stand for.
func (d drawer) recipe(template string) string {
	answers := [][]string{numbers, labels, truths}[d.IntN(3)]
	body := func(of []string) string {
		return "    if WHERE(X,Y):\n        return " + d.of(of) + "\n    return " + d.of(of) + "\n"
	}
	for {
		word, x, y, begin, end := call(template)
		if word == "" {
			return strings.ReplaceAll(d.ranges(template), "#", "")
		}
		text := ""
		switch word {
		case "BODY":
			text = body(answers)
		case "TRUTH":
			text = body(truths)
		case "NUMBER":
			text = d.of(numbers)
		case "WHERE":
			text = d.of(conditions)
		}
		template = template[:begin] + strings.NewReplacer("X", x, "Y", y).Replace(text) + template[end:]
	}
}

// call finds the first word(x,y) of a template.
func call(template string) (word, x, y string, begin, end int) {
	for i := range template {
		for _, word := range []string{"BODY(", "TRUTH(", "NUMBER(", "WHERE("} {
			if !strings.HasPrefix(template[i:], word) {
				continue
			}
			depth, comma := 0, 0
			for j := i + len(word); ; j++ {
				switch c := template[j]; {
				case c == '(' || c == '[':
					depth++
				case c == ',' && depth == 0:
					comma = j
				case (c == ')' || c == ']') && depth == 0:
					return word[:len(word)-1], template[i+len(word) : comma], template[comma+1 : j], i, j + 1
				case c == ')' || c == ']':
					depth--
				}
			}
		}
	}
	return "", "", "", 0, 0
}

// ranges draws the numbers of a template.
func (d drawer) ranges(template string) string {
	for {
		at := strings.Index(template, "..")
		if at < 0 {
			return template
		}
		from, to := at, at+2
		for from > 0 && '0' <= template[from-1] && template[from-1] <= '9' {
			from--
		}
		for to < len(template) && '0' <= template[to] && template[to] <= '9' {
			to++
		}
		low, _ := strconv.Atoi(template[from:at])
		high, _ := strconv.Atoi(template[at+2 : to])
		template = template[:from] + strconv.Itoa(low+d.IntN(high-low+1)) + template[to:]
	}
}

func TestCallbacksAsInterpreted(t *testing.T) {
	free, oneByOne := bothHosts(t)
	draw := drawer{rand.New(rand.NewPCG(11, 13))}
	rounds := 20
	if os.Getenv("DICESCRIPT_TESTS") == "all" {
		rounds = 400
	}
	failed := 0
	for round := range rounds {
		for _, template := range calling {
			recipe := draw.recipe(template)
			want, _ := outcomeOn(t, oneByOne, "random", recipe, 1)
			if got, _ := outcomeOn(t, free, "random", recipe, 1+round%3); got != want {
				t.Errorf("%s\ninterpreted %.500s\ncompiled %.500s", recipe, want, got)
			}
			if strings.HasPrefix(want, "random:") {
				failed++
			}
		}
	}
	if all := rounds * len(calling); failed*4 > all {
		t.Errorf("%d of %d recipes fail: they test too little", failed, all)
	}
}

// Whatever is looked for, in whatever may hold it: what the interpreter refuses is refused
// in a callback too.
func TestMembershipInCallbacksAsInterpreted(t *testing.T) {
	members := []string{
		"a", "'x' * a", "'7'", "''", "[a]", "(a, b)", "[]", "()", "None", "True", "(a > b)", "1.5", "2.0", "coin('1/3')", "d(6)", "2d6", "{a: b}", "through(1, 6)", "d(6).mean()",
		"(d(6) >= 2)", "len", "1 << 70", "range(a)", "set([a])", "map(lambda x: 'u', d(2))",
	}
	collections := []string{
		"[]", "()", "{}", "''", "[a]", "[b, 'x']", "(a, b)", "['x' * a]", "{a: b}", "{'7': 1}", "'x7'", "range(a, 1)", "range(b, 7)", "range(0)", "range(7, a, -2)", "range(a)", "[range(3)]",
		"through(1, 6)", "at_least(a)", "[through(1, 6)]", "[None, True]", "[[a]]", "[d(6)]", "[d(6) >= 2]", "set([a])", "set()", "list(range(a))", "sorted([a, b])", "[1, 2, 3]", "(1, -2)", "(range(a, 1))",
		"None", "7", "d(6)", "map(lambda x: 'u', d(2))", "[x for x in range(a)]",
	}
	free, oneByOne := bothHosts(t)
	found := map[string]int{}
	for _, member := range members {
		for _, collection := range collections {
			for _, op := range []string{"in", "not in"} {
				for _, use := range []string{"return 1 if %s else 0", "return 1 if not (%s) else 0", "return %s", "x = %s\n    return x", "return [1 for y in [1] if %s] == [1]"} {
					recipe := "def f(a):\n    b = a + 1\n    " + strings.Replace(use, "%s", member+" "+op+" "+collection, 1) + "\noutput('r', map(f, d(3)))"
					want, _ := outcomeOn(t, oneByOne, "random", recipe, 1)
					if got, _ := outcomeOn(t, free, "random", recipe, 1); got != want {
						t.Errorf("%s\ninterpreted %.500s\ncompiled %.500s", recipe, want, got)
					}
					if strings.HasPrefix(want, "random:") {
						found["refused"]++
					} else {
						found["answered"]++
					}
				}
			}
		}
	}
	if found["refused"] < 100 || found["answered"] < 100 {
		t.Errorf("%v recipes: they test too little", found)
	}
}
