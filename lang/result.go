// The results of a run as data: what a recipe put out, free of any rendering.

package lang

import (
	"math/big"
	"strconv"
	"strings"

	"dicescript/dist"
)

// A Result is what one run of a recipe gives: its outputs in order, the
// parameters that it ran with, and what it used up. A failed run has a Result
// too, with the outputs recorded before the failure.
type Result struct {
	Outputs []Output
	Params  []ParamValue
	Notes   []string // what a reader of the outputs should know
	Usage   Usage
}

// An Output is one titled result of a run.
type Output struct {
	Title string
	Data  Data
	// Line is the line of the recipe's top-level code that was running: where
	// it called output, or the function that did. It is 0 when it is not known.
	Line int
}

// Kind returns the name of what the output holds, as recipes and renderings
// call it; it is "" when there is no data.
func (o Output) Kind() string {
	if o.Data == nil {
		return ""
	}
	return o.Data.Kind()
}

// A ParamValue is the value that one parameter of a recipe had in a run: a
// bool, an int, a float64, a string, or a *big.Int for what does not fit an int.
type ParamValue struct {
	Name  string
	Value any
	Help  string
	Line  int // of the param call; 0 when it is not known

	// What the recipe says of the parameter, as in [Param].
	Type     string
	Default  any
	Min, Max any
	Choices  []any
}

// Data is the exact content of an [Output]: one of [Roll], [Prob], [Number],
// [Outcomes], [ProbTable], [Grid], [Comparison], [Plan] and [Text].
type Data interface {
	// Kind returns the name of the kind, such as "DieRoll".
	Kind() string
}

// A Roll is a distribution over integers. A pool is given as its total. The
// empty die of AnyDice, which has no outcomes, has no Dist: it is nil.
type Roll struct {
	Dist *dist.Dist
	// ExtraRolls is how many extra rolls each die added at most, of dice that have
	// exploded and to which nothing has been done since; else 0.
	ExtraRolls int
}

// A Prob is one exact probability.
type Prob struct {
	Value *big.Rat
	Bound float64 // the true value is within Bound of Value; 0 when exact
}

// A Number is an exact rational that is not a probability.
type Number struct {
	Value *big.Rat
	Bound float64 // the true value is within Bound of Value; 0 when exact
}

// Outcomes is a distribution over labels. Every label of its scale is present,
// in the order of the scale, also those of chance 0.
type Outcomes struct {
	Entries []Outcome
	Bound   float64 // total-variation distance to the true distribution; 0 when exact
	Ordered bool    // whether the labels stand on a scale, from worst to best
}

// An Outcome is the chance of one label of an [Outcomes].
type Outcome struct {
	Label Label
	Value *big.Rat
}

// A ProbTable holds labelled probabilities that answer separate questions; they
// need not add up to 1.
type ProbTable struct {
	Rows []ProbTableRow
}

// A ProbTableRow is one labelled probability of a [ProbTable].
type ProbTableRow struct {
	Label Label
	Value *big.Rat
	Bound float64 // the true value is within Bound of Value; 0 when exact
}

// A Grid is a two-dimensional table of probabilities or of numbers.
type Grid struct {
	Title  string // the grid's own title, which may be empty
	Corner string // what stands where the headings of rows and columns meet
	Rows   []Label
	Cols   []Label
	Cells  [][]Cell // Cells[r][c] belongs to Rows[r] and Cols[c]
	Digits int      // decimals to print
}

// A Cell is one value of a [Grid].
type Cell struct {
	Value *big.Rat
	Bound float64 // the true value is within Bound of Value; 0 when exact
	Prob  bool    // whether it is a probability, to be printed in percent
}

// A Comparison lays several rolls side by side on one axis.
type Comparison struct {
	Rolls []NamedRoll
}

// A NamedRoll is one of the rolls of a [Comparison].
type NamedRoll struct {
	Name string
	Dist *dist.Dist
}

// A Plan is what to do in every state of a process that can come up, and what
// the best play is worth.
type Plan struct {
	Value     *big.Rat // the mean payoff from the start
	Bound     float64  // all values are within Bound of the true ones; 0 when exact
	Decisions []Decision
}

// A Decision is the best move in one state of a [Plan].
type Decision struct {
	State, Move Label
	Value       *big.Rat // the mean payoff from there on
}

