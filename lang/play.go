// How a run plays functions of its recipe.

package lang

import (
	"dicescript/builtins/runenv"
	"dicescript/lang/eval"

	"go.starlark.net/starlark"
)

// Play returns a player for functions of the recipe.
func (r *run) Play(thread *starlark.Thread, isWord func(starlark.Value) bool) (runenv.Player, error) {
	return eval.Play(thread, isWord)
}

// Snapshot returns a value as it is now.
func (r *run) Snapshot(v starlark.Value) starlark.Value { return eval.Snapshot(v) }
