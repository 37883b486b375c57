package notation

import (
	"strconv"
	"strings"
)

// This file writes notation that has been read.

// Text writes an expression as it is read.
func Text(x Expr) string {
	switch x := x.(type) {
	case *Number:
		return strconv.Itoa(x.Value)
	case *Range:
		return end(x.Band.Lo) + ".." + end(x.Band.Hi)
	case *Dice:
		return x.Literal.text() + modifiersText(x.Modifiers)
	case *Group:
		return "(" + Text(x.X) + ")" + modifiersText(x.Modifiers)
	case *Negate:
		return "-" + Text(x.X)
	case *Binary:
		return Text(x.X) + " " + x.Op + " " + Text(x.Y)
	}
	return ""
}

func end(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// text writes the dice of a literal, without what is kept of them.
func (p Pool) text() string {
	sides := strconv.Itoa(p.Sides)
	switch {
	case p.Fate:
		sides = "F"
	case p.Percent:
		sides = "%"
	}
	return strconv.Itoa(p.Count) + "d" + sides
}

func modifiersText(mods []Modifier) string {
	var b strings.Builder
	for _, m := range mods {
		b.WriteString(m.Text)
	}
	return b.String()
}
