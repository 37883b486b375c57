package anydice

// The tree of a program. Variables and shapes of functions have got small
// numbers, so that a run keeps them in slots.

// An expression computes a value.
type expression interface {
	eval(r *run) (value, error)
	place() place
}

type numberLiteral struct {
	at     place
	n      int
	digits string // when the number is too large for n
}

type variable struct {
	at   place
	slot int
}

type prefixed struct {
	at place
	op operator
	x  expression
}

type infix struct {
	at   place // of the operator
	op   operator
	x, y expression
}

type sequenceLiteral struct {
	at    place
	parts []part
	fixed []int // the elements when they are written out, else nil
}

// A part of a sequence: from, or the range from..to, so many times.
type part struct {
	from, to, times expression // to and times may be nil
}

type call struct {
	at    place
	shape int
	args  []expression
}

func (e *numberLiteral) place() place   { return e.at }
func (e *variable) place() place        { return e.at }
func (e *prefixed) place() place        { return e.at }
func (e *infix) place() place           { return e.at }
func (e *sequenceLiteral) place() place { return e.at }
func (e *call) place() place            { return e.at }

// An operator is that of an infix or a prefix.
type operator uint8

const (
	opDice operator = iota
	opPlus
	opMinus
	opNot
	opLength
	opTimes
	opDivide
	opPower
	opAt
	opEqual
	opUnequal
	opLess
	opGreater
	opAtMost
	opAtLeast
	opAnd
	opOr
)

// A statement does something. Its run reports whether a result has ended the
// function that it is in.
type statement interface {
	exec(r *run) (ended bool, err error)
}

type assignment struct {
	at   place
	slot int
	x    expression
}

type output struct {
	at    place
	x     expression
	named bool
	name  []titlePart
}

type setting struct {
	at   place
	name string
	x    expression // nil when it is set to text
	text string
}

type definition struct {
	f *function
}

type loop struct {
	at   place
	slot int
	over expression
	body []statement
}

type condition struct {
	at        place
	x         expression
	then, els []statement
}

type result struct {
	at place
	x  expression
}

// A function is one definition of a user's function.
type function struct {
	at     place
	shape  int
	params []parameter
	body   []statement
	height int // how deep the tree of the body is
}

type parameter struct {
	slot int
	kind paramKind
}

// A paramKind is what a parameter turns its argument into.
type paramKind uint8

const (
	anyParam paramKind = iota
	numberParam
	sequenceParam
	dieParam
)

// A shape is what a function is known by: its words and the places of its
// parameters, "highest _ of _".
type shape struct {
	name     string
	builtin  *builtin // of this shape, or nil
	argCount int
}
