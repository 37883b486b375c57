package work

// A Ticker looks at a context now and then inside a long loop.
type Ticker struct {
	ctx  Context
	left int
}

// TickEvery is how many units of work pass between two looks: well below a
// millisecond of word operations.
const TickEvery = 1 << 17

// NewTicker returns a ticker whose first look is after TickEvery units.
func NewTicker(ctx Context) Ticker { return Ticker{ctx: ctx, left: TickEvery} }

// Tick notes n units of work and returns the context's error when it is done. The call
// itself is one more: a loop whose rounds have nothing to do ends too.
func (t *Ticker) Tick(n int) error {
	t.left -= n + 1
	if t.left > 0 {
		return nil
	}
	t.left = TickEvery
	return t.ctx.Err()
}

// Err looks at the context at once.
func (t *Ticker) Err() error { return t.ctx.Err() }
