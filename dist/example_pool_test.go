package dist_test

import (
	"context"
	"fmt"

	"dicescript/dist"
)

func ExamplePool_DropLowest() {
	ctx := context.Background()
	pool := dist.Must(dist.Repeat(dist.Must(dist.Die(6)), 4))
	score := dist.Must(pool.DropLowest(ctx, 1))
	fmt.Println("mean", score.Mean().FloatString(3), "P(18)", score.PMF(18))
	// Output: mean 12.245 P(18) 7/432
}

func ExamplePool_Highest() {
	ctx := context.Background()
	d8, d6 := dist.Must(dist.Die(8)), dist.Must(dist.Die(6))
	// Savage Worlds: a trait die beside a wild die, the better one counts.
	trait := dist.Must(dist.NewPool(d8, d6))
	best := dist.Must(trait.Highest(ctx, 1))
	fmt.Println(best.AtLeast(4))
	// Output: 13/16
}

// A full house is a rule about how many dice show each face, so a state machine
// over the faces decides it without a look at the 7776 rolls.
func ExampleEvaluate() {
	type seen struct{ pair, three bool }
	pool := dist.Must(dist.Repeat(dist.Must(dist.Die(6)), 5))
	hands, err := dist.Evaluate(context.Background(), pool, seen{}, func(s seen, face, count int) (seen, error) {
		s.pair = s.pair || count == 2
		s.three = s.three || count == 3
		return s, nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(hands.Weight(seen{pair: true, three: true}), "of", hands.Total())
	// Output: 300 of 7776
}
