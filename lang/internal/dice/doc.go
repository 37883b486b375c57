// Package dice makes values of dice notation: of the literals of a recipe, 4d6kh3 or 5..6,
// and of the text that roll("...") is given.
//
// What lang/notation has read goes in. It becomes dice that can still be modified, each
// with the rule by which it adds more; modifiers are applied to them in their order; and
// what comes out is a die, a pool, a total or a range as a recipe has it. All work is
// charged to the context.
package dice
