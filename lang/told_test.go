package lang_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dicescript/lang"
)

// The rules of the cookbook that are told as a play are computed once more here: by
// enumerating all dice, or by recursion over what is left in a bag.

// told runs the recipes of the page with one more output, whose values it returns as
// fractions by their labels; a single number has the label "".
func told(t *testing.T, expr string) map[string]*big.Rat {
	t.Helper()
	page, err := os.ReadFile("../examples/cookbook/rules-as-told.md")
	if err != nil {
		t.Fatal(err)
	}
	var src strings.Builder
	for _, fence := range regexp.MustCompile("(?s)```dice\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for _, line := range strings.SplitAfter(fence[1], "\n") {
			if !strings.HasPrefix(line, "output(") {
				src.WriteString(line)
			}
		}
	}
	fmt.Fprintf(&src, "output(\"x\", %s)\n", expr)
	h, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.Compile(context.Background(), "rule.star", []byte(src.String()))
	if err != nil {
		t.Fatal(err)
	}
	res, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]*big.Rat{}
	switch x := res.Outputs[0].Data.(type) {
	case lang.Roll:
		for face, n := range x.Dist.All() {
			values[fmt.Sprint(face)] = new(big.Rat).SetFrac(n, x.Dist.Total())
		}
	case lang.Outcomes:
		for _, e := range x.Entries {
			values[e.Label.String()] = e.Value
		}
	case lang.Prob:
		values[""] = x.Value
	case lang.Plan:
		values[""] = x.Value
	case lang.Number:
		values[""] = x.Value
	default:
		t.Fatalf("%T", x)
	}
	return values
}

// rolled calls visit for all ways that dice of several sizes show.
func rolled(sides []int, visit func(faces []int)) {
	faces := make([]int, len(sides))
	var each func(i int)
	each = func(i int) {
		if i == len(sides) {
			visit(slices.Clone(faces))
			return
		}
		for faces[i] = 1; faces[i] <= sides[i]; faces[i]++ {
			each(i + 1)
		}
	}
	each(0)
}

// chances counts all ways by what they come to.
func chances(sides []int, of func(faces []int) string) map[string]*big.Rat {
	all, each := map[string]*big.Rat{}, big.NewRat(1, 1)
	for _, n := range sides {
		each.Quo(each, big.NewRat(int64(n), 1))
	}
	rolled(sides, func(faces []int) {
		key := of(faces)
		if all[key] == nil {
			all[key] = new(big.Rat)
		}
		all[key].Add(all[key], each)
	})
	return all
}

