// Package limits names the limits of a run as a person gives them: steps=2G.
package limits

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/builtins/suggest"
	"dicescript/dist"
	"dicescript/dist/upper"
	"dicescript/internal/held"
	"dicescript/lang"
	"dicescript/lang/report"
)

// Settings are what a run of the command may spend. Zero fields are defaults.
type Settings struct {
	Run    lang.Limits
	Report int64 // bytes of what is printed, see [report.Options]
	Held   int64 // bytes of memory at once, at one's own machine
}

// Own returns the settings of a run at one's own machine. What is made, and let go again,
// bounds nothing there unless it is set: what is held does, and the time.
func (s Settings) Own() Settings {
	s.Run.Cells = cmp.Or(s.Run.Cells, lang.Unlimited)
	s.Run.Bytes = cmp.Or(s.Run.Bytes, lang.Unlimited)
	s.Held = cmp.Or(s.Held, held.Default())
	return s
}

// Patient are the limits for a person who waits: an honest recipe may take about
// half a minute, and whoever waits sees that it runs, and can stop it.
func Patient() Settings {
	return Settings{Run: lang.Limits{Steps: 1_000_000_000, Work: 30_000_000_000}}
}

// A Limit is one of them.
type Limit struct {
	Name  string
	About string
	Of    func(*Settings) *int64
	Used  func(lang.Usage) int64 // nil when it is not counted

	inBytes bool // K, M and G are of 1024
}

// used returns what a run used of the limit of a name.
func used(name string) func(lang.Usage) int64 {
	return func(u lang.Usage) int64 {
		for n, count := range u.Counts() {
			if n == name {
				return count
			}
		}
		return 0
	}
}

// All are the limits of a run, and those of what is printed and held.
func All() []Limit {
	var all []Limit
	for _, b := range meter.Bounds() {
		all = append(all, ofBound(b))
	}
	return append(all, Limit{
		Name: "report", About: "bytes of what is printed", Of: func(s *Settings) *int64 { return &s.Report }, inBytes: true,
	}, Limit{
		Name: "held", About: "bytes of memory held at once", Of: func(s *Settings) *int64 { return &s.Held }, inBytes: true,
	})
}

func ofBound(b meter.Bound) Limit {
	return Limit{
		Name: string(b.Resource), About: b.About, Of: func(s *Settings) *int64 { return b.Of(&s.Run) },
		Used: used(string(b.Resource)), inBytes: b.InBytes,
	}
}

// Find returns the limit of a name.
func Find(name string) (Limit, error) {
	var names []string
	for _, l := range All() {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if n := suggest.Among(name, names); n != "" {
		return Limit{}, fmt.Errorf("there is no limit %s; did you mean %s?", name, n)
	}
	return Limit{}, fmt.Errorf("there is no limit %s, want one of %s", name, strings.Join(names, ", "))
}

// Set takes one setting, NAME=N, or none for no limit at all.
func (s *Settings) Set(text string) error {
	if text == "none" {
		for _, l := range All() {
			*l.Of(s) = lang.Unlimited
		}
		return nil
	}
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("got %s, want a limit and its value as in steps=2G, or none", text)
	}
	l, err := Find(name)
	if err != nil {
		return err
	}
	*l.Of(s), err = l.Parse(value)
	return err
}

// String makes Settings a value of package flag.
func (s *Settings) String() string { return "" }

// units are the suffixes of numbers.
var units = []struct {
	suffix         string
	decimal, bytes int64
}{
	{"G", 1_000_000_000, 1 << 30},
	{"M", 1_000_000, 1 << 20},
	{"K", 1_000, 1 << 10},
}

// Parse reads a value: a number, with K, M or G for thousands and so on (of bytes
// 1024s), or none.
func (l Limit) Parse(text string) (int64, error) {
	if text == "none" {
		return lang.Unlimited, nil
	}
	number, unit := strings.ToUpper(strings.ReplaceAll(text, "_", "")), int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, unit = rest, u.decimal
			if l.inBytes {
				unit = u.bytes
			}
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("%s: got %s, want a whole number above 0 such as 500K, 20M or 2G, or none", l.Name, text)
	}
	return n * unit, nil
}

// Text writes a value for a table.
func (l Limit) Text(n int64) string {
	if n < 0 {
		return "none"
	}
	return upper.Grouped(n)
}

// Short writes a value, rounded up, as Parse reads it.
func (l Limit) Short(n int64) string {
	for _, u := range units {
		unit := u.decimal
		if l.inBytes {
			unit = u.bytes
		}
		if n >= unit {
			return strconv.FormatInt((n-1)/unit+1, 10) + u.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

// Raise finds the limit that an error met and a value with which the same would
// go further, "" when no number is large enough, for what the limits in force are.
// It is false when raising one does not help.
func Raise(err error, now Settings) (l Limit, value string, ok bool) {
	var long *report.LimitError
	if errors.As(err, &long) {
		l, _ := Find("report")
		return l, l.Short(2 * long.Limit), true
	}
	var met *dist.LimitError
	if errors.As(err, &met) && met.Resource == dist.HeldResource {
		l, _ := Find("held")
		return l, l.Short(2 * max(met.Limit, now.Held)), true
	}
	b, ok := meter.Met(err, now.Run)
	if !ok || *b.Of(&now.Run) <= 0 {
		return Limit{}, "", false
	}
	l = ofBound(b)
	if met.Need >= math.MaxInt64/2 {
		return l, "", true
	}
	return l, l.Short(max(2*met.Limit, met.Need)), true
}

// Words are how a setting may begin.
func (s *Settings) Words() []string {
	words := []string{"none"}
	for _, l := range All() {
		words = append(words, l.Name+"=")
	}
	return words
}
