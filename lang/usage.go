// What a run has used, limit by limit, so that a host can choose limits from the
// recipes that have to pass.

package lang

import "iter"

// Usage is what a run used of its [Limits]: the fields have the names and the units
// of those. Some add up over the run; of the others it is the most that there was at
// once. A run that a limit stopped has used what it was charged before, and the same
// run always uses the same.
type Usage struct {
	Steps       int64 // of the interpreter
	Work        int64 // basic operations of the engine
	Cells       int64 // outcomes held, times the machine words of each
	Outcomes    int64 // of the largest distribution
	Bytes       int64 // of all values that were made
	TextBytes   int64 // of the longest text
	Elements    int64 // of the longest list
	Entries     int64 // of the largest dict or set
	NameBytes   int64 // of the longest label or key
	IntBits     int64 // of the largest whole number that is longer than two words
	Depth       int64 // of calls in calls, as it was looked at every thousand steps
	Outputs     int64 // that were recorded
	OutputBytes int64 // of all outputs
	TitleBytes  int64 // of the longest title
	PrintBytes  int64 // of printed text
	SourceBytes int64 // of the longest text among the recipe and its modules
	Loads       int64 // modules that the recipe stands on
}

// counts are the fields by the names of the limits.
func (u *Usage) counts() iter.Seq2[string, *int64] {
	return func(yield func(string, *int64) bool) {
		_ = yield("steps", &u.Steps) &&
			yield("work", &u.Work) &&
			yield("cells", &u.Cells) &&
			yield("outcomes", &u.Outcomes) &&
			yield("bytes", &u.Bytes) &&
			yield("text-bytes", &u.TextBytes) &&
			yield("elements", &u.Elements) &&
			yield("entries", &u.Entries) &&
			yield("name-bytes", &u.NameBytes) &&
			yield("int-bits", &u.IntBits) &&
			yield("depth", &u.Depth) &&
			yield("outputs", &u.Outputs) &&
			yield("output-bytes", &u.OutputBytes) &&
			yield("title-bytes", &u.TitleBytes) &&
			yield("print-bytes", &u.PrintBytes) &&
			yield("source-bytes", &u.SourceBytes) &&
			yield("loads", &u.Loads)
	}
}

// Counts goes through the usage by the names of the limits, those first that a recipe
// is likely to meet: "steps", "work", "text-bytes".
func (u Usage) Counts() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for name, n := range u.counts() {
			if !yield(name, *n) {
				return
			}
		}
	}
}

// finish returns the result with what the run has used.
func (r *run) finish() *Result {
	r.machine.Flush()
	used, u := r.meter.Used(), &r.result.Usage
	u.Depth = int64(r.machine.Depth())
	u.Steps, u.Work, u.Cells, u.Outcomes = used.Steps, used.Work, used.Cells, used.Outcomes
	u.Bytes, u.TextBytes, u.Elements, u.Entries = used.Bytes, used.TextBytes, used.Elements, used.Entries
	u.NameBytes, u.IntBits = used.NameBytes, used.IntBits
	u.Outputs, u.OutputBytes, u.PrintBytes = int64(len(r.result.Outputs)), r.outputBytes, r.printed
	u.SourceBytes, u.Loads = r.sourceBytes, r.loads
	return r.result
}

// sources is the length of the longest of the texts that a run stands on, and how
// many of them are modules.
func sources(units map[string]*unit) (longest, modules int64) {
	for _, u := range units {
		longest = max(longest, int64(len(u.lines.Text)))
		if !u.main {
			modules++
		}
	}
	return longest, modules
}
