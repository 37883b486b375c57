package lang_test

import (
	"fmt"
	"strings"
	"testing"

	"dicescript/lang"
)

// A callback may answer some of its calls without the interpreter and leave others to it.
// Whichever they are, each face has the chance that counting the calls one by one gives it.

// fallBack returns a recipe for a function of n faces that answers with value(x), of which
// the calls where WHERE holds are left to the interpreter, and that says what differs from
// a count of its own calls.
func fallBack(calling string, n int, where, answer string) string {
	text := strings.NewReplacer("CALLING", calling, "WHERE", where, "ANSWER", answer).Replace(`
def value(x):
    return ANSWER

def f(x):
    if WHERE:
        return value(len("x" * x)) # a string is made: the interpreter's
    return ANSWER

def counted():
    want = {}
    for x in range(1, FACES + 1):
        v = value(x)
        if type(v) in ("DieRoll", "Prob"):
            return None
        want[v] = want.get(v, 0) + 1
    return want

def difference(got, want):
    if want == None:
        return ""
    if len([v for v in want if v == True or v == False]) == len(want) and type(got) == "Prob":
        return "" if got * FACES == want.get(True, 0) else str(got)
    return "".join(["%s: %s of %d; " % (v, got.pmf(v), want[v]) for v in want if got.pmf(v) * FACES != want[v]])

answers = CALLING
output("r", answers)
def check():
    wrong = difference(answers, counted())
    if wrong:
        fail("wrong: " + wrong)
check()
`)
	return strings.ReplaceAll(text, "FACES", fmt.Sprint(n))
}

func TestFallBackAtEveryPlace(t *testing.T) {
	free, interpreted := bothHosts(t)
	answers := map[string]string{
		"number":    "x * 7 % 11",
		"label":     `"even" if x % 2 == 0 else "odd"`,
		"truth":     "x % 3 == 0",
		"tuple":     "(x % 2, x % 3)",
		"roll":      "d(4) + x % 2",
		"chance":    "d(20) >= x % 20",
		"one value": "5",
	}
	places := []string{"False", "x == 1", "x == FACES", "x == FACES // 2 + 1", "x <= 16", "x <= 17", "x > FACES - 16", "x > FACES - 17", "True", "x % 2 == 0"}
	for _, calling := range []string{"map(f, d(FACES))", "dice_pool(1, FACES).map(lambda faces: f(faces[0]))", "dice_pool(1, FACES).map_sorted(lambda faces: f(faces[-1]))",
		"map(lambda x, y: f(x), d(FACES), d(3))", "map(lambda y, x: f(x), d(3), d(FACES))", "map_sorted(lambda a, b: f(a[0]), dice_pool(1, FACES), dice_pool(2, 2))", "map_sorted(lambda a, b: f(a[0]) if len(b) == 0 else -1, dice_pool(1, FACES), dice_pool(0, 6))",
		"map_sorted(lambda b, a: f(a[0]) if len(b) == 0 else -1, dice_pool(0, 6), dice_pool(1, FACES))"} {
		for _, n := range []int{1, 2, 40} {
			for kind, answer := range answers {
				for _, where := range places {
					compareFallBack(t, free, interpreted, kind, fallBack(calling, n, where, answer))
				}
			}
		}
	}
}

// A function of a pool without dice is called once, with an empty list.
func TestFallBackWithoutDice(t *testing.T) {
	free, interpreted := bothHosts(t)
	for _, answer := range []string{"len(a)", "str(a)", "a == []", "len(str(a))", "(len(a), len(b))", "str(a) + str(b)", "d(6)", "1 // len(a)", "a.append(7) or a[0]", "[x for x in a] == a", "(a.append(1) or len(a)) + len(b)"} {
		for _, pools := range []string{"dice_pool(0, 6), 2d6", "2d6, dice_pool(0, 6)", "dice_pool(0, 6), dice_pool(0, 8)", "2d6, 3d4", "1d6, 1d6"} {
			compareFallBack(t, free, interpreted, answer, "output('r', map_sorted(lambda a, b: "+answer+", "+pools+"))\n")
		}
	}
	h, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := outcomeOn(t, h, "empty", "output('r', map_sorted(lambda f, g: str(f) + str(g), dice_pool(2, 2), dice_pool(0, 6)))\n", 1); got != "r lang.Outcomes [1, 1][]:1/4 [1, 2][]:1/2 [2, 2][]:1/4" {
		t.Errorf("two coins and no dice are %s", got)
	}
}

// An error is the interpreter's, at whichever call it is.
func TestFallBackEndsInItsError(t *testing.T) {
	free, interpreted := bothHosts(t)
	for _, k := range []int{1, 2, 16, 17, 18, 39, 40} {
		for _, before := range []string{"x", "len('x' * x)", "str(x)", "x > 3"} {
			for _, failing := range []string{"1 // (x - K)", "[1][x]", "fail('here')", "None", "'a' if x == K else 1"} {
				recipe := fmt.Sprintf("def f(x):\n    if x == %d:\n        return %s\n    return %s\noutput('r', map(f, d(40)))\n", k, strings.ReplaceAll(failing, "K", fmt.Sprint(k)), before)
				compareFallBack(t, free, interpreted, failing, recipe)
			}
		}
	}
}

// compareFallBack runs a recipe on one processor and on three, and with the interpreter alone.
func compareFallBack(t *testing.T, free, interpreted *lang.Host, what, recipe string) {
	t.Helper()
	want, _ := outcomeOn(t, interpreted, "shapes", recipe, 1)
	alone, usage := outcomeOn(t, free, "shapes", recipe, 1)
	got, spent := outcomeOn(t, free, "shapes", recipe, 3)
	if alone != want || got != want || spent != usage || strings.Contains(want, "wrong: ") || strings.Contains(want, "internal") {
		t.Errorf("%s\n%s\ninterpreted %.500s\non one processor %.500s\n%+v\non three %.500s\n%+v", what, recipe, want, alone, usage, got, spent)
	}
}
