package notation

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"dicescript/dist/upper"
)

// This file reads a single literal: [count]d<sides>[suffix], or lo..hi.

// MaxDice and MaxSides bound what a literal can say; how much of that can be
// computed is for the limits of a run.
const (
	MaxDice  = 1_000_000 // what a pool may have
	MaxSides = 1_000_000_000
)

// A Select is what is kept of a pool.
type Select uint8

// The ways to select dice of a pool.
const (
	KeepAll Select = iota
	KeepHighest
	KeepLowest
	DropHighest
	DropLowest
)

var selects = map[string]Select{"kh": KeepHighest, "kl": KeepLowest, "dh": DropHighest, "dl": DropLowest}

func (k Select) String() string {
	return [...]string{"", "kh", "kl", "dh", "dl"}[k]
}

// A Pool is the meaning of a dice literal.
type Pool struct {
	Count   int    // 0 is no dice
	Sides   int    // 100 for d%, 0 for Fate dice
	Fate    bool   // faces -1, 0, 1
	Percent bool   // written d%
	Single  bool   // 1d6, d6: the die itself rather than a pool of one
	Select  Select // what is kept, N of them; of dropped dice one always stays
	N       int
}

// A Band is the meaning of a range literal; an end that is nil is open.
type Band struct{ Lo, Hi *int }

// isDiceWord reports whether a word is a sound literal without a count, such
// as d6 or d20kh1. Any other word is a name, also d6_damage.
func isDiceWord(word string) bool {
	if len(word) < 2 || word[0] != 'd' && word[0] != 'D' || !isDigit(word[1]) {
		return false
	}
	rest := strings.TrimLeft(word[1:], "0123456789")
	return rest == "" || isSuffix(rest)
}

// isSuffix reports whether text is kh3, kh, k3 and the like.
func isSuffix(text string) bool {
	if len(text) > 1 && (text[0] == 'k' || text[0] == 'K') && isInt(text[1:]) {
		return true
	}
	return len(text) >= 2 && selects[strings.ToLower(text[:2])] != KeepAll && sameCase(text[:2]) && (len(text) == 2 || isInt(text[2:]))
}

func sameCase(s string) bool { return s == strings.ToLower(s) || s == strings.ToUpper(s) }

// parseDice reads a dice literal.
func parseDice(text string) (Pool, error) {
	p := Pool{Count: 1}
	i := span(text)
	if i > 0 {
		n, err := bounded(text[:i], MaxDice, "the number of dice")
		if err != nil {
			return p, err
		}
		p.Count = n
	}
	rest, err := p.sides(text, text[i+1:])
	if err != nil {
		return p, err
	}
	if err := p.suffix(text[:len(text)-len(rest)], rest); err != nil {
		return p, err
	}
	p.Single = p.Count == 1 && p.Select == KeepAll
	return p, nil
}

// sides reads what follows the d and returns the rest of the text.
func (p *Pool) sides(text, rest string) (string, error) {
	switch {
	case strings.HasPrefix(rest, "%"):
		p.Sides, p.Percent = 100, true
		return rest[1:], nil
	case rest != "" && (rest[0] == 'F' || rest[0] == 'f'):
		p.Fate = true
		return rest[1:], nil
	case span(rest) == 0 && rest != "" && isName(rest):
		pool := fmt.Sprintf("dice_pool(%s, %s)", text[:span(text)], rest)
		return "", write([]string{pool}, "the sides of a literal are written out; write %s", pool)
	case span(rest) == 0:
		return "", fmt.Errorf("%s does not say which die: write the number of sides after the d, as in %sd6", text, text[:span(text)])
	}
	n := span(rest)
	v, err := bounded(rest[:n], MaxSides, "the number of sides")
	if err != nil {
		return "", err
	}
	if v == 0 {
		return "", fmt.Errorf("a die has at least one side, got %s", text)
	}
	p.Sides = v
	return rest[n:], nil
}

// suffix reads kh3 and the like; dice is the text before it.
func (p *Pool) suffix(dice, suffix string) error {
	if suffix == "" {
		return nil
	}
	n := len(suffix) - len(strings.TrimLeft(suffix, letters))
	word, number := suffix[:n], suffix[n:]
	lower := strings.ToLower(word)
	k := selects[lower]
	if lower == "k" {
		k = KeepHighest
	}
	if k == KeepAll {
		return unknownSuffix(dice, lower, number)
	}
	if !sameCase(word) {
		return write([]string{dice + lower + number}, "a suffix is all small or all capital letters: write %s%s%s", dice, lower, number)
	}
	if number == "" {
		number = "1"
	}
	if further := strings.TrimLeft(number, "0123456789"); further != "" && further != number {
		return severalSuffixes(dice, number[:len(number)-len(further)], word, further)
	}
	if !isInt(number) {
		return fmt.Errorf("%s takes one number, got %s", word, number)
	}
	v, err := bounded(number, MaxDice, "the number after "+word)
	if err != nil {
		return err
	}
	p.Select, p.N = k, v
	return nil
}

var bareReroll = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`r([0-9])`) })

// severalSuffixes explains 4d6kh3r1: what a literal can't be, roll("...") may
// read, in this order or the other. A bare r, which the tabletops read in two
// ways, rerolls once.
func severalSuffixes(dice, number, word, further string) error {
	further = bareReroll().ReplaceAllString(further, "ro$1")
	for _, text := range []string{dice + word + number + further, dice + further + word + number} {
		if _, err := ParseRoll(text); err == nil {
			roll := fmt.Sprintf("roll(\"%s\")", text)
			return write([]string{roll}, "a literal has one suffix: write %s", roll)
		}
	}
	return fmt.Errorf("a literal has one suffix, got %s%s and %s", word, number, further)
}

