package notation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"dicescript/dist/upper"
)

// This file reads what follows dice in roll("..."): explosions, rerolls,
// bounds of a face, what is kept, and what counts as a success.

// modifiers reads all modifiers that come next. dice is the text of what stands
// before them and top its highest face, 0 when that is not known, for the messages.
func (p *rollParser) modifiers(dice string, top int) ([]Modifier, *Error) {
	m := modifierParser{rollParser: p, dice: dice, top: top}
	var mods []Modifier
	for {
		p.space()
		start := p.i
		mod, err := m.modifier()
		if err != nil {
			return nil, err
		}
		if mod == nil {
			return mods, nil
		}
		mod.Place = p.place(start)
		mod.Text = strings.Join(strings.Fields(string(p.text[start:p.i])), "")
		if err := m.inOrder(mods, *mod, start); err != nil {
			return nil, err
		}
		mods = append(mods, *mod)
	}
}

type modifierParser struct {
	*rollParser
	dice string
	top  int
}

// modifier reads one modifier, or nothing.
func (m modifierParser) modifier() (*Modifier, *Error) {
	switch c := m.peek(0); {
	case c == '!':
		return m.explode()
	case isComparison(c):
		when, err := m.comparison("a number of successes", "")
		return &Modifier{Action: Count, When: when}, err
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return m.named()
	}
	return nil, nil
}

// explode reads !, !!, !>=N, !<=N, !=N and ! with a range.
func (m modifierParser) explode() (*Modifier, *Error) {
	at := m.i
	m.i++
	mod, mark := &Modifier{Action: Explode}, "!"
	if m.peek(0) == '!' {
		m.i++
		mod.Action, mark = Compound, "!!"
	}
	var err *Error
	switch c := m.peek(0); {
	case c == 'p' || c == 'P':
		return nil, m.errorf(at, "penetrating dice (!p) are not part of the notation")
	case isComparison(c):
		mod.When, err = m.comparison("exploding", mark)
	case m.bandAhead():
		mod.When, err = m.when()
	case isDigitRune(c):
		n := m.digits()
		return nil, m.errorf(at, "%s is read in two ways: explode on exactly %s (write %s%s=%s) or on %s and more (write %s%s>=%s)",
			mark+n, n, m.dice, mark, n, n, m.dice, mark, n)
	case unicode.IsSpace(c):
		err = m.notApart(at, mark)
	}
	return mod, err
}

// notApart refuses a comparison that stands apart from the ! before it: it could
// be about what explodes or about what is counted.
func (m modifierParser) notApart(at int, mark string) *Error {
	end := m.i
	m.space()
	if !isComparison(m.peek(0)) {
		m.i = end
		return nil
	}
	start := m.i
	for isComparison(m.peek(0)) {
		m.i++
	}
	op := string(m.text[start:m.i])
	m.space()
	m.accept("-")
	m.digits()
	number := strings.Join(strings.Fields(string(m.text[start+len(op):m.i])), "")
	top := "6"
	if m.top != 0 {
		top = strconv.Itoa(m.top)
	}
	return m.errorf(at, "%s %s%s is read in two ways: explode on %s%s (write %s%s%s%s) or explode on the highest face and count %s%s (write %s%s=%s%s%s)",
		mark, op, number, op, number, m.dice, mark, op, number, op, number, m.dice, mark, top, op, number)
}

func isComparison(c rune) bool { return c == '>' || c == '<' || c == '=' }

// bandAhead reports whether a range begins here.
func (m modifierParser) bandAhead() bool {
	c := m.peek(0)
	return (isDigitRune(c) || c == '.' || c == '-') && m.rangeAhead(0)
}

// comparison reads >=N, <=N or =N, and refuses > and <, about which the
// tabletops disagree. before is what stands before it in a corrected text.
func (m modifierParser) comparison(what, before string) (*Band, *Error) {
	at := m.i
	op := ""
	for c := m.peek(0); c == '<' || c == '>' || c == '='; c = m.peek(0) {
		op += string(c)
		m.i++
	}
	n, err := m.integer(op)
	if err != nil {
		return nil, err
	}
	switch op {
	case ">=":
		return &Band{Lo: &n}, nil
	case "<=":
		return &Band{Hi: &n}, nil
	case "=", "==":
		return &Band{Lo: &n, Hi: &n}, nil
	case ">":
		return nil, m.ambiguous(at, what, before, op, "more", n, n+1, ">=")
	case "<":
		return nil, m.ambiguous(at, what, before, op, "less", n, n-1, "<=")
	}
	return nil, m.errorf(at, "unknown comparison %s: write >=, <= or =", op)
}

// ambiguous explains > and <.
func (m modifierParser) ambiguous(at int, what, before, op, word string, n, next int, write string) *Error {
	return m.errorf(at, "%s%d is read in two ways: %d or %s (write %s%s%s%d) or %s than %d (write %s%s%s%d)",
		op, n, n, word, m.dice, before, write, n, word, n, m.dice, before, write, next)
}

