package answer

import (
	"context"
	"encoding/json"
	"math/big"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"dicescript/dist"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// ask puts a question and reads the answer.
func ask[T any](t *testing.T, e *Engine, method string, args any) T {
	t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Result T        `json:"result"`
		Error  *Mistake `json:"error"`
	}
	answer := e.Call(context.Background(), method, text)
	if err := json.Unmarshal(answer, &got); err != nil {
		t.Fatalf("%s: %v in %s", method, err, answer)
	}
	if got.Error != nil {
		t.Fatalf("%s: %s", method, got.Error.Message)
	}
	return got.Result
}

// refusal is the error that a question gets.
func refusal(t *testing.T, e *Engine, method, args string) Mistake {
	t.Helper()
	var got struct {
		Error *Mistake `json:"error"`
	}
	if err := json.Unmarshal(e.Call(context.Background(), method, []byte(args)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Error == nil {
		t.Fatalf("%s %s: want an error", method, args)
	}
	return *got.Error
}

func TestRunGivesExactChances(t *testing.T) {
	run := ask[Run](t, New(), "run", map[string]any{"page": true, "name": "a.star", "text": "output('total', 2d6)\noutput('hit', 2d6 >= 10)"})
	if !run.OK || len(run.Views) != 2 {
		t.Fatalf("got %+v", run)
	}
	s := run.Views[0].Series[0]
	if len(s.Low) != 11 || s.Low[0] != 2 || s.High != nil || s.Mean != "7.000" {
		t.Errorf("2d6: got %+v", s)
	}
	if w := s.Words[8]; w[0].Exact != "1/12" || w[1].Exact != "1/6" || w[2].Exact != "11/12" {
		t.Errorf("10 on 2d6: got %+v", w)
	}
	if b := run.Views[1].Bars; len(b) != 1 || b[0].Exactly.Exact != "1/6" {
		t.Errorf("2d6 >= 10: got %+v", b)
	}
	if !strings.Contains(run.HTML, "ds-output") || run.Document {
		t.Errorf("html: got %s", run.HTML)
	}
}

func TestRunForPrograms(t *testing.T) {
	run := ask[Run](t, New(), "run", map[string]any{"name": "a.star", "text": "output('total', 2d6)"})
	var r struct {
		Outputs []struct {
			Title string
			Pmf   []struct{ Exact string }
		}
	}
	if err := json.Unmarshal(run.Report, &r); err != nil || run.HTML != "" || run.Views != nil {
		t.Fatalf("got %v, %+v", err, run)
	}
	if len(r.Outputs) != 1 || r.Outputs[0].Title != "total" || r.Outputs[0].Pmf[0].Exact != "1/36" {
		t.Errorf("got %+v", r)
	}
}

// The points of a series are the outcomes with the nearest floats to their
// chances, and where there are very many, whole runs of neighbours.
func TestSeriesIsTheDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOfNDistinct(rapid.IntRange(-20_000, 20_000), 1, 40, rapid.ID).Draw(t, "outcomes")
		weights := make([]*big.Int, len(outcomes))
		for i := range weights {
			weights[i] = big.NewInt(rapid.Int64Range(1, 1<<40).Draw(t, "weight"))
		}
		d, err := dist.Weighted(context.Background(), outcomes, weights)
		if err != nil {
			t.Fatal(err)
		}
		s := series("", d)
		for i, low := range s.Low {
			want := []*big.Rat{d.PMF(low), d.AtLeast(low), d.AtMost(low)}
			for k, got := range []float64{s.Exactly[i], s.AtLeast[i], s.AtMost[i]} {
				if exact, _ := want[k].Float64(); got != exact {
					t.Fatalf("outcome %d, %d: got %v, want %v", low, k, got, exact)
				}
				if s.Words[i][k].Exact != "" && s.Words[i][k].Exact != want[k].RatString() {
					t.Fatalf("outcome %d, %d: got %v, want %v", low, k, s.Words[i][k].Exact, want[k])
				}
			}
		}
	})
}

