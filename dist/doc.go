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
// Nothing is sampled, and nothing is rounded but by [Dist.Rounded]. An unlimited process, such as a
// die that explodes without end, is cut where the chance of going on is below
// 2^-80; the distribution then carries that chance as [Dist.Bound], and
// every operation carries it on.
//
// # How a value flows
//
// A constructor such as [Die] makes weights on an axis of outcomes. A [Pool] puts
// equal dice together as kinds with a count. An operation chooses its algorithm by
// what it would cost, charges that, and turns weights into weights: sums are
// convolutions or powers of generating functions, kept dice go by a threshold face,
// rules of states go face by face or die by die, and callbacks visit combinations
// into a [Tally]. The result is brought into canonical form, without a common
// divisor, and gets its tail: what a cut process left out of it, and its moments.
// Questions (PMF, AtLeast, Mean) then read the weights.
//
// The files of this package are families of what can be asked, and beneath them each
// package computes one thing that knows neither rolls nor labels: internal/nat rows of
// long weights, internal/axis the outcomes that they belong to, internal/keep kept
// dice, internal/chain processes over numbered states and the best of their plans,
// internal/linear exact equations, internal/states the states of a rule.
// They pay through internal/work. Package upper, for whoever wants it, has the
// arithmetic of error bounds and of costs.
//
// # Words
//
//	absorbing state   one that a process never leaves
//	axis              the outcomes that a row of weights belongs to
//	bound             how far a chance may be from the truth, rounded up
//	convolution       the weights of a sum of independent rolls
//	explosion         a die that is rolled again and added; a kind of streak
//	generating function  the polynomial, or fraction, whose coefficients are weights
//	kind              equal dice of a pool, with how many there are
//	lattice           the ways of placing dice or cards, face by face
//	multiset          faces of which only counts how many dice show each
//	order statistic   the k-th highest die
//	policy iteration  finding the best plan by bettering one, choice by choice
//	state vector      the chances of all states of a process at one time
//	streak            rolls that go on with one chance and are added up
//	tail              what is known of what a cut process left out
//	total             the sum of all weights, the denominator of every chance
//	total variation   half the sum of the differences of all chances
//	weight            in how many of the total ways an outcome comes up
//
// # Work and memory
//
// Operations whose cost can grow take a context. They look at it while they
// work, and they charge the [Budget] that it carries (see [WithBudget]) before
// they start: an operation that would not fit fails at once with a
// [LimitError] that says what it would have needed. Without a budget there is
// no limit. What takes no context costs at most a look at each weight that it asks
// about and the reduction of a fraction.
//
// # Independence
//
// A value is a distribution, not a rolled face: d.Add(ctx, d) is the sum of two
// independent rolls, and d.Scale(ctx, 2) doubles one roll.
package dist
