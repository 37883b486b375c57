package lang_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dicescript/lang"
)

// Recipes in which the order of maps, the seed of a hash or an address could show:
// they spend the same in every process, and meet the same limit at the same place.
var sameEverywhere = map[string]string{
	"keys":       "x = {}\nfor n in range(60000):\n    x['a key of some length %d' % n] = n\noutput('n', len(x))",
	"tuples":     "x = {}\nfor n in range(20000):\n    x[(n, 'a text of some length')] = n\ny = [k in x for k in x]",
	"sets":       "x = set(['a text of some length %d' % i for i in range(5000)])\ny = x | set(['another text of some length'])\noutput('n', len(x & y))",
	"json":       "output('n', len(json.decode(json.encode({'a key of some length %d' % i: i for i in range(3000)}))))",
	"collisions": "x = {}\nfor n in range(3000):\n    x[n << 40] = n",
	"engine":     "load('rolemaster.star', 'open_ended')\noutput(100d6)\noutput(open_ended(3) + 10)\noutput(roll('8d6!') >= 30)\noutput(pool(d(4), d(6), d(8)).map_sorted(lambda f: 'label %d' % (f[0] + f[2])))",
	"labels":     "output(map(lambda x: 'a label of some length %d' % (x % 7), d(5000)))",
	"limit":      "x = {}\ni = 0\nwhile True:\n    i += 1\n    x['a key of some length %d' % i] = [i]",
	"steps":      "def f(n):\n    return sorted(['a text of some length %d' % (i * 7919 % n) for i in range(n)])\nwhile True:\n    f(1000)",
	"alloc":      "k = []\nwhile True:\n    k.append({'a key of some length': [1, 2, 3]})",
	"text":       "s = 'x'\nwhile True:\n    s = '%s%s' % (s, s)",
}

const determinismChild = "DICESCRIPT_DETERMINISM"

// spent says what a recipe spends and how it ends.
func spent(t *testing.T, src string) string {
	limits := lang.Limits{Steps: 2_000_000, Bytes: 16 << 20}
	switch {
	case os.Getenv("DICESCRIPT_DEFAULTS") != "": // takes a minute and a half for each process
		limits = lang.Limits{}
	case os.Getenv("DICESCRIPT_PROCESSES") != "": // very many recipes
		limits = lang.Limits{Steps: 500_000, Work: 20_000_000, Cells: 1 << 20, Bytes: 8 << 20}
	}
	h := newHost(t, lang.WithLimits(limits))
	p, err := h.Compile(context.Background(), "recipe.star", []byte(src))
	if err != nil {
		return err.Error()
	}
	r, err := p.Run(context.Background())
	return fmt.Sprintf("%+v %v", r.Usage, err)
}

// TestDeterminismChild is another process that runs the recipes.
func TestDeterminismChild(t *testing.T) {
	if os.Getenv(determinismChild) == "" {
		t.Skip("runs for TestSameInEveryProcess")
	}
	for name, src := range recipesForAll(t) {
		fmt.Printf("spent\t%s\t%q\n", name, spent(t, src))
	}
}

// recipesForAll are the recipes above; with a number of processes in
// DICESCRIPT_PROCESSES also all hostile recipes that a limit ends, and all examples; they
// meet small limits, and the default ones with DICESCRIPT_DEFAULTS.
func recipesForAll(t *testing.T) map[string]string {
	if os.Getenv("DICESCRIPT_PROCESSES") == "" {
		return sameEverywhere
	}
	all := map[string]string{}
	for name, src := range sameEverywhere {
		all[name] = src
	}
	for _, pattern := range []string{"../testdata/hostile/*.star", "../examples/*.star"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(src), "# ends: deadline") {
				all[file] = string(src)
			}
		}
	}
	return all
}

func TestSameInEveryProcess(t *testing.T) {
	processes := 2
	if n := os.Getenv("DICESCRIPT_PROCESSES"); n != "" {
		processes, _ = strconv.Atoi(n)
	}
	first := map[string]string{}
	for i := range processes {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestDeterminismChild$")
		cmd.Env = append(os.Environ(), determinismChild+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		seen := 0
		for line := range strings.Lines(string(out)) {
			fields := strings.Split(line, "\t")
			if len(fields) != 3 || fields[0] != "spent" {
				continue
			}
			seen++
			name, spent := fields[1], fields[2]
			if i == 0 {
				first[name] = spent
			}
			if spent != first[name] {
				t.Errorf("%s: process %d:\n%sthe first:\n%s", name, i, spent, first[name])
			}
		}
		if seen < len(sameEverywhere) {
			t.Fatalf("saw only %d recipes in %s", seen, out)
		}
	}
}

// Filling and reading a dict of tuples takes steps in proportion to its entries.
func TestTupleKeysAreLinear(t *testing.T) {
	steps := func(n int) int64 {
		src := fmt.Sprintf("d = {}\nfor i in range(%d):\n    d[(i, 0)] = i\nfor i in range(%d):\n    d[(i, 0)] + d.get((i, 0))\n", n, n)
		p, err := newHost(t).Compile(context.Background(), "recipe.star", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return r.Usage.Steps
	}
	small, large := steps(6000), steps(60000)
	if large > small*11 || large < small*9 {
		t.Errorf("%d steps for 6000 entries, %d for 60000", small, large)
	}
}
