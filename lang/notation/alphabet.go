package notation

import "bytes"

// This file makes the identifiers that stand for literals. They are numbers
// written in the letters of Sumerian cuneiform, which no recipe uses: Scan
// refuses them in names, so that nothing a recipe says can be mistaken for one.

const (
	firstSign = 0x12000
	lastSign  = 0x12399
	signs     = lastSign - firstSign + 1

	// maxLiterals is how many different literals fit in identifiers of two
	// letters, the width of d6.
	maxLiterals = signs * signs
)

// identifier writes the number i in width letters.
func identifier(i, width int) string {
	letters := make([]rune, width)
	for k := width - 1; k >= 0; k-- {
		letters[k] = rune(firstSign + i%signs)
		i /= signs
	}
	return string(letters)
}

// StandsForLiteral reports whether a name is an identifier that stands for a literal.
func StandsForLiteral(name string) bool {
	return name != "" && reserved([]byte(name)[:min(len(name), 4)])
}

// reserved reports whether text has a letter of the identifiers of literals.
func reserved(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool { return firstSign <= r && r <= lastSign })
}
