// What a host pays for showing a result. Each rendering is first checked against
// what is known of it.

package report

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/internal/numeral"
)

func sixes(t testing.TB, n int) *dist.Dist {
	t.Helper()
	d, err := dist.Must(dist.Die(6)).Times(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func BenchmarkHost(b *testing.B) {
	for _, c := range []struct {
		name, format string
		dice         int
		o            Options
		check        func(testing.TB, *dist.Dist, string)
	}{
		{"json_exact_100d6", "json", 100, Options{}, checkExact},
		{"json_exact_1000d6", "json", 1000, Options{}, checkExact},
		{"json_weights_1000d6", "json", 1000, Options{Fractions: Weights}, checkWeights},
		{"json_values_1000d6", "json", 1000, Options{Fractions: NoFractions}, checkValues},
		{"text_20d6", "text", 20, Options{}, checkText},
		{"text_1000d6", "text", 1000, Options{}, checkText},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := sixes(b, c.dice)
			r := &lang.Result{Outputs: []lang.Output{{Title: "sum", Data: lang.Roll{Dist: d}}}}
			var out bytes.Buffer
			if err := Render(b.Context(), &out, c.format, r, c.o); err != nil {
				b.Fatal(err)
			}
			c.check(b, d, out.String())
			b.SetBytes(int64(out.Len()))
			for b.Loop() {
				if err := Render(b.Context(), io.Discard, c.format, r, c.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A jsonRoll is a roll as json has it.
type jsonRoll struct {
	Total string
	PMF   []struct {
		Outcome       int
		Exact, Weight string
		Value         float64
	}
}

func readRoll(t testing.TB, text string, d *dist.Dist) jsonRoll {
	t.Helper()
	var r struct{ Outputs []jsonRoll }
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Outputs) != 1 || len(r.Outputs[0].PMF) != d.Len() {
		t.Fatalf("not all of %d outcomes are there", d.Len())
	}
	for _, o := range r.Outputs[0].PMF {
		if want, _ := d.PMF(o.Outcome).Float64(); o.Value != want {
			t.Fatalf("%d has the value %v, want %v", o.Outcome, o.Value, want)
		}
	}
	return r.Outputs[0]
}

func checkExact(t testing.TB, d *dist.Dist, text string) {
	t.Helper()
	for _, o := range readRoll(t, text, d).PMF {
		if o.Exact != d.PMF(o.Outcome).RatString() || o.Weight != "" {
			t.Fatalf("%d is %s, want %s", o.Outcome, o.Exact, d.PMF(o.Outcome))
		}
	}
}

func checkWeights(t testing.TB, d *dist.Dist, text string) {
	t.Helper()
	r := readRoll(t, text, d)
	total, _ := new(big.Int).SetString(r.Total, 10)
	for _, o := range r.PMF {
		weight, ok := new(big.Int).SetString(o.Weight, 10)
		if !ok || new(big.Rat).SetFrac(weight, total).Cmp(d.PMF(o.Outcome)) != 0 || o.Exact != "" {
			t.Fatalf("%d is %s of %s, want %s", o.Outcome, o.Weight, r.Total, d.PMF(o.Outcome))
		}
	}
}

func checkValues(t testing.TB, d *dist.Dist, text string) {
	t.Helper()
	r := readRoll(t, text, d)
	if r.Total != "" || r.PMF[0].Exact != "" || r.PMF[0].Weight != "" {
		t.Fatal("there is more than values")
	}
}

// checkText holds every row against the sum of the chances that it stands for.
func checkText(t testing.TB, d *dist.Dist, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) < 20 || !strings.HasPrefix(lines[0], "sum · DieRoll · mean ") {
		t.Fatalf("the table is\n%s", text)
	}
	for _, line := range lines[2:] {
		cells := strings.Fields(line)
		p := chanceOfBand(t, d, cells[0])
		if want := numeral.ChanceFraction(numeral.Of(p), 0); !strings.Contains(line, want) || cells[1] != numeral.Percent(numeral.Of(p)) {
			t.Fatalf("the row is %q, want %s %% and %s", line, numeral.Percent(numeral.Of(p)), want)
		}
	}
}

// chanceOfBand is the chance of a label such as 7, 7..9, <7 and >7.
func chanceOfBand(t testing.TB, d *dist.Dist, label string) *big.Rat {
	t.Helper()
	number := func(s string) int {
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			t.Fatalf("no band: %s", label)
		}
		return int(n.Int64())
	}
	switch lo, hi, isBand := strings.Cut(label, ".."); {
	case label[0] == '<':
		return d.AtMost(number(label[1:]) - 1)
	case label[0] == '>':
		return d.AtLeast(number(label[1:]) + 1)
	case isBand:
		return new(big.Rat).Sub(d.AtLeast(number(lo)), d.AtLeast(number(hi)+1))
	}
	return d.PMF(number(label))
}
