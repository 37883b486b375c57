package exact

import "strings"

// Most chances that a recipe writes are small: "1/3", "30%", "0.25". They are read
// without big numbers, since a step of a process may read one in every state.

// smallDigits is up to how many digits the parts of a small fraction have.
const smallDigits = 4

// ParseSmall reads what [ParseRat] reads, if it is a small fraction of natural
// numbers; ok is false for everything else.
func ParseSmall(text string) (num, den uint32, ok bool) {
	text, percent := strings.CutSuffix(text, "%")
	den = 1
	if percent {
		den = 100
	}
	if a, b, isFraction := strings.Cut(text, "/"); isFraction {
		num, ok = digits(a)
		d, isNumber := digits(b)
		return num, d * den, ok && isNumber && d > 0
	}
	whole, part, _ := strings.Cut(text, ".")
	num, ok = digits(whole)
	if part == "" {
		return num, den, ok && whole == text
	}
	if len(part) > smallDigits {
		return 0, 0, false
	}
	for _, c := range []byte(part) {
		if c < '0' || c > '9' {
			return 0, 0, false
		}
		num, den = 10*num+uint32(c-'0'), 10*den
	}
	return num, den, ok
}

// digits reads a natural number that is written as anyone writes it.
func digits(text string) (n uint32, ok bool) {
	if text == "" || len(text) > smallDigits || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint32(c-'0')
	}
	return n, true
}
