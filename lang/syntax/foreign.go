package syntax

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"dicescript/lang/notation"
)

// This file translates. Who comes from another tool writes its words, and the
// parser stumbles over some sign behind them. Where a line has a mistake and
// such a word stands on it, the word is the mistake, and the message says what
// is written here instead.

// translated replaces the diagnostics on lines with a foreign word.
func translated(src []byte, ds []*notation.Error) []*notation.Error {
	if len(ds) == 0 {
		return ds
	}
	lines := map[int][]notation.Token{}
	for _, t := range notation.Tokens(src) {
		if t.Kind != notation.NewlineToken && t.Kind != notation.CommentToken {
			lines[t.Line] = append(lines[t.Line], t)
		}
	}
	for i, d := range ds {
		l := foreignLine{src, lines[d.Line]}
		if len(l.tokens) > maxForeign {
			continue
		}
		if t, e := l.foreign(d); e.message != "" {
			ds[i] = &notation.Error{Line: t.Line, Col: t.Col, Msg: e.message, Fixes: e.fixes}
		}
	}
	return ds
}

// maxForeign is how many tokens a line may have that is looked through: nobody
// writes longer ones by hand.
const maxForeign = 300

// A foreignLine is a line of a recipe with a mistake on it.
type foreignLine struct {
	src    []byte
	tokens []notation.Token
}

// An explanation is what is said about a foreign word, and what may be written instead.
type explanation struct {
	message string // "" when there is nothing to say
	fixes   []notation.Fix
}

// say is an explanation without a fix.
func say(format string, args ...any) explanation {
	return explanation{message: fmt.Sprintf(format, args...)}
}

// write is an explanation that names the text to write in the place of tokens i to j.
func (l foreignLine) write(i, j int, text, format string, args ...any) explanation {
	e := say(format, args...)
	if i >= 0 && j < len(l.tokens) {
		e.fixes = notation.FixOver(l.src, l.tokens[i], l.tokens[j], text)
	}
	return e
}

// foreign returns the first foreign word of the line and what is said about it.
func (l foreignLine) foreign(d *notation.Error) (notation.Token, explanation) {
	for i, t := range l.tokens {
		for _, look := range []func(int) explanation{
			l.quote, l.typeset, l.turned, l.germanDice, l.times, l.advantage, l.formatted, l.listedFaces, l.bracketed, l.outputWord, l.program, l.joined, l.opposite, l.ternary, l.spokenDice, l.printed, l.braces, l.repeated, l.failures,
		} {
			if e := look(i); e.message != "" {
				return t, e
			}
		}
	}
	return l.chained(d)
}

// word is the text of token i, "" beyond the ends.
func (l foreignLine) word(i int) string {
	if i < 0 || i >= len(l.tokens) {
		return ""
	}
	return string(l.src[l.tokens[i].Start:l.tokens[i].End])
}

func (l foreignLine) kind(i int) notation.Kind {
	if i < 0 || i >= len(l.tokens) {
		return 0
	}
	return l.tokens[i].Kind
}

// glued reports whether no space parts token i from the next.
func (l foreignLine) glued(i int) bool {
	return i >= 0 && i+1 < len(l.tokens) && l.tokens[i].End == l.tokens[i+1].Start
}

// between is the text from token i up to, not with, token j.
func (l foreignLine) between(i, j int) string {
	if i >= j || i >= len(l.tokens) {
		return ""
	}
	return string(l.src[l.tokens[i].Start:l.tokens[min(j, len(l.tokens))-1].End])
}

