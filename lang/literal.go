// Dice notation in a run: what is written 4d6kh3 or 5..6 in a recipe, or handed to
// roll("..."), is made when the run gets there, once.

package lang

import (
	"dicescript/lang/internal/dice"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
)

// Literal is the value of a literal of the recipe.
func (r *run) Literal(l *notation.Literal) (starlark.Value, error) {
	if v, ok := r.values.of(l.Text); ok {
		return v, nil
	}
	v, err := dice.Literal(r.env.Context, l)
	if err != nil {
		return nil, err
	}
	if r.isThrown() && l.Range == nil {
		v = r.written(r.thread, v, l.Text, dice.OfLiteral(l))
	}
	r.values.keep(l.Text, v)
	return v, nil
}

// Notation is the value of roll(text).
func (r *run) Notation(thread *starlark.Thread, text string) (starlark.Value, error) {
	key := "roll " + text
	if v, ok := r.values.of(key); ok {
		return v, nil
	}
	v, x, err := dice.Roll(r.env.Context, thread, text)
	if err != nil {
		return nil, err
	}
	v = r.written(thread, v, notation.Text(x), x)
	r.values.keep(key, v)
	return v, nil
}

// Table is the value of roll(text, dialect, inputs).
func (r *run) Table(dialect, text string, inputs map[string]int) (starlark.Value, error) {
	return dice.Table(r.env.Context, dialect, text, inputs)
}

// notated are the values of what is written in dice notation, by its text. Most runs
// have so few that looking through them takes less time than a map.
type notated struct {
	few  []notatedValue
	many map[string]starlark.Value // the rest
}

type notatedValue struct {
	text  string
	value starlark.Value
}

// fewNotated is how many values are looked through.
const fewNotated = 4

// of returns the value of a text, if it is known.
func (n *notated) of(text string) (starlark.Value, bool) {
	for _, v := range n.few {
		if v.text == text {
			return v.value, true
		}
	}
	v, ok := n.many[text]
	return v, ok
}

// keep keeps the value of a text.
func (n *notated) keep(text string, v starlark.Value) {
	switch {
	case len(n.few) < fewNotated:
		n.few = append(n.few, notatedValue{text, v})
		return
	case n.many == nil:
		n.many = map[string]starlark.Value{}
	}
	n.many[text] = v
}
