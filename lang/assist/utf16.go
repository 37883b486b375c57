package assist

import (
	"unicode/utf16"

	"dicescript/lang"
	dicesyntax "dicescript/lang/syntax"
)

// Positions as the Language Server Protocol and JavaScript count them: lines and
// characters from 0, characters in units of UTF-16, of which a rune beyond the
// basic plane has two.

// UTF16 is the line and the character of a position in the text.
func (d *Document) UTF16(pos lang.Position) (line, character int) { return toUTF16(d.lines, pos) }

// FromUTF16 is the position of a line and a character. One behind the end of its
// line is at the end.
func (d *Document) FromUTF16(line, character int) lang.Position {
	return d.at(fromUTF16(d.lines, line, character))
}

// UTF16 is the line and the character of a position in another text, such as
// the Source of a [Location].
func UTF16(text string, pos lang.Position) (line, character int) {
	return toUTF16(dicesyntax.NewLines([]byte(text)), pos)
}

func toUTF16(lines dicesyntax.Lines, pos lang.Position) (line, character int) {
	col := 1
	for _, r := range lines.Line(pos.Line) {
		if col >= pos.Column {
			break
		}
		character += utf16.RuneLen(r)
		col++
	}
	return max(0, pos.Line-1), character
}

func fromUTF16(lines dicesyntax.Lines, line, character int) (row, col int) {
	col = 1
	for _, r := range lines.Line(line + 1) {
		if character -= utf16.RuneLen(r); character < 0 {
			break
		}
		col++
	}
	return line + 1, col
}
