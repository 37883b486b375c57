package dist

import (
	"context"

	"dicescript/dist/upper"
)

// A budget counts what is made, the same on every machine. Whoever computes at their own
// machine may bound what is held at once in place of that: someone watches the memory of
// the process and ends the computation, and no one table is begun that would not fit.

// HeldResource is the memory that a process holds at once.
const HeldResource Resource = "held"

type heldKey struct{}

// WithHeld returns a context under which no table takes more than so many bytes.
func WithHeld(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, heldKey{}, bytes)
}

// OverHeld returns the error of a process that would hold so many bytes.
func OverHeld(need, limit int64) *LimitError {
	return &LimitError{Resource: HeldResource, Unit: "bytes of memory at once", Need: need, Limit: limit}
}

// smallTable is how many cells a table may have that is not looked at: 8 MB.
const smallTable = 1 << 20

// fitsHeld refuses a table that takes more than may be held.
func fitsHeld(ctx context.Context, cells int64) error {
	if cells <= smallTable {
		return nil
	}
	limit, ok := ctx.Value(heldKey{}).(int64)
	if need := upper.MulSat(8, cells); ok && need > limit {
		return OverHeld(need, limit)
	}
	return nil
}
