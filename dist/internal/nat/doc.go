// Package nat holds rows of long naturals and what is done with them: the weights
// of a distribution are the coefficients of its generating function, and adding
// rolls, keeping dice or cutting streaks is arithmetic of such polynomials.
//
// A natural is limbs, machine words with the least significant first (limbs.go). A
// [Vec] is a row of naturals of equally many limbs, side by side in one slice
// (vec.go); how many limbs hold the result of an operation is settled before it
// starts (width.go). Rows are added, scaled and multiplied by short polynomials in
// place (rows.go, runs.go), and convolved, long ones by transforms (convolve.go,
// transform.go). A [GenFunc] writes a long row as a product of powers of short
// polynomials, which a [Recurrence] gives coefficient by coefficient (genfunc.go,
// recurrence.go, stepwords.go). A [Sparse] polynomial, in several variables, lists its
// exponents (sparse.go).
//
// What powers of a row take is planned before they are computed (plan.go). The package
// knows neither dice nor budgets. What takes long looks at a context through a
// [work.Ticker], and estimates of work let a caller charge before it asks.
// Under the build tag dicecheck every kernel checks its bound (checking.go).
package nat
