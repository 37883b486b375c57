package lang_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/throw"
)

// The proof of real throws: on a source that enumerates instead of one that draws, the
// weights of what is thrown are the distribution that the recipe puts out. Ways that are less
// likely than leastWay are given up, and what they have together is how far the weights may
// be off.

// unlimited is for all ways together, which are very many throws.
var unlimited = lang.Limits{Steps: lang.Unlimited, Work: lang.Unlimited, Cells: lang.Unlimited, Bytes: lang.Unlimited, TextBytes: lang.Unlimited, Elements: lang.Unlimited}

// mostWays is how many ways an output has that is proved, and seeded how often any other is
// thrown. With DICESCRIPT_TESTS=all there are more of both.
var mostWays, seeded = func() (int, int) {
	if os.Getenv("DICESCRIPT_TESTS") == "all" {
		return 5000, 1500
	}
	return 300, 150
}()

var leastWay = big.NewRat(1, 1<<24)

// isProved compares what was thrown on all ways with the distribution, and reports whether
// there were few enough ways to do so.
func isProved(t *testing.T, name string, e lang.Enumerated) bool {
	t.Helper()
	if errors.Is(e.Err, throw.ErrTooManyWays) || errors.Is(e.Err, context.DeadlineExceeded) {
		return false
	}
	if e.Err != nil {
		t.Errorf("%s: %s: %v", name, e.Output.Title, e.Err)
		return true
	}
	want, bound := chancesOf(t, e.Output.Data)
	slack := new(big.Rat).Add(e.Rest, new(big.Rat).SetFloat64(bound))
	for result := range e.Weights {
		if want[result] == nil {
			want[result] = new(big.Rat)
		}
	}
	for result, p := range want {
		got := e.Weights[result]
		if got == nil {
			got = new(big.Rat)
		}
		off := new(big.Rat).Sub(p, got)
		if off.Abs(off).Cmp(slack) > 0 {
			f, _ := off.Float64()
			t.Errorf("%s: %s: %s is thrown on ways of %s, want %s (off by %g, may be off by %s)", name, e.Output.Title, result, got.RatString(), p.RatString(), f, slack.FloatString(12))
			return true
		}
	}
	return true
}

func chancesOf(t *testing.T, data lang.Data) (map[string]*big.Rat, float64) {
	t.Helper()
	all := map[string]*big.Rat{}
	switch data := data.(type) {
	case lang.Roll:
		total := data.Dist.Total()
		for x, w := range data.Dist.All() {
			all[fmt.Sprint(x)] = new(big.Rat).SetFrac(w, total)
		}
		return all, data.Dist.Bound()
	case lang.Prob:
		all["true"] = data.Value
		all["false"] = new(big.Rat).Sub(big.NewRat(1, 1), data.Value)
		return all, data.Bound
	case lang.Outcomes:
		for _, e := range data.Entries {
			all[fmt.Sprint(plainLabel(e.Label))] = e.Value
		}
		return all, data.Bound
	}
	t.Fatalf("%T can't be thrown", data)
	return nil, 0
}

func plainLabel(l lang.Label) any {
	items, ok := l.Items()
	if !ok {
		return l.String()
	}
	list := make([]any, len(items))
	for i, x := range items {
		list[i] = plainLabel(x)
	}
	return list
}

func TestThrowsOfExamplesAreTheirDistributions(t *testing.T) {
	host, err := lang.New(lang.WithModules("", os.DirFS("../examples")), lang.WithLimits(unlimited))
	if err != nil {
		t.Fatal(err)
	}
	proved, left := 0, 0
	err = filepath.WalkDir("../examples", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".star") || strings.Contains(path, "embed") || strings.HasSuffix(path, "_test.star") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p, err := host.Compile(t.Context(), path, src)
		if err != nil {
			return nil
		}
		all, err := p.EnumerateThrows(t.Context(), mostWays, leastWay)
		if err != nil {
			if _, bad := p.Run(t.Context()); bad == nil {
				t.Errorf("%s: %v", path, err)
			}
			return nil
		}
		tested := map[int]lang.Data{}
		for i, e := range all {
			if isProved(t, path, e) {
				proved++
			} else {
				left++
				tested[i] = e.Output.Data
			}
		}
		testBySeed(t, path, p, tested)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d outputs are proved on all ways, %d are tested with a seed", proved, left)
	if proved < 40 {
		t.Errorf("only %d outputs are proved", proved)
	}
}

