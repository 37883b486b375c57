package atlas

import (
	"fmt"
	"math/big"
)

// The second ways of the pages about Star Wars, the Year Zero Engine, Warhammer, and games
// that are played on a table.

// ace is the law of a d6 that is added and rolled again on a 6, so often at most.
func ace(again int) law {
	l := law{}
	for depth := 0; depth <= again; depth++ {
		for x := 1; x <= 6; x++ {
			if x < 6 || depth == again {
				l.add(6*depth+x, pow("1/6", depth+1))
			}
		}
	}
	return l
}

var _ = page("star-wars-d6", func() answers {
	a := answers{"A complication": "1/6"}
	bad := all(func(w *way) any { return total(w.low(4, 6)[:3]) + 1 })
	wild := law{6: rat(0)}
	for x := 2; x <= 5; x++ {
		wild[x] = rat("1/5")
	}
	for x, p := range ace(6) {
		wild.add(x.(int)+6, mul("1/5", p))
	}
	good := sum(6, 6, 6, 6).plus(wild).to(func(x int) any { return x + 1 })
	five := sum(6, 6, 6, 6, 6)
	for _, n := range []int{10, 15, 20, 25} {
		a[fmt.Sprintf("Reached/chance/%d", n)] = add(mul("1/6", bad.atLeast(n)), mul("5/6", good.atLeast(n)))
		a[fmt.Sprintf("Reached without/chance/%d", n)] = five.atLeast(n - 1)
	}
	return a
})

var _ = page("star-wars-force", func() answers {
	two := func(f func(light, dark int) bool) *big.Rat {
		return chance(func(w *way) bool {
			light, dark := 0, 0
			for range 2 {
				switch x := w.d(12); {
				case x <= 6:
					dark++
				case x == 7:
					dark += 2
				case x <= 9:
					light++
				default:
					light += 2
				}
			}
			return f(light, dark)
		})
	}
	return answers{
		"Mean of light points":      "16/12",
		"Mean of dark points":       "16/12",
		"At least two light points": two(func(l, d int) bool { return l >= 2 }),
		"No light point at all":     pow("7/12", 2),
		"Three points or more":      two(func(l, d int) bool { return l+d >= 3 }),
	}
})

var _ = page("year-zero-push", func() answers {
	// A base or gear die ends at 6 with 1/6 + 4/6 · 1/6, at 1 alike; a skill die with 1/6 + 5/6 · 1/6.
	six, skill := add("1/6", "4/36"), add("1/6", "5/36")
	return answers{
		"A success":                       sub(1, pow("5/6", 7)),
		"A success with a push":           sub(1, mul(pow(sub(1, six), 5), pow(sub(1, skill), 2))),
		"Harm of a push":                  hits(4, six),
		"Base dice that are rolled again": mul(4, "4/5"),
	}
})

var _ = page("alien-stress", func() answers {
	one := func(n int) *big.Rat { return sub(1, pow("5/6", n)) }
	return answers{
		"A success": one(7), "A panic roll": one(2), "Panic that shows": mul(one(2), "2/6"),
		"A success of the push": one(8), "Panic of the push": mul(one(3), "3/6"),
	}
})

var _ = page("forbidden-lands-artifacts", func() answers {
	a := answers{"Mean of the d12 alone": frac(2*1+2*2+2*3+4, 12)}
	worth := map[int]int{6: 1, 7: 1, 8: 2, 9: 2, 10: 3, 11: 3, 12: 4}
	sixes := func(w *way) int { return tally(w.dice(5, 6), 6, 6) }
	for _, sides := range []int{1, 8, 10, 12} {
		name := fmt.Sprintf("with d%d", sides)
		if sides == 1 {
			name = "no artifact"
		}
		a["At least one success/"+name] = chance(func(w *way) bool { return sixes(w)+worth[w.d(sides)] >= 1 })
		a["At least three/"+name] = chance(func(w *way) bool { return sixes(w)+worth[w.d(sides)] >= 3 })
	}
	return a
})

var _ = page("twilight2000", func() answers {
	worth := func(x int) int { return tally([]int{x}, 6, 12) + tally([]int{x}, 10, 12) }
	push := func(w *way, sides int) int {
		x := w.d(sides)
		if x > 1 && x < 6 {
			x = w.d(sides)
		}
		return worth(x)
	}
	a := answers{
		"Successes with a skill of C": all(func(w *way) any { return worth(w.d(10)) + worth(w.d(8)) }),
		"A success with a push":       chance(func(w *way) bool { return push(w, 10)+push(w, 8) > 0 }),
	}
	sides := map[string]int{"A": 12, "B": 10, "C": 8, "D": 6}
	for x, m := range sides {
		for y, n := range sides {
			a["A success/"+x+"/"+y] = sub(1, mul(frac(5, m), frac(5, n)))
		}
	}
	return a
})

