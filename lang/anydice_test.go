package lang_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"dicescript/lang"
	"dicescript/lang/report"
)

// An AnyDice program goes the way of a recipe: the same host, limits, errors
// and reports.

func runAnyDice(t *testing.T, text string, opts ...lang.Option) (*lang.Result, error) {
	t.Helper()
	host, err := lang.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.Compile(context.Background(), "old.anydice", []byte(text))
	if err != nil {
		return nil, err
	}
	return p.Run(context.Background())
}

func TestAnyDiceProgramGivesResult(t *testing.T) {
	r, err := runAnyDice(t, "output 2d6 >= 8 named \"eight\"\nfunction: f { result: [f] + 1 }\noutput d{}\noutput [f]\n")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := lang.Get[lang.Roll](r, "eight"); err != nil || d.Dist.PMF(1).RatString() != "5/12" {
		t.Errorf("got %v, %v", d, err)
	}
	if r.Outputs[1].Title != "output 2" || r.Outputs[1].Line != 3 || r.Outputs[1].Kind() != "DieRoll" {
		t.Errorf("got %+v", r.Outputs[1])
	}
	if len(r.Notes) != 1 || r.Usage.Steps == 0 || r.Usage.Outputs != 3 {
		t.Errorf("got notes %q and usage %+v", r.Notes, r.Usage)
	}
	for format, want := range map[string][]string{
		"text":     {"output 2 · DieRoll · empty\n", "note: functions were called more deeply"},
		"json":     {`{"title": "output 2", "kind": "DieRoll", "pmf": []}`, `"notes": [`},
		"markdown": {"empty\n", "Note: functions were"},
		"html":     {"empty", "Note: functions were"},
		"csv":      {"eight,DieRoll,,1,5/12,"},
		"svg":      {"<svg"},
	} {
		var b bytes.Buffer
		if err := report.Render(context.Background(), &b, format, r, report.Options{}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		for _, piece := range want {
			if !strings.Contains(b.String(), piece) {
				t.Errorf("%s: got\n%s\nwant %s in it", format, b.String(), piece)
			}
		}
	}
}

func TestAnyDiceErrorsAreThoseOfTheHost(t *testing.T) {
	for text, want := range map[string]struct {
		kind    lang.Kind
		message string
	}{
		"output 1 +":     {lang.KindSyntax, "old.anydice:1:11: got the end of the program, want a value"},
		"A: 1\noutput B": {lang.KindRuntime, "old.anydice:2:8: B has no value here"},
		"loop A over {1..9999} { loop B over {1..9999} { C: 1 } }": {lang.KindLimit, "old.anydice:"},
		"output 99999d99999":                  {lang.KindLimit, "old.anydice:1:"},
		"output 1 output 2 output 3 output 4": {lang.KindLimit, "old.anydice:1:28: would need 4 outputs; the limit is 3"},
		strings.Repeat("output 1 ", 10_000):   {lang.KindLimit, "old.anydice: the recipe is too long"},
	} {
		_, err := runAnyDice(t, text, lang.WithLimits(lang.Limits{Steps: 100_000, Outputs: 3, SourceBytes: 50_000}))
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != want.kind || !strings.HasPrefix(err.Error(), want.message) {
			t.Errorf("%.60s\ngot  %v\nwant %s: %s", text, err, want.kind, want.message)
		}
	}
}

func TestAnyDiceDeadline(t *testing.T) {
	host, err := lang.New(lang.WithLimits(lang.Limits{Steps: lang.Unlimited}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.Compile(context.Background(), "old.anydice", []byte("loop A over {1..99999} { loop B over {1..99999} { C: 1 } }"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err = p.Run(ctx)
	var e *lang.Error
	if !errors.As(err, &e) || e.Kind != lang.KindDeadline || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

func TestSessionEvaluatesAnyDiceFile(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	r, err := host.NewSession().EvalFile(context.Background(), "old.anydice", []byte("output 3d6"))
	if err != nil || len(r.Outputs) != 1 {
		t.Errorf("got %v, %v", r, err)
	}
}