// testBySeed throws the outputs of a recipe many times with a fixed seed and compares how
// often each result comes up with its chance, by Pearson's chi-squared test. The bound is
// that of one failure in a million, and the seed is fixed: it fails always or never.
func testBySeed(t *testing.T, name string, p *lang.Program, outputs map[int]lang.Data) {
	t.Helper()
	if len(outputs) == 0 {
		return
	}
	throws := seeded
	counts := map[int]map[string]int{}
	n := 0
	for r, err := range p.Throws(t.Context(), throw.Seed("a fixed seed")) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		for i := range outputs {
			if counts[i] == nil {
				counts[i] = map[string]int{}
			}
			counts[i][fmt.Sprint(r.Outputs[i].Result)]++
		}
		if n++; n == throws {
			break
		}
	}
	for i, data := range outputs {
		want, _ := chancesOf(t, data)
		squares, degrees := chiSquared(counts[i], want, throws)
		if limit := chiBound(degrees); squares > limit {
			t.Errorf("%s: output %d: chi squared is %.1f of %d degrees of freedom, want at most %.1f", name, i, squares, degrees, limit)
		}
	}
}

// chiSquared is the statistic of counts, where results that are expected fewer than 5 times
// are one.
func chiSquared(counts map[string]int, want map[string]*big.Rat, throws int) (squares float64, degrees int) {
	known, others, expectedOthers := 0, 0, 0.0
	for result, p := range want {
		chance, _ := p.Float64()
		expected := chance * float64(throws)
		known += counts[result]
		if expected < 5 {
			others += counts[result]
			expectedOthers += expected
			continue
		}
		off := float64(counts[result]) - expected
		squares += off * off / expected
		degrees++
	}
	others += throws - known
	if expectedOthers >= 5 {
		off := float64(others) - expectedOthers
		return squares + off*off/expectedOthers, degrees
	}
	return squares, max(degrees-1, 1)
}

// chiBound is passed once in a million times, by the approximation of Wilson and Hilferty.
func chiBound(degrees int) float64 {
	k := float64(degrees)
	x := 1 - 2/(9*k) + 4.753*math.Sqrt(2/(9*k))
	return k * x * x * x
}

// Notation is thrown die by die, whatever its modifiers are.
func TestThrowsOfNotationAreTheirDistributions(t *testing.T) {
	host := newHost(t, lang.WithLimits(unlimited))
	for _, text := range []string{
		"3d6", "4d6kh3 + 2", "4d6dh1", "2d20kl1", "3d10!>=9", "2d6!", "3d6ro<=2", "2d6rr1", "3d8mi3", "3d8ma5",
		"4d6>=5", "4d6kh3>=5", "4dF", "2d6 * 3 - 1d4", "(2d6 + 1d8) // 2", "(1d8 + 1d6!!)kh1", "2d10!=10>=8", "2d6!kh2", "2d6!!kh2", "2d6!mi2", "2d6!dl1",
		"2d6!kl2>=3", "2d6!=6mi2kh2", "(2d6 + 3)!>=14", "2d6rr6!", "-(1d6)", "1d%", "1d6 // (1d4 + 1)", "0d6", "2d6dl5", "3d4kh2",
	} {
		p, err := host.Compile(t.Context(), "notation.star", []byte(fmt.Sprintf("output(roll(%q))", text)))
		if err != nil {
			t.Fatal(err)
		}
		all, err := p.EnumerateThrows(t.Context(), 100_000, big.NewRat(1, 1<<18))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, e := range all {
			if !isProved(t, text, e) {
				t.Errorf("%s has too many ways", text)
			}
		}
	}
}

// Whatever a builtin makes of dice is thrown through them: each example of the reference that
// has a value to be thrown.
func TestThrowsOfTheReferenceAreTheirDistributions(t *testing.T) {
	host := newHost(t, lang.WithLimits(unlimited))
	proved := 0
	for _, e := range builtins.Table() {
		lines := strings.Split(e.Example, "\n")
		last := lines[len(lines)-1]
		for _, end := range []string{".fraction", ".mean()", ".max()", ".p_ge(3)", ".value"} {
			last = strings.TrimSuffix(last, end)
		}
		lines[len(lines)-1] = "output(" + last + ")"
		p, err := host.Compile(t.Context(), e.Name+".star", []byte(strings.Join(lines, "\n")))
		if err != nil {
			continue
		}
		all, err := p.EnumerateThrows(t.Context(), mostWays, leastWay)
		if err != nil {
			continue
		}
		for _, x := range all {
			if isProved(t, e.Receiver+"."+e.Name+": "+last, x) {
				proved++
			} else {
				t.Logf("%s.%s: too many ways", e.Receiver, e.Name)
			}
		}
	}
	t.Logf("%d examples are proved", proved)
	if proved < 60 {
		t.Errorf("only %d examples are proved", proved)
	}
}