// closing is the token that closes the bracket i, -1 when none on the line does.
func (l foreignLine) closing(i int) int {
	depth := 0
	for j := i; j < len(l.tokens); j++ {
		switch l.kind(j) {
		case notation.OpenToken:
			depth++
		case notation.CloseToken:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return -1
}

// quote explains the quotes of word processors.
func (l foreignLine) quote(i int) explanation {
	w := l.word(i)
	if l.kind(i) != notation.OperatorToken || !strings.ContainsAny(w, curly) {
		return explanation{}
	}
	e := say(`%s is not a quote here: a text stands between straight quotes, as in "Hit"`, w)
	if fix, ok := l.straightened(l.tokens[i]); ok {
		e.fixes = []notation.Fix{fix}
	}
	return e
}

// typeset explains the signs of word processors.
func (l foreignLine) typeset(i int) explanation {
	sign := l.word(i)
	here := map[string]string{"≥": ">=", "≤": "<=", "≠": "!=", "–": "-", "—": "-", "−": "-", "÷": "//"}[sign]
	if here == "" {
		return explanation{}
	}
	return l.write(i, i, here, "%s is written %s here", sign, here)
}

// turned explains =>, =< and <>.
func (l foreignLine) turned(i int) explanation {
	if !l.glued(i) || !l.operandBefore(i) {
		return explanation{}
	}
	pair := l.word(i) + l.word(i+1)
	here := map[string]string{"=>": ">=", "=<": "<=", "<>": "!="}[pair]
	if here == "" || pair == "=>" && l.inLambda(i) {
		return explanation{}
	}
	return l.write(i, i+1, here, "%s is written %s", pair, here)
}

// inLambda reports whether => stands after the parameter of a function of other languages.
func (l foreignLine) inLambda(i int) bool {
	return l.kind(i-1) == notation.NameToken && (l.word(i-2) == "(" || l.word(i-2) == ",") || l.word(i-1) == ")"
}

var germanDie = regexp.MustCompile(`^[wW]([0-9]+)$`)

// germanDice explains 1w6.
func (l foreignLine) germanDice(i int) explanation {
	m := germanDie.FindStringSubmatch(l.word(i + 1))
	if m == nil || l.kind(i) != notation.NumberToken || !l.glued(i) {
		return explanation{}
	}
	die := l.word(i) + "d" + m[1]
	return l.write(i, i+1, die, "dice are written %s", die)
}

// times explains 3 @ d6.
func (l foreignLine) times(i int) explanation {
	if l.word(i) != "@" || l.kind(i-1) != notation.NumberToken || l.kind(i+1) != notation.DiceToken {
		return explanation{}
	}
	call := fmt.Sprintf("times(%s, %s)", l.word(i-1), l.word(i+1))
	return l.write(i-1, i+1, call, "so many rolls, added up, are %s", call)
}

// advantage explains 2d20 advantage.
func (l foreignLine) advantage(i int) explanation {
	if l.kind(i) != notation.NameToken || l.kind(i-1) != notation.DiceToken {
		return explanation{}
	}
	best := map[string]string{"adv": "max", "advantage": "max", "dis": "min", "disadv": "min", "disadvantage": "min"}[strings.ToLower(l.word(i))]
	dice := strings.ToLower(l.word(i - 1))
	if best == "" || !plainDice().MatchString(dice) {
		return explanation{}
	}
	_, sides, _ := strings.Cut(dice, "d")
	call := fmt.Sprintf("%s(2d%s)", best, sides)
	return l.write(i-1, i, call, "%s is written %s", l.between(i-1, i+1), call)
}

// curly are the quotes of word processors.
const curly = "“”„‘’«»"

// straightened puts straight quotes in the place of those of a word processor: the one
// at a token, and the next one on its line.
func (l foreignLine) straightened(t notation.Token) (notation.Fix, bool) {
	line, _, _ := strings.Cut(string(l.src[t.End:]), "\n")
	end := strings.IndexAny(line, curly)
	if end < 0 || strings.ContainsAny(line[:end], "\"\\") {
		return notation.Fix{}, false
	}
	return notation.Fix{Line: t.Line, Col: t.Col, EndCol: t.Col + utf8.RuneCountInString(line[:end]) + 2, Text: `"` + line[:end] + `"`}, true
}

var (
	placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([^{}:!]+)\}`) })
	anyBrace    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[{}]`) })
)

