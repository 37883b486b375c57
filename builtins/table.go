package builtins

import (
	"slices"
	"sync"

	"dicescript/builtins/define"

	"go.starlark.net/starlark"
)

// The table holds every builtin once. It is collected from one function per
// family, never by side effects, and does not change afterwards.

// families lists the families in the order in which documentation shows them.
func families() []define.Family {
	return []define.Family{
		{Name: "build", Builtins: slices.Concat(diceBuiltins(), keptBuiltins(), explodeBuiltins(), openEndedBuiltins(), rerollBuiltins(), timesBuiltins(),
			successPoolBuiltins(), coinBuiltins(), mixtureBuiltins(), notationBuiltins())},
		{Name: "change", Builtins: slices.Concat(transformBuiltins(), mapBuiltins(), playBuiltins(), poolMapBuiltins(), mapSortedBuiltins(), evaluateBuiltins(), jointEvaluateBuiltins(), compareSortedBuiltins())},
		{Name: "pools", Builtins: slices.Concat(poolKeepBuiltins(), poolCountBuiltins(), poolMatchBuiltins(), poolPartsBuiltins(), keptDiceBuiltins())},
		{Name: "cards", Builtins: slices.Concat(deckBuiltins(), multisetBuiltins())},
		{Name: "ask", Builtins: slices.Concat(chanceBuiltins(), statisticsBuiltins(), sameBuiltins(), sampleBuiltins())},
		{Name: "label", Builtins: slices.Concat(bandBuiltins(), scaleBuiltins(), bucketBuiltins(), classifyBuiltins(), outcomesBuiltins(), outcomesPartsBuiltins(), versusBuiltins())},
		{Name: "time", Builtins: slices.Concat(iterateBuiltins(), firstTimeBuiltins(), stationaryBuiltins())},
		{Name: "decide", Builtins: bestPlayBuiltins()},
		{Name: "show", Builtins: slices.Concat(outputBuiltins(), probTableBuiltins(), gridBuiltins(), comparisonBuiltins(), paramBuiltins())},
		{Name: "numbers", Builtins: slices.Concat(extremeBuiltins(), orderBuiltins(), universeBuiltins(), numberBuiltins())},
	}
}

// A Param is one parameter of a builtin.
type Param = define.Param

// An Entry describes one builtin as one receiver has it.
type Entry = define.Entry

// Types that share methods.
var (
	onRolls   = []string{"DieRoll", "DicePool"}
	onPools   = []string{"DicePool"}
	onCounted = []string{"DieRoll", "DicePool", "Outcomes"} // those with labels that are whole numbers
)

// registered collects the table when it is first needed.
var registered = sync.OnceValue(func() *define.Table {
	all, how := families(), throws()
	for _, f := range all {
		for i := range f.Builtins {
			f.Builtins[i].Throw = how[f.Builtins[i].Name]
		}
	}
	return define.NewTable(all, modules())
})

// Globals returns the names that every recipe knows, with their values. The
// dict is fresh; the values are immutable and shared.
func Globals() starlark.StringDict { return registered().Globals() }

// Table returns the description of every builtin, in the order of the
// documentation. A builtin that several types share has an entry for each.
func Table() []Entry { return registered().Entries() }
