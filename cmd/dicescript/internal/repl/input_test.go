package repl

import (
	"reflect"
	"strings"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// collect feeds lines to a collector and returns the inputs, and what is left.
func collect(text string, pasted bool) (inputs []string, left string) {
	c := collector{}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		more := pasted && i+1 < len(lines)
		for {
			input, done, again := c.add(line, more)
			if done {
				inputs = append(inputs, strings.TrimSuffix(input, "\n"))
			}
			if !again {
				break
			}
		}
	}
	return inputs, c.text()
}

func TestCollector(t *testing.T) {
	for _, test := range []struct {
		name, text string
		pasted     bool
		want       []string
		left       string
	}{
		{"expressions", "3d6\n\n4d6kh3 >= 15", false, []string{"3d6", "4d6kh3 >= 15"}, ""},
		{"bracket", "max(\n  2d20,\n\n  7)", false, []string{"max(\n  2d20,\n\n  7)"}, ""},
		{"bracket left open", "d(", false, nil, "d("},
		{"text of several lines", "x = \"\"\"a\n\nb\"\"\"", false, []string{"x = \"\"\"a\n\nb\"\"\""}, ""},
		{"a quote left open is for the parser", "x = \"a", false, []string{"x = \"a"}, ""},
		{"backslash", "x = 1 + \\\n  2", false, []string{"x = 1 + \\\n  2"}, ""},
		{"backslash in a comment", "x = 1 # \\", false, []string{"x = 1 # \\"}, ""},
		{"block", "def f(x):\n    return x\n\nf(1)", false, []string{"def f(x):\n    return x", "f(1)"}, ""},
		{"block ended by the margin", "def f(x):\n    return x\nf(1)", false, []string{"def f(x):\n    return x", "f(1)"}, ""},
		{"pasted block with empty lines", "def f(x):\n    y = x\n\n    return y\n\nf(1)\n", true, []string{"def f(x):\n    y = x\n\n    return y", "f(1)"}, ""},
		{"pasted statement after statement", "x = 1\ny = 2", true, []string{"x = 1", "y = 2"}, ""},
		{"else", "if x:\n    a()\nelse:\n    b()\n", false, []string{"if x:\n    a()\nelse:\n    b()"}, ""},
		{"short if may have an else", "if x: a()\nelse: b()\n", false, []string{"if x: a()\nelse: b()"}, ""},
		{"short def", "def f(x): return x", false, []string{"def f(x): return x"}, ""},
		{"short loop", "for n in 1..3: print(n)", false, []string{"for n in 1..3: print(n)"}, ""},
		{"comment after the colon", "def f(): # why\n    return 1\n", false, []string{"def f(): # why\n    return 1"}, ""},
		{"no body", "def f():\nx = 1", false, []string{"def f():\nx = 1"}, ""},
		{"empty line before the body", "def f():\n\n    return 1\n", false, []string{"def f():\n\n    return 1"}, ""},
		{"comment at the margin in a block", "def f():\n    x = 1\n# note\n    return x\n", false, []string{"def f():\n    x = 1\n# note\n    return x"}, ""},
		{"a dict's colon is no block", "{1:\n 2}", false, []string{"{1:\n 2}"}, ""},
		{"too many closings are for the parser", "d(6))", false, []string{"d(6))"}, ""},
		{"operator at the end", "1d6 +\n  2", false, []string{"1d6 + \\\n  2"}, ""},
		{"comparison at the end", "4d6kh3 >=\n15", false, []string{"4d6kh3 >= \\\n15"}, ""},
		{"assignment at the end", "x =\n3", false, []string{"x = \\\n3"}, ""},
		{"and at the end of a line of a block", "def f(x):\n    return x > 1 and\n        x < 3\n", false, []string{"def f(x):\n    return x > 1 and \\\n        x < 3"}, ""},
		{"nothing after an operator", "1d6 +\n", false, []string{"1d6 +"}, ""},
		{"an operator in brackets needs no help", "(1d6 +\n2)", false, []string{"(1d6 +\n2)"}, ""},
		{"an exclamation mark is for the parser", "4d6!", false, []string{"4d6!"}, ""},
		{"an operator before a comment is for the parser", "1 + # x", false, []string{"1 + # x"}, ""},
		{"an open range is whole", "2d6 in 5..", false, []string{"2d6 in 5.."}, ""},
		{"comment alone", "# hello", false, []string{"# hello"}, ""},
		{"nested blocks", "for a in x:\n    if a:\n        b()\n    else:\n        c()\n", false, []string{"for a in x:\n    if a:\n        b()\n    else:\n        c()"}, ""},
	} {
		inputs, left := collect(test.text, test.pasted)
		if !reflect.DeepEqual(inputs, test.want) || left != test.left {
			t.Errorf("%s:\n got %q, left %q\nwant %q, left %q", test.name, inputs, left, test.want, test.left)
		}
	}
}

// Whatever is typed or pasted, every line that is not empty is in exactly one
// input, or is still waiting.
func TestCollectorDropsNothing(t *testing.T) {
	pieces := []string{
		"1 +", "not", "x >=",
		"x = 1", "def f():", "    return 1", "if x:", "else:", "  y", "", "f(1", ")", "[", "]]", "\"\"\"", "'''a",
		"x = \\", "# note", "\t", "  # indented", "for n in 1..3: print(n)", "\"open", "é = 5..", "{", "elif x:", ":", "@",
	}
	solid := func(text string) (lines []string) {
		for _, l := range strings.Split(text, "\n") {
			if l = strings.TrimRight(l, " \t\\"); l != "" {
				lines = append(lines, l)
			}
		}
		return lines
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "lines"), "\n")
		inputs, left := collect(text, rapid.Bool().Draw(t, "pasted"))
		got := solid(strings.Join(append(inputs, left), "\n"))
		if want := solid(text); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// What the next line begins with, after each line of an input.
func TestIndent(t *testing.T) {
	for _, text := range []string{
		"def f(x):|    if x:|        return 1|    y = x|    return y|",
		"for n in 1..3:|    if n:|        break|    print(n)|    ",
		"if x:  # why|    pass|",
		"x = max(|    1,|    2",
		"1d6 +|    2 +|    3",
		"def f():|    return [|        1,|        2",
		"x = \"\"\"a|b",
	} {
		lines := strings.Split(text, "|")
		c := collector{}
		for i, line := range lines[:len(lines)-1] {
			c.add(line, false)
			next := lines[i+1]
			want := next[:len(next)-len(strings.TrimLeft(next, " "))]
			if got := c.indent(); got != want {
				t.Errorf("%q: after %q got %q, want %q", text, line, got, want)
			}
		}
	}
}
