package meter

import (
	"context"
	"errors"
	"reflect"

	"dicescript/dist"
)

// Unlimited, as a field of [Limits], takes that limit away.
const Unlimited = -1

// Limits bound one run of a recipe together with the modules that it loads. A
// zero field is the default, [Unlimited] is no limit. What would exceed a
// limit is refused before it is done, with a [dist.LimitError]. Limits are
// counted, not measured: the same recipe with the same inputs meets the same
// limit at the same place on every machine.
//
// The time of a run is bounded by its context, and a host should always give
// one with a deadline: it also ends what no count can tell, such as a dict whose
// keys were chosen to collide.
//
// The defaults suit a public bot or a server that runs the recipes of
// strangers: a run takes some seconds of processor time and half a gigabyte at
// most. Several at once take several times that, so a server bounds how many
// run. A recipe that a person waits for at their own machine can be given ten
// times as much. To choose limits for recipes of your own, look at the usage in
// the results of those that have to pass, and multiply by four.
type Limits struct {
	// Steps bounds the steps of the interpreter: a few for each operation of
	// the recipe, and more for what a function goes through at once: a step
	// for each element that list, sorted or sum looks at, and for some letters
	// of a text. Default 50 million: about a second.
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

	// Bytes bounds the bytes of all values that a recipe makes, together,
	// whether or not it keeps them: texts, lists, dicts, functions, large
	// integers. Default 256 MiB.
	Bytes int64

	// TextBytes bounds one text. Default 1 MiB.
	TextBytes int64

	// Elements bounds the elements of one list or tuple. Default 1 048 576.
	Elements int64

	// Entries bounds the entries of one dict or set. Default 65 536.
	Entries int64

	// NameBytes bounds one label, and one key of a dict or set. Default 4 KiB.
	NameBytes int64

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

	// SessionBytes bounds what a session holds from one input to the next. What
	// nothing reaches any more does not count. Default 256 MiB. A bot with many
	// sessions may want a megabyte for each.
	SessionBytes int64
}

// defaults are the limits of a host that sets none.
var defaults = Limits{}.Filled()

// Filled returns l with its zero fields set to the defaults.
func (l Limits) Filled() Limits {
	var defaults Limits
	for _, b := range Bounds() {
		*b.Of(&defaults) = b.Default
	}
	return l.Over(defaults)
}

// Over returns l with its zero fields set to those of others.
func (l Limits) Over(others Limits) Limits {
	for _, b := range Bounds() {
		if n := b.Of(&l); *n == 0 {
			*n = *b.Of(&others)
		}
	}
	return l
}

