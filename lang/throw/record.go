package throw

import (
	"math/big"

	"dicescript/builtins/throwing"
)

// A Record is what was thrown: the outputs of a recipe, once each.
type Record struct {
	Seed       string   `json:"seed,omitempty" jsonschema:"gives the same throw again; left out where the bits came from elsewhere"`
	Nth        int      `json:"nth,omitempty" jsonschema:"which throw of the seed it is, from 1; left out for the first"`
	Recipe     string   `json:"recipe" jsonschema:"the hash of the recipe with its modules: sha256:..."`
	Commitment string   `json:"commitment,omitempty" jsonschema:"the hash of the recipe, its inputs and the seed, which could be shown before the throw"`
	Inputs     []Input  `json:"inputs,omitempty" jsonschema:"the inputs of the recipe"`
	Outputs    []Output `json:"outputs"`
}

// An Input is the value that an input of the recipe had.
type Input struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// An Output is one output of the recipe, thrown.
type Output struct {
	Title  string   `json:"title"`
	Place  int      `json:"place" jsonschema:"which output of the recipe it is, from 0"`
	Kind   string   `json:"kind" jsonschema:"DieRoll, Prob, Outcomes or Plan"`
	Line   int      `json:"line,omitempty" jsonschema:"where the recipe puts it out, from 1"`
	Result any      `json:"result" jsonschema:"a number, a label, a tuple of them as a list, or whether it happened"`
	Chance Chances  `json:"chance" jsonschema:"how often that happens in the long run"`
	Throws []*Throw `json:"throws" jsonschema:"what was thrown for it; empty where the result is certain"`
}

// Chances say how often a result happens: exactly it, at least it, and at most it. Labels
// without an order, and whether something happens, have only the first.
type Chances struct {
	Exactly *Chance `json:"exactly,omitempty"`
	AtLeast *Chance `json:"at_least,omitempty"`
	AtMost  *Chance `json:"at_most,omitempty"`
}

// A Chance is an exact probability.
type Chance struct {
	Exact string  `json:"exact"`
	Value float64 `json:"value" jsonschema:"the nearest float"`
	Error float64 `json:"error,omitempty" jsonschema:"how far the true value may be off; left out when exact"`
}

// NewChance returns a probability that is within bound of the true one.
func NewChance(p *big.Rat, bound float64) *Chance {
	value, _ := p.Float64()
	return &Chance{p.RatString(), value, bound}
}

// Rat returns the exact value, 0 for one that can't be read.
func (c *Chance) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(c.Exact)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// A Throw is one thing that was thrown, with all that it is made of.
type Throw = throwing.Throw

// A Die is one die, or one card, as it fell.
type Die = throwing.Die

// A Choice is a decision, made as well as possible.
type Choice = throwing.Choice
