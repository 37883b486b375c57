package dist_test

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/dist"
)

// How long until two sixes come in a row?
func ExampleWaitingTime() {
	ctx := context.Background()
	d6 := dist.Must(dist.Die(6))
	rolls := dist.Must(dist.WaitingTime(ctx, 0, func(sixes int) (*dist.Outcomes[int], error) {
		return dist.Classify(ctx, d6, nil, func(face int) (int, error) {
			if face == 6 {
				return sixes + 1, nil
			}
			return 0, nil
		})
	}, func(sixes int) (bool, error) { return sixes == 2, nil }))
	fmt.Println("mean", rolls.Mean().RatString(), "variance", rolls.Variance().RatString())
	// Output: mean 42 variance 1650
}

// A gambler with 3 of 10 coins plays even chances to the end.
func ExampleSettle() {
	ctx := context.Background()
	game := dist.Must(dist.Settle(ctx, 3, func(coins int) (*dist.Outcomes[int], error) {
		if coins == 0 || coins == 10 {
			return dist.Certain(coins), nil
		}
		return dist.NewOutcomes(ctx, []int{coins - 1, coins + 1}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0)
	}))
	wins, _ := game.P(10)
	rounds, _ := game.MeanSteps()
	fmt.Println("wins", wins.RatString(), "in", rounds.RatString(), "rounds on average")
	// Output: wins 3/10 in 21 rounds on average
}

// A torch is lit, flickers or is out, and is lit again.
func ExampleStationary() {
	share := dist.Must(dist.Stationary(context.Background(), "lit", func(torch string) (*dist.Outcomes[string], error) {
		switch torch {
		case "lit":
			return dist.NewOutcomes(context.Background(), []string{"lit", "flickers"}, []*big.Int{big.NewInt(5), big.NewInt(1)}, 0)
		case "flickers":
			return dist.NewOutcomes(context.Background(), []string{"lit", "out"}, []*big.Int{big.NewInt(1), big.NewInt(1)}, 0)
		}
		return dist.Certain("lit"), nil
	}))
	p, _ := share.P("out")
	fmt.Println(p.RatString())
	// Output: 1/15
}

// A d6 is rolled up to three times, and the last roll counts: when to stop?
func ExampleBestPlay() {
	type state struct{ face, left int }
	ctx := context.Background()
	d6 := dist.Must(dist.Die(6))
	plan := dist.Must(dist.BestPlay(ctx, state{0, 3}, dist.Game[state, string]{
		Turn: func(s state) (dist.Turn[state, string], error) {
			if s.left == 0 {
				return dist.Turn[state, string]{Payoff: big.NewRat(int64(s.face), 1)}, nil
			}
			rolled, err := dist.Classify(ctx, d6, nil, func(face int) (state, error) { return state{face, s.left - 1}, nil })
			t := dist.Turn[state, string]{Moves: []dist.Move[state, string]{{Name: "roll", Next: rolled}}}
			if s.face > 0 {
				t.Moves = append(t.Moves, dist.Move[state, string]{Name: "stop", Next: dist.Certain(state{s.face, 0})})
			}
			return t, err
		},
	}))
	fmt.Println("mean", plan.Value())
	for face := 1; face <= 6; face++ {
		first, _ := plan.Best(state{face, 2})
		second, _ := plan.Best(state{face, 1})
		fmt.Println(face, first, second)
	}
	// Output:
	// mean 14/3
	// 1 roll roll
	// 2 roll roll
	// 3 roll roll
	// 4 roll stop
	// 5 stop stop
	// 6 stop stop
}