// integer reads a number with an optional sign, within a range that leaves
// room for arithmetic.
func (m modifierParser) integer(after string) (int, *Error) {
	m.space()
	at := m.i
	sign := 1
	if m.accept("-") {
		sign = -1
	}
	text := m.digits()
	if text == "" {
		return 0, m.errorf(at, "expected a number after %s", after)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > MaxSides {
		return 0, m.errorf(at, "the number after %s is at most %s, got %s", after, upper.Grouped(MaxSides), shorten(text))
	}
	return sign * n, nil
}

// when reads the results that a reroll or explosion is about: N, a range or
// a comparison.
func (m modifierParser) when() (*Band, *Error) {
	at := m.i
	if m.bandAhead() {
		b, err := m.band()
		if err != nil {
			return nil, m.errorf(at, "%s", err)
		}
		return b, nil
	}
	n, err := m.integer(string(m.text[max(0, at-2):at]))
	return &Band{Lo: &n, Hi: &n}, err
}

// named reads a modifier that begins with letters.
func (m modifierParser) named() (*Modifier, *Error) {
	at := m.i
	word := m.word()
	name := strings.ToLower(word)
	if _, known := actions[name]; known && !sameCase(word) {
		return nil, m.errorf(at, "a modifier is all small or all capital letters: write %s", name)
	}
	k := selects[name]
	if name == "k" && isDigitRune(m.peek(0)) {
		k = KeepHighest
	}
	if k != KeepAll {
		n, err := m.amount(name)
		return &Modifier{Action: KeepDrop, Select: k, N: n}, err
	}
	switch action := actions[name]; action {
	case RaiseTo, CapAt:
		n, err := m.integer(name)
		return &Modifier{Action: action, N: n}, err
	case RerollOnce, RerollUntil:
		return m.reroll(action, name)
	}
	return nil, m.unknown(at, name)
}

var actions = map[string]Action{
	"kh": KeepDrop, "kl": KeepDrop, "dh": KeepDrop, "dl": KeepDrop,
	"mi": RaiseTo, "ma": CapAt, "ro": RerollOnce, "rr": RerollUntil,
}

// amount reads how many dice are kept or dropped, which is 1 when it is not said.
func (m modifierParser) amount(name string) (int, *Error) {
	end := m.i
	m.space()
	if !isDigitRune(m.peek(0)) {
		m.i = end
		return 1, nil
	}
	return m.integer(name)
}

func (m modifierParser) reroll(action Action, name string) (*Modifier, *Error) {
	m.space()
	var when *Band
	var err *Error
	if isComparison(m.peek(0)) {
		when, err = m.comparison("rerolling", name)
	} else {
		when, err = m.when()
	}
	return &Modifier{Action: action, When: when}, err
}

// following skips the next word and returns it.
func (m modifierParser) following() string {
	m.space()
	return m.word()
}

// twice is how two of a die are written; dice that are several already stay so.
func twice(dice string) string {
	count := dice[:span(dice)]
	if count == "" || count == "1" {
		return "2" + dice[len(count):]
	}
	return dice
}

// unknown explains letters that are no modifier, or one that the tabletops
// read in two ways.
func (m modifierParser) unknown(at int, name string) *Error {
	number := m.digits()
	if number == "" {
		number = "1"
	}
	switch name {
	case "r":
		if c := m.peek(0); c == '<' || c == '>' || c == '=' {
			number = string(c) + "..."
		}
		return m.errorf(at, "%s", twoReadings("r"+number, m.dice, "reroll once", "ro"+number, "reroll until it does not show", "rr"+number))
	case "k":
		return m.errorf(at, "k is followed by how many dice are kept: write %skh%s", m.dice, number)
	case "adv", "advantage":
		return m.errorf(at, "the higher of two dice is written %skh1", twice(m.dice))
	case "dis", "disadvantage":
		return m.errorf(at, "the lower of two dice is written %skl1", twice(m.dice))
	case "drop", "keep":
		if which := strings.ToLower(m.following()); which == "highest" || which == "lowest" {
			m.space()
			return m.errorf(at, "%s %s is written %s%s%s%s", name, which, m.dice, name[:1], which[:1], cmp.Or(m.digits(), "1"))
		}
	case "d":
		return m.errorf(at, "%s", twoReadings("d"+number, m.dice, "drop the lowest", "dl"+number, "drop the highest", "dh"+number))
	case "x", "e":
		return m.errorf(at, "exploding dice are written %s!", m.dice)
	case "t":
		return m.errorf(at, "dice that reach a target are counted by >=: write %s>=%s", m.dice, number)
	case "f":
		if target := reached.FindString(string(m.text[:at])); target != "" {
			return m.errorf(at, "%s", Failures(m.dice, strings.Trim(target, ">="), number))
		}
	}
	return m.errorf(at, "unknown modifier %s after %s: the notation knows !, !!, ro, rr, mi, ma, kh, kl, dh, dl, >=, <= and =", name, m.dice)
}

// reached is the target before failures that take successes away.
var reached = regexp.MustCompile(`>=?[0-9]+$`)

// Failures explains 5d10>=7f1: each face of 7 or more is a success, and a 1 takes
// one away. A die that shows what its face is worth is rolled several times.
func Failures(dice, target, failure string) string {
	count, sides, _ := strings.Cut(strings.ToLower(dice), "d")
	if count == "" {
		count = "1"
	}
	return fmt.Sprintf("successes less failures are the sum of what each die is worth: write times(%s, d%s.map(lambda face: 1 if face >= %s else -1 if face == %s else 0))",
		count, sides, target, failure)
}

// inOrder holds modifiers to the order of their stages.
func (m modifierParser) inOrder(before []Modifier, mod Modifier, at int) *Error {
	if len(before) == 0 {
		return nil
	}
	last := before[len(before)-1]
	switch {
	case last.Action == Count && mod.Action == Count:
		return m.errorf(at, "successes are counted once, by %s", last.Text)
	case slices.ContainsFunc(before, func(b Modifier) bool { return b.Action == Explode }) && mod.Action.stage() == 0:
		return m.errorf(at, "%s comes after dice have been added: write it before the !", mod.Text)
	case last.Action.stage() > mod.Action.stage():
		return m.errorf(at, "%s acts on each die before %s does: write it first, as in %s%s%s", mod.Text, last.Text, m.dice, mod.Text, last.Text)
	}
	return nil
}