func TestManyOutcomesAreBinned(t *testing.T) {
	d, err := dist.Die(20_000)
	if err != nil {
		t.Fatal(err)
	}
	s := series("", d)
	if len(s.Low) > mostPoints || s.High == nil || s.Words != nil {
		t.Fatalf("got %d points, words %v", len(s.Low), s.Words != nil)
	}
	next := 1
	sum := 0.0
	for i := range s.Low {
		if s.Low[i] != next {
			t.Fatalf("point %d begins at %d, want %d", i, s.Low[i], next)
		}
		next = s.High[i] + 1
		sum += s.Exactly[i]
	}
	if next != 20_001 || sum < 0.999999 || sum > 1.000001 {
		t.Errorf("points end at %d and add up to %v", next-1, sum)
	}
}

func TestProbeTellsAnyOutcome(t *testing.T) {
	e := New()
	got := ask[[]Chance](t, e, "probe", map[string]any{"name": "a", "text": "output('x', 10d100)", "place": 0, "series": 0, "low": 1000, "high": 1000})
	if want := "1/100000000000000000000"; got[0].Exact != want || got[1].Exact != want || got[2].Exact != "1" {
		t.Errorf("1000 on 10d100: got %+v", got)
	}
	if m := refusal(t, e, "probe", `{"name":"a","text":"output('x', 2d6)","place":3,"low":1,"high":1}`); !strings.Contains(m.Message, "there is no output 3") {
		t.Errorf("got %q", m.Message)
	}
}

// A result is named by what decides it, so that an engine that never saw it
// tells the same.
func TestAnswersDoNotDependOnWhatWasAsked(t *testing.T) {
	recipe := map[string]any{"name": "a.star", "text": "n = param('n', 2, min=1, max=5)\noutput('x', dice_pool(n, 6))", "inputs": map[string]any{"n": 3}}
	old := New()
	for n := range 10 {
		ask[Run](t, old, "run", map[string]any{"page": true, "name": "b.star", "text": "output('y', d(6) + " + big.NewInt(int64(n)).String() + ")"})
	}
	args := map[string]any{"format": "csv"}
	for k, v := range recipe {
		args[k] = v
	}
	a, b := ask[string](t, old, "render", args), ask[string](t, New(), "render", args)
	if a != b || !strings.Contains(a, "1/216") {
		t.Errorf("got %q and %q", a, b)
	}
}

func TestMistakesHaveTheirPlace(t *testing.T) {
	run := ask[Run](t, New(), "run", map[string]any{"page": true, "name": "a.star", "text": "x = 3d6\noutput('a', x)\noutput('b', x.means())"})
	if run.OK || len(run.Views) != 1 || len(run.Mistakes) != 1 {
		t.Fatalf("got %+v", run)
	}
	if m := run.Mistakes[0]; m.Line != 3 || m.Column != 15 || !strings.Contains(m.Message, "means") {
		t.Errorf("got %+v", m)
	}
}

// A clock ends a run although nothing interrupts it.
func TestClockEndsARun(t *testing.T) {
	e := New()
	e.Deadline = Clock
	run := ask[Run](t, e, "run", map[string]any{"page": true, "name": "a.star", "text": "x = 0\nwhile True:\n    x = (x + 1) % 7", "timeout": 50})
	if run.OK || run.Mistakes[0].Kind != "deadline" {
		t.Fatalf("got %+v", run.Mistakes)
	}
	again := ask[Run](t, e, "run", map[string]any{"page": true, "name": "a.star", "text": "output('x', d(6))"})
	if !again.OK {
		t.Errorf("afterwards: got %+v", again.Mistakes)
	}
}

// What is made and let go again bounds nothing, what is held does; and what did not fit once
// is tried again.
func TestHeldMemoryEndsARun(t *testing.T) {
	e := New()
	e.BoundHeld(300 << 20)
	garbage := "for i in range(600000):\n    x = set([1, 2, 3])\noutput('x', d(6))"
	if run := ask[Run](t, e, "run", map[string]any{"page": true, "name": "a.star", "text": garbage, "timeout": 60_000}); !run.OK {
		t.Errorf("garbage: got %+v", run.Mistakes)
	}
	for range 2 {
		run := ask[Run](t, e, "run", map[string]any{"page": true, "name": "b.star", "text": "k = []\nwhile True:\n    k.append([0] * 1000)", "timeout": 60_000})
		if run.OK || run.Mistakes[0].Kind != "limit" || !strings.Contains(run.Mistakes[0].Message, "of memory at once") {
			t.Fatalf("got %+v", run.Mistakes)
		}
		runtime.GC()
	}
	table := ask[Run](t, e, "run", map[string]any{"page": true, "name": "c.star", "text": "x = dice_pool(20000, 100).sum()", "timeout": 60_000})
	if table.OK || table.Mistakes[0].Kind != "limit" || !strings.Contains(table.Mistakes[0].Message, "of memory at once") {
		t.Errorf("one table: got %+v", table.Mistakes)
	}
}

