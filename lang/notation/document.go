package notation

import (
	"bytes"
	"strings"
)

// This file takes a literate document apart: fences of programs, the results
// printed below them, and the prose around. The rules for fences are those of
// CommonMark; a fence that takes part in the program stands at column 0 and
// is made of backticks.

// A SegmentKind says what a part of a document is.
type SegmentKind uint8

// The kinds of segments.
const (
	Prose       SegmentKind = iota + 1
	ProgramCode             // a fence without a label, or labelled dice
	ResultText              // a fence labelled result
	OtherFence              // any other fence
)

// A Segment is a part of a document. The Raw texts of all segments, joined,
// are the document.
type Segment struct {
	Kind  SegmentKind
	Line  int    // of the first line of Raw
	Raw   string // with the lines of the fence
	Info  string // what follows the opening fence
	Text  string // what is between the lines of the fence; the prose
	Fence string // the backticks or tildes that open it
	Of    int    // ResultText: the index of the program segment it belongs to, or -1
}

// TextLine is the line on which Text begins.
func (s Segment) TextLine() int {
	if s.Kind == Prose {
		return s.Line
	}
	return s.Line + 1
}

// A Document is a literate recipe.
type Document struct {
	Segments []Segment
	// Program is the joined code, with an empty line for every line that is
	// not code: line numbers are those of the document.
	Program []byte
	Errors  []*Error
}

// Literate takes a document apart. It returns nil when the text is not
// literate: it has no closed fence of code.
func Literate(src []byte) *Document {
	p := documentParser{lines: splitLines(src)}
	for p.i < len(p.lines) {
		p.segment()
	}
	p.flushProse()
	if !p.hasCode {
		return nil
	}
	return &Document{Segments: p.segments, Program: program(p.segments), Errors: p.errors}
}

type documentParser struct {
	lines    []string // with their line ends
	i        int
	prose    int // first line of the prose that runs up to i
	segments []Segment
	errors   []*Error
	hasCode  bool
}

// segment passes a line of prose or a whole fence.
func (p *documentParser) segment() {
	f, ok := openingFence(p.lines[p.i], p.i == 0)
	if !ok {
		p.i++
		return
	}
	end := p.i + 1
	for end < len(p.lines) && !f.closedBy(p.lines[end]) {
		end++
	}
	if end == len(p.lines) {
		if f.kind() == ProgramCode {
			p.errors = append(p.errors, &Error{Line: p.i + 1, Col: 1, Msg: "this fence is never closed: end the code with a line " + f.mark})
		}
		p.i = end // the rest of the document is inside, and is not code
		return
	}
	p.flushProse()
	p.fence(f, end)
	p.i = end + 1
	p.prose = p.i
}

func (p *documentParser) fence(f fence, end int) {
	s := Segment{
		Kind: f.kind(), Line: p.i + 1, Info: f.info, Fence: f.mark, Of: -1,
		Raw:  strings.Join(p.lines[p.i:end+1], ""),
		Text: strings.Join(p.lines[p.i+1:end], ""),
	}
	switch s.Kind {
	case ProgramCode:
		p.hasCode = true
	case ResultText:
		s.Of = p.lastCode()
	}
	p.segments = append(p.segments, s)
}

// lastCode is the index of the last program segment that has no result yet,
// or -1: a result belongs to the code just before it.
func (p *documentParser) lastCode() int {
	for i := len(p.segments) - 1; i >= 0; i-- {
		switch p.segments[i].Kind {
		case ProgramCode:
			return i
		case ResultText:
			return -1
		}
	}
	return -1
}

func (p *documentParser) flushProse() {
	if p.prose == p.i {
		return
	}
	text := strings.Join(p.lines[p.prose:p.i], "")
	p.segments = append(p.segments, Segment{Kind: Prose, Line: p.prose + 1, Raw: text, Text: text, Of: -1})
	p.prose = p.i
}

// A fence is an opening fence.
type fence struct {
	indent int
	mark   string
	info   string
}

func (f fence) kind() SegmentKind {
	if f.indent > 0 || f.mark[0] != '`' {
		return OtherFence
	}
	switch f.info {
	case "", "dice":
		return ProgramCode
	case "result":
		return ResultText
	}
	return OtherFence
}

// openingFence reads a line as an opening fence.
func openingFence(line string, first bool) (fence, bool) {
	if first {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if indent > 3 || text == "" || text[0] != '`' && text[0] != '~' {
		return fence{}, false
	}
	n := len(text) - len(strings.TrimLeft(text, text[:1]))
	info := strings.TrimSpace(text[n:])
	if n < 3 || text[0] == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	return fence{indent, text[:n], info}, true
}

// closedBy reports whether a line closes the fence: at least as many of the
// same mark, and nothing else.
func (f fence) closedBy(line string) bool {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 {
		return false
	}
	text = strings.TrimRight(text, " \t\r\n")
	return len(text) >= len(f.mark) && strings.Trim(text, f.mark[:1]) == ""
}

// program joins the code of a document.
func program(segments []Segment) []byte {
	var b bytes.Buffer
	for _, s := range segments {
		if s.Kind != ProgramCode {
			b.WriteString(strings.Repeat("\n", len(splitLines([]byte(s.Raw)))))
			continue
		}
		b.WriteString("\n")
		b.WriteString(loneReturns(s.Text))
		b.WriteString("\n")
	}
	return b.Bytes()
}

// loneReturns replaces every \r that ends a line alone, so that it cannot
// join an empty line that follows.
func loneReturns(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	lines := splitLines([]byte(s))
	for i, l := range lines {
		if body, ok := strings.CutSuffix(l, "\r"); ok {
			lines[i] = body + "\n"
		}
	}
	return strings.Join(lines, "")
}

// splitLines divides text after every \n, \r\n and \r.
func splitLines(src []byte) []string {
	var lines []string
	start := 0
	for i := 0; i < len(src); i++ {
		if src[i] == '\r' && i+1 < len(src) && src[i+1] == '\n' {
			continue
		}
		if src[i] == '\n' || src[i] == '\r' {
			lines = append(lines, string(src[start:i+1]))
			start = i + 1
		}
	}
	if start < len(src) {
		lines = append(lines, string(src[start:]))
	}
	return lines
}
