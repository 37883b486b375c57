package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang"
	"dicescript/lang/assist"
	"dicescript/lang/report"
)

// This file shows results above what puts them out. A recipe is run when the client
// asks what a lens shows, once for each version of the text.

// longestRun is how long a recipe may run for its lenses. The limits are those of a
// host.
const longestRun = 2 * time.Second

// lenses are what a run of a snapshot has shown.
type lenses struct {
	once   sync.Once
	done   chan struct{} // closed at the end of the run; nil while nobody has asked
	result *lang.Result
	err    error
}

func (s *server) lenses(ctx context.Context, n *snapshot, _ documentParams) (any, error) {
	return asked(ctx, n, func(d *assist.Document) []codeLens {
		found := []codeLens{}
		if suite.IsTestFile(n.name) {
			return found // its functions run in tests alone
		}
		for _, r := range d.Outputs() {
			found = append(found, codeLens{Range: n.span(d, r), Data: lensData{n.uri, n.version, r.Start.Line}})
		}
		return found
	})
}

// resolveLens runs the recipe of a lens.
func (s *server) resolveLens(params json.RawMessage) (job, error) {
	var l codeLens
	if err := json.Unmarshal(params, &l); err != nil {
		return nil, invalid(err)
	}
	n := s.work.snapshot(l.Data.URI)
	if n == nil || n.version != l.Data.Version {
		return nil, errStale
	}
	return func(ctx context.Context) (any, error) {
		n.lens.once.Do(func() {
			n.lens.done = make(chan struct{})
			go n.run()
		})
		select {
		case <-n.lens.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-n.ctx.Done():
		}
		if n.ctx.Err() != nil {
			return nil, errStale
		}
		lines := l.Range.End.Line - l.Range.Start.Line
		l.Command = &command{Title: shownAt(n.lens.result, n.lens.err, l.Data.Line, l.Data.Line+lines)}
		return l, nil
	}, nil
}

// run runs the recipe of a snapshot, and stops when there is a newer version.
func (s *snapshot) run() {
	defer close(s.lens.done)
	ctx, stop := context.WithTimeout(s.ctx, longestRun)
	defer stop()
	p, err := s.space.host.Compile(ctx, s.name, []byte(s.text))
	if err != nil {
		s.lens.err = err
		return
	}
	s.lens.result, s.lens.err = p.Run(ctx)
}

// mostTitle is how many letters of a result are shown.
const mostTitle = 100

// shownAt is what some lines of a recipe have put out.
func shownAt(r *lang.Result, err error, first, last int) string {
	var shown []string
	for _, o := range outputsOf(r) {
		if o.Line >= first && o.Line <= last {
			shown = append(shown, inOneLine(o))
		}
	}
	switch {
	case len(shown) == 0 && err != nil:
		return cut("no result: " + why(err))
	case len(shown) == 0:
		return "puts nothing out"
	case len(shown) == 1:
		return cut(shown[0])
	}
	return cut(fmt.Sprintf("%d results: %s", len(shown), strings.Join(shown, " | ")))
}

func outputsOf(r *lang.Result) []lang.Output {
	if r == nil {
		return nil
	}
	return r.Outputs
}

// why is what ended a run, in a few words.
func why(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("it takes longer than %s", longestRun)
	}
	return lang.Errors(err)[0].Message
}

func cut(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > mostTitle {
		return string(runes[:mostTitle-1]) + "…"
	}
	return text
}

// inOneLine is a result in few words.
func inOneLine(o lang.Output) string {
	switch x := o.Data.(type) {
	case lang.Roll:
		return rollInOneLine(x)
	case lang.Prob:
		return report.Percent(x.Value, x.Error) + " % (" + report.Fraction(x.Value, x.Error) + ")"
	case lang.Number:
		return x.Value.FloatString(3)
	case lang.Outcomes:
		var parts []string
		for _, e := range x.Entries {
			parts = append(parts, e.Label.String()+" "+report.Percent(e.Value, x.Error)+" %")
		}
		return strings.Join(parts, ", ")
	case lang.ProbTable:
		var parts []string
		for _, e := range x.Rows {
			parts = append(parts, e.Label.String()+" "+report.Percent(e.Value, e.Error)+" %")
		}
		return strings.Join(parts, ", ")
	case lang.Grid:
		return fmt.Sprintf("table of %d by %d", len(x.Rows), len(x.Cols))
	case lang.Text:
		return x.Text
	}
	return o.Kind()
}

// rollInOneLine is the mean of a roll, where it is certain, and the range of its
// results.
func rollInOneLine(r lang.Roll) string {
	if r.Dist == nil {
		return "empty"
	}
	text := fmt.Sprintf("%d to %d", r.Dist.Min(), r.Dist.Max())
	switch above, below := r.Dist.UnboundedAbove(), r.Dist.UnboundedBelow(); {
	case above && below:
		text = "no lowest and no highest"
	case above:
		text = fmt.Sprintf("%d and more", r.Dist.Min())
	case below:
		text = fmt.Sprintf("%d and less", r.Dist.Max())
	}
	if m, err := r.Dist.Moments(context.Background()); err == nil && m.Mean != nil && m.MeanBound == 0 {
		text = "mean " + m.Mean.FloatString(3) + ", " + text
	}
	return text
}
