// The published table of the open-ended d100, reproduced from a plain
// enumeration of the procedure.

package report

import (
	"bytes"
	"context"
	"math/big"
	"os"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// chain returns the chances of a chain of d100s: while 96-100 shows, roll again
// and add, at most further times.
func chain(further int) map[int]*big.Rat {
	p, rest := map[int]*big.Rat{}, map[int]*big.Rat{}
	if further > 0 {
		rest = chain(further - 1)
	}
	for face := 1; face <= 100; face++ {
		if face < 96 || further == 0 {
			addChance(p, face, big.NewRat(1, 100))
			continue
		}
		for more, q := range rest {
			addChance(p, face+more, new(big.Rat).Mul(q, big.NewRat(1, 100)))
		}
	}
	return p
}

func addChance(p map[int]*big.Rat, x int, q *big.Rat) {
	if p[x] == nil {
		p[x] = new(big.Rat)
	}
	p[x].Add(p[x], q)
}

// openEnded enumerates the full procedure.
func openEnded(further int) map[int]*big.Rat {
	p, extra := map[int]*big.Rat{}, chain(further)
	for face := 1; face <= 100; face++ {
		sign := 0
		if face <= 5 {
			sign = -1
		} else if face >= 96 {
			sign = 1
		}
		if sign == 0 {
			addChance(p, face, big.NewRat(1, 100))
			continue
		}
		for more, q := range extra {
			addChance(p, face+sign*more, new(big.Rat).Mul(q, big.NewRat(1, 100)))
		}
	}
	return p
}

// distOf makes a distribution of chances that add up to 1.
func distOf(p map[int]*big.Rat) *dist.Dist {
	common := big.NewInt(1)
	for _, q := range p {
		gcd := new(big.Int).GCD(nil, nil, common, q.Denom())
		common = new(big.Int).Mul(common, gcd.Quo(q.Denom(), gcd))
	}
	var xs []int
	var ws []*big.Int
	for x, q := range p {
		xs = append(xs, x)
		ws = append(ws, new(big.Int).Mul(q.Num(), new(big.Int).Quo(common, q.Denom())))
	}
	return dist.Must(dist.Weighted(context.Background(), xs, ws))
}

func chanceWhere(p map[int]*big.Rat, ok func(x int) bool) *big.Rat {
	sum := new(big.Rat)
	for x, q := range p {
		if ok(x) {
			sum.Add(sum, q)
		}
	}
	return sum
}

func rolemaster() *lang.Result {
	p := openEnded(8)
	return &lang.Result{Outputs: []lang.Output{
		{Title: "open_ended_d100", Data: lang.Roll{Dist: distOf(p)}},
		{Title: "p_unmodified_mid", Data: lang.Prob{Value: p[50]}},
		{Title: "p_at_least_150", Data: lang.Prob{Value: chanceWhere(p, func(x int) bool { return x >= 150 })}},
		{Title: "p_zero_or_below", Data: lang.Prob{Value: chanceWhere(p, func(x int) bool { return x <= 0 })}},
	}}
}

// tableRows returns the cells of the body rows of all pipe tables in md.
func tableRows(md string) [][]string {
	var rows [][]string
	for line := range strings.Lines(md) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| outcome ") {
			cells := strings.Split(strings.Trim(line, "|\n"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

func published(t *testing.T) [][]string {
	data, err := os.ReadFile("testdata/open_ended_d100.rows")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Fields(line))
		}
	}
	return rows
}

func render(t *testing.T, format string, r *lang.Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(t.Context(), &b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPublishedTableInPlaygroundStyle(t *testing.T) {
	md := render(t, "markdown", rolemaster(), Options{Style: Playground})
	if !strings.HasPrefix(md, "open_ended_d100 · DieRoll · mean 50.500\n\n| outcome | % | frac | X |\n|---|---|---|---|\n| <-88 |") {
		t.Errorf("the table starts\n%s", md[:120])
	}
	got, want := tableRows(md), published(t)
	if len(got) != 28 || len(want) != 28 {
		t.Fatalf("%d rows, %d published, want 28", len(got), len(want))
	}
	for i := range want {
		for j := range want[i] {
			expected := want[i][j]
			if want[i][0] == "p_at_least_150" && j == 3 {
				expected = "0.025" // 49/2000 is 0.0245, which rounds half up
			}
			if got[i][j] != expected {
				t.Errorf("row %s: column %d is %s, want %s", want[i][0], j, got[i][j], expected)
			}
		}
	}
}

func TestPublishedBandsInExactStyle(t *testing.T) {
	got, want := tableRows(render(t, "markdown", rolemaster(), Options{})), published(t)
	fractions := map[string]string{
		"<-88": "9/2000", "-7..3": "49/10000", "4": "1/10000", "6..95": "9/10", "189": "1/2000", ">189": "9/2000",
		"p_unmodified_mid": "1/100", "p_at_least_150": "49/2000", "p_zero_or_below": "49/1000",
	}
	for i := range want {
		if got[i][0] != want[i][0] || got[i][1] != want[i][1] {
			t.Errorf("row %d is %v, want the band and percentage of %v", i, got[i], want[i])
		}
		if f := fractions[got[i][0]]; f != "" && got[i][2] != f {
			t.Errorf("fraction of %s is %s, want %s", got[i][0], got[i][2], f)
		}
	}
}

func TestAllRowsOfTheOpenEndedRoll(t *testing.T) {
	rows := tableRows(render(t, "markdown", rolemaster(), Options{AllRows: true}))
	if n := len(openEnded(8)); len(rows) != n+3 {
		t.Errorf("%d rows, want one for each of %d outcomes and 3 chances", len(rows), n)
	}
}
