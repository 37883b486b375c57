package atlas

import (
	"fmt"
	"math/big"
	"strings"
)

// The second ways of the pages about bids, daring, exploding dice, usage, lotteries and
// modern board games.

var _ = page("liars-dice", func() answers {
	match := hits(15, "1/3")
	return answers{
		"The bid is true": match.atLeast(5), "Matching dice of the others": match,
		"True without wild ones": hits(15, "1/6").atLeast(5),
	}
})

var _ = page("farkle", func() answers {
	// By how many dice show each face: no 1, no 5, no three alike, no three pairs.
	farkle := func(n int) *big.Rat {
		found := rat(0)
		occupied(n, func(c []int, p *big.Rat) {
			if c[0] == 0 && c[4] == 0 && tally(c, 3, 6) == 0 && tally(c, 2, 2) < 3 {
				found = add(found, p)
			}
		})
		return found
	}
	a := answers{"A farkle": "5/216", "No farkle twice": mul(sub(1, farkle(6)), sub(1, farkle(4)))}
	for n := 1; n <= 6; n++ {
		a[fmt.Sprintf("By dice/chance/%d", n)] = farkle(n)
	}
	return a
})

// pigTurn is the law of the points of a turn that holds at so many.
func pigTurn(sides, hold int) law {
	from := make([]law, hold+sides)
	for points := len(from) - 1; points >= 0; points-- {
		if points >= hold {
			from[points] = always(points)
			continue
		}
		found := law{0: frac(1, sides)}
		for x := 2; x <= sides; x++ {
			for end, p := range from[points+x] {
				found.add(end, mul(p, frac(1, sides)))
			}
		}
		from[points] = found
	}
	return from[0]
}

var _ = page("pig-hold", func() answers {
	a := answers{"Points of a turn": pigTurn(6, 20), "Mean with d8": pigTurn(8, 20).mean()} // published: 8.14 at 20
	for _, at := range []int{10, 15, 18, 20, 22, 25, 30} {
		a[fmt.Sprintf("Means/mean/%d", at)] = pigTurn(6, at).mean()
	}
	return a
})

var _ = page("ars-magica", func() answers {
	l := law{0: rat("1/10")}
	for n := range 6 { // so many 1s, and then 2 to 9, or 10 after a 1
		for x := 2; x <= 10; x++ {
			if x < 10 || n > 0 {
				l.add(x<<n, pow("1/10", n+1))
			}
		}
	}
	l.add(64, pow("1/10", 6))
	return answers{
		"Mean": l.mean(), "12 or more": l.atLeast(12), "20 or more": l.atLeast(20), "A botch": "1/100",
		"A simple die reaches it": "5/10", "A stress die reaches it": l.atLeast(6),
	}
})

var _ = page("one-roll-engine", func() answers {
	different := func(n, faces int) *big.Rat { // all of n dice different, each one of the faces
		p := rat(1)
		for i := range n {
			p = mul(p, frac(max(0, faces-i), 10))
		}
		return p
	}
	a := answers{
		"Any set with a die set to 10": sub(1, different(4, 9)),
		"Width": all(func(w *way) any {
			faces, n := w.dice(5, 10), 0
			for x := 1; x <= 10; x++ {
				n = max(n, tally(faces, x, x))
			}
			return n
		}),
	}
	for n := 2; n <= 10; n++ {
		a[fmt.Sprintf("Any set/chance/%d", n)] = sub(1, different(n, 10))
	}
	return a
})

var _ = page("tunnels-and-trolls", func() answers {
	plain, double := law{}, law{}
	for x := 1; x <= 6; x++ {
		for y := 1; y <= 6; y++ {
			if x == y {
				double.add(x+y, frac(1, 36))
			} else {
				plain.add(x+y, frac(1, 36))
			}
		}
	}
	l := law{} // weights, which add up to 1 in the end
	for x, p := range plain {
		l.add(x, p)
	}
	pairs := double
	for n := 2; n <= 8; n++ {
		for x, p := range pairs.plus(plain) {
			l.add(x, p)
		}
		pairs = pairs.plus(double)
	}
	for x, p := range pairs {
		l.add(x, p)
	}
	return answers{"Level 1": l.atLeast(9), "Level 2": l.atLeast(14), "Mean": l.mean()}
})