// isName reports whether a text is letters alone.
func isName(s string) bool { return strings.Trim(s, letters) == "" }

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

// unknownSuffix explains a suffix that means several things at the tables,
// or that literals do not have.
func unknownSuffix(dice, word, number string) error {
	if word == "" {
		return fmt.Errorf("unexpected %s after %s", number, dice)
	}
	if number == "" {
		number = "1"
	}
	switch word {
	case "d":
		return twoReadings("d"+number, dice, "drop the lowest", "dl"+number, "drop the highest", "dh"+number)
	case "r", "ro":
		return eitherOf("rerolling is not part of a literal: write %s, or %s", fmt.Sprintf("(%s).reroll(%s)", dice, number), fmt.Sprintf("roll(\"%sro%s\")", dice, number))
	case "rr":
		return eitherOf("rerolling is not part of a literal: write %s, or %s", fmt.Sprintf("(%s).reroll(%s, times=None)", dice, number), fmt.Sprintf("roll(\"%srr%s\")", dice, number))
	case "mi", "ma":
		roll := fmt.Sprintf("roll(\"%s%s%s\")", dice, word, number)
		return write([]string{roll}, "%s is not part of a literal: write %s", word, roll)
	case "x", "e":
		return exploding(dice)
	case "adv", "advantage":
		return higher(dice, "higher", "kh1")
	case "dis", "disadv", "disadvantage":
		return higher(dice, "lower", "kl1")
	case "s":
		return eitherOf("dice that reach a target are counted by %s, or %s", fmt.Sprintf("(%s).count(%s..)", dice, number), fmt.Sprintf("roll(\"%s>=%s\")", dice, number))
	case "t":
		return eitherOf("dice that reach a target are counted by %s, or %s", fmt.Sprintf("(%s).count(%s..)", dice, number), fmt.Sprintf("roll(\"%s>=%s\")", dice, number))
	}
	return fmt.Errorf("unknown suffix %s after %s: a literal knows kh, kl, dh and dl, as in %skh1", word, dice, dice)
}

// higher says how advantage and disadvantage are written.
func higher(dice, which, suffix string) *instead {
	two := twice(dice) + suffix
	return write([]string{two}, "the %s of two dice is written %s", which, two)
}

// exploding says how exploding dice are written, and that the two ways differ.
func exploding(dice string) *instead {
	call, roll := fmt.Sprintf("explode(%s, None)", dice), fmt.Sprintf("roll(\"%s!\")", dice)
	return write([]string{call, roll}, "exploding dice are written %s, without end like %s; explode(%s) adds at most 2 rolls to a die", call, roll, dice)
}

// eitherOf is the mistake of a literal that may be written in two ways, in the places of
// the two %s of its message.
func eitherOf(format, a, b string) *instead {
	return write([]string{a, b}, format, a, b)
}

// twoReadings explains notation that the tabletops read in two ways.
func twoReadings(what, dice, first, a, second, b string) error {
	return write([]string{dice + a, dice + b}, "%s is read in two ways: %s (write %s%s) or %s (write %s%s)", what, first, dice, a, second, dice, b)
}

// parseRange reads a range literal.
func parseRange(text string) (*Band, error) {
	i := strings.IndexByte(text, '.')
	left, right := text[:i], trimDots(text[i:])
	if dots := len(text) - len(left) - len(right); dots != 2 {
		return nil, fmt.Errorf("a range has two dots, as in 5..6, got %s", text)
	}
	if left == "" && right == "" {
		return nil, fmt.Errorf("a range has at least one end: write 5.., ..6 or 5..6")
	}
	b := &Band{}
	for _, end := range []struct {
		text string
		to   **int
	}{{left, &b.Lo}, {right, &b.Hi}} {
		if end.text == "" {
			continue
		}
		v, err := rangeEnd(end.text)
		if err != nil {
			return nil, err
		}
		*end.to = &v
	}
	if b.Lo != nil && b.Hi != nil && *b.Lo > *b.Hi {
		return nil, write([]string{right + ".." + left}, "the low end of a range comes first: write %s..%s", right, left)
	}
	return b, nil
}

func rangeEnd(end string) (int, error) {
	if digits := strings.TrimPrefix(end, "-"); !isInt(digits) {
		if digits == "" || isDigit(digits[0]) {
			return 0, fmt.Errorf("the ends of a range are whole numbers, got %s", end)
		}
		if isKeyword(digits) {
			return 0, fmt.Errorf("put a space between the range and %s", digits)
		}
		return 0, fmt.Errorf("the ends of a range are whole numbers, got %s", end)
	}
	v, err := strconv.Atoi(end)
	if err != nil {
		return 0, fmt.Errorf("the ends of a range fit in 63 bits, got %s", shorten(end))
	}
	return v, nil
}

func trimDots(s string) string { return strings.TrimLeft(s, ".") }

// span is the number of digits that text begins with.
func span(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// bounded reads digits as a number of at most max.
func bounded(digits string, max int, what string) (int, error) {
	n, err := strconv.Atoi(digits)
	if err != nil || n > max {
		return 0, fmt.Errorf("%s is at most %s, got %s", what, upper.Grouped(int64(max)), shorten(digits))
	}
	return n, nil
}

// shorten keeps a long text from filling a message.
func shorten(s string) string {
	if r := []rune(s); len(r) > 24 {
		return string(r[:20]) + "..."
	}
	return s
}
