package dist

import (
	"context"
	"testing"
)

// What an operation has made sure of before it began counts as asked for, whether or not
// it was charged in the end.
func TestBudgetAsked(t *testing.T) {
	b := NewBudget(Limits{Work: 100})
	ctx := WithBudget(context.Background(), b)
	want := func(asked int64) {
		t.Helper()
		if got := b.Asked(); got != asked {
			t.Errorf("%d have been asked for, want %d", got, asked)
		}
	}
	want(0)
	if err := ChargeWork(ctx, 10); err != nil {
		t.Fatal(err)
	}
	want(10)
	if err := wouldFit(ctx, 60); err != nil {
		t.Fatal(err)
	}
	want(70)
	if err := wouldFit(ctx, 95); err == nil {
		t.Error("95 more fit")
	}
	want(70)
	if err := ChargeWork(ctx, 80); err != nil {
		t.Fatal(err)
	}
	want(90)
}