func TestRulesAsToldByEnumeration(t *testing.T) {
	for _, rule := range []struct {
		expr string
		want map[string]*big.Rat
	}{
		{"play(cortex, 6, 8, 10)", chances([]int{6, 8, 10}, func(faces []int) string {
			sizes := []int{6, 8, 10}
			total, effect := 0, 4
			used := [3]bool{}
			for range 2 { // the highest that is not used; of equal ones the larger die
				best := -1
				for i, x := range faces {
					if x > 1 && !used[i] && (best < 0 || x >= faces[best]) {
						best = i
					}
				}
				if best >= 0 {
					used[best] = true
					total += faces[best]
				}
			}
			for i, x := range faces {
				if x > 1 && !used[i] {
					effect = max(effect, sizes[i])
				}
			}
			return fmt.Sprintf("(%d, %d)", total, effect)
		})},
		{"play(sorcerer, 3d10, 2d10)", chances([]int{10, 10, 10, 10, 10}, func(faces []int) string {
			a, b := slices.Clone(faces[:3]), slices.Clone(faces[3:])
			for len(b) > 0 && slices.Max(a) == slices.Max(b) {
				x := slices.Max(a)
				i, j := slices.Index(a, x), slices.Index(b, x)
				a, b = slices.Delete(a, i, i+1), slices.Delete(b, j, j+1)
			}
			n := 0
			for _, x := range a {
				if len(b) == 0 || x > slices.Max(b) {
					n++
				}
			}
			for _, x := range b {
				if x > slices.Max(a) {
					n--
				}
			}
			return fmt.Sprint(n)
		})},
		{"play(doubles)", chances([]int{6, 6, 6, 6, 6, 6}, func(faces []int) string {
			fields := 0
			for i := 0; i < 6; i += 2 {
				if faces[i] == faces[i+1] && i == 4 {
					return "jail"
				}
				fields += faces[i] + faces[i+1]
				if faces[i] != faces[i+1] {
					break
				}
			}
			if fields > 12 {
				return "further"
			}
			return "near"
		})},
		{"play(both)", chances([]int{5, 4, 3}, func(picks []int) string {
			bag := []string{"red", "red", "red", "blue", "blue"}
			first := ""
			for i, k := range picks {
				x := bag[k-1]
				bag = slices.Delete(bag, k-1, k)
				if first != "" && x != first {
					return fmt.Sprint(i + 1)
				}
				first = x
			}
			return "4"
		})},
		{"play(test, 4, 3)", map[string]*big.Rat{"": tokens([]int{1, 0, 0, -1, -1, -2, -2, -4, 20, 20, -20}, 4, 3)}},
		{"play(battle, 3, 5)", fight(map[[2]int]map[string]*big.Rat{}, 3, 5)},
		{"play(scene, 10).mean()", map[string]*big.Rat{"": candles(10)}},
		{"play(run, 3, 3, 4)", map[string]*big.Rat{"": big.NewRat(13, 27)}},
		{"play(penney, \"thh\", \"hhh\")", map[string]*big.Rat{"": big.NewRat(7, 8)}},
	} {
		got := told(t, rule.expr)
		if len(got) != len(rule.want) {
			t.Errorf("%s: %v, want %v", rule.expr, got, rule.want)
		}
		for key, want := range rule.want {
			if got[key] == nil || got[key].Cmp(want) != 0 {
				t.Errorf("%s: %q has %v, want %v", rule.expr, key, got[key], want)
			}
		}
	}
}

// tokens is the chance of a test with a bag, in which 20 blesses and -20 curses.
func tokens(bag []int, skill, need int) *big.Rat {
	sum := new(big.Rat)
	for i, x := range bag {
		rest := slices.Delete(slices.Clone(bag), i, i+1)
		switch {
		case x == 20 || x == -20:
			sum.Add(sum, tokens(rest, skill+x/10, need))
		case skill+x >= need:
			sum.Add(sum, big.NewRat(1, 1))
		}
	}
	return sum.Quo(sum, big.NewRat(int64(len(bag)), 1))
}

// binomial is the chance of k successes of n.
func binomial(n, k int, p *big.Rat) *big.Rat {
	r := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
	q := new(big.Rat).Sub(big.NewRat(1, 1), p)
	for i := range n {
		if i < k {
			r.Mul(r, p)
		} else {
			r.Mul(r, q)
		}
	}
	return r
}

// fight solves a round for itself: the chance that nothing happens is divided out.
func fight(known map[[2]int]map[string]*big.Rat, a, b int) map[string]*big.Rat {
	switch {
	case a <= 0 && b <= 0:
		return map[string]*big.Rat{"nobody": big.NewRat(1, 1)}
	case b <= 0:
		return map[string]*big.Rat{"knights": big.NewRat(1, 1)}
	case a <= 0:
		return map[string]*big.Rat{"goblins": big.NewRat(1, 1)}
	case known[[2]int{a, b}] != nil:
		return known[[2]int{a, b}]
	}
	all, stays := map[string]*big.Rat{}, new(big.Rat)
	for hits := range a + 1 {
		for losses := range b + 1 {
			p := new(big.Rat).Mul(binomial(a, hits, big.NewRat(2, 3)), binomial(b, losses, big.NewRat(1, 3)))
			if hits+losses == 0 {
				stays = p
				continue
			}
			for who, q := range fight(known, a-losses, b-hits) {
				if all[who] == nil {
					all[who] = new(big.Rat)
				}
				all[who].Add(all[who], new(big.Rat).Mul(p, q))
			}
		}
	}
	for _, p := range all {
		p.Quo(p, new(big.Rat).Sub(big.NewRat(1, 1), stays))
	}
	known[[2]int{a, b}] = all
	return all
}

