// Package dist computes with exact probability distributions of dice.
//
// A [Dist] is a distribution over integers: natural weights over one common
// total, so every chance is an exact fraction. A [Pool] is several independent
// dice that have not been added up yet, and [Outcomes] is a distribution over
// ordered labels. All of them are immutable and may be shared between
// goroutines.
//
// Outcomes are ints, and the package is for platforms on which they have 64 bits.
//
// Nothing is sampled and nothing is rounded. An unlimited process, such as a
// die that explodes without end, is cut where the chance of going on is below
// 2^-80; the distribution then carries that chance as [Dist.ErrorBound], and
// every operation carries it on.
//
// # Work and memory
//
// Operations whose cost can grow take a context. They look at it while they
// work, and they charge the [Budget] that it carries (see [WithBudget]) before
// they start: an operation that would not fit fails at once with a
// [LimitError] that says what it would have needed. Without a budget there is
// no limit.
//
// # Independence
//
// A value is a distribution, not a rolled face: d.Add(ctx, d) is the sum of two
// independent rolls, and d.Scale(ctx, 2) doubles one roll.
package dist
