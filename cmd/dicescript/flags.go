package main

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"dicescript/builtins/suggest"
	"dicescript/lang/report"
)

// This file reads the flags of run and eval. They may stand before and after
// what they apply to.

// options are the flags of run and eval.
type options struct {
	*patience
	format  string
	style   string
	rows    string
	show    string
	frac    string
	sets    settings
	noGuard bool
	noWeave bool
	file    string
	watch   bool
	isolate bool
	memory  string
	cpu     time.Duration
	dialect string
}

// settings are the values of --set, as they were given.
type settings []string

func (s *settings) String() string { return strings.Join(*s, " ") }

func (s *settings) Set(text string) error {
	name, _, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("got %q, want name=value", text)
	}
	for _, other := range *s {
		if strings.HasPrefix(other, name+"=") {
			return fmt.Errorf("%s is set twice, as %s and %s", name, other, text)
		}
	}
	*s = append(*s, text)
	return nil
}

func runFlags() (*flag.FlagSet, *options) {
	o := &options{}
	f := quietFlags()
	choice(f, &o.format, "format", formats(), "`F` is "+strings.Join(formats(), ", "))
	choice(f, &o.style, "style", []string{"exact", "playground"}, "`S` is exact, or playground for tables as published recipes show them")
	choice(f, &o.show, "show", []string{"exactly", "at-least", "at-most", "all"}, "`S` is exactly, at-least, at-most or all: which chances of each outcome are shown")
	choice(f, &o.rows, "rows", []string{"", "all"}, "`R` is all, to list every outcome of a long table")
	choice(f, &o.frac, "fractions", []string{"exact", "weights", "none"}, "`F` is exact, weights or none: what json and csv have beside the floats")
	f.Var(&o.sets, "set", "set an input of the recipe: `name=value`")
	o.patience = patienceFlags(f, patientTime)
	f.BoolVar(&o.noGuard, "no-guard", false, "let values be of any size, for recipes you trust")
	f.BoolVar(&o.noWeave, "no-weave", false, "print the results of a document alone, in html and markdown too")
	f.StringVar(&o.file, "o", "", "write to `FILE`: a file whole or not at all, a device or pipe as it is")
	f.BoolVar(&o.watch, "watch", false, "run again whenever the recipe or a module that it loads is saved")
	f.BoolVar(&o.isolate, "isolate", false, "run in a child process with hard limits, for recipes of strangers")
	f.StringVar(&o.memory, "memory", "", "the memory of that process, such as 512M: `SIZE` (default 1G)")
	dialectFlag(f, &o.dialect)
	f.DurationVar(&o.cpu, "cpu", 0, "the processor time of that process, such as 5s: `D` (default 10s)")
	return f, o
}

// formats lists the formats, the default first.
func formats() []string {
	all := report.Formats()
	if i := slices.Index(all, "text"); i > 0 {
		all = append([]string{"text"}, slices.Delete(all, i, i+1)...)
	}
	return all
}

// onlyRun are the flags of run that eval has no use for.
func onlyRun() []string { return []string{"watch", "isolate", "memory", "cpu"} }

// evalFlags are those of run that mean something to an expression.
func evalFlags() (*flag.FlagSet, *options) { return runFlagsBut(onlyRun()...) }

// recipeFlags are those that mean something to a recipe.
func recipeFlags() (*flag.FlagSet, *options) { return runFlagsBut("dialect") }

func runFlagsBut(names ...string) (*flag.FlagSet, *options) {
	all, o := runFlags()
	f := quietFlags()
	all.VisitAll(func(g *flag.Flag) {
		if !slices.Contains(names, g.Name) {
			f.Var(g.Value, g.Name, g.Usage)
		}
	})
	return f, o
}

// A choices is a flag whose value is one of a few words.
type choices struct {
	value *string
	words []string
}

// choice adds such a flag, whose default is the first word.
func choice(f *flag.FlagSet, value *string, name string, words []string, usage string) {
	*value = words[0]
	f.Var(&choices{value, words}, name, usage)
}

func (c *choices) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c *choices) Set(text string) error {
	if slices.Contains(c.words, text) {
		*c.value = text
		return nil
	}
	message := fmt.Sprintf("got %q, want %s", text, strings.Join(c.Words(), ", "))
	if n := suggest.Among(text, c.words); n != "" {
		message += "; did you mean " + n + "?"
	}
	return errors.New(message)
}

// Words are those that the value can be.
func (c *choices) Words() []string {
	return slices.DeleteFunc(slices.Clone(c.words), func(s string) bool { return s == "" })
}

func dashes(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// parse reads flags wherever they stand and returns the rest. Nothing after --
// is a flag, and neither is a negative expression such as -2d6.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	rest, err := parseMarked(f, marked(f, args))
	for i := range rest {
		rest[i] = strings.TrimPrefix(rest[i], expressionMark)
	}
	return rest, err
}

// expressionMark before an argument hides its minus sign from package flag.
const expressionMark = "\x00"

// marked marks the arguments that begin with a minus sign and can't be flags,
// unless they are the value of one: -2d6, -(d6 + 1), -d6.
func marked(f *flag.FlagSet, args []string) []string {
	out := slices.Clone(args)
	for i, arg := range args {
		negative := negativeExpression.MatchString(arg)
		if negative && (i == 0 || !takesValue(f, args[i-1])) {
			out[i] = expressionMark + arg
		}
	}
	return out
}

// negativeExpression is a minus sign before a number, a bracket, a die or a call.
var negativeExpression = regexp.MustCompile(`^-([0-9(]|[dD]([0-9]|\()|[a-z_]+\()`)

// takesValue reports whether an argument is a flag whose value comes next.
func takesValue(f *flag.FlagSet, arg string) bool {
	g := f.Lookup(strings.TrimLeft(arg, "-"))
	if g == nil || !strings.HasPrefix(arg, "-") {
		return false
	}
	b, ok := g.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

func parseMarked(f *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			return nil, flagError(f, err)
		}
		left := f.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// flagError puts an error of package flag into other words.
func flagError(f *flag.FlagSet, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		var names []string
		f.VisitAll(func(g *flag.Flag) { names = append(names, g.Name) })
		if n := suggest.Among(name, names); n != "" {
			return fmt.Errorf("there is no flag %s; did you mean %s?", dashes(name), dashes(n))
		}
		return fmt.Errorf("there is no flag %s", dashes(name))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return fmt.Errorf("%s: the value is missing", dashes(name))
	}
	if _, rest, ok := strings.Cut(text, " for flag -"); ok {
		name, why, _ := strings.Cut(rest, ": ")
		if strings.HasPrefix(why, "parse error") {
			why = "want a time such as 500ms, 10s or 2m"
		}
		return fmt.Errorf("%s: %s", dashes(name), why)
	}
	return err
}

// check refuses values that no flag has.
func (o *options) check() error {
	if o.cpu < 0 {
		return fmt.Errorf("--cpu: got %s, want a time above 0", o.cpu)
	}
	return o.patience.check()
}
