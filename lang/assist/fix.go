package assist

import (
	"regexp"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"
)

// What errors suggest to write, as edits.

// Fixes are the edits that do what a diagnostic suggests, the likeliest first; none
// when it suggests nothing that can be done by itself.
func (d *Document) Fixes(g Diagnostic) []Edit {
	if g.Fix != "" {
		r := g.Range
		// A name in a load statement stands in quotes.
		if i, ok := d.tokenStarting(r.Start); ok && d.tokens[i].Kind == notation.StringToken {
			r.Start.Column++
			r.End.Column--
		}
		return []Edit{{r, g.Fix}}
	}
	if m := elsewhere.FindStringSubmatch(g.Message); m != nil {
		return d.loads(m[1], m[2])
	}
	i, ok := d.tokenStarting(g.Range.Start)
	if !ok {
		return nil
	}
	if edit, ok := d.fixAt(i, g); ok {
		return []Edit{edit}
	}
	return nil
}

// fixAt is the edit that a diagnostic suggests for the words from token i on, or around
// it.
func (d *Document) fixAt(i int, g Diagnostic) (Edit, bool) {
	if strings.HasSuffix(g.Message, equality) && d.text(d.tokens[i]) == "=" {
		return Edit{g.Range, "=="}, true
	}
	if strings.Contains(g.Message, notQuote) {
		return d.straightened(i)
	}
	if strings.Contains(g.Message, loadsHere) {
		return d.loaded(i)
	}
	for _, by := range []struct {
		says *regexp.Regexp
		to   func(i int) int // the last token that is replaced
	}{{calledWith, d.lastOfLine}, {formatted, d.next}, {listedFaces, d.closing}} {
		if m := by.says.FindStringSubmatch(g.Message); m != nil {
			to := by.to(i)
			return Edit{Range{g.Range.Start, d.endOf(d.tokens[to])}, m[1]}, m[1] != anExample
		}
	}
	if m := together.FindStringSubmatch(g.Message); m != nil {
		return d.insteadOf(i, m[1], m[1])
	}
	if m := bounds.FindStringSubmatch(g.Message); m != nil {
		return d.insteadOf(i, literalOf(m[2], m[3]), m[1])
	}
	if m := written.FindStringSubmatch(g.Message); m != nil {
		return d.inLine(g.Range.Start, m[1], m[2])
	}
	if m := memberOf.FindStringSubmatch(g.Message); m != nil {
		return Edit{g.Range, m[1]}, true
	}
	if m := whole.FindStringSubmatch(g.Message); m != nil {
		return Edit{d.rangeOf(d.tokens[i]), m[1]}, d.tokens[i].Kind == notation.DiceToken || d.tokens[i].Kind == notation.RangeToken
	}
	return Edit{}, false
}

// What errors say that suggest something.
const (
	equality  = "expected a colon, got =; equality is written ==" // if x = 6
	notQuote  = " is not a quote here: "
	loadsHere = "; modules are loaded with load("
	// anExample is what is said where a text has more in braces than a name.
	anExample = `"{} of {}".format(a, b)`
)

var (
	// together is how errors say that words belong together: 2 d6.
	together = regexp.MustCompile(` together: (\S+)$`)
	// bounds is how they say what to write for a range of names: lo..hi.
	bounds = regexp.MustCompile(`; write ((at_least|at_most|through)\(([^()]+)\))$`)
	// whole is how they say what to write for a literal.
	whole = regexp.MustCompile(`: write ([^ ]+)$`)
	// elsewhere is how they say which modules have a name, and what to write first.
	elsewhere = regexp.MustCompile(`; there is one in (.+): write load\("[^"]*", "([^"]+)"\) first$`)
	// calledWith is how they say what to write for output 3d6.
	calledWith = regexp.MustCompile(` is called with parentheses: write (.+?\))(?:, or output\("title", .*)?$`)
	// formatted is what they say about f"{n} dice".
	formatted = regexp.MustCompile(`^there are no f"\.\.\." texts: write (.+\.format\(.+\))$`)
	// listedFaces is what they say about d{1,2,3}.
	listedFaces = regexp.MustCompile(`^a die of listed faces is written (die_faces\(.+\))$`)
	// written is how they translate what another tool understands.
	written = regexp.MustCompile(`^(.+) is written (.+?)(?: here; .*)?$`)
	// memberOf is how they say that a name is one of math.
	memberOf = regexp.MustCompile(`; write (math\.\w+)$`)
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

// tokenStarting is the token that begins at a place.
func (d *Document) tokenStarting(pos lang.Position) (int, bool) {
	for i := d.tokensFrom(pos.Line); i < len(d.tokens) && d.tokens[i].Line == pos.Line; i++ {
		if t := d.tokens[i]; t.Col == pos.Column && t.Kind != notation.NewlineToken {
			return i, true
		}
	}
	return 0, false
}
