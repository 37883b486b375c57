package atlas

import (
	"fmt"
	"math/big"
	"sort"
)

// The second ways of the pages about adventure board games and games of skills.

var _ = page("elder-sign", func() answers {
	one := all(func(w *way) any { return []int{1, 2, 3, 0, 0, 0}[w.d(6)-1] })
	never := rat(1)
	for n := 1; n <= 6; n++ {
		never = mul(never, sub(1, one.several(n).atLeast(8)))
	}
	return answers{
		"Eight points in the first throw":   one.several(6).atLeast(8),
		"Eight points at all":               sub(1, never),
		"Lore and peril in the first throw": add(1, mul(-2, pow("5/6", 6)), pow("4/6", 6)),
	}
})

var _ = page("eldritch-horror", func() answers {
	return answers{
		"Passes/cursed": sub(1, pow("5/6", 4)), "Passes/plain": sub(1, pow("4/6", 4)), "Passes/blessed": sub(1, pow("3/6", 4)),
		"Successes when blessed": all(func(w *way) any { return tally(w.dice(4, 6), 4, 6) }),
		"Plain with two clues":   sub(1, pow("4/6", 6)),
	}
})

var _ = page("descent", func() answers {
	shields := map[string][]int{"brown": {0, 0, 0, 1, 1, 2}, "grey": {0, 1, 1, 1, 2, 3}, "black": {0, 2, 2, 2, 3, 4}}
	harm := func(kind string, misses bool) law {
		return all(func(w *way) any {
			blue := []int{-9, 2, 2, 2, 1, 1}[w.d(6)-1]
			if blue < 0 && !misses {
				blue = []int{-9, 2, 2, 2, 1, 1}[w.d(6)-1]
			}
			return max(0, blue+[]int{1, 2, 2, 2, 3, 3}[w.d(6)-1]-shields[kind][w.d(6)-1])
		})
	}
	a := answers{"Damage against grey": harm("grey", true), "Mean against grey with a reroll": harm("grey", false).mean()}
	for kind := range shields {
		a["Means/mean/"+kind] = harm(kind, true).mean()
	}
	return a
})

var _ = page("x-wing", func() answers {
	// Faces: 1 to 4 hit, 5 and 6 focus, 7 and 8 blank; of green dice 1 to 3 evade, 4 and 5 focus.
	red := func(w *way, focus, lock bool) bool {
		for again := 0; ; again++ {
			x := w.d(8)
			if x <= 4 || focus && x <= 6 {
				return true
			}
			if again > 0 || !lock {
				return false
			}
		}
	}
	one := func(focus, lock bool) any { return chance(func(w *way) bool { return red(w, focus, lock) }) }
	through := func(p, q any) law {
		return hits(3, p).then(func(h int) law {
			return hits(2, q).to(func(e int) any { return max(0, h-e) })
		})
	}
	a := answers{"With focus": through(one(true, false), "3/8"), "Focus against focus": through(one(true, false), "5/8").mean()}
	for name, t := range map[string][2]bool{"nothing": {}, "focus": {true, false}, "lock": {false, true}, "both": {true, true}} {
		a["Hits that get through, mean/mean/"+name] = through(one(t[0], t[1]), "3/8").mean()
	}
	return a
})

var _ = page("heroquest-board", func() answers {
	harm := func(block int) law {
		return all(func(w *way) any { return max(0, tally(w.dice(3, 6), 1, 3)-tally(w.dice(2, 6), 1, block)) })
	}
	return answers{
		"Against a monster": harm(1), "Against a hero": harm(2), "Falls with the first blow": harm(1).atLeast(1),
		"Blows it stands on average, the last among them": div(1, harm(1).atLeast(1)),
	}
})

var _ = page("heroquest-glorantha", func() answers {
	rank := func(x, ability int) int {
		switch {
		case x == 1:
			return 3
		case x == 20:
			return 0
		case x <= ability:
			return 2
		}
		return 1
	}
	contest := func(bump int) law {
		return all(func(w *way) any {
			a, b := w.d(20), w.d(20)
			diff := min(3, rank(a, 17)+bump) - rank(b, 14)
			if diff == 0 {
				diff = b - a
			}
			if diff == 0 {
				return "tie"
			}
			return word(diff > 0, "win", "lose")
		})
	}
	return answers{"The contest": contest(0), "With a mastery": contest(1)}
})