var _ = page("thirteenth-age", func() answers {
	damage := func(round int) law {
		return all(func(w *way) any {
			x := w.d(20)
			switch {
			case x == 1:
				return 0
			case x == 20:
				return 2 * (w.d(8) + 3)
			case x+6+min(6, round-1) >= 18:
				return w.d(8) + 3
			}
			return 1
		})
	}
	a := answers{
		"A foe of 27 falls in four rounds":   damage(1).plus(damage(2)).plus(damage(3)).plus(damage(4)).atLeast(27),
		"It falls in four rounds without it": damage(1).several(4).atLeast(27),
	}
	for r := 1; r <= 7; r++ {
		a[fmt.Sprintf("Mean damage by round/mean/%d", r)] = damage(r).mean()
	}
	return a
})

var _ = page("shadow-of-the-demon-lord", func() answers {
	a := answers{}
	top := func(w *way, n int) int {
		if n == 0 {
			return 0
		}
		return w.low(n, 6)[n-1]
	}
	for _, target := range []int{10, 13, 16, 19} {
		for boons := -2; boons <= 3; boons++ {
			a[fmt.Sprintf("Succeeds/%d/%d", target, boons)] = chance(func(w *way) bool {
				if boons < 0 {
					return w.d(20)+2-top(w, -boons) >= target
				}
				return w.d(20)+2+top(w, boons) >= target
			})
		}
	}
	for n := 1; n <= 4; n++ {
		a[fmt.Sprintf("Mean of boons/mean/%d", n)] = average(func(w *way) int { return top(w, n) })
	}
	return a
})

var _ = page("black-hack-usage-die", func() answers {
	// A die of n sides is used n/2 times on average; they add up from the smallest.
	a := answers{"Mean uses, shrinking on 1": 4 + 6 + 8}
	uses := 0
	for _, n := range []int{4, 6, 8, 10, 12, 20} {
		uses += n / 2
		a[fmt.Sprintf("Mean uses/mean/%d", n)] = uses
	}
	// Not yet used up after nine: fewer than three steps down.
	sizes := map[int]*big.Rat{8: rat(1)}
	for range 9 {
		next := map[int]*big.Rat{}
		for n, p := range sizes {
			if n == 2 {
				continue // used up
			}
			next[n] = add(word0(next[n]), mul(p, frac(n-2, n)))
			next[n-2] = add(word0(next[n-2]), mul(p, frac(2, n)))
		}
		sizes = next
	}
	a["It lasts ten uses or more"] = add(word0(sizes[8]), word0(sizes[6]), word0(sizes[4]))
	return a
})

var _ = page("ten-candles", func() answers {
	// m(n): with a 6 among n dice, k of which are lost.
	m := make([]*big.Rat, 11)
	m[0] = rat(0)
	for n := 1; n <= 10; n++ {
		total, stay := rat(0), rat(0)
		for k := 0; k < n; k++ {
			// k ones, at least one 6 among the others, which show 2 to 6
			p := mul(over(n, k), pow("1/6", k), sub(pow("5/6", n-k), pow("4/6", n-k)))
			total = add(total, p)
			if k == 0 {
				stay = p
			} else {
				total = add(total, mul(p, m[n-k]))
			}
		}
		m[n] = div(total, sub(1, stay))
	}
	a := answers{"The first roll succeeds": sub(1, pow("5/6", 10)), "Mean number of rolls that succeed": m[10]}
	for _, n := range []int{3, 5, 7, 10} {
		a[fmt.Sprintf("By dice/mean/%d", n)] = m[n]
	}
	a["The keeper has more 6s"] = reaches(hits(3, "1/6"), hits(7, "1/6").to(func(x int) any { return x + 1 }))
	return a
})

var _ = page("lottery-six-of-49", func() answers {
	l := law{}
	for k := range 7 {
		l[k] = dealt(49, 6, 6, k)
	}
	four := add(l[4], l[5], l[6])
	return answers{"Right numbers": l, "Four or more": four, "Four or more at least once": sub(1, pow(sub(1, four), 104))}
})

var _ = page("sticker-album", func() answers {
	sum := func(from int) *big.Rat { // 50/50 + 50/49 + ... + 50/from
		total := rat(0)
		for n := from; n <= 50; n++ {
			total = add(total, frac(50, n))
		}
		return total
	}
	return answers{"Mean number of stickers": sum(1), "Mean number for the first half": sum(26), "Mean number for the last one": 50}
})