// formatted explains f"{n}".
func (l foreignLine) formatted(i int) explanation {
	if w := l.word(i); w != "f" && w != "F" || !l.glued(i) || l.kind(i+1) != notation.StringToken {
		return explanation{}
	}
	text := l.word(i + 1)
	var values []string
	for _, m := range placeholder().FindAllStringSubmatch(text, -1) {
		values = append(values, m[1])
	}
	plain := placeholder().ReplaceAllString(text, "")
	if len(values) == 0 || anyBrace().MatchString(plain) || strings.Contains(text, "\n") {
		return say(`there are no f"..." texts: write "{} of {}".format(a, b)`)
	}
	call := fmt.Sprintf("%s.format(%s)", placeholder().ReplaceAllString(text, "{}"), strings.Join(values, ", "))
	return l.write(i, i+1, call, `there are no f"..." texts: write %s`, call)
}

var dieOfBraces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]*)[dD]$`) })

// listedFaces explains d{1,2,3}.
func (l foreignLine) listedFaces(i int) explanation {
	m := dieOfBraces().FindStringSubmatch(l.word(i))
	if m == nil || !l.glued(i) || l.word(i+1) != "{" {
		return explanation{}
	}
	end := l.closing(i + 1)
	if end <= i+2 || strings.ContainsAny(l.between(i+2, end), ".:") {
		return say("a die of listed faces is written die_faces([1, 2, 3])")
	}
	die := "die_faces([" + l.between(i+2, end) + "])"
	if m[1] != "" && m[1] != "1" {
		return l.write(i, end, fmt.Sprintf("times(%s, %s)", m[1], die), "a die of listed faces is written %s; times(%s, ...) is the total of several", die, m[1])
	}
	return l.write(i, end, die, "a die of listed faces is written %s", die)
}

var plainDice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]*[dD][0-9]+$`) })

// bracketed explains [highest 1 of 2d20] and the other functions of AnyDice.
func (l foreignLine) bracketed(i int) explanation {
	end := l.closing(i)
	if l.word(i) != "[" || end < 0 || l.kind(i+1) != notation.NameToken || i+2 >= end {
		return explanation{}
	}
	name, call := l.word(i+1), l.between(i, end+1)
	number, of := l.word(i+2), i+3
	dice := l.between(of+1, end)
	here := ""
	switch {
	case name == "explode":
		here = "explode(" + l.between(i+2, end) + ")"
	case l.word(of) == "of" && plainDice().MatchString(dice) && name == "highest":
		here = dice + "kh" + number
	case l.word(of) == "of" && plainDice().MatchString(dice) && name == "lowest":
		here = dice + "kl" + number
	case l.word(of) == "of" && name == "middle":
		here = middle(number, dice)
	case l.word(of) == "of" && (name == "highest" || name == "lowest") && end == of+2:
		here = fmt.Sprintf("(%s).%s(%s)", dice, name, number)
	case l.word(of) == "of" && (name == "highest" || name == "lowest"):
		return say("in AnyDice %s is one die, which shows the total: write sum(%s); (%s).%s(%s) looks at each die", dice, dice, dice, name, number)
	case name == "count" && l.word(of) == "in":
		here = fmt.Sprintf("(%s).count(%s)", dice, number)
	case l.kind(i+2) == notation.NameToken || l.kind(i+2) == notation.NumberToken || l.kind(i+2) == notation.DiceToken:
		return say("a function is called with parentheses, as in %s(...); a program of AnyDice runs as it is from a file named .anydice", name)
	default:
		return explanation{}
	}
	return l.write(i, end, here, "%s is written %s here; a program of AnyDice runs as it is from a file named .anydice", call, here)
}

// middle is [middle 2 of 3d6]: where the dice that are left out can't be shared
// evenly, AnyDice drops one more low die, and middle_of one more high die.
func middle(number, dice string) string {
	keep, err := strconv.Atoi(number)
	size, all := 0, plainDice().MatchString(dice)
	if all && err == nil {
		count, _, _ := strings.Cut(strings.ToLower(dice), "d")
		size, err = strconv.Atoi(count)
	}
	if out := size - keep; all && err == nil && keep > 0 && out > 0 && out%2 == 1 {
		if out == 1 {
			return fmt.Sprintf("(%s).drop_lowest(1)", dice)
		}
		return fmt.Sprintf("(%s).map_sorted(lambda faces: sum(faces[%d:%d]))", dice, out/2+1, out/2+1+keep)
	}
	return fmt.Sprintf("(%s).middle_of(%s)", dice, number)
}