// three is how many of the 216 throws of 3d6 total x.
var three = []int{0, 0, 0, 1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1}

var _ = page("gurps-success", func() answers {
	result := func(s int) law {
		l := law{}
		for x := 3; x <= 18; x++ {
			name := word(x <= s, "success", "failure")
			if x <= 4 || x <= 6 && s >= x+10 {
				name = "critical success"
			}
			if x == 18 || x == 17 && s <= 15 || x-s >= 10 {
				name = "critical failure"
			}
			l.add(name, frac(three[x], 216))
		}
		return l
	}
	a := answers{"The roll": result(12), "At 6": result(6)}
	for s, n := range map[int]int{10: 4, 14: 4, 15: 10, 16: 20} {
		a[fmt.Sprintf("Critical success/chance/%d", s)] = frac(n, 216)
	}
	return a
})

var _ = page("gurps-combat", func() answers {
	upTo := func(n int) *big.Rat {
		ways := 0
		for x := 3; x <= n; x++ {
			ways += three[x]
		}
		return frac(ways, 216)
	}
	lands := func(skill, defence int) any {
		return add("4/216", mul(sub(upTo(skill), "4/216"), sub(1, upTo(defence))))
	}
	return answers{
		"Lands": lands(14, 10), "Lands, deceptively": lands(10, 8),
		"A quick contest against 12": all(func(w *way) any {
			margin := 14 - total(w.dice(3, 6)) - 12 + total(w.dice(3, 6))
			if margin == 0 {
				return "tie"
			}
			return word(margin > 0, "win", "lose")
		}),
	}
})

var _ = page("burning-wheel", func() answers {
	// A die that goes on with 6 is a success as well.
	return answers{
		"Plain":        hits(5, "1/2").atLeast(4),
		"With Fate":    chain("1/6", "2/6", 4).several(5).atLeast(4),
		"With Persona": hits(6, "1/2").atLeast(4),
		"With both":    chain("1/6", "2/6", 4).several(6).atLeast(4),
		"Grey":         hits(5, "4/6").atLeast(4),
	}
})

// bestOf is the law of the highest k of mixed dice, by listing all throws.
func bestOf(k int, sides ...int) law {
	return all(func(w *way) any {
		faces := make([]int, len(sides))
		for i, s := range sides {
			faces[i] = w.d(s)
		}
		sort.Ints(faces)
		return total(faces[len(faces)-k:])
	})
}

func reaches(a, b law) *big.Rat {
	p := rat(0)
	for x, q := range b {
		p = add(p, mul(q, a.atLeast(x.(int))))
	}
	return p
}

var _ = page("dogs-in-the-vineyard", func() answers {
	raise := bestOf(2, 6, 6, 6, 6, 10)
	return answers{
		"Reversed with one die":             reaches(bestOf(1, 6, 6, 6, 8, 8), raise),
		"Blocked with two dice":             reaches(bestOf(2, 6, 6, 6, 8, 8), raise),
		"Seen with three dice":              reaches(bestOf(3, 6, 6, 6, 8, 8), raise),
		"Blocked with two dice and a knife": reaches(bestOf(2, 6, 6, 6, 8, 8, 6, 4), raise),
	}
})

var _ = page("sorcerer", func() answers {
	victories := func(a, b []int) int { // both from high to low
		for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			a, b = a[1:], b[1:]
		}
		if len(a) == 0 || len(b) > 0 && a[0] < b[0] {
			if len(b) == 0 {
				return 0
			}
			n := 0
			for n < len(b) && (len(a) == 0 || b[n] > a[0]) {
				n++
			}
			return -n
		}
		n := 0
		for n < len(a) && (len(b) == 0 || a[n] > b[0]) {
			n++
		}
		return n
	}
	down := func(w *way, n int) []int {
		x := w.dice(n, 10)
		sort.Sort(sort.Reverse(sort.IntSlice(x)))
		return x
	}
	l := all(func(w *way) any { return victories(down(w, 3), down(w, 2)) })
	// Two throws of three dice that are alike: ten triples, 90 with a pair, 120 all different.
	same := div(10*1+90*9+120*36, 1000000)
	return answers{"My victories, theirs below zero": l, "I win": l.atLeast(1), "All dice equal": same}
})

