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
	if v, ok := r.values[l.Text]; ok {
		return v, nil
	}
	v, err := dice.Literal(r.env.Context, l)
	if err != nil {
		return nil, err
	}
	r.keep(l.Text, v)
	return v, nil
}

// Notation is the value of roll(text).
func (r *run) Notation(thread *starlark.Thread, text string) (starlark.Value, error) {
	key := "roll " + text
	if v, ok := r.values[key]; ok {
		return v, nil
	}
	v, err := dice.Roll(r.env.Context, thread, text)
	if err != nil {
		return nil, err
	}
	r.keep(key, v)
	return v, nil
}

// keep keeps the value of a text for the rest of the run.
func (r *run) keep(text string, v starlark.Value) {
	if r.values == nil {
		r.values = map[string]starlark.Value{}
	}
	r.values[text] = v
}
