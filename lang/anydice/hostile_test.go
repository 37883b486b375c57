package anydice

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"dicescript/dist"
)

// Programs that would never end, or would fill the memory, end with an error
// that says so.

// A countdown is a meter with so many steps.
type countdown struct{ left int64 }

var errSteps = errors.New("too many steps")

func (c *countdown) Charge(n int64) error {
	if c.left -= n; c.left < 0 {
		return errSteps
	}
	return nil
}

// careful are limits of a host that has many guests.
var careful = dist.Limits{Work: 50_000_000, Cells: 2_000_000, Outcomes: 500_000}

// runLimited runs a program as a careful host does.
func runLimited(text string, limits dist.Limits) (*Result, error) {
	p, err := Compile("", text)
	if err != nil {
		return nil, err
	}
	budget := dist.NewBudget(limits)
	return p.Run(dist.WithBudget(context.Background(), budget), Options{Meter: &countdown{1_000_000}})
}

func TestHostileProgramsEnd(t *testing.T) {
	deep := strings.Repeat
	for name, c := range map[string]struct {
		text string
		kind Kind // "" when it runs
	}{
		"endless recursion":       {`function: f { result: 1 + [f] } output [f]`, ""},
		"deep recursion":          {`set "maximum function depth" to 1000000000 function: f { result: 1 + [f] } output [f]`, Limit},
		"double recursion":        {`set "maximum function depth" to 400 function: f { result: [f] + [f] } output [f]`, ""},
		"growing recursion":       {`set "maximum function depth" to 1000000 function: f N:n { result: [f N + 1] + [f N + 2] } output [f 0]`, Limit},
		"a long loop":             {`loop A over {1..100000} { loop B over {1..100000} { X: B } }`, Calculation},
		"an endless range":        {`loop X over {1..1000000000} { Y: X }`, Limit},
		"the widest range":        {`output #{-9223372036854775807..9223372036854775807}`, Limit},
		"a die of ranges":         {`output d{1..1000000000}`, Limit},
		"a die of many sides":     {`output d1000000000`, Limit},
		"many repeats":            {`output #{1:9223372036854775807}`, Limit},
		"nested repeats":          {`output #{{{{{1:99}:99}:99}:99}:99}`, Limit},
		"a doubling sequence":     {`S: {1} loop X over {1..60} { S: {S, S} } output #S`, Limit},
		"a large pool":            {`output 1000000000d6`, Limit},
		"a large pool in order":   {`output 3@1000000000000d6`, Limit},
		"rolls of a large pool":   {`function: f S:s { loop X over S { if X = 1@S { result: 2 } } result: 1 } output [f 60d60]`, Limit},
		"many rolls":              {`function: f A:n B:n C:n { result: A } output [f (d1000) (d1000) (d1000)]`, Limit},
		"a long explosion":        {`set "explode depth" to 1000000000 output [explode d6]`, Limit},
		"a long explosion of one": {`set "explode depth" to 9223372036854775807 output [explode d{1}]`, Calculation},
		"a random count":          {`output (d1000000)d(d1000)`, Limit},
		"a large number":          {`X: 9 loop I over {1..9} { X: X * X } output X`, Calculation},
		"a large total":           {`output 9223372036854775807d{9223372036854775807}`, Calculation},
		"a long literal":          {`output 99999999999999999999`, Calculation},
		"nested braces":           {"output " + deep("{", 10_000) + deep("}", 10_000), ""},
		"too many braces":         {"output " + deep("{", 1_000_000) + deep("}", 1_000_000), Syntax},
		"parentheses":             {"output " + deep("(", 100_000) + "1" + deep(")", 100_000), Syntax},
		"many signs":              {"output " + deep("-", 1_000_000) + "1", Syntax},
		"a long sum":              {"output 1" + deep(" + 1", 5000), ""},
		"too long a sum":          {"output 1" + deep(" + 1", 1_000_000), Syntax},
		"else if":                 {"if 0 {} " + deep("else if 0 {} ", 100_000), Syntax},
		"nested blocks":           {deep("if 1 {", 100_000), Syntax},
		"calls in calls":          {"output " + deep("[absolute ", 5000) + "1" + deep("]", 5000), ""},
		"only a comment":          {`\`, Syntax},
		"nothing":                 {``, ""},
	} {
		_, err := runLimited(c.text, careful)
		var e *Error
		switch {
		case err == nil && c.kind != "":
			t.Errorf("%s: it ran, want an error of kind %s", name, c.kind)
		case err != nil && !errors.As(err, &e):
			t.Errorf("%s: got %v, want an *Error", name, err)
		case err != nil && e.Kind != c.kind && !errors.Is(err, errSteps):
			t.Errorf("%s: got %s error %v, want %s", name, e.Kind, err, c.kind)
		}
	}
}

// A function that wants a sequence is given the rolls of a pool: what it takes to walk
// through them is charged before it is made, whatever the body looks at.
func TestRollsOfLargePoolsAreCharged(t *testing.T) {
	const most = 300 << 20 // bytes that the run of a careful host makes, garbage among them
	bodies := []string{
		"result: 1@S", "result: #S", "result: S", "result: [count 1 in S]", "A: 0 loop N over S { A: A + N } result: A", "result: S > {1, 2}",
		"result: {1,2}@S - S", "result: [count {1..400000} in S]", "result: [sort [reverse S]]", "result: [S contains 2] + 1@S", "T: S result: 1@T",
		"A: 0 loop N over {1..2} { A: A + N * [count N in S] } result: A", "A: 0 loop N over {1..400000} { A: A + (S = N) } result: A", "result: [g S]",
	}
	for _, body := range bodies {
		for _, pool := range []string{"999d2", "3000d2", "20000d2", "1000000d1", "1000000000d1", "1000000000d2", "549755813888d2", "300d6", "2d400000", "40d{1:5,2,3}"} {
			text := "function: g S:s { result: #S + 1@S } function: f S:s { " + body + " } output [f " + pool + "]"
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := runLimited(text, careful)
			runtime.ReadMemStats(&after)
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Kind != Limit && !errors.Is(err, errSteps)) {
				t.Errorf("%s: %v", text, err)
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > most {
				t.Errorf("%s: makes %d MB: %v", text, made>>20, err)
			}
		}
	}
}

// A position of a sequence of many dice is that of the die in order, and costs no more.
func TestPositionInRollsOfManyDice(t *testing.T) {
	for text, want := range map[string]string{
		"1@S": "output [highest 1 of 20000d2]", "20000@S": "output [lowest 1 of 20000d2]", "17@S": "output 17@20000d2", "#S": "output 20000",
	} {
		got, err := runLimited("function: f S:s { result: "+text+" } output [f 20000d2]", careful)
		plain, err2 := runLimited(want, careful)
		if err != nil || err2 != nil {
			t.Errorf("%s: %v, %v", text, err, err2)
			continue
		}
		if same, err := dist.Same(t.Context(), got.Outputs[0].Roll, plain.Outputs[0].Roll); !same || err != nil {
			t.Errorf("%s: %v is not %s", text, got.Outputs[0].Roll, want)
		}
	}
}

func TestDeadlineStopsRun(t *testing.T) {
	p, err := Compile("", `loop A over {1..100000} { loop B over {1..100000} { X: B } }`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = p.Run(ctx, Options{})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Stopped || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a stopped run", err)
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"A: 1\noutput A + BB":               "2:12: BB has no value here",
		"HEALTH: 1\noutput HEALHT":          "2:8: HEALHT has no value; did you mean HEALTH?",
		"output [higest of 1 and 2]":        "1:8: there is no function [higest of _ and _]; did you mean [highest of _ and _]?",
		"output 1 +":                        "1:11: got the end of the program, want a value",
		"output 1 +\n\n":                    "1:11: got the end of the program, want a value",
		"\\ é \\ output %":                  "1:14: % means nothing here; a percentile die is d100",
		"if d2 { output 1 }":                "1:4: if: got a die, want a number; a function with a parameter of type n sees one number of a die at a time",
		"loop X over 5 { output X }":        "1:13: loop: got a number, want a sequence, as in loop X over {1..6}",
		"output 9223372036854775807 + 1":    "1:28: a number would leave the range -2^63..2^63-1",
		"output {1..d6}":                    "1:12: the end of a range is a die, want a number",
		"output d{} @ 5":                    "1:8: @: got the empty die on the left, want a number or a sequence of positions",
		`set "explode depth" to 0`:          `1:5: set "explode depth": got 0, want a number of at least 1`,
		`set "loot" to 0`:                   `1:5: set: there is no setting "loot"; the settings are "explode depth", "maximum function depth" and "position order"`,
		"function: f { output 1 }":          "1:15: output can't stand inside a function",
		"output legacy \"3d6\"":             `1:8: "legacy" belongs to an older form of the language, which is not known`,
		"output 1 named \"[A B] [NOBODY]\"": "1:24: NOBODY has no value here",
		"output 3d6 named “damage”":         `1:18: “ is no quotation mark of the language, want "`,
		"function: f X:q { result: 1 }":     "1:15: got q, want the type of the parameter: n for a number, s for a sequence, d for a die, ? for any",
		"function: f { result: 1 X: 2 }":    "1:25: got X after a result, which ends its block; want }",
		"\n\nloop X over {1} { output X":    "3:17: a block begins here and does not end, want }",
		"output {1..99999999}":              "1:9: would need 99 999 999 elements of a sequence; the limit is 4 194 304",
	} {
		_, err := runProgram(text)
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// A program may be run by many goroutines at once, and each run begins anew.
func TestRunsShareProgram(t *testing.T) {
	p, err := Compile("shared", `function: f S:s { result: S = 6 } loop N over {1..8} { output [f Nd6] named "[N]" } set "position order" to "lowest first"`)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		group.Go(func() {
			r, err := p.Run(context.Background(), Options{})
			if err != nil {
				t.Error(err)
				return
			}
			for _, o := range r.Outputs {
				texts[i] += fmt.Sprintf("%d %s %s\n", o.Line, o.Title, pmf(o.Roll))
			}
		})
	}
	group.Wait()
	for _, text := range texts {
		if text != texts[0] || text == "" {
			t.Fatalf("got %q and %q", text, texts[0])
		}
	}
}
