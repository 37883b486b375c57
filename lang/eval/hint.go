package eval

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

var diceLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[dD]([0-9]+[A-Za-z]*[0-9]*|F)$`) })

// A Hint says what may have been meant by a name that is not defined.
type Hint struct {
	Text  string   // "" when nothing is known
	Write string   // what to write in place of the name, or ""
	Loads []string // or load statements of which one is missing
}

// hinted adds a hint to the error of a name, with the edits that do what it says.
func (r *reading) hinted(d *notation.Error, name string) {
	h := r.hint(name)
	d.Hint = h.Text
	if h.Write != "" {
		d.Fixes = []notation.Fix{{Line: d.Line, Col: d.Col, EndCol: d.Col + utf8.RuneCountInString(name), Text: h.Write}}
	}
	for _, load := range h.Loads {
		d.Fixes = append(d.Fixes, notation.Fix{Line: r.loadsAt(), Col: 1, EndCol: 1, Text: load + "\n"})
	}
}

// otherLanguages are words of other languages that mean the same.
var otherLanguages = map[string]string{"true": "True", "false": "False", "none": "None", "null": "None", "dF": "1dF", "DF": "1dF"}

// wishes are words for what recipes write otherwise.
var wishes = map[string]string{
	"prob": chanceAlready, "P": chanceAlready, "Pr": chanceAlready, "probability": chanceAlready, "chance": chanceAlready,
	"advantage": "the higher of two dice is max(2d20)", "adv": "the higher of two dice is max(2d20)",
	"disadvantage": "the lower of two dice is min(2d20)", "dis": "the lower of two dice is min(2d20)",
	"random": "nothing is drawn: d(6) is all that a die may show, with its chances",
	"dice":   "several dice are dice_pool(4, 6), or 4d6",
	"repeat": "several rolls, added up, are times(3, d6), or 3d6",
	"plot":   "output(x) shows a value", "show": "output(x) shows a value", "display": "output(x) shows a value",
	"crit": "the chance of a natural 20 is d20 == 20",
}

const chanceAlready = "a comparison is a chance already, as in 2d6 >= 7"

func (r *reading) hint(name string) Hint {
	if word := otherLanguages[name]; word != "" {
		return Hint{Text: "write " + word, Write: word}
	}
	if text := wishes[name]; text != "" {
		return Hint{Text: text}
	}
	if diceLike().MatchString(name) {
		return Hint{Text: "dice are written [count]d<sides>, then kh, kl, dh or dl and a number, as in 4d6kh3"}
	}
	if h := r.computedDice(name); h.Text != "" {
		return h
	}
	if r.options.Method != nil {
		if call := r.options.Method(name); call != "" {
			return Hint{Text: "it is asked after a dot: write " + call}
		}
	}
	if r.options.Elsewhere != nil {
		if h := r.options.Elsewhere(name); h.Text != "" {
			return h
		}
	}
	if n := suggest.Nearest(name, r.names()); n != "" {
		return Hint{Text: "did you mean " + n + "?", Write: n}
	}
	return Hint{}
}

var computedLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\w*?)[dD](\w+)$`) })

// computedDice explains nd6, dn and ndm, whose parts are names or single
// letters: a literal has its numbers written out.
func (r *reading) computedDice(name string) Hint {
	m := computedLike().FindStringSubmatch(name)
	if m == nil {
		return Hint{}
	}
	count, sides := m[1], m[2]
	letter := func(s string) bool { return len(s) == 1 && s != "_" }
	known := func(s string) bool { return s == "" || r.bound()[s] || onlyDigits().MatchString(s) }
	switch {
	case !(known(count) && known(sides) || known(count) && letter(sides) || letter(count) && known(sides)):
		return Hint{}
	case count == "":
		die := fmt.Sprintf("d(%s)", sides)
		return Hint{Text: "a die of so many sides is written " + die, Write: die}
	}
	pool := fmt.Sprintf("dice_pool(%s, %s)", count, sides)
	return Hint{Text: "so many dice are written " + pool, Write: pool}
}

var onlyDigits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+$`) })

// names are all names that the recipe could have meant.
func (r *reading) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		stop := false
		each := func(name string) {
			if !stop && !Internal(name) && !yield(name) {
				stop = true
			}
		}
		for name := range r.options.Predeclared {
			each(name)
		}
		for name := range starlark.Universe {
			each(name)
		}
		for name := range r.bound() {
			each(name)
		}
	}
}

// loadsAt is the line where another load statement may stand.
func (r *reading) loadsAt() int { return placeOfLoads(r.file) }

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
