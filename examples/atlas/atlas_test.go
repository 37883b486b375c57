package atlas

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"dicescript/lang"
)

// answers are the numbers of a page by the titles of its outputs, found a second way: a
// number, or the law of a roll. Rows of a table have their name after the title and /.
type answers map[string]any

// secondWays has the second computation of each page, by its name without .md.
var secondWays = map[string]func() answers{}

func page(name string, second func() answers) struct{} {
	if secondWays[name] != nil {
		panic(name + " has two second ways")
	}
	secondWays[name] = second
	return struct{}{}
}

// A value is a number of a page, and how far it may be off.
type value struct {
	x     *big.Rat
	bound float64
}

// Every number of every page is what another computation gives: one in Go beside this
// test, or the python fence of the page itself.
func TestSecondWay(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	errata, err := files.ReadFile("errata.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, p := range append(pages, Page{Name: "errata.md", Text: string(errata)}) {
		name := strings.TrimSuffix(p.Name, ".md")
		known[name] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, err := host.Compile(context.Background(), p.Name, []byte(p.Text))
			if err != nil {
				t.Fatal(err)
			}
			result, err := program.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]value{}
			for _, o := range result.Outputs {
				if err := flatten(got, o); err != nil {
					t.Error(err)
				}
			}
			want := map[string]*big.Rat{}
			if second := secondWays[name]; second != nil {
				spread(want, second())
			}
			if err := checked(want, p.Text); err != nil {
				t.Error(err)
			}
			compare(t, got, want)
		})
	}
	for name := range secondWays {
		if !known[name] {
			t.Errorf("there is no page %s.md", name)
		}
	}
}

func compare(t *testing.T, got map[string]value, want map[string]*big.Rat) {
	t.Helper()
	for _, title := range sorted(got) {
		g, w := got[title], want[title]
		if w == nil {
			t.Errorf("%s: %s is not computed a second way", title, g.x.RatString())
			continue
		}
		off, _ := new(big.Rat).Sub(g.x, w).Float64()
		if g.x.Cmp(w) != 0 && (g.bound == 0 || math.Abs(off) > g.bound) {
			a, _ := g.x.Float64()
			b, _ := w.Float64()
			t.Errorf("%s: the page has %.60s (%g), the second way %.60s (%g)", title, g.x.RatString(), a, w.RatString(), b)
		}
	}
	for _, title := range sorted(want) {
		if _, ok := got[title]; !ok {
			t.Errorf("%s: the page has no such number, the second way gives %s", title, want[title].RatString())
		}
	}
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// flatten adds the numbers of an output.
func flatten(to map[string]value, o lang.Output) error {
	put := func(name string, x *big.Rat, bound float64) error {
		if _, ok := to[name]; ok {
			return fmt.Errorf("%s stands there twice", name)
		}
		to[name] = value{x, bound}
		return nil
	}
	switch data := o.Data.(type) {
	case lang.Roll:
		if data.Dist.UnboundedAbove() {
			return fmt.Errorf("%s has no upper end, put out its mean or chances", o.Title)
		}
		for x := range data.Dist.All() {
			if err := put(fmt.Sprintf("%s/%d", o.Title, x), data.Dist.PMF(x), 0); err != nil {
				return err
			}
		}
	case lang.Prob:
		return put(o.Title, data.Value, data.Bound)
	case lang.Number:
		return put(o.Title, data.Value, data.Bound)
	case lang.Plan:
		return put(o.Title, data.Value, data.Bound)
	case lang.Outcomes:
		for _, e := range data.Entries {
			if e.Value.Sign() == 0 {
				continue
			}
			if err := put(fmt.Sprintf("%s/%s", o.Title, e.Label), e.Value, data.Bound); err != nil {
				return err
			}
		}
	case lang.ProbTable:
		for _, r := range data.Rows {
			if err := put(fmt.Sprintf("%s/%s", o.Title, r.Label), r.Value, r.Bound); err != nil {
				return err
			}
		}
	case lang.Comparison:
		for _, r := range data.Rolls {
			for x := range r.Dist.All() {
				if err := put(fmt.Sprintf("%s/%s/%d", o.Title, r.Name, x), r.Dist.PMF(x), 0); err != nil {
					return err
				}
			}
		}
	case lang.Grid:
		for i, row := range data.Rows {
			for j, col := range data.Cols {
				c := data.Cells[i][j]
				if err := put(fmt.Sprintf("%s/%s/%s", o.Title, row, col), c.Value, c.Bound); err != nil {
					return err
				}
			}
		}
	default:
		return fmt.Errorf("%s is a %s, which the second way can't be told", o.Title, o.Kind())
	}
	return nil
}

// spread lists the numbers of answers.
func spread(to map[string]*big.Rat, a answers) {
	for title, x := range a {
		if l, ok := x.(law); ok {
			for outcome, p := range l {
				if p.Sign() != 0 {
					to[fmt.Sprintf("%s/%v", title, outcome)] = p
				}
			}
			continue
		}
		to[title] = rat(x)
	}
}

// checked adds what the python fence of a page finds. The fence is run by plain Starlark,
// which has none of our functions, and ends with check = {title: number or law}: a number
// is whole or a pair (numerator, denominator), a law a dict from outcomes to how many ways.
func checked(to map[string]*big.Rat, text string) error {
	_, rest, ok := strings.Cut(text, "\n```python\n")
	if !ok {
		return nil
	}
	source, _, _ := strings.Cut(rest, "\n```")
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true, While: true, Set: true}
	globals, err := starlark.ExecFileOptions(options, &starlark.Thread{}, "check", source, nil)
	if err != nil {
		return err
	}
	check, ok := globals["check"].(*starlark.Dict)
	if !ok {
		return fmt.Errorf("the python fence has no dict check = {title: (numerator, denominator)}")
	}
	for _, item := range check.Items() {
		title, _ := starlark.AsString(item[0])
		if law, ok := item[1].(*starlark.Dict); ok {
			ways := new(big.Rat)
			for _, e := range law.Items() {
				ways.Add(ways, number(e[1]))
			}
			for _, e := range law.Items() {
				name := e[0].String()
				if s, ok := starlark.AsString(e[0]); ok {
					name = s
				}
				to[title+"/"+name] = div(number(e[1]), ways)
			}
			continue
		}
		to[title] = number(item[1])
	}
	return nil
}

