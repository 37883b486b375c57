package report

import (
	"math/big"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/internal/numeral"
)

func brief(t *testing.T, rows int, outputs ...lang.Output) string {
	t.Helper()
	var b strings.Builder
	if err := Brief(t.Context(), &b, &lang.Result{Outputs: outputs}, Options{Width: 40}, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBriefRoll(t *testing.T) {
	d := dist.Must(dist.Die(6))
	got := brief(t, 24, lang.Output{Title: "_1", Data: lang.Roll{Dist: dist.Must(d.Times(t.Context(), 2))}})
	want := "" +
		"_1 · DieRoll · mean 7.000 · sd 2.42 ·\n2..12\n" + // the square root of 35/6
		"outcome     %\n" +
		"      2  2.78  ████▏\n" +
		"      3  5.56  ████████▍\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant a beginning of\n%s", got, want)
	}
}

func TestBriefFitsTheWindow(t *testing.T) {
	d := dist.Must(dist.Must(dist.Die(6)).Times(t.Context(), 100))
	for _, rows := range []int{10, 24, 30, 50, 100} {
		got := brief(t, rows, lang.Output{Title: "_1", Data: lang.Roll{Dist: d}})
		n := strings.Count(got, "\n")
		if n > max(rows, leastRows+aroundTable) || n < 12 {
			t.Errorf("window of %d rows: %d lines", rows, n)
		}
		for _, line := range strings.Split(got, "\n") {
			if narrow.StringWidth(line) > 40 {
				t.Errorf("wider than 40: %q", line)
			}
		}
	}
}

func TestBriefShortThings(t *testing.T) {
	got := brief(t, 24,
		lang.Output{Title: "_1", Data: lang.Prob{Value: big.NewRat(1, 4)}},
		lang.Output{Title: "_2", Data: lang.Text{Text: "hello"}})
	if want := "_1 · 25.0 % · 1/4\n_2 · hello\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The root of a perfect square is exact, and a half rounds up.
func TestRoot(t *testing.T) {
	for _, test := range []struct {
		num, den int64
		want     string
	}{{4, 1, "2.000"}, {35, 12, "1.708"}, {0, 1, "0.000"}, {1, 4000000, "0.001"}, {1, 4000001, "0.000"}, {2, 1, "1.414"}} {
		if got := numeral.Root(big.NewRat(test.num, test.den), 3); got != test.want {
			t.Errorf("root of %d/%d: got %s, want %s", test.num, test.den, got, test.want)
		}
	}
}
