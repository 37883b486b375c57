package wording

import (
	"strings"
	"unicode"
)

// maxMessage is how many bytes a message has at most: what a recipe fails with can be any
// text.
const maxMessage = 2 << 10

// maxWord is how many letters of a name, or digits of a number, a message repeats.
const maxWord = 100

// Brief is a message that a person can read: its words are cut, and so is its end.
func Brief(message string) string {
	if len(message) <= maxWord {
		return message
	}
	var b strings.Builder
	letters, cut := 0, false
	for at, r := range message {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			letters, cut = 0, false
		} else if letters++; letters > maxWord {
			if !cut {
				b.WriteString("...")
			}
			cut = true
			continue
		}
		if b.Len() > maxMessage {
			return strings.ToValidUTF8(b.String()[:maxMessage-len("...")], "") + "..."
		}
		b.WriteString(message[at : at+max(1, len(string(r)))])
	}
	return b.String()
}