func TestClockIsAContext(t *testing.T) {
	ctx, cancel := Clock(context.Background(), time.Hour)
	defer cancel()
	if ctx.Err() != nil {
		t.Error("over at once")
	}
	ctx, cancel = Clock(context.Background(), -time.Second)
	defer cancel()
	if ctx.Err() != context.DeadlineExceeded {
		t.Errorf("got %v", ctx.Err())
	}
	parent, stop := context.WithCancel(context.Background())
	ctx, cancel = Clock(parent, time.Hour)
	defer cancel()
	stop()
	if ctx.Err() != context.Canceled {
		t.Errorf("got %v", ctx.Err())
	}
}

func TestInputsArePutIntoTheirType(t *testing.T) {
	recipe := "a = param('a', 1)\nb = param('b', 'x')\nc = param('c', False)\noutput('o', '%s %s %s' % (a, b, c))"
	for _, inputs := range []map[string]any{{"a": 7, "b": "7", "c": true}, {"a": "7", "b": 7, "c": "true"}, {"a": 7.0, "b": "7", "c": true}} {
		text := ask[string](t, New(), "render", map[string]any{"name": "a.star", "text": recipe, "inputs": inputs, "format": "json"})
		if !strings.Contains(text, `"text": "7 7 True"`) {
			t.Errorf("%v: got %s", inputs, text)
		}
	}
}

func TestFilesAreLoaded(t *testing.T) {
	run := ask[Run](t, New(), "run", map[string]any{"page": true, "name": "a.star", "text": "load('./house.star', 'bonus')\noutput('x', d(6) + bonus)", "files": map[string]string{"house.star": "bonus = 2"}})
	if !run.OK || run.Views[0].Series[0].Low[0] != 3 {
		t.Errorf("got %+v", run)
	}
}

func TestDocumentsAreWoven(t *testing.T) {
	run := ask[Run](t, New(), "run", map[string]any{"page": true, "name": "a.md", "text": "# A rule\n\nTwo dice.\n\n```\noutput('x', 2d6)\n```\n\nThat is all.\n"})
	if !run.Document || !strings.Contains(run.HTML, "<h1") || !strings.Contains(run.HTML, "That is all.") || !strings.Contains(run.HTML, `id="ds-0-h"`) {
		t.Errorf("got %s", run.HTML)
	}
}

func TestReallyRolling(t *testing.T) {
	e := New()
	got := ask[[]Rolled](t, e, "roll", map[string]any{"name": "a", "text": "", "expr": "4d6kh3", "count": 5, "seed": 1})
	if len(got) != 5 || got[0].Dice == "" {
		t.Errorf("got %+v", got)
	}
	got = ask[[]Rolled](t, e, "roll", map[string]any{"name": "a", "text": "output('x', constant(4))", "count": 2})
	if len(got) != 2 || got[0].Text != "4" || got[0].Note != "always" {
		t.Errorf("got %+v", got)
	}
	refusal(t, e, "roll", `{"name":"a","text":"","expr":"4d6r1"}`)
	thrown := ask[[]Thrown](t, e, "throw", map[string]any{"name": "a", "text": "output('x', max(2d20) + 5)\noutput('y', 1d8)", "seed": "words"})
	if len(thrown) != 1 || len(thrown[0].Record.Outputs) != 2 || len(thrown[0].Record.Outputs[0].Throws[0].Throws[0].Dice) != 2 {
		t.Errorf("got %+v", thrown)
	}
}

