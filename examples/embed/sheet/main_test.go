package main

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"

	"dicescript/lang"
)

func testSheet(t *testing.T) *Sheet {
	t.Helper()
	s, err := NewSheet(t.Context(), rules)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The numbers are those that one works out by hand: 15 needs an 8 with +7, and a hit does
// 4.5 + 1 + 4; a critical one the dice once more.
func TestAttack(t *testing.T) {
	a, err := testSheet(t).Attack(t.Context(), ann, ann.Weapons[0], 15, false)
	if err != nil {
		t.Fatal(err)
	}
	if a.Hit.RatString() != "13/20" || a.Critical.RatString() != "1/20" || a.Damage.Mean().RatString() != "19/2" {
		t.Errorf("got %+v", a)
	}
	each := new(big.Rat).Add(big.NewRat(13*19, 20*2), big.NewRat(11, 20*2))
	if want, _ := each.Float64(); a.Each != want {
		t.Errorf("got %v a swing, want %v", a.Each, want)
	}
	advantage, err := testSheet(t).Attack(t.Context(), ann, ann.Weapons[0], 15, true)
	if err != nil || advantage.Hit.RatString() != "351/400" { // 1 - (7/20)²
		t.Errorf("with advantage: %v, %v", advantage.Hit, err)
	}
	// A roll of 20 hits whatever the armor.
	if high, err := testSheet(t).Attack(t.Context(), ann, ann.Weapons[0], 100, false); err != nil || high.Hit.RatString() != "1/20" {
		t.Errorf("against 100: %v, %v", high.Hit, err)
	}
}

func TestShow(t *testing.T) {
	var b strings.Builder
	if err := show(t.Context(), &b, ann, 15); err != nil {
		t.Fatal(err)
	}
	const want = `Ann against armor class 15
  longsword  hits 65 %, for 6 to 13, 6.45 a swing
  scimitar   hits 55 %, for 3 to 8, 3.38 a swing
best is the longsword
a hard check of strength: 1/2
a hard check of dexterity: 2/5
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// What is wrong with a character is told in the words of the rules, at their line.
func TestWrongCharacter(t *testing.T) {
	odd := *ann
	odd.Weapons = []Weapon{{Name: "song", Ability: "charm", Damage: "1d4", CriticalAt: 20}}
	_, err := testSheet(t).BestWeapon(t.Context(), &odd, 15)
	var e *lang.Error
	if !errors.As(err, &e) || e.Position.Line == 0 || !strings.Contains(e.Message, `no key "charm"`) {
		t.Errorf("got %v", err)
	}
	if _, err := NewSheet(t.Context(), []byte("def attack(")); err == nil {
		t.Error("rules that are none: no error")
	}
}

// Many characters are asked about at once.
func TestManyAtOnce(t *testing.T) {
	s := testSheet(t)
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			hero := *ann
			hero.Abilities = map[string]int{"strength": i % 10}
			p, err := s.Check(context.Background(), &hero, "strength", 15)
			if want := big.NewRat(int64(6+i%10), 20); err != nil || p.Cmp(want) != 0 {
				t.Errorf("+%d: got %v, %v, want %v", i%10, p, err, want)
			}
		})
	}
	all.Wait()
}
