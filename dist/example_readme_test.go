package dist_test

import (
	"context"
	"fmt"

	"dicescript/dist"
)

func Example() {
	ctx := context.Background()
	d6 := dist.Must(dist.Die(6))
	pool := dist.Must(dist.Repeat(d6, 4))
	score := dist.Must(pool.DropLowest(ctx, 1))
	fmt.Println("at least 15:", score.AtLeast(15))
	fmt.Println("mean:", score.Mean())
	// Output:
	// at least 15: 25/108
	// mean: 15869/1296
}

// A die that explodes without end is cut where hardly anything is left. Its
// mean is exact all the same, and its chances come with a bound on their error.
func Example_unlimited() {
	ctx := context.Background()
	d6 := dist.Must(dist.Die(6))
	die := dist.Must(d6.Explode(ctx, d6.TopFace(), dist.Unlimited))
	three := dist.Must(die.Times(ctx, 3))
	fmt.Println("mean:", three.Mean())
	fmt.Println("certain to 22 digits:", three.Bound() < 1e-22)
	budget := dist.NewBudget(dist.Limits{Work: 1_000_000})
	_, err := die.Times(dist.WithBudget(ctx, budget), 100_000)
	fmt.Println("100 000 dice are refused:", err != nil)
	// Output:
	// mean: 63/5
	// certain to 22 digits: true
	// 100 000 dice are refused: true
}