// strengths is the law of a pool's faces from high to low, as a text that sorts in this order.
func strengths(n int) law {
	return all(func(w *way) any {
		x := w.low(n, 6)
		s := 0
		for i := range n {
			s = 7*s + x[n-1-i]
		}
		for range 6 - n {
			s *= 7
		}
		return s
	})
}

// ahead is the chance of a to be above all others.
func ahead(a law, others ...law) *big.Rat {
	p := rat(0)
	for x, q := range a {
		for _, o := range others {
			q = mul(q, o.p(func(y int) bool { return y < x.(int) }))
		}
		p = add(p, q)
	}
	return p
}

var _ = page("dont-rest-your-head", func() answers {
	return answers{
		"It succeeds":       reaches(hits(6, "1/2"), hits(5, "1/2")),
		"Pain dominates":    ahead(strengths(5), strengths(3), strengths(1), strengths(2)),
		"Madness dominates": ahead(strengths(6), strengths(3), strengths(1), strengths(5)),
	}
})

var _ = page("one-ring", func() answers {
	passes := func(feats int, weary bool) *big.Rat {
		return chance(func(w *way) bool {
			top := -1
			for range feats {
				x := w.d(12)
				if x == 11 {
					x = 0
				}
				top = max(top, x)
			}
			if top == 12 {
				return true
			}
			for _, x := range w.dice(3, 6) {
				if !weary || x > 3 {
					top += x
				}
			}
			return top >= 15
		})
	}
	return answers{"Plain": passes(1, false), "Favoured": passes(2, false), "Weary": passes(1, true), "At least one tengwar": sub(1, pow("5/6", 3))}
})

var _ = page("mausritter", func() answers {
	return answers{
		"Mean number of uses": 6, "It lasts five uses or more": hits(4, "1/2").p(func(n int) bool { return n < 3 }),
		"A save with STR 9": "9/20", "A save with advantage": sub(1, pow("11/20", 2)),
	}
})

func cthulhu(x, skill int) string {
	switch {
	case x == 1:
		return "critical"
	case x == 100 || x >= 96 && skill < 50:
		return "fumble"
	case x > skill:
		return "failure"
	case 5*x <= skill:
		return "extreme"
	case 2*x <= skill:
		return "hard"
	}
	return "success"
}

var _ = page("call-of-cthulhu-levels", func() answers {
	roll := func(tens int, best bool) law {
		return all(func(w *way) any {
			units, found := w.d(10)-1, 0
			for i := range tens {
				x := 10*(w.d(10)-1) + units
				if x == 0 {
					x = 100
				}
				if i == 0 || best == (x < found) {
					found = x
				}
			}
			return cthulhu(found, 55)
		})
	}
	bad := roll(2, false)
	return answers{
		"Plain": roll(1, true), "With a bonus die": roll(2, true), "Success with a push": sub(1, pow("45/100", 2)),
		"Hard or better with a penalty die": add(bad.of("hard"), bad.of("extreme"), bad.of("critical")),
	}
})

var _ = page("call-of-cthulhu-sanity", func() answers {
	see := func(least, most int) func(san int) law {
		return func(san int) law {
			return mix(frac(san, 100), always(san-least), sum(most).to(func(x int) any { return max(0, san-x) }))
		}
	}
	after := always(60).then(see(1, 6)).then(see(1, 6)).then(see(1, 6))
	return answers{
		"Mean loss": sub(60, after.mean()), "Five or more at the first sight": mul("40/100", "2/6"),
		"Ten or more lost in all": sub(1, after.atLeast(51)),
		"Mean loss of 0/1d10":     sub(60, always(60).then(see(0, 10)).then(see(0, 10)).then(see(0, 10)).mean()),
	}
})

