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
	best, bestCost := "", limit(name)+1
	for c := range candidates {
		if c == name || c == "" {
			continue
		}
		cost := distance(name, c, bestCost)
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

// distance is the Damerau-Levenshtein distance (adjacent swaps, no letter
// edited twice), or something above enough once it cannot be below.
func distance(a, b string, enough int) int {
	x, y := []rune(a), []rune(b)
	if letterDiff(len(x), len(y)) > enough {
		return enough + 1
	}
	older, old, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range y {
		row[j+1] = row[j] + gap(y[j])
	}
	for i := range x {
		older, old, row = old, row, older
		row[0] = old[0] + gap(x[i])
		for j := range y {
			row[j+1] = min(old[j]+change(x[i], y[j]), old[j+1]+gap(x[i]), row[j]+gap(y[j]))
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] && x[i] != y[j] {
				row[j+1] = min(row[j+1], older[j-1]+letter)
			}
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
