package lang_test

import (
	"context"
	"strings"
	"testing"

	"dicescript/lang"
)

// What people write who come from another tool, or from their table, with the
// whole message that they get. Where it says what to write instead, that works.
func TestMessagesInWords(t *testing.T) {
	for _, c := range []struct{ input, message, instead string }{
		{`output 3d6`,
			`1:1: output is called with parentheses: write output(3d6), or output("title", 3d6)`, `output(3d6)`},
		{`output 3d6 named "swords"`,
			`1:1: output is called with parentheses: write output("swords", 3d6)`, `output("swords", 3d6)`},
		{`[highest 1 of 2d20]`,
			`1:1: [highest 1 of 2d20] is written 2d20kh1 here; a program of AnyDice runs as it is from a file named .anydice`, `2d20kh1`},
		{`[lowest 2 of 4d6]`,
			`1:1: [lowest 2 of 4d6] is written 4d6kl2 here; a program of AnyDice runs as it is from a file named .anydice`, `4d6kl2`},
		{`[middle 1 of 3d20]`,
			`1:1: [middle 1 of 3d20] is written (3d20).middle_of(1) here; a program of AnyDice runs as it is from a file named .anydice`, `(3d20).middle_of(1)`},
		{`[count 6 in 5d6]`,
			`1:1: [count 6 in 5d6] is written (5d6).count(6) here; a program of AnyDice runs as it is from a file named .anydice`, `(5d6).count(6)`},
		{`[middle 2 of 3d6]`,
			`1:1: [middle 2 of 3d6] is written (3d6).drop_lowest(1) here; a program of AnyDice runs as it is from a file named .anydice`, `(3d6).drop_lowest(1)`},
		{`[middle 2 of 5d6]`,
			`1:1: [middle 2 of 5d6] is written (5d6).map_sorted(lambda faces: sum(faces[2:4])) here; a program of AnyDice runs as it is from a file named .anydice`, `(5d6).map_sorted(lambda faces: sum(faces[2:4]))`},
		{`[highest 1 of d8 + d6]`,
			`1:1: in AnyDice d8 + d6 is one die, which shows the total: write sum(d8 + d6); (d8 + d6).highest(1) looks at each die`, `sum(d8 + d6)`},
		{`{1,2,3}`,
			`1:1: a list is written [1,2,3], a die with these faces die_faces([1,2,3]), and a set set([1,2,3])`, `die_faces([1,2,3])`},
		{`{1..3}`,
			`1:1: a range stands without braces: 1..3`, `1..3`},
		{`beats(50)`,
			`1:1: undefined: beats; there is one in rolemaster.star: write load("rolemaster.star", "beats") first`, ``},
		{`action(2)`,
			`1:1: undefined: action; there is one in blades.star, fate.star and pbta.star: write load("blades.star", "action") first`, ``},
		{`sqrt(4)`,
			`1:1: undefined: sqrt; write math.sqrt`, ``},
		{`2x3d6`,
			`1:2: 2 rolls of 3d6, added up, are written times(2, 3d6), and one roll multiplied 2 * (3d6)`, `times(2, 3d6)`},
		{`2 x 4d6kh3`,
			`1:3: 2 rolls of 4d6kh3, added up, are written times(2, 4d6kh3), and one roll multiplied 2 * (4d6kh3)`, `times(2, 4d6kh3)`},
		{`3x(1d6 + 1)`,
			`1:2: 3 rolls of 1d6 + 1, added up, are written times(3, 1d6 + 1), and one roll multiplied 3 * (1d6 + 1)`, `3 * (1d6 + 1)`},
		{`3d6 × 2`,
			`1:5: a roll that is multiplied is written (3d6) * 2; so many rolls, added up, are times(2, 3d6)`, `(3d6) * 2`},
		{`5d10t7`,
			`1:1: dice that reach a target are counted by (5d10).count(7..), or roll("5d10>=7")`, `(5d10).count(7..)`},
		{`roll("5d10t7")`,
			`1:1: roll: dice that reach a target are counted by >=: write 5d10>=7 at character 5 of "5d10t7"`, ``},
		{`5d10>7f1`,
			`1:7: successes less failures are the sum of what each die is worth: write times(5, d10.map(lambda face: 1 if face >= 7 else -1 if face == 1 else 0))`, `times(5, d10.map(lambda face: 1 if face >= 7 else -1 if face == 1 else 0))`},
		{`roll("5d10>=7f1")`,
			`1:1: roll: successes less failures are the sum of what each die is worth: write times(5, d10.map(lambda face: 1 if face >= 7 else -1 if face == 1 else 0)) at character 8 of "5d10>=7f1"`, `times(5, d10.map(lambda face: 1 if face >= 7 else -1 if face == 1 else 0))`},
		{`function: f A:n { result: A }`,
			`1:1: a function is written def name(a, b): here; a program of AnyDice runs as it is from a file named .anydice`, ``},
		{`loop N over {1..6} { output N }`,
			`1:1: a loop is written for n in 1..6: here; a program of AnyDice runs as it is from a file named .anydice`, ``},
		{`4d6kh3r1!`,
			`1:1: a literal has one suffix: write roll("4d6ro1kh3")`, `roll("4d6ro1kh3")`},
		{`4d6!`,
			`1:4: exploding dice are written explode(4d6, None), without end like roll("4d6!"); explode(4d6) adds at most 2 rolls to a die`, `explode(4d6, None)`},
		{`4d6kh3!`,
			`1:7: dice that explode before some are kept are written roll("4d6!kh3")`, `roll("4d6!kh3")`},
		{`4d6dl1!`,
			`1:7: dice that explode before some are kept are written roll("4d6!dl1")`, `roll("4d6!dl1")`},
		{`3d6r1`,
			`1:1: rerolling is not part of a literal: write (3d6).reroll(1), or roll("3d6ro1")`, `roll("3d6ro1")`},
		{`nd6`,
			`1:1: undefined: nd6; so many dice are written dice_pool(n, 6)`, ``},
		{`dn`,
			`1:1: undefined: dn; a die of so many sides is written d(n)`, ``},
		{`2dn`,
			`1:1: the sides of a literal are written out; write dice_pool(2, n)`, ``},
		{`n = 4; nd6`,
			`1:8: undefined: nd6; so many dice are written dice_pool(n, 6)`, ``},
		{`d{1,2,3}`,
			`1:1: a die of listed faces is written die_faces([1,2,3])`, `die_faces([1,2,3])`},
		{`2d{0, 1}`,
			`1:1: a die of listed faces is written die_faces([0, 1]); times(2, ...) is the total of several`, `die_faces([0, 1])`},
		{`f"{n}"`,
			`1:1: there are no f"..." texts: write "{}".format(n)`, ``},
		{`f"{n} of {m}"`,
			`1:1: there are no f"..." texts: write "{} of {}".format(n, m)`, ``},
		{`roll(2d6)`,
			`1:1: roll: notation: got a dice pool, want text: dice that are written out are a roll already, as in 2d6; roll("2d6") reads text`, `roll("2d6")`},
		{"n = 0\ndef f():\n    n += d6\nf()",
			`3:5: n has no value yet in this function; a name that a function assigns is its own, also where the recipe has one of that name: give the value to the function, and return the new one`, ``},
		{`output(“x”, 3d6)`,
			`1:8: “ is not a quote here: a text stands between straight quotes, as in "Hit"`, ``},
		{`d6 >= 4 and d8 >= 4`,
			`1:9: a chance is not yes or no; of independent chances, both is written (d6 >= 4) & (d8 >= 4)`, ``},
		{`d6 >= 4 & d8 >= 4`,
			`1:9: & binds before a comparison: put parentheses around each, as in (d6 >= 4) & (d8 >= 4)`, `(d6 >= 4) & (d8 >= 4)`},
		{`(d6 >= 4) && (d8 >= 4)`,
			`1:11: of chances, both is written p & q; of conditions, a and b`, ``},
		{`(d6 >= 4) || (d8 >= 4)`,
			`1:11: of chances, one or the other is written p | q; of conditions, a or b`, ``},
		{`!(d6 >= 4)`,
			`1:1: the opposite of a chance is written ~(d6 >= 4), and that of a condition not (d6 >= 4)`, `~(d6 >= 4)`},
		{`not (d6 >= 4)`,
			`1:1: a chance is not yes or no; the opposite is d6 < 4`, ``},
		{"if d6 >= 4:\n    output(\"x\", 1)",
			`1:1: a chance is not yes or no; one of two results, by chance, is either(d6 >= 4, a, b); a rule for play throws: if throw(d6) >= 4`, ``},
		{`3d6.p_ge(values=3)`,
			`1:5: p_ge: values: no such parameter; write .p_ge(x)`, ``},
		{`reroll(dice=d6, spec=1)`,
			`1:1: reroll: dice: no such parameter; write reroll(roll, spec, times=1)`, ``},
		{`explode(rol=d6)`,
			`1:1: explode: rol: no such parameter; did you mean roll?`, ``},
		{`3d6.p_ge()`,
			`1:5: p_ge: x: missing; write .p_ge(x)`, ``},
		{`scale(["miss", "hit"])`,
			`1:1: scale: got 1 argument, want none: each label is a step, as in scale().step("miss").step("hit")`, `scale().step("miss").step("hit")`},
		{`scale().step(1)`,
			`1:9: step: label: got 1, want text, as in "Hit"; totals are named by the band, as in .step("Hit", 15..)`, ``},
		{`prob_table([(1, 0.5)])`,
			`1:1: prob_table: rows: row 1: the label: got 1, want text, as in ("label", chance)`, ``},
		{`(3d6 + 3d6).map(lambda x: x // 2)`,
			`1:29: // has no meaning between a list and a whole number; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals`, ``},
		{`3d6.map(lambda x: x >= 4)`,
			`1:21: a list can't be compared with a whole number by >=; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals`, ``},
		{`param("bonus", 9, max=5)`,
			`1:1: param: bonus: default: got 9, want at most 5`, ``},
		{`times(1.5, d6)`,
			`1:1: times: n: got 1.5, want a roll or a whole number`, ``},
		{`4d6 drop lowest`,
			`1:5: 4d6 drop lowest is written 4d6dl1`, `4d6dl1`},
		{`4d6 keep highest 3`,
			`1:5: 4d6 keep highest 3 is written 4d6kh3`, `4d6kh3`},
		{`1d20 + 5 vs 15`,
			`1:10: a target is compared by >=, as in 1d20 + 5 >= 15`, `1d20 + 5 >= 15`},
		{`3d6 between 9 and 12`,
			`1:5: between is written in low..high, as in 3d6 in 9..12`, `3d6 in 9..12`},
		{`1d6 ? 2 : 3`,
			`1:5: one of two values is written a if condition else b; for one of two rolls, by chance, either(p, a, b)`, ``},
		{`print "x"`,
			`1:1: print is called with parentheses: write print("x")`, `print("x")`},
		{`import math`,
			`1:1: did not expect import here; modules are loaded with load("file.star", "name")`, ``},
		{`3d6 is 7`,
			`1:5: did not expect is here; equality is written ==`, ``},
		{`3d6 >= 4 >= 2`,
			`1:10: comparisons do not chain; for a roll write roll in through(low, high), or low..high with numbers; for plain numbers write a <= x and x <= b`, ``},
		{`roll("5d10! >= 9")`,
			`1:1: roll: ! >=9 is read in two ways: explode on >=9 (write 5d10!>=9) or explode on the highest face and count >=9 (write 5d10!=10>=9) at character 5 of "5d10! >= 9"`, ``},
		{`hp: 5`,
			`1:3: did not expect a colon here; a statement ends with its line; two values need an operator or a comma between them`, ``},
	} {
		host, err := lang.New()
		if err != nil {
			t.Fatal(err)
		}
		_, err = host.NewSession().Eval(context.Background(), c.input)
		if got := strings.Split(shownError(err), "\n")[0]; got != c.message {
			t.Errorf("%s\n got %s\nwant %s", c.input, got, c.message)
		}
		if !strings.Contains(c.message, c.instead) {
			t.Errorf("%s: the message does not name %s", c.input, c.instead)
		}
		if _, err := host.NewSession().Eval(context.Background(), c.instead); err != nil {
			t.Errorf("%s: what the message says to write fails: %v", c.input, err)
		}
	}
}

// shownError is the first error without the name of the input.
func shownError(err error) string {
	if err == nil {
		return "no error"
	}
	return strings.TrimPrefix(err.Error(), "input:")
}
