package dist

import (
	"context"
	"errors"
	"testing"
)

// A table that would take more than may be held is not begun, whatever the budget holds;
// smaller ones are not counted.
func TestHeld(t *testing.T) {
	ctx := WithBudget(WithHeld(t.Context(), 64<<20), NewBudget(Limits{}))
	for range 100 {
		if err := ChargeTable(ctx, 1<<20, 4); err != nil {
			t.Fatal(err)
		}
	}
	for _, ctx := range []context.Context{ctx, WithHeld(t.Context(), 64<<20)} {
		var met *LimitError
		if err := ChargeTable(ctx, 1<<20, 9); !errors.As(err, &met) || met.Resource != HeldResource || met.Need != 72<<20 || met.Limit != 64<<20 {
			t.Errorf("got %v", err)
		}
	}
	if err := ChargeTable(WithBudget(t.Context(), NewBudget(Limits{})), 1<<20, 9); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}
