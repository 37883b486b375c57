package atlas

import (
	"fmt"
	"math/big"
)

// The second ways of the pages about matching dice, cards, series, boards and bets.

func largest(faces []int) int {
	n := 0
	for x := 1; x <= 6; x++ {
		n = max(n, tally(faces, x, x))
	}
	return n
}

// occupied goes through the ways in which n dice fall on six faces, by how many show each.
func occupied(n int, each func(counts []int, p *big.Rat)) {
	counts := make([]int, 6)
	var put func(face, left int, ways *big.Rat)
	put = func(face, left int, ways *big.Rat) {
		if face == 5 {
			counts[5] = left
			each(counts, div(ways, pow(6, n)))
			return
		}
		for c := 0; c <= left; c++ {
			counts[face] = c
			put(face+1, left-c, mul(ways, over(left, c)))
		}
	}
	put(0, n, rat(1))
}

var _ = page("household", func() answers {
	sets := func(n int) (law, *big.Rat) {
		l, two := law{}, rat(0)
		occupied(n, func(counts []int, p *big.Rat) {
			top := 0
			for _, c := range counts {
				top = max(top, c)
			}
			l.add(top, p)
			if tally(counts, 2, 99) >= 2 {
				two = add(two, p)
			}
		})
		return l, two
	}
	five, pairs := sets(5)
	a := answers{"Largest set": five, "Two pairs of different faces": pairs}
	for n := 3; n <= 9; n++ {
		l, _ := sets(n)
		for i, name := range []string{"two", "three", "four"} {
			a[fmt.Sprintf("Success/%s alike/%d", name, n)] = l.atLeast(i + 2)
		}
	}
	return a
})

var _ = page("outgunned", func() answers {
	return answers{
		"A pair at first, exactly":                    chance(func(w *way) bool { return largest(w.dice(5, 6)) == 2 }),
		"Three alike after throwing the others again": chance(func(w *way) bool { return largest(append(w.dice(3, 6), 1, 1)) >= 3 }),
		"Four alike from three":                       sub(1, pow("5/6", 2)),
	}
})

func dual(w *way, advantage bool) string {
	hope, fear, extra := w.d(12), w.d(12), 0
	if advantage {
		extra = w.d(6)
	}
	if hope == fear {
		return "critical success"
	}
	return word(hope+fear+extra+2 >= 14, "success", "failure") + word(hope > fear, " with Hope", " with Fear")
}

var _ = page("daggerheart-duality", func() answers {
	roll := all(func(w *way) any { return dual(w, false) })
	better := all(func(w *way) any { return dual(w, true) })
	a := answers{"The roll": roll, "With advantage": sub(1, add(better.of("failure with Hope"), better.of("failure with Fear")))}
	for n := 10; n <= 20; n += 2 {
		a[fmt.Sprintf("Succeeds/chance/%d", n)] = chance(func(w *way) bool {
			x, y := w.d(12), w.d(12)
			return x == y || x+y+2 >= n
		})
	}
	return a
})

var _ = page("daggerheart-damage", func() answers {
	marks := func(n int) int { return 1 + tally([]int{n}, 8, 999) + tally([]int{n}, 15, 999) }
	return answers{
		"Marked":                   all(func(w *way) any { return marks(w.d(8) + w.d(8) + 3) }),
		"Marked by a critical hit": all(func(w *way) any { return marks(w.d(8) + w.d(8) + 19) }),
		"Marked with armour":       all(func(w *way) any { return marks(w.d(8)+w.d(8)+3) - 1 }),
		"Mean damage of an attack with +2 against 14": average(func(w *way) int {
			switch dual(w, false) {
			case "critical success":
				return 9 + 3 + 16
			case "success with Hope", "success with Fear":
				return 9 + 3
			}
			return 0
		}),
	}
})

var _ = page("neuroshima", func() answers {
	passes := func(attribute, dice int) *big.Rat {
		return chance(func(w *way) bool {
			over := 0
			for _, x := range w.low(3, 20)[:dice] {
				over += max(0, x-attribute)
			}
			return over <= 4
		})
	}
	a := answers{"Passes": passes(12, 2), "All three": passes(12, 3)}
	for n := 6; n <= 14; n += 2 {
		a[fmt.Sprintf("By attribute/chance/%d", n)] = passes(n, 2)
	}
	return a
})

var _ = page("dragonbane", func() answers {
	return answers{
		"Plain": "11/20", "With a boon": sub(1, pow("9/20", 2)), "With a bane": pow("11/20", 2),
		"A dragon with a boon": sub(1, pow("19/20", 2)), "With a push": add("11/20", mul("8/20", "11/20")),
		"With two boons": sub(1, pow("9/20", 3)),
	}
})

