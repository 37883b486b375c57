package notation

// This file is the syntax tree of the notation of roll("..."): sums and
// products of dice, numbers and groups, each with its modifiers.

// An Expr is a node: *Number, *Dice, *Range, *Group, *Negate or *Binary.
type Expr interface {
	Pos() Place
	expr()
}

// A Place is where a node begins in the text.
type Place struct{ Line, Col int }

// Pos returns the place itself.
func (p Place) Pos() Place { return p }

type (
	// A Number is a whole number.
	Number struct {
		Place
		Value int
	}

	// Dice is a literal with its modifiers. The suffix of the literal (kh3)
	// is the last of Modifiers, so Literal.Select is always KeepAll.
	Dice struct {
		Place
		Literal   Pool
		Modifiers []Modifier
	}

	// A Range is 5..6, 5.. or ..6.
	Range struct {
		Place
		Band Band
	}

	// A Group is an expression in parentheses; with modifiers it has to be
	// a pool.
	Group struct {
		Place
		X         Expr
		Modifiers []Modifier
	}

	// Negate is a minus before an operand.
	Negate struct {
		Place
		X Expr
	}

	// A Binary is X Op Y, Op one of + - * //.
	Binary struct {
		Place // of the operator
		Op    string
		X, Y  Expr
	}
)

func (*Number) expr() {}
func (*Dice) expr()   {}
func (*Range) expr()  {}
func (*Group) expr()  {}
func (*Negate) expr() {}
func (*Binary) expr() {}

// An Action is what a modifier does.
type Action uint8

// The actions. Modifiers come in stages, and stages in this order: reroll and
// explode (each die, in the order written; Explode is the last of them), raise and
// cap, keep and drop, then at most one count.
const (
	// A die that shows When, or its highest face when that is nil, is rolled again
	// and the new one counted with it, without end. When dice are kept or counted
	// afterwards, each new die stands for itself.
	Explode     Action = iota + 1
	Compound           // as Explode, but what is rolled is always added to its die
	RerollOnce         // what matches When, once
	RerollUntil        // until When does not match
	RaiseTo            // faces below N count as N
	CapAt              // faces above N count as N
	KeepDrop           // Select N of what is left
	Count              // how many match When
)

func (a Action) stage() int {
	switch a {
	case Explode, Compound, RerollOnce, RerollUntil:
		return 0
	case RaiseTo, CapAt:
		return 1
	case KeepDrop:
		return 2
	}
	return 3
}

// A Modifier changes the dice before it.
type Modifier struct {
	Place
	Text   string // as written, without spaces
	Action Action
	When   *Band
	Select Select
	N      int
}