// Below returns a field that is less than n, and its value; "" when there is
// none.
func (l Limits) Below(n int64) (field string, value int64) {
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

// A Resource is what a limit counts. Where a host can set the limit, it is the limit's
// name, as in [Bound] and in the counts of a run.
type Resource = dist.Resource

// What the limits of a run count.
const (
	Steps       Resource = "steps"
	Work                 = dist.WorkResource
	Cells                = dist.CellsResource
	Outcomes             = dist.OutcomesResource
	Words                = dist.WordsResource
	States               = dist.StatesResource
	IntBits     Resource = "int-bits"
	NumberBits  Resource = "number-bits"
	Bytes       Resource = "bytes"
	TextBytes   Resource = "text-bytes"
	Elements    Resource = "elements"
	Entries     Resource = "entries"
	NameBytes   Resource = "name-bytes"
	Depth       Resource = "nesting" // of lists in lists
	Calls       Resource = "depth"
	Outputs     Resource = "outputs"
	OutputBytes Resource = "output-bytes"
	TitleBytes  Resource = "title-bytes"
	PrintBytes  Resource = "print-bytes"
	SourceBytes Resource = "source-bytes"
	Loads       Resource = "loads"
	Session     Resource = "session-bytes"
	Looks       Resource = "looks" // at elements, by one step of the recipe
	Together    Resource = "together"
	Collisions  Resource = "collisions" // of keys that fall into the same bucket of a dict or set
)

// units are what errors call what they count, where that is not its name.
var units = map[Resource]string{
	IntBits:     "bits for one whole number",
	NumberBits:  "bits for one number",
	Bytes:       "bytes of texts, lists and large numbers",
	TextBytes:   "bytes for one text",
	Elements:    "elements for one list",
	Entries:     "entries for one dict or set",
	NameBytes:   "bytes for one label or key",
	Depth:       "lists in lists",
	Calls:       "nested calls",
	OutputBytes: "bytes of output",
	TitleBytes:  "bytes for a title",
	PrintBytes:  "bytes of printed text",
	SourceBytes: "bytes of source",
	Loads:       "modules",
	Session:     "bytes held by the session",
	Looks:       "elements",
	Together:    "outcomes to look at together",
	Collisions:  "comparisons of keys",
}

// A Bound is one field of [Limits] as a person sees it.
type Bound struct {
	Resource Resource // what it counts, which is its name too, as in --limit steps=2G
	About    string   // the same for a person
	Default  int64
	Of       func(*Limits) *int64
	InBytes  bool     // K, M and G are of 1024
	Also     Resource // what else it bounds, or ""
}

// Bounds describes all limits, those first that a recipe is likely to meet.
func Bounds() []Bound {
	return []Bound{
		{Steps, "steps of the interpreter", 50_000_000, func(l *Limits) *int64 { return &l.Steps }, false, ""},
		{Work, "operations on distributions", 2_000_000_000, func(l *Limits) *int64 { return &l.Work }, false, ""},
		{Cells, "words of all distributions", 40_000_000, func(l *Limits) *int64 { return &l.Cells }, false, ""},
		{Outcomes, "outcomes of one distribution", 5_000_000, func(l *Limits) *int64 { return &l.Outcomes }, false, ""},
		{Bytes, "bytes of texts, lists and large numbers", 256 << 20, func(l *Limits) *int64 { return &l.Bytes }, true, ""},
		{TextBytes, "bytes of one text", 1 << 20, func(l *Limits) *int64 { return &l.TextBytes }, true, ""},
		{Elements, "elements of one list", 1 << 20, func(l *Limits) *int64 { return &l.Elements }, false, ""},
		{Entries, "entries of one dict or set", 65_536, func(l *Limits) *int64 { return &l.Entries }, false, ""},
		{NameBytes, "bytes of one label or key", 4 << 10, func(l *Limits) *int64 { return &l.NameBytes }, true, ""},
		{IntBits, "bits of one whole number", 65_536, func(l *Limits) *int64 { return &l.IntBits }, false, ""},
		{Calls, "calls inside calls", 1000, func(l *Limits) *int64 { return &l.Depth }, false, Depth},
		{Outputs, "outputs", 1000, func(l *Limits) *int64 { return &l.Outputs }, false, ""},
		{OutputBytes, "bytes of all outputs", 64 << 20, func(l *Limits) *int64 { return &l.OutputBytes }, true, ""},
		{TitleBytes, "bytes of a title", 1000, func(l *Limits) *int64 { return &l.TitleBytes }, true, ""},
		{PrintBytes, "bytes that print may write", 1 << 20, func(l *Limits) *int64 { return &l.PrintBytes }, true, ""},
		{SourceBytes, "bytes of a recipe or module", 256 << 10, func(l *Limits) *int64 { return &l.SourceBytes }, true, ""},
		{Loads, "modules that are loaded", 100, func(l *Limits) *int64 { return &l.Loads }, false, ""},
		{Session, "bytes held from one input to the next", 256 << 20, func(l *Limits) *int64 { return &l.SessionBytes }, true, ""},
	}
}

// Met is the limit that err has met, where it is one of now. It is false when err
// is no limit, or one of the engine that nobody can change.
func Met(err error, now Limits) (Bound, bool) {
	var met *dist.LimitError
	if !errors.As(err, &met) {
		return Bound{}, false
	}
	for _, b := range Bounds() {
		if met.Limit == *b.Of(&now) && (met.Resource == b.Resource || met.Resource == b.Also) {
			return b, true
		}
	}
	return Bound{}, false
}

// advice is what the author of a recipe can do about a limit.
var advice = map[Resource]string{
	Steps:             "use fewer dice or rounds; where the order of dice does not matter, map_sorted and evaluate take far fewer steps than map",
	Work:              "use fewer or smaller dice, or a function that looks at fewer combinations",
	Cells:             "use fewer or smaller dice, or fewer large distributions",
	Outcomes:          "use fewer or smaller dice, or sum up less of them before going on",
	Words:             "use fewer dice, or dice with fewer sides",
	dist.HeldResource: "use fewer or smaller dice, or keep fewer of them",
	States:            "a process without a number of steps has to reach states whose next state is itself, as with max(0, points - roll)",
	Together:          "compare or write fewer rolls at a time",
	Looks:             "do it in smaller parts",
	Collisions:        "too many keys fall into the same place of a dict or set: use other keys, such as texts",
}

// Advice says what the author of a recipe can do about the limit in err, "" when
// there is nothing to say or err is no limit.
func Advice(err error) string {
	if l := (*dist.LimitError)(nil); errors.As(err, &l) {
		return advice[l.Resource]
	}
	return ""
}

// Ends reports whether an error ends the run whatever was given: a limit is met, or
// its time is over.
func Ends(err error) bool {
	limit := (*dist.LimitError)(nil)
	return errors.As(err, &limit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Check refuses need of a resource when it is above limit. A negative limit is
// none.
func Check(r Resource, need, limit int64) error {
	if limit < 0 || need <= limit {
		return nil
	}
	return &dist.LimitError{Resource: r, Unit: units[r], Need: need, Limit: limit}
}
