package report

import (
	"math/big"
	"strings"
	"testing"

	"dicescript/lang"
)

// cellsOf are the words of the lines of an output as text, without its caption.
func cellsOf(t *testing.T, data lang.Data, o Options) []string {
	t.Helper()
	text := render(t, "text", &lang.Result{Outputs: []lang.Output{{Title: "x", Data: data}}}, o)
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

func TestPairsAreATableInTwoDirections(t *testing.T) {
	want := []string{"x · Outcomes · chances in %", "-1 0 2", "0 25.00 0.00 12.50", "1 0.00 62.50 0.00"}
	if got := cellsOf(t, symbols(), Options{}); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	// Every row with its fraction, when that is asked for.
	if got := cellsOf(t, symbols(), Options{AllRows: true}); len(got) != 5 {
		t.Errorf("all rows: %q", got)
	}
	// Labels that read alike are not laid over one another.
	alike := symbols()
	alike.Entries = append(alike.Entries, lang.Outcome{Label: lang.TupleLabel(lang.TextLabel("0"), lang.IntLabel(2)), Value: big.NewRat(1, 9)})
	if got := cellsOf(t, alike, Options{}); len(got) != 6 {
		t.Errorf("labels that read alike: %q", got)
	}
}

func TestPlanIsATableOfMoves(t *testing.T) {
	want := []string{"x · Plan · value 2.083", "state move worth", "0..1 climb 2.083..2.500", "2 stop 3", "(a, 4..7) climb 0.333..0.500"}
	if got := cellsOf(t, ladder(), Options{}); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := cellsOf(t, ladder(), Options{AllRows: true}); len(got) != 7 {
		t.Errorf("all rows: %q", got)
	}
}
