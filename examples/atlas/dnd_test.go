package atlas

// The second ways of the pages about Dungeons & Dragons and its kin.

func best(w *way, n int) int  { x := w.low(n, 20); return x[n-1] }
func worst(w *way, n int) int { return w.low(n, 20)[0] }
func struck(x, bonus, ac int) bool {
	return x == 20 || x > 1 && x+bonus >= ac
}

// dealtBy is the mean damage of an attack on each face of the d20 that counts.
func dealtBy(dice int, damage func(x int) any) any {
	total := rat(0)
	for x, p := range all(func(w *way) any { return best(w, dice) }) {
		total = add(total, mul(p, damage(x.(int))))
	}
	return total
}

var _ = page("dnd-advantage", func() answers {
	a := answers{
		"Mean of advantage":                  "553/40", // published everywhere as 13.825
		"Mean of disadvantage":               "287/40",
		"Advantage against a plain die/win":  chance(func(w *way) bool { return best(w, 2) > w.d(20) }),
		"Advantage against a plain die/tie":  chance(func(w *way) bool { return best(w, 2) == w.d(20) }),
		"Advantage against a plain die/lose": chance(func(w *way) bool { return best(w, 2) < w.d(20) }),
	}
	for _, target := range []int{8, 11, 14, 17, 20, 23} {
		p := frac(26-target, 20) // with +5
		row := "Reaching it/" + rat(target).RatString()
		a[row+"/plain"], a[row+"/disadvantage"], a[row+"/advantage"] = p, mul(p, p), sub(1, pow(sub(1, p), 2))
	}
	return a
})

var _ = page("dnd-elven-accuracy", func() answers {
	a := answers{"A natural 20 with elven accuracy": sub(1, pow("19/20", 3)), "Critical on 19 and 20": sub(1, pow("18/20", 3))}
	for i, name := range []string{"one die", "advantage", "elven accuracy"} {
		a["Hits/"+name] = chance(func(w *way) bool { return struck(best(w, i+1), 7, 17) })
	}
	return a
})

var _ = page("dnd-great-weapon", func() answers {
	again := func(w *way, sides int) int {
		if x := w.d(sides); x > 2 {
			return x
		}
		return w.d(sides)
	}
	three := func(w *way, sides int) int { return max(3, w.d(sides)) }
	return answers{
		"Mean without it": 7,
		"Mean, 2014":      average(func(w *way) int { return again(w, 6) + again(w, 6) }), // published: 25/3
		"Mean, 2024":      average(func(w *way) int { return three(w, 6) + three(w, 6) }),
		"Total, 2024":     all(func(w *way) any { return three(w, 6) + three(w, 6) }),
		"d12, 2014":       average(func(w *way) int { return again(w, 12) }),
		"d12, 2024":       average(func(w *way) int { return three(w, 12) }),
	}
})

var _ = page("dnd-bless", func() answers {
	hit := func(x, extra, ac int) bool { return x == 20 || x > 1 && x+extra+5 >= ac }
	a := answers{"Both": chance(func(w *way) bool { return hit(best(w, 2), w.d(4), 19) })}
	for _, ac := range []int{13, 15, 17, 19, 21} {
		row := "Hits/" + rat(ac).RatString()
		a[row+"/plain"] = chance(func(w *way) bool { return hit(w.d(20), 0, ac) })
		a[row+"/bless"] = chance(func(w *way) bool { return hit(w.d(20), w.d(4), ac) })
		a[row+"/bane"] = chance(func(w *way) bool { return hit(w.d(20), -w.d(4), ac) })
	}
	return a
})

var _ = page("dnd-sneak-attack", func() answers {
	// A hit comes on 13 of 20 faces, and one of them doubles: weapon dice are worth
	// 14/20 of 3.5 for each attack; the sneak dice come with the first hit.
	weapon := mul(2, "14/20", "7/2")
	sneak := mul(sub(1, pow("7/20", 2)), "14/13", 3, "7/2")
	return answers{
		"Mean damage of the turn": add(weapon, mul("13/20", 4), sneak),
		"Mean damage from hiding": dealtBy(2, func(x int) any {
			if !struck(x, 7, 15) {
				return 0
			}
			if x == 20 {
				return 8*7/2 + 4
			}
			return 4*7/2 + 4
		}),
	}
})

