package repl

import "bytes"

// Keys on their way from the terminal to the line editor. The editor knows
// neither pasted text nor most key sequences: in a pasted text a tab would
// complete a word, and an unknown sequence would leave its letters in the
// line. The filter turns both into what the editor understands.

// pasteMark stands before the end of a line that more lines follow. It has no
// width and no meaning in a recipe.
const pasteMark = '\u2060'

// What the terminal is asked for, so that it marks pasted text, and takes back.
const (
	markPastes   = "\x1b[?2004h"
	unmarkPastes = "\x1b[?2004l"
)

// tabWidth is what a tab in a pasted text is worth, and what Tab indents by.
const tabWidth = 4

// A keyFilter translates what a terminal sends.
type keyFilter struct {
	pasting bool
	wasCR   bool   // the last byte of a paste was a carriage return
	partial []byte // the beginning of a key sequence
	out     bytes.Buffer
}

// feed translates one piece of what the terminal sent.
func (f *keyFilter) feed(in []byte) []byte {
	f.out.Reset()
	in = append(f.partial, in...)
	f.partial = nil
	for i := 0; i < len(in); {
		if in[i] == escape && (i+1 < len(in) && in[i+1] == '[' || i+1 == len(in) && f.pasting) {
			n := sequenceWidth(in[i:])
			if n == 0 {
				f.partial = bytes.Clone(in[i:])
				break
			}
			f.sequence(string(in[i : i+n]))
			i += n
			continue
		}
		f.key(in[i], i+1 < len(in))
		i++
	}
	return bytes.Clone(f.out.Bytes())
}

const (
	escape = 0x1b
	rubout = 0x7f
)

// longestSequence is longer than any key sequence: what is longer is none.
const longestSequence = 32

// sequenceWidth is the width of the key sequence that in begins with, or 0
// when its end is still to come.
func sequenceWidth(in []byte) int {
	for i := 2; i < len(in); i++ {
		if in[i] >= 0x40 && in[i] <= 0x7e || in[i] < ' ' || i == longestSequence {
			return i + 1
		}
	}
	return 0
}

// key passes a byte that belongs to no sequence.
func (f *keyFilter) key(c byte, more bool) {
	wasCR := f.wasCR
	f.wasCR = false
	if !f.pasting {
		if (c == '\r' || c == '\n') && more {
			f.out.WriteRune(pasteMark)
		}
		f.out.WriteByte(c)
		return
	}
	switch {
	case c == '\n' && wasCR:
	case c == '\r' || c == '\n':
		f.out.WriteRune(pasteMark)
		f.out.WriteByte('\r')
		f.wasCR = c == '\r'
	case c == '\t':
		for range tabWidth {
			f.out.WriteByte(' ')
		}
	case c < ' ' || c == rubout: // pasted text is text, not keys
	default:
		f.out.WriteByte(c)
	}
}

// sequence passes a key sequence that the editor knows, or what comes nearest.
func (f *keyFilter) sequence(s string) {
	switch s {
	case "\x1b[200~":
		f.pasting = true
		return
	case "\x1b[201~":
		f.pasting, f.wasCR = false, false
		return
	}
	if f.pasting {
		return
	}
	if known, ok := sequences[s]; ok {
		f.out.WriteString(known)
	}
}

// sequences are the key sequences that the editor knows, and what others are
// turned into. A sequence that is not listed does nothing.
var sequences = func() map[string]string {
	m := map[string]string{
		"\x1b[1;5C": "\x1b[1;5C", "\x1b[1;5D": "\x1b[1;5D", // Ctrl and an arrow: by words
		"\x1b[1;3C": "\x1bf", "\x1b[1;3D": "\x1bb", // Alt and an arrow: the same
		"\x1b[5C": "\x1b[1;5C", "\x1b[5D": "\x1b[1;5D",
		"\x1b[Z": "\x1b[Z",
	}
	for _, key := range "ABCDHF" {
		m["\x1b["+string(key)] = "\x1b[" + string(key)
		m["\x1b[1;2"+string(key)] = "\x1b[" + string(key) // with Shift, as without
	}
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		m["\x1b["+key+"~"] = "\x1b[" + key + "~"
	}
	return m
}()