var _ = page("delta-green", func() answers {
	damage := rat(0)
	for tens := 0; tens <= 9; tens++ {
		for units := 0; units <= 9; units++ {
			if x := 10*tens + units; x == 0 || x > 10 {
				t, u := tens, units
				if t == 0 {
					t = 10
				}
				if u == 0 {
					u = 10
				}
				damage = add(damage, t+u)
			}
		}
	}
	// Within 45: 01, 11, 22, 33, 44; above it: 55, 66, 77, 88, 99, 100.
	return answers{
		"The roll":                           law{"critical": rat("5/100"), "success": rat("40/100"), "failure": rat("49/100"), "fumble": rat("6/100")},
		"Damage when it does not kill, mean": div(damage, 90),
	}
})

var _ = page("fate-action", func() answers {
	// 81 throws of four dice, from -4 to 4: 1, 4, 10, 16, 19, 16, 10, 4, 1.
	return answers{
		"The roll":                law{"failure": frac(1+4+10, 81), "tie": frac(16, 81), "success": frac(19+16+10-10, 81), "style": frac(10+4+1, 81)},
		"A new roll beats −2 + 2": frac(16+10+4+1, 81),
	}
})

var _ = page("dread", func() answers {
	stands := func(n, growth int) *big.Rat {
		p := rat(1)
		for i := 1; i <= n; i++ {
			p = mul(p, frac(100-min(100, growth*i), 100))
		}
		return p
	}
	mean := func(growth int) *big.Rat { // the sum of the chances that it stands after n
		m := rat(0)
		for n := range 100 {
			m = add(m, stands(n, growth))
		}
		return m
	}
	return answers{
		"Mean number of pulls, with the last": mean(1), "Mean number of pulls at two percent": mean(2),
		"It stands after 10 pulls": stands(10, 1), "It stands after 20 pulls": stands(20, 1),
	}
})

var _ = page("das-schwarze-auge", func() answers {
	left := func(x []int) int {
		points := 6
		for i, attribute := range []int{13, 12, 14} {
			points -= max(0, x[i]-attribute)
		}
		return points
	}
	return answers{
		"The check": all(func(w *way) any {
			x := w.dice(3, 20)
			switch {
			case tally(x, 1, 1) > 1:
				return "critical"
			case tally(x, 20, 20) > 1:
				return "botch"
			}
			return word(left(x) >= 0, "success", "failure")
		}),
		"Quality, without criticals": all(func(w *way) any {
			switch n := left(w.dice(3, 20)); {
			case n < 0:
				return 0
			case n <= 3:
				return 1
			default:
				return 2
			}
		}),
	}
})

func redDie(w *way) int {
	switch x := w.d(10); x {
	case 10:
		return 10 + w.d(10)
	case 1:
		return 1 - w.d(10)
	default:
		return x
	}
}

var _ = page("cyberpunk-red", func() answers {
	die := all(func(w *way) any { return redDie(w) })
	a := answers{
		"Beats it": die.atLeast(2), "The die, mean": die.mean(),
		"Wins the contest": chance(func(w *way) bool { return redDie(w)+14 > redDie(w)+12 }),
	}
	for _, dv := range []int{13, 15, 17, 21, 24, 29} {
		a[fmt.Sprintf("By difficulty/chance/%d", dv)] = die.atLeast(dv - 13)
	}
	return a
})

var _ = page("cortex-prime", func() answers {
	best := func(k int, sides ...int) law {
		return all(func(w *way) any {
			var faces []int
			for _, s := range sides {
				if x := w.d(s); x > 1 {
					faces = append(faces, x)
				} else {
					faces = append(faces, 0)
				}
			}
			sort.Ints(faces)
			return total(faces[len(faces)-k:])
		})
	}
	beats := func(a law, by int) *big.Rat {
		return reaches(a, best(2, 6, 6, 6).to(func(x int) any { return x + by }))
	}
	return answers{
		"Beats the trouble":                 beats(best(2, 10, 8, 8, 6), 1),
		"At least one hitch":                sub(1, mul("9/10", "7/8", "7/8", "5/6")),
		"Heroic: five more":                 beats(best(2, 10, 8, 8, 6), 5),
		"Beats the trouble with three dice": beats(best(3, 10, 8, 8, 6), 1),
	}
})