var _ = page("dnd-critical-hits", func() answers {
	a := answers{
		"By the book":                         all(func(w *way) any { return total(w.dice(4, 6)) + 4 }),
		"A crit does less than 12 + modifier": chance(func(w *way) bool { return total(w.dice(4, 6)) < 12 }),
	}
	for name, d := range map[string][2]int{"2d6": {2, 6}, "d12": {1, 12}, "8d6": {8, 6}} {
		mean, most := frac(d[0]*(d[1]+1), 2), d[0]*d[1]
		a["Means/by the book/"+name] = add(mean, mean, 4)
		a["Means/double everything/"+name] = add(mean, mean, 8)
		a["Means/a maximum and a roll/"+name] = add(mean, most, 4)
	}
	return a
})

// dying follows death saves, of which a face of dc or more succeeds.
func dying(dc int) law {
	known := map[[2]int]law{}
	var from func(good, bad int) law
	from = func(good, bad int) law {
		if bad >= 3 {
			return always("dead")
		}
		if good == 3 {
			return always("stable")
		}
		if found := known[[2]int{good, bad}]; found != nil {
			return found
		}
		found := law{}
		known[[2]int{good, bad}] = found
		for x := 1; x <= 20; x++ {
			then := from
			g, b := good, bad
			switch {
			case x == 20:
				found.add("awake", frac(1, 20))
				continue
			case x == 1:
				b += 2
			case x >= dc:
				g++
			default:
				b++
			}
			for end, p := range then(g, b) {
				found.add(end, mul(p, "1/20"))
			}
		}
		return found
	}
	return from(0, 0)
}

var _ = page("dnd-death-saves", func() answers {
	return answers{"The end": dying(10), "With +1": dying(9)} // published: 59.5 % survive
})

var _ = page("dnd-multiattack", func() answers {
	one := all(func(w *way) any { return w.d(20) }).then(func(x int) law {
		switch {
		case x == 20:
			return sum(6, 6, 6, 6).to(func(n int) any { return n + 5 })
		case struck(x, 11, 18):
			return sum(6, 6).to(func(n int) any { return n + 5 })
		}
		return always(0)
	})
	return answers{
		"Mean damage":                one.several(4).mean(),
		"The target falls this turn": one.several(4).atLeast(40),
		"With action surge":          one.several(8).atLeast(40),
	}
})

var _ = page("dnd-hold-person", func() answers {
	turns, both := law{}, rat(0)
	fails, stays := frac(12, 20), mul(frac(12, 20), frac(15, 20))
	for n := range 10 {
		turns.add(n, mul(pow(fails, n), sub(1, fails)))
		both = add(both, mul(fails, pow(stays, n)))
	}
	turns.add(10, pow(fails, 10))
	return answers{"Turns lost": turns, "Mean": turns.mean(), "Mean, with concentration": both}
})

var _ = page("dnd-ability-scores", func() answers {
	one := all(func(w *way) any { x := w.low(4, 6); return x[1] + x[2] + x[3] })
	a := answers{
		"Mean of a score":                       "15869/1296", // published: 12.2446
		"At least one such score of six":        sub(1, pow(sub(1, "21/1296"), 6)),
		"At least one such score of six by 3d6": sub(1, pow(sub(1, "1/216"), 6)),
	}
	// The k-th highest of six reaches x when at least k of them do.
	for k := 1; k <= 6; k++ {
		mean := rat(0)
		for x := 1; x <= 18; x++ {
			mean = add(mean, hits(6, one.atLeast(x)).atLeast(k))
		}
		a["Means of the six, sorted/rolled/"+rat(k).RatString()] = mean
	}
	return a
})

var _ = page("dnd-fireball", func() answers {
	full := sum(6, 6, 6, 6, 6, 6, 6, 6)
	p := frac(8, 20)
	return answers{
		"Left standing": full.then(func(damage int) law {
			return hits(6, p).to(func(saved int) any {
				left := 0
				if damage/2 < 18 {
					left += saved
				}
				if damage < 18 {
					left += 6 - saved
				}
				return left
			})
		}),
		"Mean damage": add(mul(p, full.to(func(x int) any { return x / 2 }).mean()), mul(sub(1, p), 28)),
	}
})