func number(x starlark.Value) *big.Rat {
	switch x := x.(type) {
	case starlark.Int:
		return rat(x.BigInt())
	case starlark.Tuple:
		if len(x) == 2 {
			return div(number(x[0]), number(x[1]))
		}
	}
	panic(fmt.Sprintf("check: %s is neither a whole number nor a pair (numerator, denominator)", x))
}

// A page has a question, a rule, a recipe with results, and something to try.
func TestPages(t *testing.T) {
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		for _, part := range []string{"\n```dice\n", "\n```result\n", "\n**What if** "} {
			if !strings.Contains(p.Text, part) {
				t.Errorf("%s has no %q", p.Name, strings.TrimSpace(part))
			}
		}
		if !strings.HasSuffix(p.Title, "?") {
			t.Errorf("%s: %q is no question", p.Name, p.Title)
		}
		for _, w := range p.Words {
			if w == "" || strings.TrimSpace(w) != w {
				t.Errorf("%s: the word %q", p.Name, w)
			}
		}
	}
}

// Every page runs at the ends of its inputs, under the limits that a host has by default.
func TestEndsOfInputs(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			program, err := host.Compile(context.Background(), p.Name, []byte(p.Text))
			if err != nil {
				t.Fatal(err)
			}
			if len(program.Params()) == 0 {
				t.Error("the page has no input")
			}
			for _, param := range program.Params() {
				for _, x := range ends(t, param) {
					if _, err := program.Run(context.Background(), lang.WithInput(param.Name, x)); err != nil {
						t.Errorf("%s = %v: %v", param.Name, x, err)
					}
				}
			}
		})
	}
}

// ends are the least and the greatest value of an input, or all that may be chosen.
func ends(t *testing.T, p lang.Param) []any {
	t.Helper()
	if p.Choices != nil {
		return p.Choices
	}
	if p.Type == "bool" {
		return []any{true, false}
	}
	if p.Min == nil || p.Max == nil {
		t.Errorf("the input %s has no min and max", p.Name)
		return nil
	}
	return []any{p.Min, p.Max}
}
