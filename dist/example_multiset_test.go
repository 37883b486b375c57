package dist_test

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/dist"
)

// A red die cancels a green one that shows the same face: how many green dice
// are left of three?
func ExampleEvaluateTogether() {
	d6 := dist.Must(dist.Die(6))
	green := dist.Must(dist.Repeat(d6, 3)).Multiset()
	red := dist.Must(dist.Repeat(d6, 2)).Multiset()
	left, err := dist.EvaluateTogether(context.Background(), []*dist.Multiset{green, red}, dist.Ascending, 0,
		func(left, face int, counts []int) (int, error) { return left + max(0, counts[0]-counts[1]), nil })
	if err != nil {
		panic(err)
	}
	for n := 1; n <= 3; n++ {
		fmt.Println(n, left.Weight(n), "of", left.Total())
	}
	// Output:
	// 1 996 of 7776
	// 2 4110 of 7776
	// 3 2670 of 7776
}

func ExampleMultiset_KeepHighest() {
	ctx := context.Background()
	pool := dist.Must(dist.Repeat(dist.Must(dist.Die(6)), 4))
	kept := dist.Must(pool.Multiset().KeepHighest(3))
	fmt.Println("three sixes:", dist.Must(kept.Count(ctx, dist.Only(6))).PMF(3))
	// Output: three sixes: 7/432
}

func ExampleDeck_Deal() {
	ranks, four := make([]int, 13), make([]int, 13)
	for i := range ranks {
		ranks[i], four[i] = i+2, 4
	}
	deck := dist.Must(dist.NewDeck(ranks, four))
	hand := dist.Must(deck.Deal(5)).Hand(0)
	fmt.Println("four of a kind:", dist.Must(hand.LargestSet(context.Background())).PMF(4))
	// Output: four of a kind: 1/4165
}

// Of the cards that a player sees, none is dealt again.
func ExampleDeck_Without() {
	ranks, four := make([]int, 13), make([]int, 13)
	for i := range ranks {
		ranks[i], four[i] = i+2, 4
	}
	rest := dist.Must(dist.Must(dist.NewDeck(ranks, four)).Without(14, 14, 13))
	next := dist.Must(rest.Deal(1)).Hand(0)
	fmt.Println("an ace of", rest.Size(), "cards:", dist.Must(next.Count(context.Background(), dist.Only(14))).PMF(1))
	// Output: an ace of 49 cards: 2/49
}

// A bag holds ten small stones and two large ones, each three times as easy to
// grasp.
func ExampleDeck_DealWeighted() {
	bag := dist.Must(dist.NewDeck([]int{1, 2}, []int{10, 2}))
	hand := dist.Must(bag.DealWeighted(2, []*big.Int{big.NewInt(1), big.NewInt(3)})).Hand(0)
	large := dist.Must(hand.Count(context.Background(), dist.Only(2)))
	fmt.Println(large.PMF(0), large.PMF(1), large.PMF(2))
	// Output: 3/8 7/13 9/104
}

// Ten-again: 8 or more is a success, and a 10 adds a die.
func ExamplePool_CountAgain() {
	pool := dist.Must(dist.Repeat(dist.Must(dist.Die(10)), 5))
	successes := dist.Must(pool.CountAgain(context.Background(), dist.From(8), dist.Only(10)))
	fmt.Println("mean", successes.Mean().RatString())
	// Output: mean 5/3
}

// A symbol die shows swords and shields.
func ExampleVectors_Add() {
	ctx := context.Background()
	one := big.NewInt(1)
	die := dist.Must(dist.NewVectors(ctx, [][]int{{1, 0}, {0, 1}, {1, 1}}, []*big.Int{one, one, one}, 0))
	for symbols, weight := range dist.Must(die.Add(ctx, die)).All() {
		fmt.Println(symbols, weight)
	}
	// Output:
	// [0 2] 1
	// [1 1] 2
	// [1 2] 2
	// [2 0] 1
	// [2 1] 2
	// [2 2] 1
}

// Of two symbol dice, the swords alone.
func ExampleVectors_Item() {
	ctx := context.Background()
	one := big.NewInt(1)
	die := dist.Must(dist.NewVectors(ctx, [][]int{{1, 0}, {0, 1}, {1, 1}}, []*big.Int{one, one, one}, 0))
	two := dist.Must(die.Add(ctx, die))
	fmt.Println(dist.Must(two.Item(ctx, 0)).AtLeast(1), "of", two.Total(), "ways")
	// Output: 8/9 of 9 ways
}
