// Package suggest finds the name that was probably meant by a misspelled one.
package suggest

import (
	"iter"
	"slices"
	"strings"
)

// Nearest returns the candidate closest to name, or "" when none is close:
// at most a third of its letters (and at least one) added, left out, changed,
// or two neighbours swapped. Case and underscores count less than letters.
// Of equally close candidates the first in alphabetical order is taken.
func Nearest(name string, candidates iter.Seq[string]) string {
	if len(name) > longest {
		return ""
	}
	m := newMeasure(name)
	best, bestCost := "", limit(name)+1
	for c := range candidates {
		if c == name || c == "" || len(c) > longest || opposed(name, c) {
			continue
		}
		cost := m.distance(c, bestCost)
		if cost < bestCost || cost == bestCost && best != "" && c < best {
			best, bestCost = c, cost
		}
	}
	return best
}

// Among is Nearest for a list.
func Among(name string, candidates []string) string {
	return Nearest(name, slices.Values(candidates))
}

// DidYouMean is the end of a message about a name that is not known, for which another
// one is meant, unless that is "".
func DidYouMean(near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// opposites are words that look alike or stand in names that do, and mean the contrary.
var opposites = [][2]string{
	{"keep", "drop"}, {"keep", "remove"}, {"highest", "lowest"}, {"high", "low"}, {"least", "most"}, {"min", "max"}, {"more", "less"}, {"any", "none"},
	{"ge", "le"}, {"gt", "lt"}, {"ge", "lt"}, {"gt", "le"},
}

// opposed reports whether two names differ by a word and its contrary: whoever writes
// keep_highest does not mean drop_highest.
func opposed(a, b string) bool {
	x, y := strings.Split(strings.ToLower(a), "_"), strings.Split(strings.ToLower(b), "_")
	for _, pair := range opposites {
		for i, word := range pair {
			other := pair[1-i]
			if slices.Contains(x, word) && slices.Contains(y, other) && !slices.Contains(x, other) && !slices.Contains(y, word) {
				return true
			}
		}
	}
	return false
}

// longest is how many bytes a name may have to be compared: whoever mistypes a
// longer one sees it.
const longest = 100

// A changed letter costs 2, so that case and underscores can cost 1.
const letter = 2

// limit is the distance up to which a candidate is close. One letter is too
// little to tell by: only its case may differ.
func limit(name string) int {
	n := len([]rune(name))
	if n < 2 {
		return n
	}
	return letter * max(1, n/3)
}

// A measure finds the distances from one name to many others. It keeps its room.
type measure struct {
	name, other []rune
	rows        [3][]int
}

func newMeasure(name string) *measure { return &measure{name: []rune(name)} }

// row is row i with a place more than the other name has letters, all of them far.
func (m *measure) row(i, far int) []int {
	row := m.rows[i][:0]
	for range len(m.other) + 1 {
		row = append(row, far)
	}
	m.rows[i] = row
	return row
}

// distance is the Damerau-Levenshtein distance (adjacent swaps, no letter
// edited twice), or something above enough once it cannot be below. A letter that
// is added or left out costs at least 1, so that only places that differ by enough
// at most can be on the way.
func (m *measure) distance(to string, enough int) int {
	m.other = m.other[:0]
	for _, r := range to {
		m.other = append(m.other, r)
	}
	x, y := m.name, m.other
	if letterDiff(len(x), len(y)) > enough {
		return enough + 1
	}
	older, old, row := m.row(0, enough+1), m.row(1, enough+1), m.row(2, enough+1)
	row[0] = 0
	for j := range min(len(y), enough) {
		row[j+1] = row[j] + gap(y[j])
	}
	least := 0 // of the row before
	for i := range x {
		older, old, row = old, row, older
		from, to := max(0, i-enough), min(len(y), i+enough+1)
		row[from] = enough + 1
		if from == 0 {
			row[0] = old[0] + gap(x[i])
		}
		before := least
		least = row[from]
		for j := from; j < to; j++ {
			row[j+1] = min(old[j]+change(x[i], y[j]), old[j+1]+gap(x[i]), row[j]+gap(y[j]))
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] && x[i] != y[j] {
				row[j+1] = min(row[j+1], older[j-1]+letter)
			}
			least = min(least, row[j+1])
		}
		// Every way to the end goes through this row, or by a swap from the one before.
		if least > enough && before > enough {
			return enough + 1
		}
	}
	return row[len(y)]
}

// letterDiff is the least that texts of these lengths can differ.
func letterDiff(n, m int) int {
	if n > m {
		return n - m
	}
	return m - n
}

func gap(r rune) int {
	if r == '_' {
		return 1
	}
	return letter
}

func change(a, b rune) int {
	switch {
	case a == b:
		return 0
	case strings.EqualFold(string(a), string(b)):
		return 1
	}
	return letter
}