// Text is a piece of text that a recipe put out, or the text of something that has no
// table: a list, a dict, a truth value.
type Text struct {
	Text string
	// Value is what the text is of: a bool, a []any or a [Dict]. The elements are such
	// values too, strings, ints, *big.Ints, float64s, nil for None, and [Data] for what
	// is put out as that: a [Roll], a [Prob]. It is nil where there is but a text.
	Value any
}

// A Dict is a dict of a recipe, in its order.
type Dict []Entry

// An Entry is an entry of a [Dict].
type Entry struct{ Key, Value any }

// Map returns the entries whose keys are texts.
func (d Dict) Map() map[string]any {
	m := make(map[string]any, len(d))
	for _, e := range d {
		if key, ok := e.Key.(string); ok {
			m[key] = e.Value
		}
	}
	return m
}

// Kind returns "DieRoll".
func (Roll) Kind() string { return "DieRoll" }

// Kind returns "Prob".
func (Prob) Kind() string { return "Prob" }

// Kind returns "Number".
func (Number) Kind() string { return "Number" }

// Kind returns "Outcomes".
func (Outcomes) Kind() string { return "Outcomes" }

// Kind returns "ProbTable".
func (ProbTable) Kind() string { return "ProbTable" }

// Kind returns "Grid".
func (Grid) Kind() string { return "Grid" }

// Kind returns "Comparison".
func (Comparison) Kind() string { return "Comparison" }

// Kind returns "Plan".
func (Plan) Kind() string { return "Plan" }

// Kind returns "Text".
func (Text) Kind() string { return "Text" }

// A Label names an outcome: a text, an integer, or a tuple of labels, in which there may
// also be truth values and None. The zero Label is the empty text.
type Label struct {
	text  string
	n     int
	items []Label
	shape labelShape
}

type labelShape uint8

const (
	textShape labelShape = iota
	intShape
	tupleShape
	boolShape // n is 1 for True
	noneShape
)

// TextLabel returns the label that is the text s.
func TextLabel(s string) Label { return Label{text: s} }

// IntLabel returns the label that is the integer n.
func IntLabel(n int) Label { return Label{n: n, shape: intShape} }

// BoolLabel returns the label that is a truth value, for a place of a tuple.
func BoolLabel(b bool) Label {
	if b {
		return Label{n: 1, shape: boolShape}
	}
	return Label{shape: boolShape}
}

// NoneLabel returns the label that is None, for a place of a tuple.
func NoneLabel() Label { return Label{shape: noneShape} }

// TupleLabel returns the label that is a tuple of items.
func TupleLabel(items ...Label) Label {
	return Label{items: append([]Label(nil), items...), shape: tupleShape}
}

// Text returns the text of a text label; ok is false for other labels.
func (l Label) Text() (text string, ok bool) { return l.text, l.shape == textShape }

// Int returns the integer of an integer label; ok is false for other labels.
func (l Label) Int() (n int, ok bool) { return l.n, l.shape == intShape }

// Bool returns the truth value of such a label; ok is false for other labels.
func (l Label) Bool() (b, ok bool) { return l.n != 0 && l.shape == boolShape, l.shape == boolShape }

// IsNone reports whether the label is None.
func (l Label) IsNone() bool { return l.shape == noneShape }

// Items returns the items of a tuple label; ok is false for other labels.
func (l Label) Items() (items []Label, ok bool) {
	return append([]Label(nil), l.items...), l.shape == tupleShape
}

// String returns the label as a reader sees it: a text as it is, an integer in
// decimal, a tuple in parentheses. A text in a tuple that would read as something else has
// quotes: ("1", True) is not (1, "True").
func (l Label) String() string {
	switch l.shape {
	case boolShape:
		if l.n != 0 {
			return "True"
		}
		return "False"
	case noneShape:
		return "None"
	case intShape:
		return strconv.Itoa(l.n)
	case tupleShape:
		parts := make([]string, len(l.items))
		for i, item := range l.items {
			parts[i] = item.String()
			if item.shape == textShape && readsOtherwise(item.text) {
				parts[i] = strconv.Quote(item.text)
			}
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return l.text
}

// readsOtherwise reports whether a text in a tuple would be read as something else: a
// number, a truth value, None, or several places.
func readsOtherwise(text string) bool {
	switch text {
	case "True", "False", "None":
		return true
	}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return true
	}
	return strings.ContainsAny(text, `,()"`)
}
