package assist

import (
	"regexp"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"
)

// What errors suggest to write, as edits.

// FixOf is the edit that does what a diagnostic suggests; ok is false when it
// suggests nothing that can be done by itself.
func (d *Document) FixOf(g Diagnostic) (edit Edit, ok bool) {
	if g.Fix != "" {
		r := g.Range
		// A name in a load statement stands in quotes.
		if i, ok := d.tokenStarting(r.Start); ok && d.tokens[i].Kind == notation.StringToken {
			r.Start.Column++
			r.End.Column--
		}
		return Edit{r, g.Fix}, true
	}
	i, ok := d.tokenStarting(g.Range.Start)
	if !ok {
		return Edit{}, false
	}
	if strings.HasSuffix(g.Message, equality) && d.text(d.tokens[i]) == "=" {
		return Edit{g.Range, "=="}, true
	}
	if m := together.FindStringSubmatch(g.Message); m != nil {
		return d.insteadOf(i, m[1], m[1])
	}
	if m := bounds.FindStringSubmatch(g.Message); m != nil {
		return d.insteadOf(i, literalOf(m[2], m[3]), m[1])
	}
	if m := whole.FindStringSubmatch(g.Message); m != nil {
		return Edit{d.rangeOf(d.tokens[i]), m[1]}, d.tokens[i].Kind == notation.DiceToken || d.tokens[i].Kind == notation.RangeToken
	}
	return Edit{}, false
}

// equality is what the error says about if x = 6.
const equality = "expected a colon, got =; equality is written =="

var (
	// together is how errors say that words belong together: 2 d6.
	together = regexp.MustCompile(` together: (\S+)$`)
	// bounds is how they say what to write for a range of names: lo..hi.
	bounds = regexp.MustCompile(`; write ((at_least|at_most|through)\(([^()]+)\))$`)
	// whole is how they say what to write for a literal.
	whole = regexp.MustCompile(`: write ([^ ]+)$`)
)

// literalOf is the range that is meant by at_least(lo), at_most(hi), through(lo, hi).
func literalOf(function, args string) string {
	switch function {
	case "at_least":
		return args + ".."
	case "at_most":
		return ".." + args
	}
	return strings.Replace(args, ", ", "..", 1)
}

// insteadOf puts a text in the place of the tokens around one that are, but for the
// space between them, another text.
func (d *Document) insteadOf(i int, text, by string) (Edit, bool) {
	for from := max(0, i-1); from <= i; from++ {
		for to := i; to < min(len(d.tokens), i+2); to++ {
			joined := ""
			for _, t := range d.tokens[from : to+1] {
				joined += d.text(t)
			}
			if joined == text {
				return Edit{Range{d.rangeOf(d.tokens[from]).Start, d.endOf(d.tokens[to])}, by}, true
			}
		}
	}
	return Edit{}, false
}

// tokenStarting is the token that begins at a place.
func (d *Document) tokenStarting(pos lang.Position) (int, bool) {
	for i := d.tokensFrom(pos.Line); i < len(d.tokens) && d.tokens[i].Line == pos.Line; i++ {
		if t := d.tokens[i]; t.Col == pos.Column && t.Kind != notation.NewlineToken {
			return i, true
		}
	}
	return 0, false
}
