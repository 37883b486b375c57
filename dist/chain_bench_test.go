package dist

import (
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
)

// A fighter in a fight to the death.
type fighter struct {
	hit    int // of twenty
	damage []int
}

// A fight is the hit points that are left on both sides, and whose blow is next.
type fight struct {
	hp   [2]int16
	turn int8
}

var fighters = [2]fighter{{12, []int{4, 5, 6, 7, 8, 9, 10, 11}}, {10, []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}}}

// fightProcess is blow after blow: a d20 against the armour, and a die and a bonus of
// damage, until one side is dead.
func fightProcess(hp int16) (*Process, error) {
	p := &Process{}
	at := make([]int32, int(hp+1)*int(hp+1)*2)
	var states []fight
	number := func(s fight) int {
		n := &at[(int(s.hp[0])*int(hp+1)+int(s.hp[1]))*2+int(s.turn)]
		if *n == 0 {
			states = append(states, s)
			*n = int32(p.State()) + 1
		}
		return int(*n) - 1
	}
	number(fight{hp: [2]int16{hp, hp}})
	var edges []Edge
	return p, p.Explore(ctx, func(i int) error {
		s := states[i]
		if s.hp[0] == 0 || s.hp[1] == 0 {
			p.End(i, big.NewRat(int64(s.hp[0]), 1))
			return nil
		}
		who := fighters[s.turn]
		other := 1 - s.turn
		edges = append(edges[:0], Edge{To: number(fight{s.hp, other}), Weight: Weight{word: nat.Limb((20 - who.hit) * len(who.damage))}})
		for _, x := range who.damage {
			next := fight{s.hp, other}
			if next.hp[other] -= int16(x); next.hp[other] <= 0 {
				next = fight{turn: s.turn}
				next.hp[s.turn] = 1
			}
			edges = append(edges, Edge{To: number(next), Weight: Weight{word: nat.Limb(who.hit)}})
		}
		return p.Way(ctx, i, edges, 0)
	})
}

func fought(hp int16) (*Dist, error) {
	p, err := fightProcess(hp)
	if err != nil {
		return nil, err
	}
	ends, err := p.Ends(ctx, nil)
	if err != nil {
		return nil, err
	}
	return ends.Values(ctx, func(s int) (int, error) { return int(p.graph.States[s].Payoff.Num().Int64()), nil })
}

// riskLosses is how often, of 7776, the attacker loses so many armies with three dice
// against two, and so on.
var riskLosses = map[[2]int][]int64{
	{1, 1}: {15, 21}, {2, 1}: {125, 91}, {3, 1}: {855, 441},
	{1, 2}: {55, 161}, {2, 2}: {295, 420, 581}, {3, 2}: {2890, 2611, 2275},
}

// battle is one throw of the dice in a game of Risk that is fought until one side is gone.
func battle(s [2]int) (*Outcomes[[2]int], error) {
	a, d := s[0], s[1]
	if a == 0 || d == 0 {
		return Certain(s), nil
	}
	weights := riskLosses[[2]int{min(a, 3), min(d, 2)}]
	lost := min(a, d, 2)
	if min(a, 3) == 1 || min(d, 2) == 1 {
		lost = 1
	}
	var labels [][2]int
	var w []*big.Int
	for k, x := range weights {
		labels = append(labels, [2]int{a - k, d - (lost - k)})
		w = append(w, big.NewInt(x))
	}
	return NewOutcomes(ctx, labels, w, 0)
}

func conquered(armies int) (*Dist, error) {
	o, err := Absorb(ctx, [2]int{armies, armies}, battle)
	if err != nil {
		return nil, err
	}
	return o.Values(ctx, func(s [2]int) (int, error) { return min(s[0], 1), nil })
}

// threeBoxes is a game of Yahtzee with three boxes left: threes, a full house and a large
// straight. Dice that are not kept are 0, and then they are thrown.
type threeBoxes struct {
	open int8 // a bit for each box
	left int8 // throws
	dice [5]int8
}

// thrown are the states after a throw of the dice that are not kept.
func (s threeBoxes) thrown() (*Outcomes[threeBoxes], error) {
	n := 0
	for _, x := range s.dice {
		if x == 0 {
			n++
		}
	}
	var t Tally[threeBoxes]
	err := Sorted(ctx, []*Pool{dice(n, 6)}, func(faces [][]int, w Weight) error {
		next := s
		for i, x := range faces[0] {
			next.dice[i] = int8(x)
		}
		slices.Sort(next.dice[:])
		t.Add(next, w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return TallyOutcomes(ctx, &t, nil, 0)
}

// score is what a box pays.
func (s threeBoxes) score(box int) int64 {
	var count [7]int
	threes := int64(0)
	for _, x := range s.dice {
		if count[x]++; x == 3 {
			threes += 3
		}
	}
	switch {
	case box == 0:
		return threes
	case box == 1 && slices.Contains(count[:], 3) && slices.Contains(count[:], 2):
		return 25
	case box == 2 && slices.Max(count[:]) == 1 && (count[1] == 0 || count[6] == 0):
		return 40
	}
	return 0
}

func (s threeBoxes) turn() (Turn[threeBoxes, threeBoxes], error) {
	var t Turn[threeBoxes, threeBoxes]
	if s.open == 0 {
		t.Payoff = new(big.Rat)
		return t, nil
	}
	if s.dice[0] == 0 {
		next, err := s.thrown()
		t.Moves = []Move[threeBoxes, threeBoxes]{{Next: next}}
		return t, err
	}
	seen := map[threeBoxes]bool{}
	for keep := 0; s.left > 0 && keep < 31; keep++ {
		kept := threeBoxes{open: s.open, left: s.left - 1}
		for i, x := range s.dice {
			if keep>>i&1 == 1 {
				kept.dice[i] = x
			}
		}
		if slices.Sort(kept.dice[:]); !seen[kept] {
			seen[kept] = true
			t.Moves = append(t.Moves, Move[threeBoxes, threeBoxes]{Name: kept, Next: Certain(kept)})
		}
	}
	for box := range 3 {
		if s.open>>box&1 == 1 {
			next := threeBoxes{open: s.open &^ (1 << box), left: 2}
			t.Moves = append(t.Moves, Move[threeBoxes, threeBoxes]{Name: next, Next: Certain(next), Reward: big.NewRat(s.score(box), 1)})
		}
	}
	return t, nil
}

// plans are questions of best play, whose values are checked.
var plans = []struct {
	name  string
	value func() (*big.Rat, error)
	want  string
}{
	{"three_boxes_of_yahtzee", func() (*big.Rat, error) {
		plan, err := BestPlay(ctx, threeBoxes{open: 7, left: 2}, Game[threeBoxes, threeBoxes]{Turn: threeBoxes.turn})
		if err != nil {
			return nil, err
		}
		return plan.Value(), nil
	}, "366304634843128803690633332501/9790645414192188037967904768"},
	{"pig_50", func() (*big.Rat, error) {
		plan, err := BestPlay(ctx, pig{}, pigGame(50))
		if err != nil {
			return nil, err
		}
		return plan.Value(), nil
	}, "0.5461508441667879745"},
}
