package dist

import (
	"reflect"
	"testing"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

// To add a number is to add a roll of that one outcome: the roll, the error and what is
// charged are the same, also where outcomes are listed, single, cut off or out of range.
func TestPlusIsAddOfAConstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, n := drawDist(t, "d"), drawInt(t, "n")
		switch rapid.IntRange(0, 3).Draw(t, "made by") {
		case 0:
			if more, err := d.Times(ctx, 2); err == nil {
				d = more
			}
		case 1:
			d = Must(Must(Die(6)).Explode(ctx, Only(6), Unlimited))
		}
		plus, add := NewBudget(Limits{}), NewBudget(Limits{})
		got, err := d.Plus(WithBudget(ctx, plus), n)
		want, wantErr := d.Add(WithBudget(ctx, add), Constant(n))
		if !reflect.DeepEqual(err, wantErr) || plus.Used() != add.Used() {
			t.Fatalf("%v + %d: got %v for %+v, want %v for %+v", d, n, err, plus.Used(), wantErr, add.Used())
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v + %d: got %v, want %v", d, n, got, want)
		}
	})
}
