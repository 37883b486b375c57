package notation

import "fmt"

// This file says in words what a count counts.

// Counted are the words for what the dice of x are counted by, such as " of 5 at
// 7 or more"; "" when x does not count dice. Dice that explode are not so many:
// the words are " at 9 or more".
func Counted(x Expr) string {
	var mods []Modifier
	of := ""
	switch x := x.(type) {
	case *Dice:
		mods = x.Modifiers
		of = fmt.Sprintf(" of %d", x.Literal.Count)
	case *Group:
		mods = x.Modifiers
	}
	if len(mods) == 0 || mods[len(mods)-1].Action != Count {
		return ""
	}
	for _, m := range mods {
		if m.Action == Explode || m.Action == KeepDrop {
			of = ""
		}
	}
	return of + " at " + mods[len(mods)-1].When.Words()
}

// Words are the band in words: 7 or more, 2 or less, 5 to 6.
func (b Band) Words() string {
	switch {
	case b.Lo == nil && b.Hi == nil:
		return "any number"
	case b.Hi == nil:
		return fmt.Sprintf("%d or more", *b.Lo)
	case b.Lo == nil:
		return fmt.Sprintf("%d or less", *b.Hi)
	case *b.Lo == *b.Hi:
		return fmt.Sprint(*b.Lo)
	}
	return fmt.Sprintf("%d to %d", *b.Lo, *b.Hi)
}