var _ = page("gloomhaven", func() answers {
	// By the places of two different cards of the deck.
	damage := map[string]int{"0": 3, "+": 4, "-": 2, "2": 5, "m": 1, "n": 0, "x": 6}
	cards := strings.Split(strings.Repeat("0 ", 6)+strings.Repeat("+ ", 5)+strings.Repeat("- ", 5)+"2 m n x", " ")
	one, best, worst, n := law{}, 0, 0, 0
	sum := 0
	for i, a := range cards {
		one.add(damage[a], frac(1, 20))
		sum += damage[a]
		for j, b := range cards {
			if i != j {
				best, worst, n = best+max(damage[a], damage[b]), worst+min(damage[a], damage[b]), n+1
			}
		}
	}
	return answers{
		"Damage": one, "Mean with advantage": frac(best, n), "Mean with disadvantage": frac(worst, n),
		"Mean with two curses": frac(sum, 22),
	}
})

var _ = page("twilight-imperium", func() answers {
	type state struct{ a, b, c int }
	known := map[state]law{}
	var from func(s state) law
	from = func(s state) law {
		switch {
		case s.a == 0 && s.b+s.c == 0:
			return always("nobody")
		case s.a == 0:
			return always("theirs")
		case s.b+s.c == 0:
			return always("mine")
		case known[s] != nil:
			return known[s]
		}
		found, stay := law{}, rat(0)
		for h, p := range hits(s.a, "2/5") {
			for l, q := range hits(s.b, "2/5").plus(hits(s.c, "1/5")) {
				next := state{max(0, s.a-l.(int)), s.b, s.c}
				for range h.(int) {
					if next.c > 0 {
						next.c--
					} else if next.b > 0 {
						next.b--
					}
				}
				if next == s {
					stay = add(stay, mul(p, q))
					continue
				}
				for end, r := range from(next) {
					found.add(end, mul(p, q, r))
				}
			}
		}
		for end := range found {
			found[end] = div(found[end], sub(1, stay))
		}
		known[s] = found
		return found
	}
	return answers{"Who is left": from(state{3, 2, 1}), "With two fighters": from(state{3, 2, 3})}
})

var _ = page("quacks-of-quedlinburg", func() answers {
	// Every order of the nine chips of the bag, as far as it matters.
	a := answers{"Chips in the pot, 0 for an explosion": all(func(w *way) any {
		bag := []int{1, 1, 1, 1, 2, 2, 3, 0, 0}
		white, n := 0, 0
		for ; white < 6; n++ {
			white += draw(w, &bag)
		}
		if white > 7 {
			return 0
		}
		return n
	})}
	// After n chips: how many ways of so many 1s, 2s, 3s and others have more than 7.
	for n := 4; n <= 7; n++ {
		p := rat(0)
		for one := 0; one <= 4; one++ {
			for two := 0; two <= 2; two++ {
				for three := 0; three <= 1; three++ {
					if one+2*two+3*three > 7 {
						p = add(p, div(mul(over(4, one), over(2, two), over(1, three), over(2, n-one-two-three)), over(9, n)))
					}
				}
			}
		}
		a[fmt.Sprintf("It has exploded after/chance/%d", n)] = p
	}
	return a
})

var _ = page("betrayal-at-house-on-the-hill", func() answers {
	die := law{0: rat("1/3"), 1: rat("1/3"), 2: rat("1/3")}
	roll := die.several(6)
	l, left := law{}, rat(1)
	for omens := 1; omens <= 13; omens++ {
		p := sub(1, roll.atLeast(omens))
		l.add(omens, mul(left, p))
		left = mul(left, sub(1, p))
	}
	return answers{
		"The haunt begins with this omen": l, "Mean": l.mean(),
		"Four dice beat three": reaches(die.several(4), die.several(3).to(func(x int) any { return x + 1 })),
	}
})

var _ = page("memoir-44", func() answers {
	a := answers{"A flag among three dice": sub(1, pow("5/6", 3)), "Tanks against tanks": hits(3, "1/3")}
	for n := 1; n <= 3; n++ {
		l := hits(4-n, "1/2")
		a[fmt.Sprintf("Figures lost/mean/%d", n)] = frac(4-n, 2)
		a[fmt.Sprintf("Figures lost/two or more/%d", n)] = l.atLeast(2)
	}
	return a
})

