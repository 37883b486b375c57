// Package exact computes with fractions that are certain to within a bound.
//
// A [Number] is a fraction and a bound on its distance to the true value, 0 when
// it is exact. Arithmetic is exact on the fractions; what it does to the bounds
// is certified, because bounds are floats that are always rounded up. An answer
// that the bounds leave open (which of two numbers is larger, which whole number
// is nearest) is an error, never a guess.
package exact