func TestProgramsOfAnyDice(t *testing.T) {
	e := New()
	if !ask[About](t, e, "about", struct{}{}).AnyDice {
		t.Error("the engine says that it does not run them")
	}
	recipe := map[string]any{"page": true, "name": "a.anydice", "text": "output [highest 1 of 2d20] named \"adv\"\noutput {} named \"nothing\""}
	run := ask[Run](t, e, "run", recipe)
	if !run.OK || len(run.Views) != 2 || run.Views[0].Title != "adv" || run.Views[0].Series[0].Words[19][0].Exact != "39/400" {
		t.Fatalf("got %+v", run)
	}
	if run.Views[1].Series != nil || !strings.Contains(run.HTML, "empty") {
		t.Errorf("the empty die: got %+v", run.Views[1])
	}
	if m := refusal(t, e, "roll", `{"name":"a.anydice","text":"output {}"}`); !strings.Contains(m.Message, "nothing to throw") {
		t.Errorf("got %q", m.Message)
	}
	if run := ask[Run](t, e, "run", map[string]any{"name": "a.anydice", "text": "output 3d6\noutput [higest 1 of 2d6]"}); run.OK || run.Mistakes[0].Line != 2 {
		t.Errorf("got %+v", run.Mistakes)
	}
}

// width16 is the length of a text in UTF-16 units.
func width16(s string) int { return len(utf16.Encode([]rune(s))) }

func TestCompletion(t *testing.T) {
	e := New()
	complete := func(name, text string) (int, []string) {
		at := strings.Index(text, "|")
		c := ask[Completion](t, e, "complete", map[string]any{"name": name, "text": text[:at] + text[at+1:], "offset": width16(text[:at])})
		var labels []string
		for _, o := range c.Options {
			labels = append(labels, o.Label)
		}
		return c.From, labels
	}
	has := func(labels []string, want string) bool {
		return strings.Contains("|"+strings.Join(labels, "|")+"|", "|"+want+"|")
	}
	for _, c := range []struct {
		name, text string
		from       int
		want       string
	}{
		{"a.star", "expl|", 0, "explode"},
		{"a.star", "attack = 3d6\nout = att|", 19, "attack"},
		{"a.star", "x = 3d6.me|", 8, "mean"},
		{"a.star", `load("role|`, 6, "rolemaster.star"},
		{"a.star", `load("rolemaster.star", "op|`, 25, "open_ended"},
		{"a.star", "m = math.sq|", 9, "sqrt"},
		{"a.md", "# Ünïcode 🎲\n\n```\nx = expl|\n```\n", 22, "explode"},
	} {
		from, labels := complete(c.name, c.text)
		if from != c.from || !has(labels, c.want) {
			t.Errorf("%q: got %d and %d words, want %d and %s among them", c.text, from, len(labels), c.from, c.want)
		}
	}
	for _, text := range []string{"# expl|", "x = 'expl|'", "12|"} {
		if _, labels := complete("a.star", text); len(labels) > 0 {
			t.Errorf("%q: got %d words", text, len(labels))
		}
	}
	if _, labels := complete("a.md", "Some expl| prose.\n\n```\nx = 1\n```\n"); len(labels) > 0 {
		t.Errorf("in prose: got %d words", len(labels))
	}
}

func TestHover(t *testing.T) {
	e := New()
	hover := func(text string, at int) *Hover {
		return ask[*Hover](t, e, "hover", map[string]any{"name": "a.star", "text": text, "offset": at})
	}
	if h := hover("x = explode(d(6))", 6); h == nil || h.From != 4 || h.To != 11 || h.Docs[0].Name != "explode" || h.Docs[0].Example == "" {
		t.Errorf("explode: got %+v", h)
	}
	if h := hover("x = 4d6kh3", 6); h == nil || h.From != 4 || h.To != 10 || !strings.Contains(h.Text, "mean 12.245") {
		t.Errorf("4d6kh3: got %+v", h)
	}
	if h := hover("x = 4d6.mean()", 10); h == nil || h.Docs[0].Receiver == "" {
		t.Errorf("mean: got %+v", h)
	}
	if h := hover(`load("fate.star", "contest")`+"\ncontest(2, 3)", 30); h == nil || !strings.HasPrefix(h.Docs[0].Signature, "contest(") {
		t.Errorf("contest: got %+v", h)
	}
	if h := hover("x = 1", 2); h != nil && len(h.Docs) > 0 {
		t.Errorf("x: got %+v", h)
	}
	if h := hover("x = 1 # explode", 10); h != nil {
		t.Errorf("in a comment: got %+v", h)
	}
}

