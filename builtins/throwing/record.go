package throwing

// What was thrown, as data.

// A Throw is one thing that was thrown, with all that it is made of.
type Throw struct {
	File   string   `json:"file,omitempty" jsonschema:"the module that it stands in; left out for the recipe itself"`
	Line   int      `json:"line,omitempty" jsonschema:"where it stands in the recipe, from 1"`
	Column int      `json:"column,omitempty"`
	What   string   `json:"what" jsonschema:"what was thrown, as a recipe writes it: 4d6kh3, max(2d20) + 5"`
	Op     string   `json:"op,omitempty" jsonschema:"the operator that it is of, such as + or >="`
	Dice   []*Die   `json:"dice,omitempty" jsonschema:"the dice that were thrown for it, in the order of the throw"`
	Drawn  bool     `json:"drawn,omitempty" jsonschema:"there were no dice to throw: the value was drawn from its whole distribution"`
	Choice *Choice  `json:"choice,omitempty" jsonschema:"it is a decision of a plan"`
	Value  any      `json:"value" jsonschema:"what it came to: a number, a label, a list, or whether it happened"`
	Total  *int     `json:"total,omitempty" jsonschema:"of dice that are not added up, their total; the value is the list of them"`
	Throws []*Throw `json:"throws,omitempty" jsonschema:"what it is made of, in the order in which it was thrown"`
}

// A Die is one die, or one card, as it fell.
type Die struct {
	Sides    int    `json:"sides,omitempty" jsonschema:"how many equally likely sides it has"`
	Face     string `json:"face,omitempty" jsonschema:"the card or the label that shows"`
	Value    int    `json:"value" jsonschema:"what it shows"`
	Counts   *int   `json:"counts_as,omitempty" jsonschema:"what it counts as, where that is another number"`
	Kept     bool   `json:"kept,omitempty" jsonschema:"some dice were kept, and this is one of them"`
	Dropped  bool   `json:"dropped,omitempty" jsonschema:"some dice were kept, and this is none of them"`
	Exploded int    `json:"exploded,omitempty" jsonschema:"the place, from 1, of the die that exploded and added this one"`
	Rerolled int    `json:"rerolled,omitempty" jsonschema:"the place, from 1, of the die that was thrown instead of this one, which counts no more"`
	Counted  bool   `json:"counted,omitempty" jsonschema:"it is one of the dice that were counted"`
}

// A Choice is a decision, made as well as possible.
type Choice struct {
	Options []any  `json:"options" jsonschema:"what could be chosen"`
	Chosen  any    `json:"chosen"`
	Who     string `json:"who,omitempty" jsonschema:"the other side, where it chooses"`
}
