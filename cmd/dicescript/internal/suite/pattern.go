package suite

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
)

// Patterns of assert_fails. The time that a regular expression takes is its size
// times the length of the text, and a repetition makes it larger than it is
// written: (a{100}){100} has ten thousand letters.

const (
	longestPattern = 1000   // bytes, as it is written
	largestPattern = 10_000 // letters and operators, without repetitions
	mostSearched   = 4 << 10
)

// pattern reads a regular expression of moderate size.
func pattern(text string) (*regexp.Regexp, error) {
	if len(text) > longestPattern {
		return nil, fmt.Errorf("got %d bytes, want at most %d", len(text), longestPattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if n := size(tree); n > largestPattern {
		return nil, fmt.Errorf("with its repetitions it is %d letters long, want at most %d", n, largestPattern)
	}
	return regexp.Compile(text)
}

// size counts letters and operators.
func size(r *syntax.Regexp) int {
	n := 1 + len(r.Rune)
	for _, sub := range r.Sub {
		n += size(sub)
	}
	if r.Op == syntax.OpRepeat {
		n *= max(1, slices.Max([]int{r.Min, r.Max}))
	}
	return min(n, 1<<40) // no product of two overflows: a repetition has at most 1000
}
