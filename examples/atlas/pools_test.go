package atlas

import (
	"fmt"
	"math/big"
)

// The second ways of the pages about Pathfinder, the Apocalypse, Shadowrun, the World of
// Darkness and other games with pools and exploding dice.

func degree2(x, bonus, dc int) string {
	over, step := x+bonus-dc, 0
	for _, cut := range []int{-9, 0, 10} {
		if over >= cut {
			step++
		}
	}
	if x == 20 {
		step = min(step+1, 3)
	}
	if x == 1 {
		step = max(step-1, 0)
	}
	return []string{"critical failure", "failure", "success", "critical success"}[step]
}

func check2(dice, bonus, dc int) law {
	return all(func(w *way) any { return degree2(best(w, dice), bonus, dc) })
}

var _ = page("pathfinder2-degrees", func() answers {
	return answers{"The check": check2(1, 9, 18), "With fortune": check2(2, 9, 18)}
})

var _ = page("pathfinder2-multiple-attacks", func() answers {
	a := answers{}
	for n := range 3 {
		col := fmt.Sprint(n + 1)
		heavy, light := check2(1, 9-5*n, 18), check2(1, 9-4*n, 18)
		a["Hits/other/"+col] = add(heavy.of("success"), heavy.of("critical success"))
		a["Hits/agile/"+col] = add(light.of("success"), light.of("critical success"))
		a["Mean damage of each attack/longsword/"+col] = mul("17/2", add(heavy.of("success"), mul(2, heavy.of("critical success"))))
		a["Mean damage of each attack/shortsword, agile/"+col] = mul("15/2", add(light.of("success"), mul(2, light.of("critical success"))))
	}
	return a
})

var _ = page("pathfinder2-basic-save", func() answers {
	full := sum(6, 6, 6, 6, 6, 6)
	damage := func(bonus int) law {
		return all(func(w *way) any { return w.d(20) }).then(func(x int) law {
			return full.to(func(n int) any {
				switch degree2(x, bonus, 21) {
				case "critical success":
					return 0
				case "success":
					return n / 2
				case "failure":
					return n
				}
				return 2 * n
			})
		})
	}
	return answers{
		"Mean damage": damage(12).mean(), "No damage": damage(12).of(0), "30 or more": damage(12).atLeast(30),
		"Mean damage to the boss": damage(17).mean(),
	}
})

var _ = page("pathfinder2-persistent-damage", func() answers {
	return answers{ // a geometric number of turns, of 3.5 each
		"Mean damage":                     mul("7/2", "20/6"),
		"Still burning after three turns": pow("14/20", 3),
		"Mean damage with help":           mul("7/2", "20/11"),
	}
})

func moved(n int) string {
	if n >= 10 {
		return "strong hit"
	}
	return word(n >= 7, "weak hit", "miss")
}

var _ = page("pbta-moves", func() answers {
	move := func(stat int) law { return all(func(w *way) any { return moved(w.d(6) + w.d(6) + stat) }) }
	a := answers{"The move": move(1), "With advantage": all(func(w *way) any {
		x := w.low(3, 6)
		return moved(x[1] + x[2] + 1)
	})}
	for _, stat := range []int{-1, 0, 1, 2, 3} {
		for _, r := range []string{"miss", "weak hit", "strong hit"} {
			a[fmt.Sprintf("By stat/%d/%s", stat, r)] = move(stat).of(r)
		}
	}
	return a
})

func scoundrel(w *way, n int) string {
	x := w.low(n, 6)
	switch {
	case n > 1 && x[n-2] == 6:
		return "critical"
	case x[n-1] == 6:
		return "full"
	}
	return word(x[n-1] >= 4, "partial", "bad")
}

var _ = page("blades-action", func() answers {
	return answers{
		"The action":   all(func(w *way) any { return scoundrel(w, 3) }),
		"One more die": all(func(w *way) any { return scoundrel(w, 4) }),
	}
})

var _ = page("blades-resistance", func() answers {
	stress := all(func(w *way) any {
		x := w.low(2, 6)
		if x[0] == 6 {
			return -1
		}
		return 6 - x[1]
	})
	return answers{"Stress": stress, "Mean": stress.mean(), "Nine or more": stress.several(2).atLeast(3)}
})

