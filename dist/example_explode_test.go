package dist_test

import (
	"context"
	"fmt"

	"dicescript/dist"
)

// A d6 that is rolled again and added on every 6, without a limit.
func ExampleDist_Explode() {
	d6 := dist.Must(dist.Die(6))
	d, err := d6.Explode(context.Background(), d6.TopFace(), dist.Unlimited)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Mean(), d.Variance())
	fmt.Println(d.PMF(6), d.PMF(7))
	fmt.Println(d.Bound() < 1e-24, d.UnboundedAbove())
	// Output:
	// 21/5 266/25
	// 0/1 1/36
	// true true
}

// An open-ended percentile roll: 1-5 subtracts a chain of further rolls, 96-100
// adds one, and the chain goes on while it shows 96-100.
func ExampleOpenEnded() {
	low, high := dist.Must(dist.Through(1, 5)), dist.From(96)
	d, err := dist.OpenEnded(context.Background(), dist.Must(dist.Die(100)), low, high, high, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Mean(), d.AtLeast(150), d.Min(), d.Max())
	// Output:
	// 101/2 49/2000 -899 1000
}

// Five d6 of which even faces succeed and a 6 adds a die to the next wave.
func ExampleSuccessPool() {
	d, err := dist.SuccessPool(context.Background(), 5, 6, dist.Baseline, dist.Unlimited)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Mean(), d.PMF(0))
	// Output:
	// 3/1 1/32
}

// As many d6 as a d4 shows.
func ExampleTimesRolled() {
	d4, d6 := dist.Must(dist.Die(4)), dist.Must(dist.Die(6))
	d, err := dist.TimesRolled(context.Background(), d4, d6)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Mean(), d.PMF(24))
	// Output:
	// 35/4 1/5184
}