// shot is the chance of an unsaved wound by plain numbers to reach.
func shot(hit, wound, save int) *big.Rat {
	return mul(frac(7-hit, 6), frac(7-wound, 6), frac(save-1, 6))
}

var _ = page("warhammer40k-shooting", func() answers {
	return answers{
		"Models that fall":   hits(20, shot(3, 4, 5)),
		"Mean":               mul(20, shot(3, 4, 5)),
		"Mean against cover": mul(20, shot(3, 4, 4)),
	}
})

// falls is how many models of some wounds fall to wounds of a damage, each point of which
// goes through with chance p.
func falls(unsaved law, damage law, wounds int, p any) law {
	hurt := damage.then(func(n int) law { return hits(n, p) })
	return unsaved.then(func(n int) law {
		now := always(0) // points that count, overkill left out
		for range n {
			now = now.then(func(x int) law {
				return hurt.to(func(h int) any { return x + min(h, wounds-x%wounds) })
			})
		}
		return now.to(func(x int) any { return x / wounds })
	})
}

var _ = page("warhammer40k-feel-no-pain", func() answers {
	unsaved := hits(6, shot(3, 3, 5))
	plain, fnp := falls(unsaved, always(2), 2, 1), falls(unsaved, always(2), 2, "4/6")
	return answers{
		"Models of 2 wounds that fall/at least one, without": plain.atLeast(1),
		"Models of 2 wounds that fall/at least one, with":    fnp.atLeast(1),
		"Mean, without": plain.mean(), "Mean, with": fnp.mean(),
		"Mean of damage 3, with": falls(unsaved, always(3), 2, "4/6").mean(),
	}
})

var _ = page("warhammer40k-lethal-or-sustained", func() answers {
	a := answers{}
	mean := func(ability string, wound int, again any) *big.Rat {
		crit, hit := mul("1/6", again), mul("3/6", again) // a six, and 3 to 5
		saved := rat("1/2")
		hurt := mul(frac(7-wound, 6), saved)
		switch ability {
		case "lethal":
			return mul(10, add(mul(crit, saved), mul(hit, hurt)))
		case "sustained 1":
			return mul(10, add(mul(crit, 2, hurt), mul(hit, hurt)))
		case "devastating":
			hurt = add("1/6", mul(frac(6-wound, 6), saved))
		}
		return mul(10, add(crit, hit), hurt)
	}
	for _, ability := range []string{"plain", "lethal", "sustained 1", "devastating"} {
		for wound := 2; wound <= 6; wound++ {
			a[fmt.Sprintf("Unsaved wounds of ten attacks/%s/%d", ability, wound)] = mean(ability, wound, 1)
		}
	}
	a["Lethal, with rerolls"] = mean("lethal", 5, "4/3")
	a["Sustained 1, with rerolls"] = mean("sustained 1", 5, "4/3")
	return a
})

var _ = page("warhammer40k-overkill", func() answers {
	fallen := all(func(w *way) any {
		models, left := 0, 3
		for range 4 {
			if left -= w.d(6); left <= 0 {
				models, left = models+1, 3
			}
		}
		return models
	})
	return answers{
		"Models that fall": fallen, "Mean, D6": fallen.mean(), "Mean, 3": 4,
		"If nothing were lost": average(func(w *way) int { return total(w.dice(4, 6)) / 3 }),
	}
})

var _ = page("warhammer40k-charge", func() answers {
	return answers{
		"Without a reroll":      "10/36",
		"With a reroll of both": sub(1, pow("26/36", 2)),
		"With a reroll of the lower die": chance(func(w *way) bool {
			x := w.low(2, 6)
			return x[0]+x[1] >= 9 || x[1]+w.d(6) >= 9
		}),
	}
})

var _ = page("age-of-sigmar", func() answers {
	through := mul("4/6", "4/6")
	points := func(p any) law { return mix(p, hits(2, "5/6"), always(0)) }
	mortal := points(add("1/6", mul("3/6", through)))
	return answers{
		"Mean damage":                    mul(10, points(mul("4/6", through)).mean()),
		"Mean damage with Crit (Mortal)": mul(10, mortal.mean()),
		"Ten or more with Crit (Mortal)": mortal.several(10).atLeast(10),
		"A single attack does nothing":   mortal.of(0),
	}
})