var _ = page("mork-borg", func() answers {
	blow := all(func(w *way) any {
		x := w.d(20)
		if x == 20 {
			return max(0, 2*w.d(6)-w.d(2))
		}
		if x+1 >= 12 {
			return max(0, w.d(6)-w.d(2))
		}
		return 0
	})
	need := make([]*big.Rat, 8) // mean blows for so many hit points
	need[0] = rat(0)
	for hp := 1; hp <= 7; hp++ {
		t := rat(1)
		for x, p := range blow {
			if n := x.(int); n > 0 {
				t = add(t, mul(p, need[max(0, hp-n)]))
			}
		}
		need[hp] = div(t, sub(1, blow.of(0)))
	}
	return answers{
		"Damage of a blow": blow, "Mean number of blows": need[7],
		"Mean damage without armour": add(mul("1/20", 7), mul("9/20", "7/2")), // 11 to 19 hit, 20 doubles
	}
})

var _ = page("traveller", func() answers {
	two := func(low, high, need int) *big.Rat {
		return chance(func(w *way) bool { return total(w.low(high, 6)[low:low+2]) >= need })
	}
	return answers{
		"Plain": two(0, 2, 7), "Boon": two(1, 3, 7), "Bane": two(0, 3, 7),
		"Effect of 4 or more": "3/36", "With a boon and in a hurry": two(1, 3, 9),
	}
})

var _ = page("magic-opening-hand", func() answers {
	l := law{}
	for k := range 8 {
		l[k] = dealt(40, 17, 7, k)
	}
	return answers{
		"Lands in the hand": l, "Two to five": l.p(func(k int) bool { return k >= 2 && k <= 5 }),
		"At least one of four copies in 60": sub(1, dealt(60, 4, 7, 0)),
	}
})

var _ = page("magic-mulligan", func() answers {
	good := rat(0)
	for k := 2; k <= 5; k++ {
		good = add(good, dealt(40, 17, 7, k))
	}
	bad := sub(1, good)
	return answers{
		"Cards that are kept":         law{7: good, 6: mul(bad, good), 5: mul(bad, bad)},
		"Mean":                        add(mul(7, good), mul(6, bad, good), mul(5, bad, bad)),
		"Three or four lands at once": add(dealt(40, 17, 7, 3), dealt(40, 17, 7, 4)),
	}
})

var _ = page("magic-mana-curve", func() answers {
	enough := func(lands, seen, need int) *big.Rat {
		p := rat(0)
		for k := need; k <= seen; k++ {
			p = add(p, dealt(60, lands, seen, k))
		}
		return p
	}
	a := answers{"Fourth land on the play with two more": enough(26, 10, 4)}
	for turn := 2; turn <= 6; turn++ {
		a[fmt.Sprintf("As many lands as turns/play/%d", turn)] = enough(24, 6+turn, turn)
		a[fmt.Sprintf("As many lands as turns/draw/%d", turn)] = enough(24, 7+turn, turn)
	}
	return a
})

var _ = page("pokemon-mulligan", func() answers {
	again := dealt(60, 12, 7, 0)
	a := answers{
		"Drawn again": again, "Cards that the other side gains": div(again, sub(1, again)),
		// A hand with one of the copies is one that stays.
		"One of four copies in the hand that stays": div(sub(1, dealt(60, 4, 7, 0)), sub(1, again)),
	}
	for n := 8; n <= 16; n += 2 {
		a[fmt.Sprintf("By basics/chance/%d", n)] = dealt(60, n, 7, 0)
	}
	return a
})

var _ = page("gacha-pity", func() answers {
	mean, left := rat(0), rat(1)
	a := answers{}
	for n := 1; n <= 90; n++ {
		mean = add(mean, left)
		p := frac(6, 1000)
		if n >= 74 {
			p = frac(min(1000, 6+60*(n-73)), 1000)
		}
		if n == 90 {
			p = rat(1)
		}
		left = mul(left, sub(1, p))
		if n == 50 || n == 75 {
			a[fmt.Sprintf("Within %d wishes", n)] = sub(1, left)
		}
	}
	a["Mean number of wishes"], a["Mean number of wishes for the right one"] = mean, mul("3/2", mean) // published: 62.3
	return a
})

