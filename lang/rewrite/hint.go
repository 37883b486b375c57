package rewrite

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"dicescript/builtins/suggest"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file says what may have been meant by a name that is not defined.

var (
	undefined = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^undefined: (\S+)`) })
	diceLike  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[dD]([0-9]+[A-Za-z]*[0-9]*|F)$`) })
)

// Elsewhere is how a recipe comes by a name that it does not have.
type Elsewhere struct {
	Hint  string
	Write string   // in place of the name, or ""
	Loads []string // or statements of which one has to stand before it
}

// A hint says what may have been meant by an undefined name.
type hint struct {
	text  string
	write string   // in place of the name, or ""
	loads []string // or statements of which one is missing
	at    int      // the line where they belong
}

// fixes are the edits that do what the hint says.
func (h hint) fixes(d *notation.Error, name string) []notation.Fix {
	if h.write != "" {
		return []notation.Fix{{Line: d.Line, Col: d.Col, EndCol: d.Col + utf8.RuneCountInString(name), Text: h.write}}
	}
	var fixes []notation.Fix
	for _, load := range h.loads {
		fixes = append(fixes, notation.Fix{Line: h.at, Col: 1, EndCol: 1, Text: load + "\n"})
	}
	return fixes
}

// otherLanguages are words of other languages that mean the same.
var otherLanguages = map[string]string{"true": "True", "false": "False", "none": "None", "null": "None", "dF": "1dF", "DF": "1dF"}

func (c *Code) hint(name string) hint {
	if word := otherLanguages[name]; word != "" {
		return hint{text: "write " + word, write: word}
	}
	if diceLike().MatchString(name) {
		return hint{text: "dice are written [count]d<sides>, then kh, kl, dh or dl and a number, as in 4d6kh3"}
	}
	if h := c.computedDice(name); h.text != "" {
		return h
	}
	if c.options.Method != nil {
		if call := c.options.Method(name); call != "" {
			return hint{text: "it is asked after a dot: write " + call}
		}
	}
	if c.options.Elsewhere != nil {
		if e := c.options.Elsewhere(name); e.Hint != "" {
			return hint{text: e.Hint, write: e.Write, loads: e.Loads, at: c.loadsAt}
		}
	}
	if n := suggest.Nearest(name, c.names()); n != "" {
		return hint{text: "did you mean " + n + "?", write: n}
	}
	return hint{}
}

var computedLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\w*?)[dD](\w+)$`) })

// computedDice explains nd6, dn and ndm, whose parts are names or single
// letters: a literal has its numbers written out.
func (c *Code) computedDice(name string) hint {
	m := computedLike().FindStringSubmatch(name)
	if m == nil {
		return hint{}
	}
	count, sides := m[1], m[2]
	letter := func(s string) bool { return len(s) == 1 && s != "_" }
	known := func(s string) bool { return s == "" || c.bound[s] || onlyDigits().MatchString(s) }
	switch {
	case !(known(count) && known(sides) || known(count) && letter(sides) || letter(count) && known(sides)):
		return hint{}
	case count == "":
		die := fmt.Sprintf("d(%s)", sides)
		return hint{text: "a die of so many sides is written " + die, write: die}
	}
	pool := fmt.Sprintf("dice_pool(%s, %s)", count, sides)
	return hint{text: "so many dice are written " + pool, write: pool}
}

var onlyDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+$`) })

// names are all names that the recipe could have meant.
func (c *Code) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		stop := false
		each := func(name string) {
			if !stop && !Internal(name) && !yield(name) {
				stop = true
			}
		}
		for name := range c.options.Predeclared {
			each(name)
		}
		for name := range starlark.Universe {
			each(name)
		}
		for name := range c.bound {
			each(name)
		}
	}
}

// placeOfLoads is the line where another load statement may stand: after the others, or
// before the first statement that is not the text that describes the file.
func placeOfLoads(f *syntax.File) int {
	next := 0 // the line of the statement below
	for _, s := range slices.Backward(f.Stmts) {
		start, _ := s.Span()
		if load, ok := s.(*syntax.LoadStmt); ok {
			if end := load.Rparen.Line; int(end) < next {
				return int(end) + 1
			}
			return int(start.Line)
		}
		next = int(start.Line)
	}
	for _, s := range f.Stmts {
		if start, _ := s.Span(); !isText(s) {
			return int(start.Line)
		}
	}
	return 1
}

// isText reports whether a statement is a text alone.
func isText(s syntax.Stmt) bool {
	e, ok := s.(*syntax.ExprStmt)
	if !ok {
		return false
	}
	l, ok := e.X.(*syntax.Literal)
	return ok && l.Token == syntax.STRING
}