var _ = page("ironsworn-action", func() answers {
	word := func(score, a, b int) string {
		return []string{"miss", "weak hit", "strong hit"}[tally([]int{a, b}, 1, score-1)]
	}
	return answers{
		"The roll": all(func(w *way) any {
			a, b := w.d(10), w.d(10)
			if a == b {
				return word(min(10, w.d(6)+2), a, b) + " with a match"
			}
			return word(min(10, w.d(6)+2), a, b)
		}),
		"With momentum 7": all(func(w *way) any { return word(max(7, w.d(6)+2), w.d(10), w.d(10)) }),
	}
})

// pool is the law of hits and ones of n d6 by the multinomial formula.
func hitsAndOnes(n int, each func(hits, ones int, p *big.Rat)) {
	for h := 0; h <= n; h++ {
		for o := 0; o+h <= n; o++ {
			each(h, o, mul(over(n, h), over(n-h, o), pow("2/6", h), pow("1/6", o), pow("3/6", n-h-o)))
		}
	}
}

func glitches(n, need int, critical bool) *big.Rat {
	total := rat(0)
	hitsAndOnes(n, func(h, o int, p *big.Rat) {
		if o >= need && (h == 0 || !critical) {
			total = add(total, p)
		}
	})
	return total
}

var _ = page("shadowrun-glitch", func() answers {
	a := answers{
		"4th edition":         chance(func(w *way) bool { return tally(w.dice(6, 6), 1, 1) >= 3 }),
		"5th and 6th edition": chance(func(w *way) bool { return tally(w.dice(6, 6), 1, 1) >= 4 }),
		"With gremlins":       chance(func(w *way) bool { return tally(w.dice(6, 6), 1, 1) >= 2 }),
	}
	for n := 2; n <= 8; n++ {
		row := fmt.Sprintf("By pool/%d/", n)
		a[row+"4th"] = glitches(n, (n+1)/2, false)
		a[row+"5th"] = glitches(n, n/2+1, false)
		a[row+"critical, 5th"] = glitches(n, n/2+1, true)
	}
	return a
})

var _ = page("shadowrun-hits", func() answers {
	test := law{}
	hitsAndOnes(10, func(h, o int, p *big.Rat) {
		name := word(h >= 3, "success", "failure")
		if o >= 6 {
			name += " with a glitch"
			if h == 0 {
				name = "critical glitch"
			}
		}
		test.add(name, p)
	})
	return answers{
		"Hits within a limit of 5":             hits(10, "1/3").to(func(n int) any { return min(n, 5) }),
		"The test":                             test,
		"Eight hits, with a pool that shrinks": hits(55, "1/3").atLeast(8),
	}
})

// chain is how many hits a die of n sides gives that goes on with chance p and is a hit
// that ends with q, up to most: the last entry stands for more.
func chain(p, q any, most int) law {
	l := law{}
	for n := 0; n < most; n++ {
		l.add(n, mul(pow(p, n), sub(sub(1, p), q)))
		l.add(n+1, mul(pow(p, n), q))
	}
	l.add(most, sub(1, new(big.Rat).Set(add(l.p(func(int) bool { return true })))))
	return l
}

var _ = page("shadowrun-edge", func() answers {
	second := hits(8, "5/9")
	return answers{
		"Mean without Edge":                    "8/3",
		"Mean, pushing the limit":              mul(11, "2/5"), // h = 1/3 + h/6
		"Mean, second chance":                  second.mean(),
		"Four hits or more, second chance":     second.atLeast(4),
		"Four hits or more, pushing the limit": chain("1/6", "1/6", 4).several(11).atLeast(4),
	}
})

var _ = page("world-of-darkness-botch", func() answers {
	botch := func(n, diff int) *big.Rat { // no success, and not only dice that are neither
		return sub(pow(frac(diff-1, 10), n), pow(frac(diff-2, 10), n))
	}
	a := answers{"Five dice": all(func(w *way) any {
		x := w.dice(5, 10)
		good, ones := tally(x, 6, 10), tally(x, 1, 1)
		if good == 0 && ones > 0 {
			return "botch"
		}
		return word(good > ones, "success", "failure")
	})}
	for _, n := range []int{1, 2, 3, 5, 8} {
		for diff := 6; diff <= 10; diff++ {
			a[fmt.Sprintf("Botch/%d/%d", diff, n)] = botch(n, diff)
		}
		a[fmt.Sprintf("More 1s than successes, difficulty 10/botch/%d", n)] =
			law{1: rat("1/10"), 0: rat("8/10"), -1: rat("1/10")}.several(n).p(func(x int) bool { return x < 0 })
	}
	return a
})

