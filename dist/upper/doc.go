// Package upper computes numbers that are upper bounds.
//
// What is made of upper bounds is an upper bound again: arithmetic in floats rounds
// every result outward (interval arithmetic; Moore, "Interval Analysis", 1966), and
// counts of what would have to be done stop at the largest integer instead of
// overflowing, so that they can be compared with limits.
package upper
