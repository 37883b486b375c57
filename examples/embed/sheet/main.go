// Sheet is a character sheet that knows what its numbers mean: the rules are a recipe,
// whose functions it calls with the character as the program has it.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"time"

	"dicescript/dist"
	"dicescript/lang"
)

//go:embed rules.star
var rules []byte

// A Hero is a character as the program keeps it. Recipes see its fields by their names in
// small letters: hero.armor_class.
type Hero struct {
	Name        string
	Level       int
	Proficiency int
	ArmorClass  int
	Abilities   map[string]int // their modifiers
	Weapons     []Weapon
	Secret      string `dice:"-"` // is none of theirs
}

// A Weapon is what a hero strikes with.
type Weapon struct {
	Name       string
	Ability    string
	Damage     string // as it is said at the table: "1d8+1"
	CriticalAt int
}

// An Attack is what the rules say of one swing.
type Attack struct {
	Hit      *big.Rat
	Critical *big.Rat
	Damage   *dist.Dist
	Each     float64 // the mean damage of a swing, whether it hits or not
}

// A Sheet answers questions about characters, any number of them at once.
type Sheet struct{ rules *lang.Program }

// patience is how long a question may take. The rules are our own, so the limits are those
// of the library.
const patience = 2 * time.Second

// NewSheet returns a sheet with rules.
func NewSheet(ctx context.Context, rules []byte) (*Sheet, error) {
	host, err := lang.New()
	if err != nil {
		return nil, err
	}
	program, err := host.Compile(ctx, "rules.star", rules)
	if err != nil {
		return nil, err
	}
	return &Sheet{program}, nil
}

// Attack is what a hero does with a weapon to an armor class.
func (s *Sheet) Attack(ctx context.Context, hero *Hero, weapon Weapon, armor int, advantage bool) (Attack, error) {
	return ask[Attack](ctx, s, "attack", hero, weapon, armor, lang.Named{Name: "advantage", Value: advantage})
}

// A Choice is which weapon is best, and the mean damage of a swing with each.
type Choice struct {
	Best string
	Each map[string]float64
}

// BestWeapon is the weapon that does most to an armor class.
func (s *Sheet) BestWeapon(ctx context.Context, hero *Hero, armor int) (Choice, error) {
	return ask[Choice](ctx, s, "best_weapon", hero, armor)
}

// Check is the chance that a hero does something difficult.
func (s *Sheet) Check(ctx context.Context, hero *Hero, ability string, difficulty int) (*big.Rat, error) {
	return ask[*big.Rat](ctx, s, "check", hero, ability, difficulty)
}

// ask calls a function of the rules.
func ask[T any](ctx context.Context, s *Sheet, function string, args ...any) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	result, err := s.rules.Call(ctx, function, args...)
	if err != nil {
		return *new(T), err
	}
	return lang.Get[T](result, function)
}

func main() {
	if err := show(context.Background(), os.Stdout, ann, 15); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ann is somebody to show.
var ann = &Hero{
	Name: "Ann", Level: 5, Proficiency: 3, ArmorClass: 16,
	Abilities: map[string]int{"strength": 4, "dexterity": 2},
	Weapons: []Weapon{
		{Name: "longsword", Ability: "strength", Damage: "1d8+1", CriticalAt: 20},
		{Name: "scimitar", Ability: "dexterity", Damage: "1d6", CriticalAt: 19},
	},
}

// show prints what a hero does to an armor class.
func show(ctx context.Context, w io.Writer, hero *Hero, armor int) error {
	sheet, err := NewSheet(ctx, rules)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s against armor class %d\n", hero.Name, armor)
	for _, weapon := range hero.Weapons {
		a, err := sheet.Attack(ctx, hero, weapon, armor, false)
		if err != nil {
			return err
		}
		hit, _ := a.Hit.Float64()
		fmt.Fprintf(w, "  %-10s hits %2.0f %%, for %d to %d, %.2f a swing\n", weapon.Name, 100*hit, a.Damage.Min(), a.Damage.Max(), a.Each)
	}
	choice, err := sheet.BestWeapon(ctx, hero, armor)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "best is the %s\n", choice.Best)
	for _, ability := range []string{"strength", "dexterity"} {
		p, err := sheet.Check(ctx, hero, ability, 15)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "a hard check of %s: %s\n", ability, p.RatString())
	}
	if !slices.ContainsFunc(hero.Weapons, func(w Weapon) bool { return w.Name == choice.Best }) {
		return fmt.Errorf("the rules know a weapon %q that %s does not have", choice.Best, hero.Name)
	}
	return nil
}