var _ = page("raffle", func() answers {
	l := law{}
	for k := range 6 {
		l[k] = dealt(100, 8, 5, k)
	}
	// Nobody twice: I am drawn at some turn, after so many of the others and of the small one.
	var missed func(turns, others, small int) *big.Rat
	missed = func(turns, others, small int) *big.Rat {
		if turns == 0 {
			return rat(1)
		}
		weight := 8 + 8*others + 4*small
		p := mul(frac(8*others, weight), missed(turns-1, others-1, small))
		if small > 0 {
			p = add(p, mul(frac(4, weight), missed(turns-1, others, 0)))
		}
		return p
	}
	return answers{"At least one prize": l.atLeast(1), "Prizes": l, "Among five different winners": sub(1, missed(5, 11, 1))}
})

var _ = page("best-of-seven", func() answers {
	p, q := rat("55/100"), rat("45/100")
	wins := func(n int) (*big.Rat, law) {
		won, games := rat(0), law{}
		for lost := range n {
			ways := over(n-1+lost, lost)
			won = add(won, mul(ways, pow(p, n), pow(q, lost)))
			games.add(n+lost, add(mul(ways, pow(p, n), pow(q, lost)), mul(ways, pow(q, n), pow(p, lost))))
		}
		return won, games
	}
	seven, games := wins(4)
	three, _ := wins(2)
	return answers{"The better side wins": seven, "Games": games, "The better side wins a best of three": three}
})

var _ = page("knockout-tournament", func() answers {
	beats := func(a, b int) *big.Rat { return frac(a, a+b) }
	meet := func(a, b map[int]*big.Rat) map[int]*big.Rat {
		found := map[int]*big.Rat{}
		for x, p := range a {
			for y, q := range b {
				found[x] = add(word0(found[x]), mul(p, q, beats(x, y)))
				found[y] = add(word0(found[y]), mul(p, q, beats(y, x)))
			}
		}
		return found
	}
	one := func(x int) map[int]*big.Rat { return map[int]*big.Rat{x: rat(1)} }
	end := meet(meet(meet(one(8), one(1)), meet(one(5), one(4))), meet(meet(one(7), one(2)), meet(one(6), one(3))))
	mean := rat(0)
	for x, p := range end {
		mean = add(mean, mul(x, p))
	}
	return answers{"The first seed wins": end[8], "The second seed wins": end[7], "Strength of the winner, mean": mean}
})

func word0(x *big.Rat) *big.Rat {
	if x == nil {
		return new(big.Rat)
	}
	return x
}

var _ = page("monopoly-jail", func() answers {
	return answers{
		"Turns":          law{1: rat("1/6"), 2: rat("5/36"), 3: rat("25/36")},
		"Out by doubles": "91/216", "To jail by three doubles": "1/216",
		// Two throws of 7, the second after doubles; a third after two doubles, which counts unless it is doubles, too.
		"Squares of a turn": add(7, mul("1/6", 7), mul("1/36", "5/6", 7)),
	}
})

var _ = page("monopoly-squares", func() answers {
	// Time in each square, by the balance of what comes and goes; square 30 is never stood on.
	n := 40
	m, c := make([][]*big.Rat, n), make([]*big.Rat, n)
	for i := range n {
		m[i], c[i] = make([]*big.Rat, n), rat(0)
		for j := range n {
			m[i][j] = rat(0)
		}
	}
	for at := range n {
		for a := 1; a <= 6; a++ {
			for b := 1; b <= 6; b++ {
				to := (at + a + b) % n
				if to == 30 {
					to = 10
				}
				m[to][at] = add(m[to][at], "1/36")
			}
		}
	}
	// The first balance follows from the others: in its place the shares add up to 1.
	for j := range n {
		m[0][j] = rat(-1)
	}
	m[0][0], c[0] = rat(0), rat(1)
	x := linear(m, c)
	return answers{
		"Jail, or just visiting": x[10], "The orange ones": add(x[16], x[18], x[19]), "The dark blue ones": add(x[37], x[39]),
		"Any square": "1/40",
	}
})