var _ = page("dnd-concentration", func() answers {
	a := answers{"Five small hits in a row": pow("16/20", 5)}
	a["Kept after 4d10"] = chance(func(w *way) bool { return w.d(20)+5 >= max(10, total(w.dice(4, 10))/2) })
	for damage, fails := range map[string]int{"10": 4, "22": 5, "30": 9, "40": 14} {
		p := frac(fails, 20)
		a["Kept/"+damage+"/plain"], a["Kept/"+damage+"/war caster"] = sub(1, p), sub(1, mul(p, p))
	}
	return a
})

var _ = page("dnd-halfling-luck", func() answers {
	again := func(w *way, x int) int {
		if x == 1 {
			return w.d(20)
		}
		return x
	}
	return answers{
		"Succeeds/anybody":    "1/2",
		"Succeeds/a halfling": chance(func(w *way) bool { return again(w, w.d(20)) >= 11 }),
		"A natural 1 stays":   "1/400",
		"Mean":                average(func(w *way) int { return again(w, w.d(20)) }),
		"With advantage": chance(func(w *way) bool {
			x := w.low(2, 20)
			return max(again(w, x[0]), x[1]) >= 11
		}),
	}
})

var _ = page("dnd-power-attack", func() answers {
	a := answers{}
	for dice, title := range map[int]string{1: "Mean damage/", 2: "Mean damage with advantage/"} {
		for _, ac := range []int{12, 14, 16, 18, 20, 22} {
			if dice == 2 && ac < 16 {
				continue
			}
			for how, extra := range map[string]int{"plain": 0, "power attack": 10} {
				a[title+rat(ac).RatString()+"/"+how] = dealtBy(dice, func(x int) any {
					switch {
					case x == 20:
						return 19 + extra
					case struck(x, 9-extra/2, ac):
						return 12 + extra
					}
					return 0
				})
			}
		}
	}
	return a
})

var _ = page("dnd-chromatic-orb", func() answers {
	// All different, by falling products.
	leaps := func(n int) any {
		p := rat(1)
		for i := range n {
			p = mul(p, frac(8-i, 8))
		}
		return sub(1, p)
	}
	a := answers{"It leaps": leaps(3), "Three alike, level 3": chance(func(w *way) bool {
		faces := w.dice(5, 8)
		for x := 1; x <= 8; x++ {
			if tally(faces, x, x) >= 3 {
				return true
			}
		}
		return false
	})}
	for n := 1; n <= 5; n++ {
		a["By level/chance/"+rat(n).RatString()] = leaps(n + 2)
	}
	return a
})

var _ = page("dnd-breath-recharge", func() answers {
	mean := add(1, "4/3")
	half := sum(6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6).to(func(x int) any { return x / 2 }).mean()
	return answers{
		"Breaths":               hits(4, "1/3").to(func(n int) any { return n + 1 }),
		"Mean":                  mean,
		"Damage of all breaths": mul(mean, add(mul("1/2", half), 28)),
	}
})

var _ = page("dnd35-critical-confirmation", func() answers {
	mean := func(threat, factor int, damage any) any {
		total := rat(0)
		for x := 1; x <= 20; x++ {
			for y := 1; y <= 20; y++ {
				switch {
				case struck(x, 8, 18) && x >= threat && struck(y, 8, 18):
					total = add(total, mul(factor, damage))
				case struck(x, 8, 18):
					total = add(total, damage)
				}
			}
		}
		return div(total, 400)
	}
	return answers{
		"Scimitar, 18-20, times 2": mean(18, 2, "15/2"),
		"Greataxe, 20, times 3":    mean(20, 3, "21/2"),
		"Keen scimitar":            mean(15, 2, "15/2"),
	}
})

var _ = page("dnd-group-check", func() answers {
	passed := always(0)
	for _, b := range []int{7, 3, 1, -1} {
		passed = passed.plus(hits(1, frac(20-(13-b)+1, 20)))
	}
	return answers{"How many pass": passed, "The group succeeds": passed.atLeast(2), "All of them": passed.of(4)}
})