// braces explains {1, 2, 3}.
func (l foreignLine) braces(i int) explanation {
	end := l.closing(i)
	if l.word(i) != "{" || end < i+2 {
		return explanation{}
	}
	for j := i + 1; j < end; j++ {
		if l.word(j) == ":" || l.kind(j) == notation.OpenToken || l.kind(j) == notation.KeywordToken {
			return explanation{}
		}
	}
	inside := l.between(i+1, end)
	if end == i+2 && l.kind(i+1) == notation.RangeToken {
		return l.write(i, end, inside, "a range stands without braces: %s", inside)
	}
	return say("a list is written [%s], a die with these faces die_faces([%s]), and a set set([%s])", inside, inside, inside)
}

// repeats is what 2x3d6 is after its number.
var repeats = regexp.MustCompile(`^[xX]([0-9]*[dD][0-9]+[a-z0-9]*)?$`)

// repeated explains 2x3d6 and 3d6 x 2.
func (l foreignLine) repeated(i int) explanation {
	m := repeats.FindStringSubmatch(l.word(i))
	if m == nil && l.word(i) != "×" || !l.operandBefore(i) {
		return explanation{}
	}
	before, what := l.word(i-1), ""
	switch {
	case m != nil && m[1] != "":
		what = m[1]
	case l.word(i+1) == "(" && l.closing(i+1) > 0:
		what = l.between(i+2, l.closing(i+1))
	default:
		what = l.word(i + 1)
	}
	switch {
	case what == "":
		return explanation{}
	case l.kind(i-1) == notation.NumberToken:
		return say("%s rolls of %s, added up, are written times(%s, %s), and one roll multiplied %s * (%s)", before, what, before, what, before, what)
	case l.kind(i-1) == notation.DiceToken && l.kind(i+1) == notation.NumberToken:
		return say("a roll that is multiplied is written (%s) * %s; so many rolls, added up, are times(%s, %s)", before, what, what, before)
	}
	return explanation{}
}

var failing = regexp.MustCompile(`^[fF]([0-9]+)$`)

// failures explains 5d10>=7f1.
func (l foreignLine) failures(i int) explanation {
	m := failing.FindStringSubmatch(l.word(i))
	op := l.word(i - 2)
	if m == nil || !l.glued(i-1) || l.kind(i-1) != notation.NumberToken || op != ">" && op != ">=" || !plainDice().MatchString(l.word(i-3)) {
		return explanation{}
	}
	return say("%s", notation.Failures(l.word(i-3), l.word(i-1), m[1]))
}

// outputWord explains output 3d6 and output 3d6 named "x".
func (l foreignLine) outputWord(i int) explanation {
	if i > 0 || l.word(0) != "output" || len(l.tokens) < 2 || l.kind(1) == notation.OperatorToken || l.word(1) == "(" {
		return explanation{}
	}
	named := 1
	for named < len(l.tokens) && l.word(named) != "named" {
		named++
	}
	value, last := l.between(1, named), len(l.tokens)-1
	switch {
	case strings.ContainsAny(value, "[{"):
		return say(`output is called with parentheses: write output("title", ...)`)
	case l.kind(named+1) == notation.StringToken:
		call := fmt.Sprintf("output(%s, %s)", l.word(named+1), value)
		return l.write(0, last, call, "output is called with parentheses: write %s", call)
	}
	call := fmt.Sprintf("output(%s)", value)
	return l.write(0, last, call, `output is called with parentheses: write %s, or output("title", %s)`, call, value)
}

