// JSON, both ways: as package lang writes and reads results, with the fractions, the
// further chances and the limits that the options ask for.

package report

import (
	"bufio"
	"context"
	"io"
	"math/big"

	"dicescript/lang"
	"dicescript/lang/internal/form"
)

// renderJSON writes r as one JSON object: an error when the run failed, outputs,
// params and usage.
func renderJSON(w io.Writer, r *lang.Result, o Options) error {
	return flushed(w, o, func(b *bufio.Writer) error {
		lang.EncodeJSON(b, r, o.failures(), o.form())
		return nil
	})
}

// writeJSON writes outputs as a JSON array.
func writeJSON(b *bufio.Writer, s *sheet, places []int) error {
	outputs := make([]lang.Output, len(places))
	for i, place := range places {
		outputs[i] = s.outputs[place]
	}
	lang.EncodeOutputs(b, outputs, s.o.form())
	return nil
}

// form is the form of json that the options ask for.
func (o Options) form() form.JSON {
	f := form.JSON{Weights: o.Fractions == Weights, Floats: o.Fractions == NoFractions, Look: o.look}
	if o.show() != Exactly {
		f.Shares = o.shares
	}
	return f
}

// shares returns what gives the chances of at least and at most each outcome of a
// distribution, where it has an order.
func (o Options) shares(of any, total func() *big.Int) func(weight *big.Int) []form.Share {
	if labels, ok := of.(lang.Outcomes); ok && !ordered(labels) {
		return nil
	}
	sum := newClimb(total())
	return func(weight *big.Int) []form.Share {
		l := sum.next(weight)
		var shares []form.Share
		for _, name := range o.show().cumulative() {
			x := l.atLeast
			if name == "at_most" {
				x = l.atMost
			}
			shares = append(shares, form.Share{Name: name, Value: x.Rat()})
		}
		return shares
	}
}

// ReadJSON reads what [Render] has written as json, with exact fractions or with weights,
// back as the result. As with [lang.Program.Run] the result is never nil, and an error of
// the run, an *[lang.Error] or a [lang.ErrorList], comes beside what was recorded before
// it; context.DeadlineExceeded is found in it. An error that is none of these says that
// the text is no such json.
//
// What json does not have is not there: the lines of outputs, the source lines and causes
// of errors; of an unlimited roll, where it ends and what is known of its moments but not
// exactly; how often the dice of a roll exploded; and whether what holds several is a list
// or a tuple. Dicts keep their order, and keys of any kind. The context bounds the
// time; texts take about four times their length in memory.
func ReadJSON(ctx context.Context, r io.Reader) (*lang.Result, error) {
	return lang.DecodeJSON(form.Source{Context: ctx, Text: r})
}