var _ = page("wfrp4-opposed", func() answers {
	margins := func(mine, theirs int) map[int]int {
		level := func(skill, x int) int {
			sl := skill/10 - x/10
			if x <= 5 && sl < 1 {
				return 1
			}
			if x >= 96 && sl > -1 {
				return -1
			}
			return sl
		}
		counts := map[int]int{}
		for x := 1; x <= 100; x++ {
			for y := 1; y <= 100; y++ {
				counts[level(mine, x)-level(theirs, y)]++
			}
		}
		return counts
	}
	p := func(mine int, from, to int) *big.Rat {
		n := 0
		for m, c := range margins(mine, 38) {
			if m >= from && m <= to {
				n += c
			}
		}
		return frac(n, 10000)
	}
	return answers{
		"I win by levels": p(45, 1, 99), "The levels are equal": p(45, 0, 0), "I win by three or more": p(45, 3, 99),
		"I win by levels with 20 more": p(65, 1, 99),
	}
})

var _ = page("blood-bowl-block", func() answers {
	return answers{
		"The target goes down/without Dodge": sub(1, pow("3/6", 2)),
		"The target goes down/with Dodge":    sub(1, pow("4/6", 2)),
		"Only attacker down shows":           "1/36",
		"The target goes down all the same":  pow("3/6", 2),
	}
})

var _ = page("blood-bowl-run", func() answers {
	// The chance of no failure, and of exactly one that is made good, by hand.
	p := []*big.Rat{rat("4/6"), rat("4/6"), rat("3/6"), rat("5/6")}
	clean := mul(p[0], p[1], p[2], p[3])
	fails := add(sub(1, p[0]), sub(1, p[1]), sub(1, p[2]), sub(1, p[3]))
	dodges := add(sub(1, p[0]), sub(1, p[1]))
	others := add(sub(1, p[2]), sub(1, p[3]))
	both := mul(sub(1, p[0]), sub(1, p[1]))
	return answers{
		"Without a reroll":       clean,
		"With rerolls":           mul(clean, add(1, fails)),
		"With Dodge and rerolls": mul(clean, add(1, dodges, others, both, mul(dodges, others))),
	}
})

// riskThrow is the law of the defender's losses.
func riskThrow(attack, defence int) law {
	return all(func(w *way) any {
		a, d := w.low(attack, 6), w.low(defence, 6)
		lost := 0
		for i := 1; i <= min(attack, defence); i++ {
			if a[attack-i] > d[defence-i] {
				lost++
			}
		}
		return lost
	})
}

func riskBattle() func(attack, defence int) *big.Rat {
	throws, known := map[[2]int]law{}, map[[2]int]*big.Rat{}
	var wins func(a, d int) *big.Rat
	wins = func(a, d int) *big.Rat {
		if d <= 0 || a <= 0 {
			return rat(map[bool]int{true: 1}[d <= 0])
		}
		if known[[2]int{a, d}] == nil {
			n, m := min(a, 3), min(d, 2)
			if throws[[2]int{n, m}] == nil {
				throws[[2]int{n, m}] = riskThrow(n, m)
			}
			p := rat(0)
			for lost, q := range throws[[2]int{n, m}] {
				p = add(p, mul(q, wins(a-min(n, m)+lost.(int), d-lost.(int))))
			}
			known[[2]int{a, d}] = p
		}
		return known[[2]int{a, d}]
	}
	return wins
}

var _ = page("risk-conquest", func() answers {
	wins := riskBattle()
	a := answers{"The attacker wins": wins(8, 6), "Losses of the defender": riskThrow(3, 3)}
	for _, x := range []int{3, 5, 8, 10} {
		for _, y := range []int{1, 3, 5, 8} {
			a[fmt.Sprintf("By armies/%d/%d", x, y)] = wins(x, y)
		}
	}
	return a
})