// candles is the mean number of rolls that succeed: of those in which there is a 6, of the
// others k show a 1.
func candles(dice int) *big.Rat {
	means := []*big.Rat{new(big.Rat)}
	for n := 1; n <= dice; n++ {
		sum, stays := new(big.Rat), new(big.Rat)
		for ones := range n + 1 {
			// ones of n dice show 1, and the others not, but not without a 6.
			p := binomial(n, ones, big.NewRat(1, 6))
			other := big.NewRat(1, 1)
			for range n - ones {
				other.Mul(other, big.NewRat(4, 5))
			}
			p.Mul(p, other.Sub(big.NewRat(1, 1), other))
			if ones == 0 {
				stays = p
				sum.Add(sum, p)
				continue
			}
			sum.Add(sum, p.Mul(p, new(big.Rat).Add(big.NewRat(1, 1), means[n-ones])))
		}
		means = append(means, sum.Quo(sum, new(big.Rat).Sub(big.NewRat(1, 1), stays)))
	}
	return means[dice]
}

// A zombieState is what a turn of Zombie Dice has come to: dice by colour in the cup and
// with feet, and what was thrown.
type zombieState struct {
	cup, feet     [3]int
	brains, shots int
}

// zombie is what a turn is worth before the choice, in floating point.
func zombie(known map[zombieState]float64, s zombieState) float64 {
	if s.shots >= 3 {
		return 0
	}
	hand := s.feet[0] + s.feet[1] + s.feet[2]
	left := s.cup[0] + s.cup[1] + s.cup[2]
	if left+hand < 3 {
		return float64(s.brains)
	}
	if v, ok := known[s]; ok {
		return v
	}
	v := 0.0
	known[s] = 0 // three dice that all show feet again are taken out of the equation
	ways := choose(left, 3-hand)
	for g := 0; g <= min(s.cup[0], 3-hand); g++ {
		for y := 0; y <= min(s.cup[1], 3-hand-g); y++ {
			r := 3 - hand - g - y
			if r > s.cup[2] {
				continue
			}
			p := choose(s.cup[0], g) * choose(s.cup[1], y) * choose(s.cup[2], r) / ways
			next := zombieState{[3]int{s.cup[0] - g, s.cup[1] - y, s.cup[2] - r}, [3]int{}, s.brains, s.shots}
			v += p * throwZombie(known, next, [3]int{s.feet[0] + g, s.feet[1] + y, s.feet[2] + r})
		}
	}
	if hand == 3 {
		v /= 1 - 1.0/27
	}
	known[s] = max(v, float64(s.brains))
	return known[s]
}

// throwZombie throws dice one by one.
func throwZombie(known map[zombieState]float64, s zombieState, dice [3]int) float64 {
	for color, n := range dice {
		if n == 0 {
			continue
		}
		dice[color]--
		brain, shot, feet := s, s, s
		brain.brains++
		shot.shots++
		feet.feet[color]++
		return (float64(3-color)*throwZombie(known, brain, dice) + float64(1+color)*throwZombie(known, shot, dice) + 2*throwZombie(known, feet, dice)) / 6
	}
	return zombie(known, s)
}

func choose(n, k int) float64 {
	f, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(k))).Float64()
	return f
}

func TestZombieDiceByRecursion(t *testing.T) {
	got, _ := told(t, "play(zombie_turn)")[""].Float64()
	want := zombie(map[zombieState]float64{}, zombieState{cup: [3]int{6, 4, 3}})
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}
