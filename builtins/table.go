package builtins

import (
	"slices"
	"sync"

	"go.starlark.net/starlark"
)

// The table holds every builtin once. It is collected from one function per
// family, never by side effects, and does not change afterwards.

// families lists the families in the order in which documentation shows them.
func families() []family {
	return []family{
		{"build", slices.Concat(diceBuiltins(), keptBuiltins(), explodeBuiltins(), openEndedBuiltins(), rerollBuiltins(), timesBuiltins(),
			successPoolBuiltins(), coinBuiltins(), mixtureBuiltins(), notationBuiltins())},
		{"change", slices.Concat(transformBuiltins(), mapBuiltins(), poolMapBuiltins(), mapSortedBuiltins(), evaluateBuiltins(), jointEvaluateBuiltins())},
		{"pools", slices.Concat(poolKeepBuiltins(), poolCountBuiltins(), poolMatchBuiltins(), poolPartsBuiltins(), keptDiceBuiltins())},
		{"cards", slices.Concat(deckBuiltins(), multisetBuiltins())},
		{"ask", slices.Concat(chanceBuiltins(), statisticsBuiltins(), sameBuiltins(), sampleBuiltins())},
		{"label", slices.Concat(bandBuiltins(), scaleBuiltins(), bucketBuiltins(), classifyBuiltins(), outcomesBuiltins(), outcomesPartsBuiltins(), versusBuiltins())},
		{"time", slices.Concat(iterateBuiltins(), firstTimeBuiltins(), stationaryBuiltins())},
		{"decide", bestPlayBuiltins()},
		{"show", slices.Concat(outputBuiltins(), probTableBuiltins(), gridBuiltins(), comparisonBuiltins(), paramBuiltins())},
		{"numbers", slices.Concat(extremeBuiltins(), orderBuiltins(), universeBuiltins(), numberBuiltins())},
	}
}

// Types that share methods.
var (
	onRolls   = []string{"DieRoll", "DicePool"}
	onPools   = []string{"DicePool"}
	onCounted = []string{"DieRoll", "DicePool", "Outcomes"} // those with labels that are whole numbers
)

// registered collects the table when it is first needed.
var registered = sync.OnceValue(func() *registry { return newRegistry(families(), modules()) })

// Globals returns the names that every recipe knows, with their values. The
// dict is fresh; the values are immutable and shared.
func Globals() starlark.StringDict { return registered().allGlobals() }

// Table returns the description of every builtin, in the order of the
// documentation. A builtin that several types share has an entry for each.
func Table() []Entry { return registered().allEntries() }