var _ = page("axis-and-allies", func() answers {
	type state struct{ men, tanks, foes int }
	known := map[state]law{}
	var from func(s state) law
	from = func(s state) law {
		switch {
		case s.men+s.tanks == 0 && s.foes == 0:
			return always("nobody")
		case s.men+s.tanks == 0:
			return always("the defender")
		case s.foes == 0:
			return always("the attacker")
		case known[s] != nil:
			return known[s]
		}
		found, stay := law{}, rat(0)
		for h, p := range hits(s.men, "1/6").plus(hits(s.tanks, "1/2")) {
			for l, q := range hits(s.foes, "1/3") {
				next := s
				next.foes = max(0, s.foes-h.(int))
				for range l.(int) {
					if next.men > 0 {
						next.men--
					} else if next.tanks > 0 {
						next.tanks--
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
	return answers{"Who is left": from(state{3, 2, 4}), "With one more": from(state{4, 2, 4})}
})

// alike follows the largest set of five dice through throws, by counting all throws.
func alike() (first law, next func(n int) law) {
	largest := func(faces []int) int {
		n := 0
		for x := 1; x <= 6; x++ {
			n = max(n, tally(faces, x, x))
		}
		return n
	}
	first = all(func(w *way) any { return largest(w.dice(5, 6)) })
	next = func(n int) law {
		return all(func(w *way) any {
			faces := w.dice(5-n, 6)
			for range n {
				faces = append(faces, 1)
			}
			return largest(faces)
		})
	}
	return first, next
}

var _ = page("yahtzee-in-a-turn", func() answers {
	first, next := alike()
	after := first.then(next).then(next)
	steps := map[int]*big.Rat{5: rat(0)} // mean throws that are still needed
	for n := 4; n >= 1; n-- {
		t, stay := rat(1), rat(0)
		for m, p := range next(n) {
			if m == n {
				stay = p
			} else {
				t = add(t, mul(p, steps[m.(int)]))
			}
		}
		steps[n] = div(t, sub(1, stay))
	}
	mean := rat(1)
	for n, p := range first {
		mean = add(mean, mul(p, steps[n.(int)]))
	}
	return answers{
		"Alike after the turn":   after,
		"A Yahtzee":              "347897/7558272", // published: 4.6029 %
		"Throws until a Yahtzee": mean,             // published: 11.09
	}
})

var _ = page("king-of-tokyo", func() answers {
	p := sub(1, pow("5/6", 3))
	faces := hits(6, p)
	return answers{
		"How many 3s": faces, "Three 3s or more": faces.atLeast(3),
		"Points": faces.to(func(n int) any {
			if n >= 3 {
				return n
			}
			return 0
		}).mean(),
		"Three 3s or more with seven dice": hits(7, p).atLeast(3),
	}
})

var _ = page("catan-production", func() answers {
	p := frac(5+4+3, 36)
	return answers{
		"In one roll": p, "At least once in a round": sub(1, pow("24/36", 4)), "Rolls that produce in a round": hits(4, p),
		"A 7 in a round": sub(1, pow("30/36", 4)), "In one roll, 8, 6 and 5": frac(5+5+4, 36),
	}
})

var _ = page("zombicide-shooting", func() answers {
	return answers{
		"Hits":                    all(func(w *way) any { return tally(w.dice(3, 6), 4, 6) }),
		"Two or more":             "1/2",
		"Two or more, when lucky": "3/4",
	}
})

var _ = page("zombie-dice", func() answers {
	first := all(func(w *way) any {
		cup := []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3}
		brains, shots := 0, 0
		for range 3 {
			guns := draw(w, &cup)
			switch x := w.pick(guns, 2, 4-guns); x {
			case 0:
				shots++
			case 2:
				brains++
			}
		}
		return 10*brains + shots
	})
	return answers{
		"Brains": first.to(func(x int) any { return x / 10 }), "Shotguns": first.to(func(x int) any { return x % 10 }),
		"Two brains and no shotgun": first.p(func(x int) bool { return x >= 20 && x%10 == 0 }),
	}
})

var _ = page("cant-stop", func() answers {
	possible := func(columns ...int) *big.Rat {
		return chance(func(w *way) bool {
			x := w.dice(4, 6)
			for _, s := range []int{x[0] + x[1], x[2] + x[3], x[0] + x[2], x[1] + x[3], x[0] + x[3], x[1] + x[2]} {
				if has(columns, s) {
					return true
				}
			}
			return false
		})
	}
	return answers{
		"It goes on":              possible(6, 7, 8), // published: 92 %
		"Some triples/6, 7 and 8": possible(6, 7, 8), "Some triples/4, 6 and 8": possible(4, 6, 8),
		"Some triples/2, 3 and 12": possible(2, 3, 12), "Some triples/2, 7 and 12": possible(2, 7, 12),
		"Five times in a row": pow(possible(6, 7, 8), 5),
	}
})

var _ = page("arkham-horror-bag", func() answers {
	a := answers{}
	bag := []int{1, 0, 0, -1, -1, -1, -2, -2, -3, -4, -2, -2, -2, -3, 1, -99}
	for over := 0; over <= 5; over++ {
		a[fmt.Sprintf("Passes/chance/%d", over)] = frac(tally(bag, -over, 9), 16)
	}
	var test func(over, bless, curse int) *big.Rat
	test = func(over, bless, curse int) *big.Rat {
		n := 16 + bless + curse
		p := frac(tally(bag, -over, 9), n)
		if bless > 0 {
			p = add(p, mul(frac(bless, n), test(over+2, bless-1, curse)))
		}
		if curse > 0 {
			p = add(p, mul(frac(curse, n), test(over-2, bless, curse-1)))
		}
		return p
	}
	a["Two above, with blessings"] = test(2, 2, 1)
	return a
})