var _ = page("chronicles-of-darkness", func() answers {
	a := answers{
		"At least one":           sub(1, pow("7/10", 5)),
		"Exceptional, ten-again": chain("1/10", "2/10", 5).several(5).atLeast(5),
		"The chance die":         law{"dramatic failure": rat("1/10"), "failure": rat("8/10"), "success": rat("1/10")},
	}
	for _, again := range []int{8, 9, 10, 11} {
		one := div("3/10", frac(again-1, 10)) // h = 3/10 + h (11 - again)/10
		col := fmt.Sprint(again)
		a["Mean/plain/"+col] = mul(5, one)
		a["Mean/rote/"+col] = mul(5, add(one, mul("7/10", one)))
	}
	return a
})

func hungry(faces []int, hunger, difficulty int) string {
	tens := tally(faces, 10, 10)
	if tally(faces, 6, 10)+tens/2*2 < difficulty {
		return word(has(faces[:hunger], 1), "bestial failure", "failure")
	}
	if tens < 2 {
		return "success"
	}
	return word(has(faces[:hunger], 10), "messy critical", "critical")
}

var _ = page("vampire5-hunger", func() answers {
	// What matters of a face: 1, 2 to 5, 6 to 9, or 10.
	test := func(hunger int) law {
		return all(func(w *way) any {
			faces := make([]int, 6)
			for i := range faces {
				faces[i] = []int{1, 2, 6, 10}[w.pick(1, 4, 4, 1)]
			}
			return hungry(faces, hunger, 3)
		})
	}
	a := answers{"The test": test(3)}
	for h := 0; h <= 5; h++ {
		for _, r := range []string{"bestial failure", "messy critical"} {
			a[fmt.Sprintf("By Hunger/%d/%s", h, r)] = test(h).of(r)
		}
	}
	return a
})

var _ = page("vampire5-willpower", func() answers {
	successes := func(reroll int) law {
		return all(func(w *way) any {
			good, tens, again := 0, 0, reroll
			for range 5 {
				x := w.pick(5, 4, 1)
				if x == 0 && again > 0 {
					again--
					x = w.pick(5, 4, 1)
				}
				if x > 0 {
					good++
				}
				if x == 2 {
					tens++
				}
			}
			return good + tens/2*2
		})
	}
	return answers{
		"Mean successes": successes(0).mean(), "Mean with Willpower": successes(3).mean(),
		"Three or more": successes(0).atLeast(3), "Three or more with Willpower": successes(3).atLeast(3),
		"Hunger gained": hits(3, "1/2"),
	}
})

// kept is the total of the highest k of n dice with a law, by how many show the highest
// value, the next one, and so on down.
func kept(die law, n, k int) law {
	var values []int
	for x := range die {
		values = append(values, x.(int))
	}
	for i := range values {
		for j := range i {
			if values[i] > values[j] {
				values[i], values[j] = values[j], values[i]
			}
		}
	}
	type state struct{ n, k int }
	now := map[state]law{{n, k}: always(0)}
	left := rat(1)
	for _, x := range values {
		next := map[state]law{}
		p := div(die.of(x), left) // of a die that shows nothing higher
		left = sub(left, die.of(x))
		for s, sums := range now {
			for c := 0; c <= s.n; c++ {
				q := mul(over(s.n, c), pow(p, c), pow(sub(1, p), s.n-c))
				if q.Sign() == 0 {
					continue
				}
				take := min(c, s.k)
				to := state{s.n - c, s.k - take}
				if next[to] == nil {
					next[to] = law{}
				}
				for y, r := range sums {
					next[to].add(y.(int)+take*x, mul(q, r))
				}
			}
		}
		now = next
	}
	found := law{}
	for _, sums := range now {
		for y, r := range sums {
			found.add(y, r)
		}
	}
	return found
}

var _ = page("l5r4-roll-and-keep", func() answers {
	die := law{}
	for depth := range 4 {
		for x := 1; x <= 10; x++ {
			if x < 10 || depth == 3 {
				die.add(10*depth+x, pow("1/10", depth+1))
			}
		}
	}
	a := answers{"20 or more, unskilled": chance(func(w *way) bool { return total(w.low(5, 10)[2:]) >= 20 })}
	for text, rk := range map[string][2]int{"5k3": {5, 3}, "6k3": {6, 3}, "5k4": {5, 4}} {
		l := kept(die, rk[0], rk[1])
		for _, tn := range []int{15, 20, 25, 30} {
			a[fmt.Sprintf("Target number reached/%d/%s", tn, text)] = l.atLeast(tn)
		}
	}
	return a
})

