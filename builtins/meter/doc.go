// Package meter is the one place that knows what a run of a recipe may spend
// and what everything in it costs.
//
//   - [Limits] are what a run may spend; [Resource] names each in errors.
//   - A [Meter] is the account of one run. Steps pay for time, some 20
//     nanoseconds each; bytes pay for memory, and count all that is made,
//     whether or not it is kept. Both are counted by what a recipe does and
//     never by a clock, a hash or an address, so that the same recipe meets the
//     same limit everywhere.
//   - costs.go is the table of what each function and method costs. What is not
//     said otherwise costs the size of all arguments before and of the result
//     after.
//   - A [Size] is what it takes to look at all of a value; there is one walk
//     that measures it, and it spends as it goes.
//   - What can be larger than all arguments together is refused before it is made
//     (text.go, operators.go, json.go). What makes a dict or set of many keys gets
//     them one by one, with a look at the context between (collection.go).
//   - caps.go bounds what one operation looks at, whatever the limits are: nothing
//     looks at the context in it.
//
// The engine charges its own work and cells to the [dist.Budget] that the
// context of the run carries.
package meter