var _ = page("rolemaster", func() answers {
	// reaches(n): an open roll that is added to what there is comes to n or more.
	var open func(n int) *big.Rat
	open = func(n int) *big.Rat {
		if n <= 1 {
			return rat(1)
		}
		p := rat(0)
		for x := 1; x <= 100; x++ {
			switch {
			case x >= 96:
				p = add(p, mul("1/100", open(n-x)))
			case x >= n:
				p = add(p, "1/100")
			}
		}
		return p
	}
	roll := func(n int, low bool) *big.Rat { // n or more
		p := rat(0)
		for x := 1; x <= 100; x++ {
			switch {
			case x >= 96:
				p = add(p, mul("1/100", open(n-x)))
			case x <= 5 && low: // x less a roll is n or more: the roll is x - n or less
				p = add(p, mul("1/100", sub(1, open(x-n+1))))
			case x >= n:
				p = add(p, "1/100")
			}
		}
		return p
	}
	chain := div("101/2", sub(1, "5/100"))
	return answers{
		"Mean":                          add("101/2", mul("5/100", chain), mul("-5/100", chain)),
		"101 or more with the bonus":    roll(61, true),
		"151 or more with the bonus":    roll(111, true),
		"Below 0 without it":            sub(1, roll(0, true)),
		"101 or more, open above alone": roll(61, false),
	}
})

var _ = page("runequest", func() answers {
	level := func(x, skill, special, critical, fumble int) int {
		switch {
		case x <= critical:
			return 4
		case x <= special:
			return 3
		case x <= skill:
			return 2
		case x > 100-fumble:
			return 0
		}
		return 1
	}
	l := law{}
	for x := 1; x <= 100; x++ {
		for y := 1; y <= 100; y++ {
			// of 70: 14, 4 (3.5), and 2 (1.5) of 30; of 55: 11, 3 (2.75), and 2 (2.25) of 45
			a, b := level(x, 70, 14, 4, 2), level(y, 55, 11, 3, 2)
			name := "tie"
			if a != b {
				name = word(a > b, "win", "lose")
			}
			l.add(name, frac(1, 10000))
		}
	}
	return answers{"By levels": l, "A special success or better": "14/100"}
})

var _ = page("birthday-of-the-party", func() answers {
	shared := func(n int) *big.Rat {
		p := rat(1)
		for i := range n {
			p = mul(p, frac(20-i, 20))
		}
		return sub(1, p)
	}
	a := answers{"Two share a number": shared(6)}
	for n := 3; n <= 8; n++ {
		a[fmt.Sprintf("By people/chance/%d", n)] = shared(n)
	}
	// At most pairs: j pairs among six people, and the others alone.
	pairs := rat(0)
	for j := 0; j <= 3; j++ {
		people := mul(over(6, 2*j), []int{1, 1, 3, 15}[j]) // ways to pair 2j of them
		faces := rat(1)
		for i := range 6 - j {
			faces = mul(faces, 20-i)
		}
		pairs = add(pairs, mul(people, faces))
	}
	a["Three share a number"] = sub(1, div(pairs, pow(20, 6)))
	return a
})

var _ = page("errata", func() answers {
	high := chance(func(w *way) bool { return w.low(3, 6)[2] > w.low(2, 6)[1] })
	second := chance(func(w *way) bool { return w.low(3, 6)[1] > w.low(2, 6)[0] })
	botch := func(n int) *big.Rat {
		return chance(func(w *way) bool {
			x := w.dice(n, 10)
			return tally(x, 1, 1) > tally(x, 10, 10)
		})
	}
	return answers{
		"Heads in two tosses": "3/4", "Eleven": "2/36", "Twelve": "1/36",
		"The face in three throws": "91/216", "In four throws, which is the first number above one half": "671/1296",
		"A pair of sixes in 24 throws": sub(1, pow("35/36", 24)), "In 25 throws": sub(1, pow("35/36", 25)),
		"The defender loses two": "2890/7776", "What independence would make of it": mul(high, second),
		"One die": botch(1), "Five dice": botch(5),
	}
})