var _ = page("l5r5-rings", func() answers {
	good := func(ring, skill int) func(w *way) int {
		return func(w *way) int {
			return tally([]int{w.d(6), w.d(6)}, 1, ring) + tally([]int{w.d(12)}, 1, skill)
		}
	}
	kept := all(func(w *way) any { return min(2, good(3, 7)(w)) })
	return answers{
		"Successes among the kept dice": kept, "One success": kept.atLeast(1), "Two successes kept": kept.of(2),
		"One success free of strife": chance(func(w *way) bool { return good(1, 4)(w) > 0 }),
	}
})

// acing is the chance that an exploding die reaches n.
func acing(sides, n int) *big.Rat {
	p := rat(1)
	for n > sides {
		p, n = mul(p, frac(1, sides)), n-sides
	}
	return mul(p, frac(sides-max(n, 1)+1, sides))
}

var _ = page("savage-worlds-trait", func() answers {
	trait := func(sides, n int) *big.Rat {
		return sub(1, mul(sub(1, acing(sides, n)), sub(1, acing(6, n))))
	}
	a := answers{"A hero with d4": trait(4, 4), "An extra with d6": acing(6, 4)}
	for _, sides := range []int{4, 6, 8, 10, 12} {
		for _, tn := range []int{4, 6, 8} {
			a[fmt.Sprintf("Reached/%d/%d", sides, tn)] = trait(sides, tn)
		}
		if sides <= 8 {
			a[fmt.Sprintf("6 with one die/%d/chance", sides)] = acing(sides, 6)
		}
	}
	return a
})

// below is the law of exploding dice below n; what is more stands at n.
func below(n int, sides ...int) law {
	total := always(0)
	for _, s := range sides {
		die := law{}
		for x := 1; x < n; x++ {
			if p := sub(acing(s, x), acing(s, x+1)); p.Sign() > 0 {
				die[x] = p
			}
		}
		die[n] = acing(s, n)
		total = total.plus(die).to(func(x int) any { return min(x, n) })
	}
	return total
}

var _ = page("savage-worlds-damage", func() answers {
	return answers{
		"Shaken or worse":          below(6, 8, 6).of(6),
		"Out":                      below(10, 8, 6).of(10),
		"Out, with a raise to hit": below(10, 8, 6, 6).of(10),
	}
})

// narrative dice, by what each face adds: successes and advantages.
var (
	abilityFaces    = [][2]int{{0, 0}, {1, 0}, {1, 0}, {2, 0}, {0, 1}, {0, 1}, {1, 1}, {0, 2}}
	difficultyFaces = [][2]int{{0, 0}, {-1, 0}, {-2, 0}, {0, -1}, {0, -1}, {0, -1}, {0, -2}, {-1, -1}}
	proficientFaces = [][2]int{{0, 0}, {1, 0}, {1, 0}, {2, 0}, {2, 0}, {0, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 2}, {0, 2}, {1, 0}}
	boostFaces      = [][2]int{{0, 0}, {0, 0}, {1, 0}, {1, 1}, {0, 2}, {0, 1}}
	setbackFaces    = [][2]int{{0, 0}, {0, 0}, {-1, 0}, {-1, 0}, {0, -1}, {0, -1}}
)

func narrative(dice ...[][2]int) law {
	return all(func(w *way) any {
		s, a := 0, 0
		for _, die := range dice {
			f := die[w.d(len(die))-1]
			s, a = s+f[0], a+f[1]
		}
		name := word(s > 0, "success", "failure")
		switch {
		case a > 0:
			return name + " with advantage"
		case a < 0:
			return name + " with threat"
		}
		return name
	})
}

func succeeds(l law) *big.Rat {
	return add(l.of("success"), l.of("success with advantage"), l.of("success with threat"))
}

var _ = page("genesys-check", func() answers {
	l := narrative(abilityFaces, abilityFaces, proficientFaces, difficultyFaces, difficultyFaces)
	return answers{
		"Succeeds": succeeds(l), "The result": l,
		"With boost and setback": succeeds(narrative(abilityFaces, abilityFaces, proficientFaces, difficultyFaces, difficultyFaces, boostFaces, setbackFaces)),
	}
})
