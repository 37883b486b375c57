package report

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"unicode"

	"dicescript/dist"
	"dicescript/lang"
)

func TestLine(t *testing.T) {
	unlimited := dist.Must(dist.Must(dist.Die(6)).Explode(t.Context(), dist.Only(6), dist.Unlimited))
	for want, data := range map[string]lang.Data{
		"x: mean 7.000, sd 2.42, 2 to 12": lang.Roll{Dist: twoD6()},
		"x: mean 4.200, sd 3.26, no end":  lang.Roll{Dist: unlimited},
		"x: empty":                        lang.Roll{},
		"x: 65.0 % (13/20)":               lang.Prob{Value: big.NewRat(13, 20)},
		"x: 100.0 %":                      lang.Prob{Value: big.NewRat(1, 1)},
		"x: 7":                            wholeNumber(7),
		"x: 3.500 (7/2)":                  lang.Number{Value: big.NewRat(7, 2)},
		"x: miss 41.7 %, never 0 %, hit 41.7 %, (hit, 2) 16.7 %": powered(),
		"x: a table of 11 by 11":                                 opposed(),
		"x: one two":                                             lang.Text{Text: "one\n two"},
		"x: a mean 7.000, sd 2.42, 2 to 12, b mean 1.000, sd 0.00, 1 to 1": lang.Comparison{Rolls: []lang.NamedRoll{{Name: "a", Dist: twoD6()}, {Name: "b", Dist: dist.Constant(1)}}},
	} {
		got, err := Line(t.Context(), oneOutput("x", data), Options{})
		if err != nil || got != want {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
	both := &lang.Result{Outputs: []lang.Output{{Title: "a", Data: wholeNumber(1)}, {Title: "b", Data: wholeNumber(2)}}}
	if got, _ := Line(t.Context(), both, Options{}); got != "a: 1; b: 2" {
		t.Errorf("got %s", got)
	}
}

// A line is one, whatever is in the result, and not too long.
func TestLineOfAnything(t *testing.T) {
	for _, r := range []*lang.Result{nil, {}, everyKind(), nasty()} {
		line, err := Line(t.Context(), r, Options{})
		if err != nil || strings.ContainsFunc(line, unicode.IsControl) {
			t.Errorf("%v: %q", err, line)
		}
	}
	long := oneOutput(strings.Repeat("t", 5000), lang.Text{Text: strings.Repeat("x", 5000)})
	if line, _ := Line(t.Context(), long, Options{}); len(line) > 500 {
		t.Errorf("%d bytes", len(line))
	}
	if _, err := Line(t.Context(), long, Options{Limit: 10}); !errors.As(err, new(*LimitError)) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Line(ctx, everyKind(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// There is a chart where svg has a picture.
func TestHasChart(t *testing.T) {
	for _, r := range []*lang.Result{everyKind(), nasty()} {
		for place, out := range r.Outputs {
			has, err := HasChart(t.Context(), r, place)
			var b strings.Builder
			if err := Fragment(t.Context(), &b, "svg", r, []int{place}, Options{}); err != nil {
				t.Fatal(err)
			}
			if drawn := strings.Count(b.String(), "<svg") > 1; err != nil || has != drawn {
				t.Errorf("%s: got %v, %v, drawn %v", out.Kind(), has, err, drawn)
			}
		}
	}
	if _, err := HasChart(t.Context(), everyKind(), 99); err == nil {
		t.Error("no error")
	}
}
