package value

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A hand of cards and the kept dice of a pool are asked like a pool: how many
// match, what goes together, what they add up to. What they are not is
// independent dice.

// A Multiset is the Hand or the KeptDice of recipes.
type Multiset struct {
	made
	dist  *dist.Multiset
	cards *Cards // of a hand; nil of dice
}

var _ starlark.HasAttrs = (*Multiset)(nil)

// NewMultiset returns a hand of the cards of a deck as a value with methods; without
// cards it is kept dice.
func NewMultiset(m Methods, set *dist.Multiset, cards *Cards) *Multiset {
	return &Multiset{made: made{methods: m}, dist: set, cards: cards}
}

func (m *Multiset) Type() string {
	if m.cards != nil {
		return "Hand"
	}
	return "KeptDice"
}

func (m *Multiset) String() string {
	if m.cards != nil {
		return "Hand(" + Plural(m.dist.Size(), "card") + ")"
	}
	return "KeptDice(" + Plural(m.dist.Size(), "die") + ")"
}

func (m *Multiset) Freeze()                                  {}
func (m *Multiset) Truth() starlark.Bool                     { return true }
func (m *Multiset) Hash() (uint32, error)                    { return starlark.String(m.String()).Hash() }
func (m *Multiset) Attr(name string) (starlark.Value, error) { return m.methods.Attr(m, name) }
func (m *Multiset) AttrNames() []string                      { return m.methods.AttrNames(m) }

// Held is the memory of the cards or dice, by their faces.
func (m *Multiset) Held() (bytes int64, inside []starlark.Value) {
	return m.cards.held(int64(m.dist.Size() + len(m.dist.Faces())))
}

// Dist returns the multiset of the engine, which knows cards by their faces.
func (m *Multiset) Dist() *dist.Multiset { return m.dist }

// Cards returns the cards of a hand by their faces, nil of dice.
func (m *Multiset) Cards() *Cards { return m.cards }
