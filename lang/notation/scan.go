package notation

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// This file hides the literals of a program behind identifiers of their own
// width, and explains what is nearly a literal.

// A Literal is a dice or range literal of a program: every place with the
// same text shares one.
type Literal struct {
	Text  string
	Ident string // stands for Text in the rewritten source
	Line  int    // of the first place
	Col   int
	Dice  Pool // when Range is nil
	Range *Band
}

// Scan finds the literals of a program. It returns the source in which each
// is replaced by its identifier (all else is unchanged, byte for byte, and
// every rune stays at its line and column), the different literals in order,
// and the mistakes.
//
// A literal with a mistake is replaced too, by an identifier of no literal,
// so that a parser can go on and find the next mistake.
func Scan(src []byte) ([]byte, []Literal, []*Error) {
	s := ScanTokens(src, Tokens(src))
	return s.Source(), s.Literals, s.Errors
}

// A Scanned is a program whose literals have been found.
type Scanned struct {
	Literals []Literal // the different ones, in order
	Errors   []*Error

	src      []byte
	tokens   []Token
	idents   map[string]string // by text, sound literals and others
	replaced []Token           // the literals that identifiers stand for, and the dots of computed ranges
	Dots     []Token           // of computed ranges
}

// ScanTokens finds the literals of a program whose [Tokens] are known.
func ScanTokens(src []byte, tokens []Token) *Scanned {
	s := &Scanned{src: src, tokens: tokens}
	for i := range s.tokens {
		s.token(i)
	}
	return s
}

// Source is the program with identifiers in place of its literals, see [Scan].
func (s *Scanned) Source() []byte {
	if len(s.replaced) == 0 {
		return s.src
	}
	var out bytes.Buffer
	out.Grow(len(s.src))
	done := 0
	for _, t := range s.replaced {
		out.Write(s.src[done:t.Start])
		if t.Kind == DotsToken {
			out.WriteString(s.operator(t))
		} else {
			out.WriteString(s.idents[s.text(t)])
		}
		done = t.End
	}
	out.Write(s.src[done:])
	return out.Bytes()
}

func (s *Scanned) token(i int) {
	t := s.tokens[i]
	switch t.Kind {
	case DiceToken:
		d, err := parseDice(s.text(t))
		if err != nil {
			s.errorAt(t, err)
		} else {
			s.neighbours(i)
		}
		s.replace(t, Literal{Dice: d}, err)
	case RangeToken:
		r, err := parseRange(s.text(t))
		if e := s.rangeNeighbours(i); e != nil {
			err = e
		}
		if err != nil {
			s.errorAt(t, err)
		}
		s.replace(t, Literal{Range: r}, err)
	case DotsToken:
		if err := s.dots(i); err != nil {
			s.errorAt(t, err)
		}
		s.Dots = append(s.Dots, t)
		s.replaced = append(s.replaced, t)
	case NameToken:
		if reserved(s.src[t.Start:t.End]) {
			s.errorf(t, "these letters can't be part of a name")
		}
	case NumberToken:
		if n := t.End - t.Start; n > maxDigits {
			s.errorf(t, "this number is too long: it has %d digits, want at most %d", n, maxDigits)
			s.replace(t, Literal{}, errTooLong)
		}
	case OperatorToken, CommentToken:
		// Starlark takes a zero byte for the end of the file.
		if bytes.IndexByte(s.src[t.Start:t.End], 0) >= 0 {
			s.errorf(t, "a zero byte is not text")
		}
	}
}

// maxDigits is how long a number may be. To read longer ones would take long.
const maxDigits = 20_000

var errTooLong = errors.New("too long")

func (s *Scanned) text(t Token) string { return string(s.src[t.Start:t.End]) }

func (s *Scanned) errorf(t Token, format string, args ...any) {
	s.Errors = append(s.Errors, &Error{Line: t.Line, Col: t.Col, Msg: fmt.Sprintf(format, args...)})
}

