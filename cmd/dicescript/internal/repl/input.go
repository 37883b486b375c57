package repl

import (
	"strings"

	"dicescript/lang/notation"
)

// An input is collected line by line until it is a whole: no bracket or text
// is left open, and a block has ended. Nothing that has been typed is lost: a
// line that turns out to begin the next input is handed back.

// A wait says what an unfinished input waits for.
type wait uint8

const (
	nothing   wait = iota // the input is whole
	openText              // a text of several lines is open
	closing               // a bracket is open
	backslash             // the last line goes on
	operand               // the last line ends in an operator
	block                 // a block may go on
	body                  // a block has no statement yet
)

// goesOnBelow is what joins a line that ends in an operator to the next one.
const goesOnBelow = ` \`

// A collector holds the lines of an input that is not whole yet.
type collector struct {
	lines  []string
	joined bool // the last line has been joined to the one to come
}

// text is what has been collected.
func (c *collector) text() string { return strings.Join(c.lines, "\n") }

func (c *collector) empty() bool { return len(c.lines) == 0 }

func (c *collector) drop() { *c = collector{} }

// take returns what has been collected, and starts anew.
func (c *collector) take() string {
	text := strings.TrimRight(c.text(), " \t\n")
	c.drop()
	return text + "\n"
}

// add adds a line. When an input is whole it is returned with done; again
// means that the line was not part of it and is to be added once more. more
// says that further lines are on their way already, as when a text is pasted:
// then an empty line does not end a block.
func (c *collector) add(line string, more bool) (input string, done, again bool) {
	blank := strings.TrimSpace(line) == ""
	if c.empty() && blank {
		return "", false, false
	}
	if blank && c.joined {
		last := &c.lines[len(c.lines)-1]
		*last = strings.TrimSuffix(*last, goesOnBelow)
		return c.take(), true, false // the parser says what is missing
	}
	before := waits(c.text())
	if !c.empty() && before == block {
		switch {
		case blank && more:
			c.lines = append(c.lines, line)
			return "", false, false
		case blank:
			return c.take(), true, false
		case !goesOn(line):
			return c.take(), true, true
		}
	}
	c.lines = append(c.lines, line)
	c.joined = false
	switch waits(c.text()) {
	case nothing:
		return c.take(), true, false
	case operand:
		c.lines[len(c.lines)-1] = strings.TrimRight(line, " \t") + goesOnBelow
		c.joined = true
	case body:
		if before == body && !blank && !goesOn(line) {
			return c.take(), true, false // the parser says what is missing
		}
	}
	return "", false, false
}

// indent is what the next line probably begins with: the body of a block is one
// step further in than its head, and so is what goes on with a line.
func (c *collector) indent() string {
	if c.empty() {
		return ""
	}
	last := c.lines[len(c.lines)-1]
	blank := strings.TrimLeft(last, " \t")
	space := last[:len(last)-len(blank)]
	step := strings.Repeat(" ", tabWidth)
	first, _, _ := strings.Cut(strings.ReplaceAll(blank, "(", " "), " ")
	switch waits(c.text()) {
	case openText:
		return ""
	case closing, backslash, operand:
		if w := waits(strings.Join(c.lines[:len(c.lines)-1], "\n")); w == closing || w == backslash {
			return space // as the line before, which goes on with another one
		}
		return space + step
	case body:
		return space + step
	}
	switch {
	case headed(last):
		return space + step
	case first == "return" || first == "break" || first == "continue" || first == "pass" || first == "fail":
		return strings.TrimSuffix(space, step)
	}
	return space
}

// headed reports whether a line is the head of a block.
func headed(line string) bool {
	r := reader{src: line}
	for _, t := range notation.Tokens([]byte(line)) {
		r.token(t)
	}
	return r.last == ":"
}

// goesOn reports whether a line goes on with the block above it.
func goesOn(line string) bool {
	if line[0] == ' ' || line[0] == '\t' || line[0] == '#' {
		return true
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(line, ":", " "), " ")
	return first == "else" || first == "elif"
}

// waits says what a text waits for, by its tokens alone: what is wrong with
// it is for the parser to say.
func waits(src string) wait {
	r := reader{src: src}
	for _, t := range notation.Tokens([]byte(src)) {
		r.token(t)
	}
	r.endLine()
	switch {
	case r.open:
		return openText
	case r.depth > 0:
		return closing
	case endsInBackslash(src, r.comment):
		return backslash
	case r.wanting && !r.comment:
		return operand
	case r.compound && r.header:
		return body
	case r.compound:
		return block
	}
	return nothing
}

// A reader goes through the tokens of a text and keeps what matters about the
// last statement.
type reader struct {
	src      string
	depth    int    // open brackets
	open     bool   // a text of several lines is open
	comment  bool   // the last token is a comment
	first    string // of the logical line
	firstCol int
	last     string // of the logical line
	compound bool   // the last statement at the margin is a block
	header   bool   // the last logical line opens a block
	wanting  bool   // the text ends in an operator that wants something after it
}

// wanting are the operators that something has to come after.
var wanting = func() map[string]bool {
	all := map[string]bool{}
	for _, op := range strings.Fields("+ - * / % | & ^ ~ < > = and or not in") {
		all[op] = true
	}
	return all
}()

func (r *reader) token(t notation.Token) {
	text := r.src[t.Start:t.End]
	r.comment = t.Kind == notation.CommentToken
	switch t.Kind {
	case notation.CommentToken:
		return
	case notation.NewlineToken:
		if r.depth == 0 {
			r.endLine()
		}
		return
	case notation.OpenToken:
		r.depth++
	case notation.CloseToken:
		r.depth = max(0, r.depth-1)
	case notation.StringToken:
		quote := strings.TrimLeft(text, "rb")
		r.open = t.Unclosed && (strings.HasPrefix(quote, `"""`) || strings.HasPrefix(quote, "'''"))
	}
	if r.first == "" {
		r.first, r.firstCol = text, t.Col
	}
	r.last = text
	r.wanting = t.Kind == notation.OperatorToken && wanting[text[len(text)-1:]] || t.Kind == notation.KeywordToken && wanting[text]
	r.wanting = r.wanting && strings.TrimSpace(r.src[t.End:]) == ""
}

// endLine ends a logical line.
func (r *reader) endLine() {
	if r.first == "" {
		return
	}
	r.header = r.last == ":"
	if r.firstCol == 1 {
		switch r.first {
		case "def", "for", "while":
			r.compound = r.header
		case "if", "elif", "else":
			r.compound = true
		default:
			r.compound = false
		}
	}
	r.first, r.last = "", ""
}

// endsInBackslash reports whether a line end after the text would be joined.
func endsInBackslash(text string, comment bool) bool {
	trimmed := strings.TrimRight(text, `\`)
	return !comment && (len(text)-len(trimmed))%2 == 1
}
