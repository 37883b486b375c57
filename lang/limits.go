// What one run may spend. Hosts run recipes that strangers wrote, so every
// limit has a default under which a run ends soon and in bounded memory.

package lang

import (
	"errors"
	"reflect"
	"strconv"

	"dicescript/dist"
)

// Unlimited, as a field of [Limits], takes that limit away.
const Unlimited = -1

// Limits bound one run of a recipe together with the modules that it loads. A
// zero field is the default, [Unlimited] is no limit. What would exceed a
// limit is refused before it is done, as an [Error] of [KindLimit] with a
// *dist.LimitError as its cause. Limits are counted, not measured: the same
// recipe with the same inputs meets the same limit on every machine.
//
// The time of a run is bounded by its context, and a host should always give
// one with a deadline.
//
// The defaults suit a public bot or a server that runs the recipes of
// strangers: of some four hundred that were written to do harm the worst take
// three seconds of processor time and half a gigabyte, and nine in ten less than a
// second. Several at once take several times that, so a server bounds how many
// run. A recipe that a person waits for at their own machine can be given ten
// times as much. To choose limits for recipes of your own, look at [Result.Usage]
// of those that have to pass, and multiply by four.
//
// What the limits cannot hold is in the documentation of the package.
type Limits struct {
	// Steps bounds the steps of the interpreter: a few for each operation of
	// the recipe, and more for what a function goes through at once: a step
	// for each element that list, sorted or sum looks at, for some letters of
	// a text, for some bytes of a new list or dict. So it bounds the memory of
	// what a recipe collects piece by piece too, at some 6 bytes a step.
	// Default 50 million: about a second, and 300 MB.
	Steps int64

	// Work bounds the basic operations (on machine words) of the engine of
	// distributions. Default 2 billion, some two seconds, a few more where
	// every outcome of a large roll is looked at by itself. A recipe that
	// legitimately needs more sums very many dice, or maps over very many
	// combinations.
	Work int64

	// Cells bounds the tables of all distributions together: outcomes times
	// the machine words of one weight, 8 bytes each, and the labels and states
	// of callbacks. Default 40 million, 320 MB. The total of 1000d100 takes 10
	// million, that of 1000d6 0.2 million.
	Cells int64

	// Outcomes bounds the outcomes of one distribution. Default 5 million.
	Outcomes int64

	// IntBits bounds the size of one integer. Default 65 536 bits, some
	// 19 700 digits.
	IntBits int64

	// Alloc bounds the bytes of all texts, lists and large integers that
	// operators and functions build, together, whether or not the recipe keeps
	// them. Default 256 MiB. One value may take a sixteenth of it, because
	// nothing interrupts the operation that builds it: by default a text has
	// at most 16 MiB, a list 1 048 576 elements and a dict 131 072 entries.
	Alloc int64

	// Depth bounds how deeply calls nest, and lists in lists where they are
	// printed, compared, hashed or read from json. Default 1000. Each level
	// takes about a kilobyte of stack.
	Depth int64

	// Outputs bounds the recorded outputs. Default 1000. A bot may want 20.
	Outputs int64

	// OutputBytes bounds the size of all outputs together, counted roughly
	// as they are printed in full. Default 64 MiB. A host that sends the
	// results on may want a megabyte.
	OutputBytes int64

	// TitleBytes bounds the title of an output. Default 1000 bytes.
	TitleBytes int64

	// PrintBytes bounds the text of all calls of print. Default 1 MiB.
	PrintBytes int64

	// SourceBytes bounds the text of the recipe and of each module. Default
	// 256 KiB, which compiles in less than a second.
	SourceBytes int64

	// Loads bounds how many modules a recipe loads, each counted once, with
	// those that its modules load. Default 100.
	Loads int64
}

// defaultLimits are the limits of a host that sets none.
var defaultLimits = Limits{
	Steps:       50_000_000,
	Work:        2_000_000_000,
	Cells:       40_000_000,
	Outcomes:    5_000_000,
	IntBits:     65_536,
	Alloc:       256 << 20,
	Depth:       1000,
	Outputs:     1000,
	OutputBytes: 64 << 20,
	TitleBytes:  1000,
	PrintBytes:  1 << 20,
	SourceBytes: 256 << 10,
	Loads:       100,
}

// filled returns l with its zero fields set to the defaults.
func (l Limits) filled() Limits {
	d := defaultLimits
	for _, f := range []struct{ to, from *int64 }{
		{&l.Steps, &d.Steps}, {&l.Work, &d.Work}, {&l.Cells, &d.Cells}, {&l.Outcomes, &d.Outcomes},
		{&l.IntBits, &d.IntBits}, {&l.Alloc, &d.Alloc}, {&l.Depth, &d.Depth},
		{&l.Outputs, &d.Outputs}, {&l.OutputBytes, &d.OutputBytes}, {&l.TitleBytes, &d.TitleBytes},
		{&l.PrintBytes, &d.PrintBytes}, {&l.SourceBytes, &d.SourceBytes}, {&l.Loads, &d.Loads},
	} {
		if *f.to == 0 {
			*f.to = *f.from
		}
	}
	return l
}

// below returns a field that is less than n, and its value.
func (l Limits) below(n int64) (field string, value int64) {
	fields := reflect.ValueOf(l)
	for i := range fields.NumField() {
		if v := fields.Field(i).Int(); v < n {
			return fields.Type().Field(i).Name, v
		}
	}
	return "", 0
}

// engine is the part of the limits that dist keeps, in its terms.
func (l Limits) engine() dist.Limits {
	return dist.Limits{Work: max(0, l.Work), Cells: max(0, l.Cells), Outcomes: max(0, l.Outcomes)}
}

// exceeds reports whether need is above limit.
func exceeds(need, limit int64) bool { return limit >= 0 && need > limit }

// limitError refuses something that is counted in the given unit.
func limitError(unit string, need, limit int64) error {
	return &dist.LimitError{Resource: unit, Need: need, Limit: limit}
}

// advice says what to do about a limit, in terms of the recipe.
var advice = map[string]string{
	"outcomes": "use fewer or smaller dice, or sum up less of them before going on",
	"cells":    "use fewer or smaller dice, or fewer large distributions",
	"work":     "use fewer or smaller dice, or a function that looks at fewer combinations",
	"states":   "a process without a number of steps has to come to rest in states whose next state is itself, as with max(0, points - roll)",
	"steps":    "the recipe loops too long",
	"words":    "use fewer dice, or dice with fewer sides",
}

// limitMessage is the message of a limit error for the author of a recipe.
// text is what the failing function made of it.
func limitMessage(text string, err error) string {
	var l *dist.LimitError
	if errors.As(err, &l) && advice[l.Resource] != "" {
		return text + ": " + advice[l.Resource]
	}
	return text
}

// grouped writes n with its thousands apart: 50 000 000.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
