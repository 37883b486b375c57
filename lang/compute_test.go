package lang_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dicescript/lang"
	"dicescript/lang/report"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// A callback gives the same compiled as oneByOne: results, errors and their
// positions. The interpreter is the oracle.

type outcome struct {
	text  string
	limit bool // a limit was met
}

// outcomeOf runs a recipe and writes down what came of it, but for its usage.
func outcomeOf(h *lang.Host, name string, src []byte, patience time.Duration) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p, err := h.Compile(ctx, name, src)
	if err != nil {
		return outcome{text: err.Error()}
	}
	r, err := p.Run(ctx)
	o := outcome{}
	if err != nil {
		o.text = fmt.Sprintf("%v\n", err)
		var e *lang.Error
		if errors.As(err, &e) {
			o.limit = e.Kind == lang.KindLimit || e.Kind == lang.KindDeadline
			for _, f := range e.Frames {
				o.text += fmt.Sprintln(f)
			}
		}
	}
	r.Usage = lang.Usage{}
	var b bytes.Buffer
	if err := report.Render(context.Background(), &b, "json", r, report.Options{}); err != nil {
		o.text += err.Error()
	}
	o.text += b.String()
	return o
}

// bothHosts are a host as it is, and one that makes each call of a callback by itself: without rows, side by side calls and projections.
func bothHosts(t testing.TB, opts ...lang.Option) (compiled, oneByOne *lang.Host) {
	t.Helper()
	compiled, err := lang.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	oneByOne, err = lang.New(append(opts, lang.OneByOne())...)
	if err != nil {
		t.Fatal(err)
	}
	return compiled, oneByOne
}

// corpus calls visit with every recipe of the repository.
func corpus(t testing.TB, visit func(name string, src []byte)) {
	for _, folder := range []string{"../examples", "../testdata", "../stdlib"} {
		err := filepath.WalkDir(folder, func(file string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if ext := filepath.Ext(file); ext != ".star" && ext != ".md" && ext != ".dice" {
				return nil
			}
			src, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for i, chunk := range strings.Split(string(src), "\n---\n") {
				visit(fmt.Sprintf("%d-%s", i, filepath.Base(file)), []byte(chunk))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What ends within tiny limits when it is oneByOne does so compiled, with the
// same end. By default that is tried with some of the recipes.
func TestCorpusCompiledAsInterpreted(t *testing.T) {
	if testing.Short() {
		t.Skip("a part of the corpus")
	}
	every := 12
	if os.Getenv("DICESCRIPT_TESTS") == "all" {
		every = 1
	}
	for _, limits := range []lang.Limits{
		{Steps: 300_000, Work: 20_000_000, Cells: 1_000_000, Bytes: 1 << 24},
		{Steps: 3_000, Work: 100_000, Cells: 50_000, Depth: 20},
	} {
		compiled, oneByOne := bothHosts(t, lang.WithLimits(limits))
		count, limited, seen := 0, 0, 0
		corpus(t, func(name string, src []byte) {
			if seen++; seen%every != 0 {
				return
			}
			// Some recipes nothing but their deadline ends.
			want := outcomeOf(oneByOne, name, src, 2*time.Second)
			count++
			if want.limit {
				limited++
				return
			}
			if got := outcomeOf(compiled, name, src, time.Minute); got.text != want.text {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got.text, want.text)
			}
		})
		t.Logf("%d recipes, %d of which meet a limit", count, limited)
		if count*every < 1000 || limited == count {
			t.Errorf("of %d recipes %d meet a limit", count, limited)
		}
	}
}

// The usage of a run is the same every time.
func TestComputedUsageIsDeterministic(t *testing.T) {
	src := []byte(`
def level(a, b):
    if a + b > 150:
        fail("never") if a > 100 else None
    return "%d" % (a % 3) if a > b else (a * 9223372036854775807 > b and "x")
def rule(a, b):
    return a[-1] > b[0]
output("level", map(lambda a, b: level(a, b) == "1", d(40), d(40)))
output("rule", map_sorted(rule, dice_pool(4, 6), dice_pool(3, 8)))
`)
	host, _ := bothHosts(t)
	usage := map[lang.Usage]bool{}
	for range 5 {
		p, err := host.Compile(context.Background(), "usage.star", src)
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		usage[r.Usage] = true
	}
	if len(usage) != 1 {
		t.Errorf("the same recipe used %v", usage)
	}
}

// Rules over sorted faces are projected to what they see; the interpreter looks
// at every multiset.
func TestRandomRulesOverSortedFaces(t *testing.T) {
	compiled, oneByOne := bothHosts(t)
	rapid.Check(t, func(t *rapid.T) {
		word := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
		sight := func(name string) string {
			return strings.ReplaceAll(word("X[0]", "X[-1]", "X[-2]", "X[1]", "len(X)", "sum(X)", "max(X)", "min(X)", "sum(X[:2])", "X[-2:][0]",
				"len([x for x in X if x >= 3])", "len([x for x in X if x in (1, 4)])", "sum([2 for x in X if x != 2])", "int(3 in X)", "int(4 not in X)",
				"len([x for x in X if x in 2..3])", "X[3]", "sum(sorted(X)[1:])", "len([x for x in X if x == 1 or x == 3])"), "X", name)
		}
		value := func() string {
			one, other := sight("a"), sight(word("a", "b"))
			return word(one, one+" + "+other, one+" > "+other, "("+one+", "+other+")", `"%d" % (`+one+`)`,
				`"hit" if `+one+" > "+other+` else "miss"`, "d("+one+" + 1)", "("+one+") // (("+other+") % 4)")
		}
		pool := func() string {
			return word("dice_pool(3, 4)", "dice_pool(2, 4)", "4d4", "pool(d(4), d(3), d(4))", "pool(d(2), d(4))", "1d6", "pool(die_faces([1, 1, 4]), d(3))")
		}
		src := fmt.Sprintf("def rule(a, b):\n    if %s > %s:\n        return %s\n    %s\n    return %s\n", sight("a"), sight("b"), value(),
			word("pass", "x = "+sight("a"), `fail("no") if `+sight("b")+` == 2 else None`, "seen.append(1)"), value())
		one := pool()
		src = "seen = []\n" + src + fmt.Sprintf("output(map_sorted(rule, %s, %s))\noutput(len(seen))\n", one, word(one, pool()))
		want := outcomeOf(oneByOne, "rule.star", []byte(src), time.Minute)
		if got := outcomeOf(compiled, "rule.star", []byte(src), time.Minute); got != want {
			t.Fatalf("%s\ngot  %s\nwant %s", src, got.text, want.text)
		}
	})
}