// errorAt notes what is wrong with a literal or beside it, and what may be written
// instead.
func (s *Scanned) errorAt(t Token, err error) {
	s.errorf(t, "%s", err)
	by, ok := err.(*instead)
	if !ok {
		return
	}
	from, to := t, t
	if by.from != nil {
		from, to = *by.from, *by.to
	}
	e := s.Errors[len(s.Errors)-1]
	for _, text := range by.texts {
		e.Fixes = append(e.Fixes, FixOver(s.src, from, to, text)...)
	}
}

// replace writes an identifier in place of a literal. A literal with a
// mistake gets one too, but is not listed.
func (s *Scanned) replace(t Token, l Literal, err error) {
	text := s.text(t)
	id, ok := s.idents[text]
	if !ok {
		if len(s.idents) == maxLiterals {
			s.errorf(t, "too many different literals in one program")
			return
		}
		if s.idents == nil {
			s.idents = map[string]string{}
		}
		id = identifier(len(s.idents), utf8.RuneCountInString(text))
		s.idents[text] = id
		if err == nil {
			l.Text, l.Ident, l.Line, l.Col = text, id, t.Line, t.Col
			s.Literals = append(s.Literals, l)
		}
	}
	s.replaced = append(s.replaced, t)
}

// keptDice are dice and the suffix that says which of them are kept.
var keptDice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]*[dD](?:[0-9]+|%|[fF]))([a-zA-Z].*)$`) })

// neighbours explains what stands beside a dice literal as if it belonged
// to it.
func (s *Scanned) neighbours(i int) {
	t := s.tokens[i]
	text := s.text(t)
	if i > 0 && s.tokens[i-1].Kind == NumberToken && s.sameLine(i-1, i) {
		s.beside(s.tokens[i-1], t)
		return
	}
	if i+1 == len(s.tokens) || !s.sameLine(i, i+1) {
		return
	}
	next := s.tokens[i+1]
	glued := next.Start == t.End
	switch {
	case next.Kind == NameToken && isSuffix(s.text(next)):
		s.errorAt(next, together(s.text, t, next, "the dice and what is kept of them"))
	case next.Kind == OperatorToken && glued && s.text(next) == "!":
		if m := keptDice().FindStringSubmatch(text); m != nil {
			roll := fmt.Sprintf("roll(\"%s!%s\")", m[1], m[2])
			s.errorAt(next, write([]string{roll}, "dice that explode before some are kept are written %s", roll).over(t, next))
		} else {
			s.errorAt(next, exploding(text).over(t, next))
		}
	}
}

// beside explains a number that stands just before dice.
func (s *Scanned) beside(number, dice Token) {
	n, d := s.text(number), s.text(dice)
	switch {
	case number.End != dice.Start && isInt(n) && !isDigit(d[0]):
		s.errorAt(number, together(s.text, number, dice, "the number of dice and the die"))
	case number.End == dice.Start:
		s.errorf(number, "the number of dice is a whole number, got %s", n)
	}
}

// together is the mistake of two words that are written as one.
func together(text func(Token) string, first, second Token, what string) *instead {
	word := text(first) + text(second)
	return write([]string{word}, "write %s together: %s", what, word).over(first, second)
}

// rangeNeighbours explains a name, a call or dice used as the end of a range.
func (s *Scanned) rangeNeighbours(i int) error {
	t := s.tokens[i]
	text := s.text(t)
	if i > 0 && s.tokens[i-1].Kind == KeywordToken && s.tokens[i-1].End == t.Start {
		before := s.tokens[i-1]
		return write([]string{s.text(before) + " " + text}, "put a space between %s and the range", s.text(before)).over(before, t)
	}
	if text[0] == '.' && i > 0 && s.tokens[i-1].operand() && s.sameLine(i-1, i) {
		return s.badLow(s.tokens[i-1], t)
	}
	if text[len(text)-1] == '.' && i+1 < len(s.tokens) && s.tokens[i+1].Start == t.End && s.text(s.tokens[i+1]) == "-" {
		return errSignedEnd
	}
	if text[len(text)-1] == '.' && i+1 < len(s.tokens) && s.sameLine(i, i+1) {
		return s.badHigh(t, s.tokens[i+1])
	}
	return nil
}

// badLow explains a range that an operand stands before.
func (s *Scanned) badLow(before, t Token) error {
	word, text := s.text(before), s.text(t)
	switch {
	case before.Kind == NameToken || before.Kind == NumberToken && isInt(word):
		return together(s.text, before, t, "the ends of a range")
	case before.Kind == NumberToken:
		return fmt.Errorf("the ends of a range are whole numbers, got %s%s", word, text)
	case before.Kind == DiceToken:
		return errDiceEnd
	case before.Kind == RangeToken:
		return errThreeEnds
	}
	return fmt.Errorf("an end of a range is a number, a name, or an expression in parentheses that is glued to the dots, as in (dc - 5)..20")
}

var (
	errDiceEnd   = errors.New("the ends of a range are whole numbers, not dice")
	errSignedEnd = errors.New("an end of a range that is computed stands in parentheses, as in lo..(-n)")
	errThreeEnds = errors.New("a range has two ends, as in 5..6")
)

// badHigh explains an open range that an operand follows.
func (s *Scanned) badHigh(t, next Token) error {
	text, word := s.text(t), s.text(next)
	switch {
	case next.Kind == NameToken || next.Kind == NumberToken && isInt(word):
		return together(s.text, t, next, "the ends of a range")
	case next.Kind == NumberToken:
		return fmt.Errorf("the ends of a range are whole numbers, got %s%s", text, word)
	case next.Kind == DiceToken:
		return errDiceEnd
	}
	return nil
}

// dots explains what can't be an end of the computed range whose dots are token i.
func (s *Scanned) dots(i int) error {
	t := s.tokens[i]
	if i > 0 && s.tokens[i-1].End == t.Start {
		switch before := s.tokens[i-1]; before.Kind {
		case DiceToken:
			return errDiceEnd
		case RangeToken, DotsToken:
			return errThreeEnds
		case KeywordToken:
			return write([]string{s.text(before) + " .."}, "put a space between %s and the range", s.text(before)).over(before, t)
		}
	}
	if i+1 == len(s.tokens) || !s.sameLine(i, i+1) {
		return nil
	}
	next := s.tokens[i+1]
	switch glued := next.Start == t.End; {
	case next.Kind == DiceToken:
		return errDiceEnd
	case next.Kind == RangeToken || next.Kind == DotsToken:
		return errThreeEnds
	case glued && next.Kind == KeywordToken:
		return write([]string{".. " + s.text(next)}, "put a space between the range and %s", s.text(next)).over(t, next)
	case glued && s.text(next) == "-":
		return errSignedEnd
	case !glued && (next.Kind == NameToken || next.Kind == NumberToken):
		return together(s.text, t, next, "the ends of a range")
	}
	return nil
}

// operator is what stands in the source for the dots of a computed range, whose ends bind to
// it more tightly: an operator between two ends, a call after the low end, signs before the
// high end.
func (s *Scanned) operator(t Token) string {
	i, _ := slices.BinarySearchFunc(s.tokens, t, func(a, b Token) int { return cmp.Compare(a.Start, b.Start) })
	left := HasLowEnd(s.tokens, i)
	right := i+1 < len(s.tokens) && s.tokens[i+1].Start == t.End && (s.tokens[i+1].operand() || s.text(s.tokens[i+1]) == "(") && s.tokens[i+1].Kind != CloseToken
	switch {
	case left && right:
		return "<<"
	case left:
		return "()"
	}
	return "+~"
}

// HasLowEnd reports whether a low end stands before the dots of a computed range, which are
// token i.
func HasLowEnd(tokens []Token, i int) bool {
	return i > 0 && tokens[i-1].End == tokens[i].Start && tokens[i-1].operand()
}

// sameLine reports whether only spaces part tokens i and j, neighbours.
func (s *Scanned) sameLine(i, j int) bool {
	for _, c := range s.src[s.tokens[i].End:s.tokens[j].Start] {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

func isInt(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}
