// Package numeral writes exact numbers as people and programs read them.
//
// A chance comes as a [Quotient], a weight over a total, or as a rational. [Percent],
// [Fixed] and [Number] round it once, half up, from its exact value; where the value
// may be off by an error, [CertainPercent] and the fractions say so. [ChanceFraction]
// and [Counts] write it as a fraction, as odds, or as a count of a common total.
//
// For json and csv, [Weights] writes the long weights of a roll in decimal and
// [Divisor] finds the float that is nearest to a weight over a total.
package numeral
