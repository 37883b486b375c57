package reference

import (
	"io"
	"strings"
)

// The page on dice notation: what may stand in a recipe as it is, and what
// roll("...") reads besides.

// Notation writes that page.
func (l Layout) Notation(w io.Writer) error {
	p := l.page(w)
	for i, part := range strings.Split(strings.TrimSpace(notationPage), "\n\n") {
		if i > 0 {
			p.gap()
		}
		if !strings.HasPrefix(part, "    ") {
			p.para("", part)
			continue
		}
		for _, line := range strings.Split(strings.ReplaceAll(part, "\n"+strings.Repeat(" ", nameWidth), " "), "\n") {
			end := strings.LastIndex(line, "   ") // of the examples
			p.row("  "+strings.TrimSpace(line[:end]), line[end:], nameWidth)
		}
	}
	return p.flush()
}

// isNotation reports whether a word asks for the page.
func isNotation(word string) bool { return word == "notation" || word == "dice" || word == "literals" }

// In the page a line that begins with four spaces is an example, up to the
// first run of three spaces.
const notationPage = `Dice notation

Dice that are written out are rolls, everywhere in a recipe:

    d6   1d6   D6       one die of six sides
    3d6                 three dice; a pool, which stands for its total
    1d%                 a die of 100 sides
    4dF                 four Fate dice: each -1, 0 or 1
    0d6                 no dice, always 0

A suffix says which dice are kept; without a number it is 1:

    4d6kh3              keep the highest 3
    2d20kh              advantage: the higher of two
    2d20kl              disadvantage: the lower of two
    4d6dl1              drop the lowest 1; 4d6dh1 drops the highest

The numbers of a literal are written out. For computed ones there are d(sides),
dice_pool(count, sides), keep_highest(count, sides, keep) and their like.

Ranges are sets of whole numbers, for p_in, count, keep, bucket and steps:

    5..6                5 and 6
    5..                 5 and above
    ..6                 6 and below
    -3..5               from -3 to 5
    2d6 in 7..9         a chance; for n in 1..10 goes through the numbers

An end may be a name, or stand in parentheses: lo..hi, dc.., (dc - 5)..20.

A comparison of dice is the chance that their total compares so:

    5d10 >= 7           the chance that the total is 7 or more
    1d20 + 5 >= 15      an attack
    d6 > d8             the chance that one roll beats another

roll("...") reads the notation that virtual tabletops share, at run time. It knows
all of the above but comparisons, + - * // and parentheses, and after dice, in this
order:

    roll("3d6!")        explode: the highest face adds another die, without end
    roll("3d6!>=5")     explode on 5 and above; no space after the !
    roll("3d6!=1")      explode on 1
    roll("3d6!!")       as !, and the new die is added to its own also before some
                        dice are kept or counted
    roll("3d6ro1")      reroll a 1 once, whatever comes; ro<=2 for several faces
    roll("3d6rr1")      reroll a 1 until it does not show
    roll("3d6mi2")      faces below 2 count as 2; ma5: faces above 5 count as 5
    roll("4d6!kh3")     what is kept, after what is rolled again
    roll("5d10>=7")     how many dice show 7 or more; also <=7 and =7

In a recipe the same things are explode(3d6, None), (3d6).reroll(1) and
(5d10).count(7..); explode(3d6), without a limit, adds at most 2 rolls to a die.
Where the tabletops disagree, as about 4d6k3, 3d6r1 and 5d10>7, the message shows
both readings.

One tabletop is read as its own documents say by naming it, and the total is what
its page shows:

    roll("4d6r<2kh3", dialect="foundry")   also x xo cs cf df sf min max even odd
    roll("5d10>7f1", dialect="roll20")     also ! !! !p r ro k kl d dh {...}
    roll("4d6e6k>2", dialect="avrae")      also rr ro ra mi ma p (...)
    roll("d20+@b", "foundry", {"b": 3})    names have values

dicescript roll '4d6kh3' really rolls; dicescript doc explode and doc count tell
more.
`