// program explains the statements of AnyDice.
func (l foreignLine) program(i int) explanation {
	if i > 0 {
		return explanation{}
	}
	const asItIs = "a program of AnyDice runs as it is from a file named .anydice"
	switch {
	case l.word(0) == "function" && l.word(1) == ":":
		return say("a function is written def name(a, b): here; %s", asItIs)
	case l.word(0) == "loop" && l.kind(1) == notation.NameToken:
		return say("a loop is written for n in 1..6: here; %s", asItIs)
	case l.word(0) == "result" && l.word(1) == ":":
		return say("the result of a function is given by return here; %s", asItIs)
	}
	return explanation{}
}

// joined explains && and ||.
func (l foreignLine) joined(i int) explanation {
	w := l.word(i)
	switch {
	case w == "&&", w == "&" && l.glued(i) && l.word(i+1) == "&":
		return say("of chances, both is written p & q; of conditions, a and b")
	case w == "||", w == "|" && l.glued(i) && l.word(i+1) == "|":
		return say("of chances, one or the other is written p | q; of conditions, a or b")
	}
	return explanation{}
}

// operandBefore reports whether a value ends just before token i.
func (l foreignLine) operandBefore(i int) bool {
	switch l.kind(i - 1) {
	case notation.NameToken, notation.NumberToken, notation.StringToken, notation.CloseToken, notation.DiceToken, notation.RangeToken:
		return true
	}
	return false
}

// opposite explains !(d6 >= 4).
func (l foreignLine) opposite(i int) explanation {
	if l.word(i) != "!" || l.operandBefore(i) || i+1 >= len(l.tokens) {
		return explanation{}
	}
	what := "x"
	if end := l.closing(i + 1); l.word(i+1) == "(" && end > 0 && end-i < 12 {
		what = l.between(i+1, end+1)
	}
	return say("the opposite of a chance is written ~%s, and that of a condition not %s", what, what)
}

// ternary explains a ? b : c.
func (l foreignLine) ternary(i int) explanation {
	if l.word(i) != "?" {
		return explanation{}
	}
	return say("one of two values is written a if condition else b; for one of two rolls, by chance, either(p, a, b)")
}

// spokenDice explains 4d6 drop lowest and 1d20 vs 15.
func (l foreignLine) spokenDice(i int) explanation {
	if l.kind(i) != notation.NameToken || !l.operandBefore(i) {
		return explanation{}
	}
	word, which := strings.ToLower(l.word(i)), strings.ToLower(l.word(i+1))
	dice := l.word(i - 1)
	switch {
	case (word == "keep" || word == "drop") && (which == "highest" || which == "lowest") && plainDice().MatchString(dice):
		n, end := "1", i+2
		if l.kind(end) == notation.NumberToken {
			n, end = l.word(end), end+1
		}
		here := dice + word[:1] + which[:1] + n
		return l.write(i-1, end-1, here, "%s is written %s", l.between(i-1, end), here)
	case word == "vs" || word == "against":
		return l.write(i, i, ">=", "a target is compared by >=, as in 1d20 + 5 >= 15")
	case word == "between":
		return say("between is written in low..high, as in 3d6 in 9..12")
	}
	return explanation{}
}

// printed explains print "x".
func (l foreignLine) printed(i int) explanation {
	if i > 0 || l.word(0) != "print" || l.kind(1) != notation.StringToken {
		return explanation{}
	}
	call := "print(" + l.word(1) + ")"
	return l.write(0, 1, call, "print is called with parentheses: write %s", call)
}

// chained explains comparisons that are joined by & or | without parentheses.
func (l foreignLine) chained(d *notation.Error) (notation.Token, explanation) {
	if d.Msg != comparisonsChain {
		return notation.Token{}, explanation{}
	}
	for i, t := range l.tokens {
		if w := l.word(i); t.Kind == notation.OperatorToken && (w == "&" || w == "|") {
			return t, say("%s binds before a comparison: put parentheses around each, as in (d6 >= 4) %s (d8 >= 4)", w, w)
		}
	}
	return notation.Token{}, explanation{}
}
