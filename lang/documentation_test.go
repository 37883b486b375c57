package lang_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dicescript/builtins"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// last splits the lines of an example into those before the last expression
// and that one.
func last(example string) (before, expression string) {
	lines := strings.Split(strings.TrimRight(example, "\n"), "\n")
	i := len(lines) - 1
	for i > 0 && (strings.HasPrefix(lines[i], " ") || strings.IndexAny(lines[i], ")]}") == 0) {
		i--
	}
	return strings.Join(lines[:i], "\n"), strings.Join(lines[i:], "\n")
}

// printing is a host whose builtin see(x) notes how x is printed.
func printing(t *testing.T) (*lang.Host, *string) {
	seen := new(string)
	return newHost(t, lang.WithBuiltins(starlark.StringDict{
		"see": starlark.NewBuiltin("see", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			if s, ok := starlark.AsString(args[0]); ok {
				*seen = s
			} else {
				*seen = args[0].String()
			}
			return starlark.None, nil
		}),
	})), seen
}

// Every example of the reference prints what the reference says.
func TestReferenceExamples(t *testing.T) {
	h, seen := printing(t)
	for _, e := range builtins.Table() {
		before, expression := last(e.Example)
		if e.Name == "param" {
			before, expression = before+"\nx = "+expression, "x" // a call among arguments would do as well
		}
		if _, err := run(t, h, before+"\nsee("+expression+")\n"); err != nil {
			t.Errorf("%s.%s: %v", e.Receiver, e.Name, err)
		} else if *seen != e.Result {
			t.Errorf("%s.%s: %s\n got %s\nwant %s", e.Receiver, e.Name, e.Example, *seen, e.Result)
		}
	}
}

// Every global that this language adds, and every method of its values, is in
// the reference, and the reference has nothing else.
func TestReferenceIsComplete(t *testing.T) {
	described := map[string]builtins.Entry{}
	for _, e := range builtins.Table() {
		described[e.Receiver+"."+e.Name] = e
	}
	exist := map[string]bool{}
	for name, v := range builtins.Globals() {
		if _, ok := v.(*starlark.Builtin); ok {
			exist["."+name] = true
		}
	}
	h, seen := printing(t)
	for _, value := range []string{
		"d(6)", "2d6", "5..6", "versus(1, 2)", "scale()", "d(6).p_ge(3)", "d(6).mean()", `prob_table([("a", 1)])`,
		"grid([1], [1], lambda r, c: 1)", `compare([("a", d(6))])`,
		"deck([1, 2])", "deck([1, 2]).deal(1)", "2d6.keep_dice(high=1)", "best_play(0, lambda s: 1)",
	} {
		if _, err := run(t, h, "x = "+value+"\nsee(','.join([type(x)] + dir(x)))"); err != nil {
			t.Fatalf("%s: %v", value, err)
		}
		names := strings.Split(*seen, ",")
		for _, method := range names[1:] {
			exist[names[0]+"."+method] = true
		}
	}
	for name := range exist {
		e, ok := described[name]
		if !ok {
			t.Errorf("%s is not in the reference", name)
			continue
		}
		if e.Doc == "" || e.Example == "" || e.Signature == "" || e.Group == "" || e.Result == "" {
			t.Errorf("%s: a field of its entry is empty: %+v", name, e)
		}
		for _, p := range e.Params {
			if p.Doc == "" || !strings.Contains(e.Signature, p.Name) {
				t.Errorf("%s: parameter %s: doc %q, signature %s", name, p.Name, p.Doc, e.Signature)
			}
		}
	}
	for name := range described {
		if !exist[name] {
			t.Errorf("%s is in the reference and does not exist", name)
		}
	}
}

var (
	exampleBlock = regexp.MustCompile(`(?m)^( *)Examples?:\n`)
	trailing     = regexp.MustCompile(`^(.*?) +# (-?[0-9]+(?:[/.][0-9]+)?|"[^"]*")(?:[,:;. ].*)?$`)
)

// examples are the lines below Example: in a doc string.
func examples(text string) []string {
	at := exampleBlock.FindStringSubmatchIndex(text)
	if at == nil {
		return nil
	}
	indent := text[at[2]:at[3]]
	var lines []string
	for _, line := range strings.Split(text[at[1]:], "\n") {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, indent+" ") {
			break
		}
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// The examples in the doc strings of the bundled modules run, and give the
// value in the comment behind them.
func TestModuleExamples(t *testing.T) {
	r := &tester{t: t}
	h := newHost(t, lang.WithBuiltins(r.builtins()))
	values := 0
	for _, name := range h.Modules() {
		m, err := h.ModuleDoc(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		load := fmt.Sprintf("load(%q", name)
		for _, f := range m.Functions {
			load += fmt.Sprintf(", %q", f.Name)
		}
		for _, f := range m.Functions {
			lines := examples(f.Text)
			if len(lines) == 0 && !slices.Contains([]string{"checks.star"}, name) {
				t.Errorf("%s: %s has no example", name, f.Name)
			}
			src := load + ")\n"
			for _, line := range lines {
				if v := trailing.FindStringSubmatch(line); v != nil {
					want := v[2]
					if !strings.HasPrefix(want, `"`) && strings.Contains(want, "/") {
						want = `"` + want + `"`
					}
					line = "eq(" + v[1] + ", " + want + ")"
					values++
				}
				src += line + "\n"
			}
			before := r.count
			if _, err := run(t, h, src); err != nil {
				t.Errorf("%s: %s: %v\n%s", name, f.Name, err, src)
			}
			if r.count-before != strings.Count(src, "eq(") {
				t.Errorf("%s: %s: not all values are compared", name, f.Name)
			}
		}
	}
	t.Logf("%d values", values)
}
