// Package unseen tells characters that are not seen where they are shown: what controls a
// terminal, or the direction of a text.
package unseen

// Rune reports whether r can change how the text around it is shown: controls,
// separators of lines and paragraphs, marks of the direction of writing, the byte
// order mark and tags.
func Rune(r rune) bool {
	switch {
	case r < 0x20, 0x7F <= r && r < 0xA0, r == 0x061C, r == 0x200E, r == 0x200F:
		return true
	case r < 0x2028:
		return false
	}
	return r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0xFEFF || 0xE0000 <= r && r <= 0xE007F
}
