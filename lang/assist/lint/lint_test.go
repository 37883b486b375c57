package lint

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"fine", "\"\"\"Doc.\"\"\"\nload(\"fate.star\", \"action\")\nx = 2d6\noutput(\"x\", x + action(1, 2))\n", nil},
		{"a comparison", "x = d(20)\nx >= 15\noutput(x)\n", []string{"2:1 this comparison is not used"}},
		{"a roll alone, which is shown", "4d6kh3\n", nil},
		{"a comparison alone", "4d6kh3 >= 15\n", nil},
		{"a roll before the one that is shown", "2d6\n4d6kh3\n", []string{"1:1 the value of this line"}},
		{"a roll before an assignment", "4d6kh3\nx = 2\n", []string{"1:1 the value of this line", "1:1 this recipe puts nothing out"}},
		{"in a function", "def f(x):\n    \"doc\"\n    x + 1\n    return x\noutput(f(1))\n", []string{"3:5 the value of this line is not used"}},
		{"a call for its answer", "x = d(20)\nx.mean()\nscale()\noutput(x)\n", []string{"2:1 the answer of .mean", "3:1 the answer of scale"}},
		{"a call for what it does", "x = [1]\nx.append(2)\nx.remove(1)\nprint(x)\noutput(len(x))\n", nil},
		{"a function of the recipe's own", "def scale():\n    print(1)\nscale()\noutput(1)\n", nil},
		{"an input that is not used", "param(\"x\", 3)\noutput(1)\n", []string{"1:1 this input is not used"}},
		{"loaded", "load(\"fate.star\", \"action\", r=\"roll\")\noutput(action(1, 1))\n", []string{"1:29 r is loaded and never used"}},
		{"variables of a recipe", "x = 1\ny = 2\n_z = 3\nx = 4\noutput(y)\n", []string{"1:1 x is never used"}},
		{"variables of a module", "x = 1\ndef f():\n    return 2\n", nil},
		{"constants of a module", "LIMIT = 1\n", nil},
		{"a keyword is no use of a name", "x = 1\ndef f(x=2):\n    return x\noutput(f(x=3))\n", nil}, // x is read in f
		{"after return", "def f():\n    return 1\n    print(2)\noutput(f())\n", []string{"3:5 this is never reached"}},
		{"nothing out", "x = 2d6\ny = x + 1\nz = y\n", []string{"1:1 this recipe puts nothing out"}},
		{"a step behind others", "s = scale().step(\"a\", at_most(3)).step(\"b\", 2..3).step(\"c\", [4, 5])\noutput(bucket(d(5), s))\n", []string{"1:40 \"b\" is never reached"}},
		{"an early step goes first", "s = scale().step(\"a\", at_most(3)).step(\"b\", 2, early=True)\noutput(bucket(d(3), s))\n", nil},
		{"a step behind two", "s = scale().step(\"a\", 1..2).step(\"b\", 3..4).step(\"c\", through(2, 3))\noutput(bucket(d(4), s))\n", []string{"1:50 \"c\" is never reached"}},
		{"a step without a band", "s = scale().step(\"a\").step(\"b\")\noutput(bucket(d(4), s, 2))\n", nil},
		{"a band that is computed", "n = 3\ns = scale().step(\"a\", at_most(n)).step(\"b\", 2)\noutput(bucket(d(3), s))\n", nil},
		{"a text that does not parse", "x = = 1\n", nil},
	} {
		var got []string
		for _, f := range Check("x.star", []byte(test.src)) {
			got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Col, f.Message))
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
			continue
		}
		for i, want := range test.want {
			if !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: got %q, want %q", test.name, got[i], want)
			}
		}
	}
}

func TestCovered(t *testing.T) {
	all := func(ivs ...interval) map[int]bool {
		m := map[int]bool{}
		for _, i := range ivs {
			for n := i.lo; n <= i.hi; n++ {
				m[n] = true
			}
		}
		return m
	}
	// Every pair of intervals against every third one, by enumeration.
	var ivs []interval
	for lo := range 5 {
		for hi := lo; hi < 5; hi++ {
			ivs = append(ivs, interval{lo, hi})
		}
	}
	for _, s := range ivs {
		for _, a := range ivs {
			for _, b := range ivs {
				union := all(a, b)
				both := all(a, b, s)
				if got, want := covered([]interval{s}, []interval{a, b}), reflect.DeepEqual(union, both); got != want {
					t.Fatalf("%v in %v and %v: got %v", s, a, b, got)
				}
			}
		}
	}
}
