package lang_test

import (
	"strings"
	"testing"

	"dicescript/lang"
)

// What a rule about sorted faces sees is found by asking it; a rule that does more than
// compute is shown every multiset. Both give one answer, whatever the rule does with the faces.
func TestRulesThatAreAskedAnswerAsForEveryMultiset(t *testing.T) {
	free, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{
		`map_sorted(lambda a: a[-1] - a[0], 6d6)`,
		`map_sorted(lambda a: a[2], pool(3d4, 3d6))`,
		`map_sorted(lambda a: sum(a) - a[0], pool(2d4, 3d6, d(3)))`,
		`map_sorted(lambda a: sum(a[1:]), 6d6)`,
		`map_sorted(lambda a: sum(a[::2]), 6d6)`,
		`map_sorted(lambda a: len([x for x in a if x >= 3]), pool(3d4, 4d6))`,
		`map_sorted(lambda a: len([x for x in a if x > 2.5]), 6d6)`,
		`map_sorted(lambda a: 1.0 in a, 6d6)`,
		`map_sorted(lambda a: [1.0, 2] == a[:2], 6d6)`,
		`map_sorted(lambda a: [1.0, 2] == [a[0], a[1]], 6d6)`,
		`map_sorted(lambda a: (a[0], a[-1]) == (1, 6), 6d6)`,
		`map_sorted(lambda a: (1, 6) == (a[0], a[-1]), 6d6)`,
		`map_sorted(lambda a: [1, 2, 3, 4, 5, 6].index(a[0]), 6d6)`,
		`map_sorted(lambda a: {1: 5, 2: 7}.get(a[0], 0), 6d6)`,
		`map_sorted(lambda a: a[0] in (1, 3) or 4 in a, 6d6)`,
		`map_sorted(lambda a: a[-1] not in [2, 6], 6d6)`,
		`map_sorted(lambda a: 6 not in a, 6d6)`,
		`map_sorted(lambda a: a[0] in 2..3, 6d6)`,
		`map_sorted(lambda a: all([a[i] < a[i + 1] for i in range(3)]), 4d8)`,
		`map_sorted(lambda a: any([a[i] == a[i + 1] for i in range(5)]), 6d6)`,
		`map_sorted(lambda a: max(a) - min(a), 6d6)`,
		`map_sorted(lambda a: "%d-%s" % (a[0], a[1]), 6d6)`,
		`map_sorted(lambda a: str(a[0]) + "x", 6d6)`,
		`map_sorted(lambda a: "low" if a[0] < a[-1] - 3 else "high", 6d6)`,
		`map_sorted(lambda a: (a[0], a[-1]), 6d6)`,
		`map_sorted(lambda a: a[0] == 1, 6d6)`,
		`map_sorted(lambda a: a[0] and a[1] % 2, 6d6)`,
		`map_sorted(lambda a: type(a[0]) == "int" and type(a) == "list", 6d6)`,
		`map_sorted(lambda a: list(a)[1] + len(a), 6d6)`,
		`map_sorted(lambda a: sorted(a, reverse=True)[0], 6d6)`,
		`map_sorted(lambda a: a[9], 6d6)`,
		`map_sorted(lambda a: 1 // (a[0] - 6), 6d6)`,
		`map_sorted(lambda a: d(a[0]), 6d6)`,
		`map_sorted(lambda a: either(1 / 3, a[0], a[1]), 6d6)`,
		`map_sorted(lambda a, b: sum([1 for x, y in zip(a, b) if x > y]), 3d6, 3d8)`,
		`map_sorted(lambda a, b: sum([1 for i in range(3) if a[-1 - i] >= b[-1 - i]]), pool(2d4, d(8)), pool(2d6, d(4)))`,
		`map_sorted(lambda a, b: "a" if a[2] > b[2] else "tie" if a[2] == b[2] else "b", 3d6, 3d6)`,
		`map_sorted(lambda a, b: a[2] > b[1] and a[1] > b[0], 3d6, 2d6)`,
		`map_sorted(lambda a, b: a[0] + b[0] if a[1] != b[1] else 0, 3d6, 3d6)`,
		`map_sorted(lambda a, b: a == b, 3d6, 3d6)`,
		`map_sorted(lambda a, b: a < b, 3d6, 3d6)`,
		`map_sorted(lambda a, b, c: max(a[0], b[1]) < c[2], 2d4, 2d6, 3d4)`,
		`deck(range(1, 20)).deal(4).map_sorted(lambda a: a[-1] - a[0])`,
		`deck({1: 4, 2: 4, 3: 4, 7: 4, 9: 4}).deal(5).map_sorted(lambda a: len([x for x in a if x > 2]))`,
		`deck({1: 4, 2: 4, 3: 4, 7: 4, 9: 4}).deal(5).map_sorted(lambda a: any([a[i] == a[i + 2] for i in range(3)]))`,
		`(8d6).keep_dice(high=5).map_sorted(lambda a: a[0] == a[4])`,
		`pool(5d6, 4d4).keep_dice(low=5).map_sorted(lambda a: a[-1] + a[0])`,
	} {
		asked := "output(\"x\", " + rule + ")\n"
		got, _ := outcomeOn(t, free, "asked", asked, 1)
		want, _ := outcomeOn(t, free, "asked", everyCall(rule), 1)
		if fails := strings.Contains(rule, "a[9]") || strings.Contains(rule, "1 // ("); fails != (failure(want) != "") {
			t.Errorf("%s: %s", rule, want)
		}
		if failure(got) != "" || failure(want) != "" {
			got, want = failure(got), failure(want)
		}
		if got != want {
			t.Errorf("%s\nevery %.500s\nasked %.500s", rule, want, got)
		}
	}
}

// everyCall is a recipe in which a rule notes its calls, so that each of them is made.
func everyCall(rule string) string {
	at := strings.Index(rule, "lambda ")
	end, depth := at, 0
	for ; end < len(rule); end++ {
		switch c := rule[end]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case depth == 0 && (c == ')' || c == ',' && strings.Contains(rule[at:end], ":")):
			params := rule[at+len("lambda ") : at+strings.Index(rule[at:], ":")]
			return "calls = []\nrule = " + rule[at:end] + "\ndef every(" + params + "):\n    calls.append(0)\n    return rule(" + params + ")\n" +
				"output(\"x\", " + rule[:at] + "every" + rule[end:] + ")\n"
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return rule
}

// failure returns the message of an error without its place, "" of a result.
func failure(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "asked:") {
		return ""
	}
	_, message, _ := strings.Cut(line, " ")
	return message
}
