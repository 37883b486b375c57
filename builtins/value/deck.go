package value

import (
	"fmt"
	"slices"

	"dicescript/builtins/internal/intern"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A deck of cards, from which hands are dealt. Cards are whole numbers, text or
// tuples such as (rank, suit); the engine knows those that are no whole numbers
// by their places.

// A Deck is the Deck of recipes.
type Deck struct {
	made
	dist  *dist.Deck
	cards *Cards
}

// Cards are the cards of a deck by their faces: nil values when the cards are
// whole numbers themselves.
type Cards struct {
	values []starlark.Value
	index  intern.Table
}

var _ starlark.HasAttrs = (*Deck)(nil)

func (d *Deck) Type() string                             { return "Deck" }
func (d *Deck) String() string                           { return "Deck(" + Plural(d.dist.Size(), "card") + ")" }
func (d *Deck) Freeze()                                  {}
func (d *Deck) Truth() starlark.Bool                     { return true }
func (d *Deck) Hash() (uint32, error)                    { return starlark.String(d.String()).Hash() }
func (d *Deck) Attr(name string) (starlark.Value, error) { return d.methods.Attr(d, name) }
func (d *Deck) AttrNames() []string                      { return d.methods.AttrNames(d) }

// Held is the memory of the cards, by their faces.
func (d *Deck) Held() (bytes int64, inside []starlark.Value) {
	return d.cards.held(int64(d.dist.Size()))
}

// held is the memory of so many cards.
func (n *Cards) held(cards int64) (bytes int64, inside []starlark.Value) {
	const cardBytes = 64
	if n == nil {
		return cardBytes * cards, nil
	}
	return 2 * cardBytes * cards, n.values
}

// Dist returns the deck of the engine, which knows cards by their faces.
func (d *Deck) Dist() *dist.Deck { return d.dist }

// Cards returns the cards by their faces.
func (d *Deck) Cards() *Cards { return d.cards }

// Holds reports whether v is a card.
func (n *Cards) Holds(v starlark.Value) bool {
	_, ok, err := n.index.Find(v)
	return ok && err == nil
}

// AreNumbers reports whether the cards are whole numbers, which are their own faces.
// Kept dice have no cards and are numbers.
func (n *Cards) AreNumbers() bool { return n == nil || n.values == nil }

// Face returns the face of a card.
func (n *Cards) Face(v starlark.Value) (int, error) {
	i, ok, err := n.index.Find(v)
	if err != nil || !ok {
		return 0, fmt.Errorf("there is no card %s in the deck", Describe(v))
	}
	return i, nil
}

// NewDeck returns the deck of cards, each so many times. Whole numbers and tuples
// stand in ascending order, text in that of the deck.
func NewDeck(m Methods, cards []starlark.Value, counts []int) (*Deck, error) {
	numbers, tuples := true, true
	faces := make([]int, len(cards))
	for i, v := range cards {
		n, whole := Int(v)
		_, tuple := v.(starlark.Tuple)
		faces[i], numbers, tuples = n, numbers && whole, tuples && tuple
	}
	d := &Deck{made: made{methods: m}, cards: &Cards{}}
	var err error
	if numbers {
		d.dist, err = dist.NewDeck(faces, counts)
		return d, err
	}
	order := make([]int, len(cards))
	for i := range order {
		order[i] = i
	}
	if tuples {
		sortable := true
		slices.SortStableFunc(order, func(i, j int) int {
			less, err := starlark.Compare(syntax.LT, cards[i], cards[j])
			more, _ := starlark.Compare(syntax.GT, cards[i], cards[j])
			sortable = sortable && err == nil
			switch {
			case less:
				return -1
			case more:
				return 1
			}
			return 0
		})
		if !sortable {
			slices.Sort(order)
		}
	}
	sorted := make([]int, len(cards))
	for face, i := range order {
		faces[face], sorted[face] = face, counts[i]
		d.cards.values = append(d.cards.values, cards[i])
		if _, err := d.cards.index.Index(cards[i]); err != nil {
			return nil, err
		}
	}
	d.dist, err = dist.NewDeck(faces, sorted)
	return d, err
}

// Named returns the card of a face, as a recipe knows it.
func (n *Cards) Named(face int) starlark.Value {
	if n.AreNumbers() {
		return starlark.MakeInt(face)
	}
	return n.values[face]
}
