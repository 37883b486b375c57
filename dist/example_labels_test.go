package dist_test

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/dist"
)

func ExampleTuples() {
	attack, defence := dist.Must(dist.Die(6)), dist.Must(dist.Die(4))
	var t dist.Tally[string]
	err := dist.Tuples(context.Background(), []*dist.Dist{attack, defence}, func(faces []int, w dist.Weight) error {
		switch a, d := faces[0], faces[1]; {
		case a == 6 && d == 1:
			t.Add("critical", w)
		case a > d:
			t.Add("hit", w)
		default:
			t.Add("miss", w)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := dist.TallyOutcomes(context.Background(), &t, []string{"miss", "hit", "critical"}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for label, weight := range o.All() {
		fmt.Printf("%s %v/%v\n", label, weight, o.Total())
	}
	// Output:
	// miss 10/24
	// hit 13/24
	// critical 1/24
}

// Risk with two dice on either side: the highest are compared, then the next;
// the defender wins ties.
func ExampleSorted() {
	pair := dist.Must(dist.Repeat(dist.Must(dist.Die(6)), 2))
	var losses dist.Tally[int]
	err := dist.Sorted(context.Background(), []*dist.Pool{pair, pair}, func(faces [][]int, w dist.Weight) error {
		attacker, defender := faces[0], faces[1]
		lost := 0
		for i := range attacker {
			if attacker[i] > defender[i] {
				lost++
			}
		}
		losses.Add(lost, w)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := dist.Must(dist.TallyDist(context.Background(), &losses, 0))
	for n, w := range d.All() {
		fmt.Printf("the defender loses %d: %v/%v\n", n, w, d.Total())
	}
	// Output:
	// the defender loses 0: 581/1296
	// the defender loses 1: 420/1296
	// the defender loses 2: 295/1296
}

func ExampleTally() {
	var t dist.Tally[string]
	one, _ := dist.NewWeight(big.NewInt(1))
	for _, word := range []string{"heads", "tails", "tails"} {
		t.Add(word, one)
	}
	for key, w := range t.All() {
		fmt.Println(key, w)
	}
	fmt.Println("of", t.Total())
	// Output:
	// heads 1
	// tails 2
	// of 3
}

func ExampleWeight_Times() {
	w, _ := dist.NewWeight(new(big.Int).Exp(big.NewInt(10), big.NewInt(12), nil))
	fmt.Println(w.Times(w))
	// Output: 1000000000000000000000000
}

func ExampleClassify() {
	ctx := context.Background()
	roll := dist.Must(dist.Must(dist.Die(6)).Times(ctx, 2))
	moves := []string{"miss", "weak hit", "strong hit"}
	o, err := dist.Classify(ctx, roll, moves, func(x int) (string, error) {
		return moves[min(2, max(0, x-4)/3)], nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for label := range o.All() {
		p, _ := o.P(label)
		fmt.Println(label, p)
	}
	least, _ := o.AtLeast("weak hit")
	fmt.Println("some hit", least)
	// Output:
	// miss 5/12
	// weak hit 5/12
	// strong hit 1/6
	// some hit 7/12
}

func ExampleOutcomes_Values() {
	o, _ := dist.NewOutcomes(context.Background(), []string{"miss", "hit", "critical"}, []*big.Int{big.NewInt(9), big.NewInt(10), big.NewInt(1)}, 0)
	damage := map[string]int{"hit": 5, "critical": 10}
	d, err := o.Values(context.Background(), func(label string) (int, error) { return damage[label], nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("mean damage", d.Mean())
	// Output: mean damage 3/1
}

func ExampleOutcomes_In() {
	o, _ := dist.NewOutcomes(context.Background(), []string{"miss", "hit", "critical"}, []*big.Int{big.NewInt(9), big.NewInt(10), big.NewInt(1)}, 0)
	p, known := o.In("hit", "critical")
	fmt.Println(p, known, "of", o.Len(), "labels")
	_, known = o.In("fumble")
	fmt.Println(known)
	// Output:
	// 11/20 true of 3 labels
	// false
}

func ExampleRelabel() {
	o := dist.DistOutcomes(dist.Must(dist.Die(6)))
	parity, _ := dist.Relabel(context.Background(), o, func(x int) (string, error) {
		return []string{"even", "odd"}[x%2], nil
	})
	p, _ := parity.P("even")
	fmt.Println(parity.Labels(), p)
	// Output: [odd even] 1/2
}

func ExampleMixOutcomes() {
	trained := dist.DistOutcomes(dist.Must(dist.Die(2)))
	untrained := dist.DistOutcomes(dist.Must(dist.Die(3)))
	o, err := dist.MixOutcomes(context.Background(), []dist.OutcomesPart[int]{
		{Weight: big.NewRat(1, 4), Outcomes: trained},
		{Weight: big.NewRat(3, 4), Outcomes: untrained},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for label, w := range o.All() {
		fmt.Printf("%d: %v/%v\n", label, w, o.Total())
	}
	// Output:
	// 1: 3/8
	// 2: 3/8
	// 3: 2/8
}

// A torch that goes out on a 1 of a d6 shrinks from step to step.
func ExampleIterate() {
	o, err := dist.Iterate(context.Background(), 2, func(torches int) (*dist.Outcomes[int], error) {
		if torches == 0 {
			return dist.Certain(0), nil
		}
		return dist.NewOutcomes(context.Background(), []int{torches - 1, torches}, []*big.Int{big.NewInt(1), big.NewInt(5)}, 0)
	}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for torches, w := range o.All() {
		fmt.Printf("%d: %v/%v\n", torches, w, o.Total())
	}
	// Output:
	// 2: 125/216
	// 1: 75/216
	// 0: 16/216
}

// Craps: the shooter who needs a four wins with chance 1/3, however long it
// takes.
func ExampleAbsorb() {
	ctx := context.Background()
	roll := dist.Must(dist.Must(dist.Die(6)).Times(ctx, 2))
	o, err := dist.Absorb(ctx, "rolling", func(state string) (*dist.Outcomes[string], error) {
		if state != "rolling" {
			return dist.Certain(state), nil
		}
		return dist.Classify(ctx, roll, nil, func(x int) (string, error) {
			switch x {
			case 4:
				return "won", nil
			case 7:
				return "lost", nil
			}
			return "rolling", nil
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, _ := o.P("won")
	fmt.Println(p)
	// Output: 1/3
}

// How many rolls of a d6 until the first six, looking at three at most.
func ExampleFirstTime() {
	o, err := dist.FirstTime(context.Background(), 0, func(int) (*dist.Outcomes[int], error) {
		return dist.DistOutcomes(dist.Must(dist.Die(6))), nil
	}, func(face int) (bool, error) { return face == 6, nil }, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	for n := range o.All() {
		p, _ := o.P(n)
		fmt.Println(n, p)
	}
	// Output:
	// 0 0/1
	// 1 1/6
	// 2 5/36
	// 3 25/216
	// 4 125/216
}