var _ = page("snakes-and-ladders", func() answers {
	jumps := map[int]int{1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100,
		16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
	move := func(at, x int) int {
		if at+x > 100 {
			return at
		}
		if to, ok := jumps[at+x]; ok {
			return to
		}
		return at + x
	}
	m, c := make([][]*big.Rat, 100), make([]*big.Rat, 100)
	now := map[int]*big.Rat{0: rat(1)}
	for at := range 100 {
		m[at], c[at] = make([]*big.Rat, 100), rat(1)
		for j := range 100 {
			m[at][j] = rat(0)
		}
		for x := 1; x <= 6; x++ {
			if to := move(at, x); to < 100 {
				m[at][to] = add(m[at][to], "1/6")
			}
		}
	}
	for range 7 {
		next := map[int]*big.Rat{}
		for at, p := range now {
			if at == 100 {
				next[100] = add(word0(next[100]), p)
				continue
			}
			for x := 1; x <= 6; x++ {
				next[move(at, x)] = add(word0(next[move(at, x)]), mul(p, "1/6"))
			}
		}
		now = next
	}
	return answers{"Mean number of turns": linear(m, c)[0], "Over in seven turns": word0(now[100])}
})

// twoDice is how many of 36 throws of two dice total x.
func twoDice(x int) int { return 6 - max(x-7, 7-x) }

var _ = page("craps", func() answers {
	win := frac(twoDice(7)+twoDice(11), 36)
	for _, x := range []int{4, 5, 6, 8, 9, 10} {
		win = add(win, mul(frac(twoDice(x), 36), frac(twoDice(x), twoDice(x)+6)))
	}
	edge := sub(1, mul(2, win))
	return answers{
		"The pass line wins": "244/495", "The house keeps of a bet": edge, "The house keeps, with odds": edge,
		"Mean gain of don't pass": sub(sub(sub(1, win), win), "1/36"), // 12 on the first roll is a tie
	}
})

var _ = page("roulette", func() answers {
	// The ruin of gamblers: 1/(1 + r^n) with r = q/p, and (n/(q - p)) (1 - 2 P) spins.
	p := div(1, add(1, pow("19/18", 10)))
	return answers{"Doubled": p, "Doubled at once": "18/37", "Spins on average": mul(div(10, "1/37"), sub(1, mul(2, p)))}
})

var _ = page("texas-holdem-outs", func() answers {
	two := func(outs int) *big.Rat { return sub(1, mul(frac(47-outs, 47), frac(46-outs, 46))) }
	a := answers{"By the river": two(9), "On the turn": "9/47", "Backdoor flush": mul("10/47", "9/46")} // published: 35 %, 4.2 %
	for _, n := range []int{4, 8, 9, 12, 15} {
		a[fmt.Sprintf("By outs/by the river/%d", n)] = two(n)
	}
	return a
})

// dealer is the law of where the dealer ends; 22 is bust.
func dealer(total int, ace bool) law {
	best := total
	if ace && total <= 11 {
		best += 10
	}
	if best > 21 {
		return always(22)
	}
	if best >= 17 {
		return always(best)
	}
	found := law{}
	for x := 1; x <= 10; x++ {
		p := frac(1, 13)
		if x == 10 {
			p = frac(4, 13)
		}
		for end, q := range dealer(total+x, ace || x == 1) {
			found.add(end, mul(p, q))
		}
	}
	return found
}

var _ = page("blackjack-dealer", func() answers {
	a := answers{"The dealer ends on (22 is bust)": dealer(0, false)}
	for _, up := range []int{1, 2, 4, 5, 6, 7, 9, 10} {
		a[fmt.Sprintf("Busts by up card/chance/%d", up)] = dealer(up, up == 1).of(22)
	}
	// Without an ace as the second card, one of thirteen.
	a["Busts with a 10 and no blackjack"] = mul(dealer(10, false).of(22), "13/12")
	return a
})

var _ = page("backgammon-blot", func() answers {
	counts := []int{11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3} // as printed
	a := answers{"Hit": "17/36", "One of two is hit": chance(func(w *way) bool {
		x, y := w.d(6), w.d(6)
		return x == 4 || y == 4 || x+y == 4 || x+y == 7 || x == 1 && y == 1
	})}
	for i, n := range counts {
		a[fmt.Sprintf("By distance/chance/%d", i+1)] = frac(n, 36)
	}
	return a
})

var _ = page("backgammon-bar", func() answers {
	a := answers{"Enters": sub(1, pow("4/6", 2)), "Two checkers enter at once": pow("2/6", 2), "Within three turns": sub(1, pow("4/6", 6))}
	for n := 1; n <= 5; n++ {
		a[fmt.Sprintf("By closed points/chance/%d", n)] = sub(1, pow(frac(n, 6), 2))
	}
	return a
})

var _ = page("poker-hands", func() answers {
	// The printed counts; straights and nothing here hold the flushes.
	of := func(n int) *big.Rat { return frac(n, 2598960) }
	return answers{
		"By ranks alone": law{
			"four of a kind": of(624), "full house": of(3744), "three of a kind": of(54912), "two pair": of(123552),
			"a pair": of(1098240), "straight": of(10200 + 40), "nothing": of(1302540 + 5108),
		},
		"All of one suit": of(5108 + 40), "A straight flush": of(40), "A straight that is no flush": of(10200),
	}
})
