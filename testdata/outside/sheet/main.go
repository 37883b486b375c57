// Sheet hands a character to a recipe and gets numbers back: the house rules are a recipe,
// the rest of the game is Go.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"

	"dicescript/dist"
	"dicescript/lang"
)

// A Hero is what recipes see of a character.
type Hero struct {
	Name    string
	Attack  int
	Weapons []Weapon
	Secret  func() `dice:"-"`
}

// A Weapon hits for some damage.
type Weapon struct {
	Name   string
	Damage *dist.Dist
}

const rules = `
def blow(hero, armor):
    """The damage of the best weapon, when it hits."""
    weapon = strongest(hero)
    return {"weapon": weapon.name, "hits": 1d20 + hero.attack >= armor, "damage": weapon.damage}
`

// A Blow is what the recipe returns.
type Blow struct {
	Weapon string
	Hits   *big.Rat
	Damage *dist.Dist
}

// strongest is a function of the game that recipes call with what the game gave them.
func strongest(h Hero) (Weapon, error) {
	if len(h.Weapons) == 0 {
		return Weapon{}, fmt.Errorf("%s has no weapon", h.Name)
	}
	best := h.Weapons[0]
	for _, w := range h.Weapons {
		if w.Damage.Mean().Cmp(best.Damage.Mean()) > 0 {
			best = w
		}
	}
	return best, nil
}

func main() {
	ctx := context.Background()
	host, err := lang.New(lang.WithFunc("strongest", strongest, lang.Doc{Signature: "strongest(hero)"}))
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "rules.star", []byte(rules))
	if err != nil {
		log.Fatal(err)
	}
	hero := Hero{Name: "Ann", Attack: 5, Weapons: []Weapon{{"sword", dist.Must(dist.Die(8))}, {"axe", dist.Must(dist.Die(12))}}}
	result, err := program.Call(ctx, "blow", hero, lang.Named{Name: "armor", Value: 15})
	if err != nil {
		log.Fatal(err)
	}
	blow, err := lang.Get[Blow](result, "blow")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(blow.Weapon, blow.Hits.RatString(), blow.Damage.Mean().RatString())
	_, err = program.Call(ctx, "blow", Hero{Name: "Bo"}, 15)
	fmt.Println(err)
}