func TestSignature(t *testing.T) {
	e := New()
	signature := func(text string) *Signature {
		at := strings.Index(text, "|")
		return ask[*Signature](t, e, "signature", map[string]any{"name": "a.star", "text": text[:at] + text[at+1:], "offset": width16(text[:at])})
	}
	if s := signature("# 🎲\nx = explode(d(6), |)"); s == nil || !strings.HasPrefix(s.Text, "explode(") || s.Active != 1 || s.Doc == "" {
		t.Errorf("explode: got %+v", s)
	}
	if s := signature("def f(a, b):\n  return a\nf(|"); s == nil || s.Text != "f(a, b)" || s.Active != 0 || len(s.Parameters) != 2 {
		t.Errorf("f: got %+v", s)
	}
	if s := signature("x = 3|"); s != nil {
		t.Errorf("no call: got %+v", s)
	}
}

func TestRemarks(t *testing.T) {
	e := New()
	check := func(name, text string) []Remark {
		return ask[[]Remark](t, e, "remarks", map[string]any{"name": name, "text": text})
	}
	if r := check("a.star", "# 🎲\noutput(\"x\", 3d6)\n"); len(r) != 0 {
		t.Errorf("a clean recipe: got %+v", r)
	}
	text := "a = '🎲🎲' + exlode\n"
	if r := check("a.star", text); len(r) != 1 || r[0].Warning || string(utf16.Decode(utf16.Encode([]rune(text))[r[0].From:r[0].To])) != "exlode" || !strings.Contains(r[0].Message, "explode") {
		t.Errorf("got %+v", r)
	}
	text = "# 🎲\noutput(beats(50))\n"
	if r := check("a.star", text); len(r) != 1 || len(r[0].Fixes) != 1 || r[0].Fixes[0] != (Replacement{5, 5, "load(\"rolemaster.star\", \"beats\")\n"}) {
		t.Errorf("a name of a module: got %+v", r)
	}
	if r := check("a.md", "# 🎲\n\n```\nx = (\n```\n"); len(r) == 0 || r[0].From < 10 {
		t.Errorf("in a document: got %+v", r)
	}
	if r := check("a.anydice", "output [highest 1 of 2d20"); len(r) != 1 {
		t.Errorf("of AnyDice: got %+v", r)
	}
}

func TestReferenceAndModules(t *testing.T) {
	e := New()
	topics := ask[[]Topic](t, e, "reference", struct{}{})
	found := map[string]bool{}
	for _, topic := range topics {
		found[topic.Module+":"+topic.Name] = true
	}
	for _, want := range []string{":explode", ":output", "rolemaster.star:open_ended"} {
		if !found[want] {
			t.Errorf("the reference lacks %s", want)
		}
	}
	for _, m := range ask[[]Module](t, e, "modules", struct{}{}) {
		if m.Text == "" || m.Doc == "" {
			t.Errorf("%s: no text or no doc", m.Name)
		}
		run := ask[Run](t, e, "run", map[string]any{"page": true, "name": "page.md", "text": m.Page})
		if !run.OK || len(run.Views) == 0 && m.Name != "checks.star" {
			t.Errorf("the page of %s: %+v\n%s", m.Name, run.Mistakes, m.Page)
		}
	}
}

func TestUnknownQuestions(t *testing.T) {
	e := New()
	if m := refusal(t, e, "rum", `{}`); !strings.Contains(m.Message, "did you mean run") {
		t.Errorf("got %q", m.Message)
	}
	for _, args := range []string{``, `[]`, `{"nmae":"a"}`, `{"name":1}`, `null x`} {
		refusal(t, e, "run", args+" ")
	}
}

// Whatever is asked, there is an answer in JSON.
func FuzzCall(f *testing.F) {
	f.Add("run", `{"name":"a","text":"output(2d6)"}`)
	f.Add("complete", `{"name":"a","text":"x.","offset":2}`)
	f.Add("signature", `{"name":"a","text":"d(","offset":2}`)
	f.Add("remarks", `{"name":"a.star","text":"x = (\n🎲"}`)
	f.Add("hover", `{"name":"a.md","text":"`+"```\\nx\\n```"+`","offset":5}`)
	f.Add("roll", `{"name":"a","text":"","expr":"4d6!"}`)
	f.Fuzz(func(t *testing.T, method, args string) {
		e := New()
		e.Limits.Steps, e.Limits.Work, e.Limits.Cells = 100_000, 1_000_000, 100_000
		if answer := e.Call(context.Background(), method, []byte(args)); !json.Valid(answer) {
			t.Errorf("%s %q: got %s", method, args, answer)
		}
	})
}
