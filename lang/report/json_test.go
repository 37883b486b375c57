// JSON holds the exact values, and floats that are the nearest to them.

package report

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/internal/unseen"
)

func oneOutput(title string, data lang.Data) *lang.Result {
	return &lang.Result{Outputs: []lang.Output{{Title: title, Data: data}}}
}

func outputOf(t *testing.T, r *lang.Result) map[string]any {
	t.Helper()
	return decoded(t, render(t, "json", r, Options{})).(map[string]any)["outputs"].([]any)[0].(map[string]any)
}

func TestJSONOfTwoDice(t *testing.T) {
	out := outputOf(t, oneOutput("2d6", lang.Roll{Dist: twoD6()}))
	pmf := out["pmf"].([]any)
	if len(pmf) != 11 {
		t.Fatalf("%d outcomes, want 11", len(pmf))
	}
	seven := pmf[5].(map[string]any)
	if seven["outcome"] != json.Number("7") || seven["exact"] != "1/6" || seven["value"] != json.Number("0.16666666666666666") {
		t.Errorf("7 is %v, want 1/6", seven)
	}
	if v := out["variance"].(map[string]any); v["exact"] != "35/6" {
		t.Errorf("the variance is %v, want 35/6", v)
	}
}

func TestJSONNeverFolds(t *testing.T) {
	out := outputOf(t, oneOutput("d1000", lang.Roll{Dist: dist.Must(dist.Die(1000))}))
	if n := len(out["pmf"].([]any)); n != 1000 {
		t.Errorf("%d outcomes of d1000", n)
	}
}

func TestJSONValuesAreTheNearestFloats(t *testing.T) {
	power := func(base, n int64) *big.Rat {
		return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(base), big.NewInt(n), nil))
	}
	for _, c := range []struct {
		exact *big.Rat
		want  float64
	}{
		{big.NewRat(1, 3), 1.0 / 3},
		{power(2, 1074), math.SmallestNonzeroFloat64},
		{power(2, 1076), 0},
		{power(6, 300), math.Exp2(-300) * (1 / math.Pow(3, 300))},
	} {
		got, err := outputOf(t, oneOutput("p", lang.Prob{Value: c.exact}))["value"].(json.Number).Float64()
		if err != nil || math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("value of %v is %v, want %v", c.exact, got, c.want)
		}
	}
	huge := outputOf(t, oneOutput("n", lang.Number{Value: new(big.Rat).Inv(power(10, 400))}))
	if huge["value"] != nil || len(huge["exact"].(string)) != 401 {
		t.Errorf("10^400 has the value %v", huge["value"])
	}
}

// Weights add up to their total, and come back as the same chances whatever the
// order of the outcomes.
func TestJSONWeights(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drawDist(rt, "outcomes")
		if rapid.Bool().Draw(rt, "long") {
			d = dist.Must(d.Times(t.Context(), 20))
		}
		checkWeights(t, d, render(t, "json", oneOutput("d", lang.Roll{Dist: d}), Options{Fractions: Weights}))
	})
}

func TestJSONTupleIsAnArray(t *testing.T) {
	pmf := outputOf(t, oneOutput("powered", powered()))["pmf"].([]any)
	if len(pmf) != 4 {
		t.Fatalf("%d labels, want all 4 of the scale", len(pmf))
	}
	tuple := pmf[3].(map[string]any)["outcome"].([]any)
	if len(tuple) != 2 || tuple[0] != "hit" || tuple[1] != json.Number("2") {
		t.Errorf("the tuple is %v", tuple)
	}
}

func TestJSONTextComesBack(t *testing.T) {
	const text = "a\"b\\\n\t\x00\x7f\u0085\u202e\U000E0001é😀<&>"
	raw := render(t, "json", oneOutput(text, lang.Text{Text: text}), Options{})
	if out := outputOf(t, oneOutput(text, lang.Text{Text: text})); out["title"] != text || out["text"] != text {
		t.Errorf("%q came back as %q", text, out["text"])
	}
	if strings.IndexFunc(raw, func(r rune) bool { return r != '\n' && unseen.Rune(r) }) >= 0 {
		t.Errorf("hidden characters in %q", raw)
	}
}
