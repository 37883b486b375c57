// Package work is how what lies beneath dist pays for what it does: it charges a
// [Meter] before it begins and looks at its context while it goes on, through a
// [Ticker]. What a budget is, and what is said when it does not hold out, only dist
// knows.
package work

// A Meter is charged before something is done. An error, of a limit that would be
// exceeded or of the context that is done, ends the work and is returned as it is.
type Meter interface {
	Context

	// Work charges so many basic operations on words.
	Work(operations int64) error
	// Table charges a table before it is allocated.
	Table(entries, words int64) error
	// Weights is Table for numbers of so many words, which may not be too wide.
	Weights(entries, words int64) error
	// Product charges a number that multiplications make, as a power, and making it.
	Product(words int64) error
	// Room is Weights for what is indexed as one slice of words, which no machine
	// should be asked for when it is too long, whatever the budget.
	Room(entries, words int64) error
	// Places refuses a table of more places than any may have, before its size is
	// worked out further. It charges nothing.
	Places(n int64) error
	// Fits is Work without a charge, for a series of operations that charge
	// themselves, so that a hopeless one is not begun.
	Fits(operations int64) error
}

// Visit is what one visit of a combination, a state or a way on from it is charged,
// in basic operations, beyond the arithmetic on its weight.
const Visit = 4

// A Context says why work has to end, if it has: it is what is needed of
// context.Context.
type Context interface {
	Err() error
}

// Free is a meter that charges nothing and refuses nothing, as tests want.
type Free struct{ Context }

func (Free) Work(int64) error           { return nil }
func (Free) Table(int64, int64) error   { return nil }
func (Free) Weights(int64, int64) error { return nil }
func (Free) Product(int64) error        { return nil }
func (Free) Room(int64, int64) error    { return nil }
func (Free) Places(int64) error         { return nil }
func (Free) Fits(int64) error           { return nil }
