package repl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"dicescript/builtins/suggest"
	"dicescript/lang"
)

// What an input may use, and what the last one did.

// A limit is one of those that a person may want to change.
type limit struct {
	name  string
	about string
	of    func(*lang.Limits) *int64
	used  func(lang.Usage) int64 // nil when it is not counted
}

func limits() []limit {
	return []limit{
		{"steps", "steps of the interpreter", func(l *lang.Limits) *int64 { return &l.Steps }, func(u lang.Usage) int64 { return u.Steps }},
		{"work", "operations on distributions", func(l *lang.Limits) *int64 { return &l.Work }, func(u lang.Usage) int64 { return u.Work }},
		{"cells", "words of all distributions", func(l *lang.Limits) *int64 { return &l.Cells }, func(u lang.Usage) int64 { return u.Cells }},
		{"outcomes", "outcomes of one distribution", func(l *lang.Limits) *int64 { return &l.Outcomes }, nil},
		{"alloc", "bytes of texts, lists and large numbers", func(l *lang.Limits) *int64 { return &l.Alloc }, nil},
		{"depth", "calls inside calls", func(l *lang.Limits) *int64 { return &l.Depth }, nil},
	}
}

func (l *Loop) limits(arg string) error {
	if arg != "" {
		return l.setLimit(strings.Fields(arg))
	}
	now := l.session.Limits()
	w := tabwriter.NewWriter(l.o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tlimit\tlast input\t ")
	for _, m := range limits() {
		used := ""
		if m.used != nil {
			used = grouped(m.used(l.usage))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", m.name, limitText(*m.of(&now)), used, m.about)
	}
	return w.Flush()
}

func limitText(n int64) string {
	if n < 0 {
		return "none"
	}
	return grouped(n)
}

// setLimit is :limits NAME VALUE.
func (l *Loop) setLimit(words []string) error {
	if len(words) != 2 {
		return errors.New("want a limit and its value: :limits steps 100000000, or none instead of a number")
	}
	m, err := findLimit(words[0])
	if err != nil {
		return err
	}
	n := int64(lang.Unlimited)
	if words[1] != "none" {
		n, err = strconv.ParseInt(strings.ReplaceAll(words[1], "_", ""), 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("%s: got %s, want a whole number above 0, or none", m.name, words[1])
		}
	}
	now := l.session.Limits()
	*m.of(&now) = n
	l.session.SetLimits(now)
	fmt.Fprintf(l.o.Out, "%s: %s\n", m.name, limitText(n))
	return nil
}

func findLimit(name string) (limit, error) {
	var names []string
	for _, m := range limits() {
		if m.name == name {
			return m, nil
		}
		names = append(names, m.name)
	}
	if n := suggest.Among(name, names); n != "" {
		return limit{}, fmt.Errorf("there is no limit %s; did you mean %s?", name, n)
	}
	return limit{}, fmt.Errorf("there is no limit %s, want one of %s", name, strings.Join(names, ", "))
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
