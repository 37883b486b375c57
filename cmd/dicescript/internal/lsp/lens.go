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
	s.lens.result, s.lens.err = s.space.run(s.ctx, s.name, s.text)
}

// mostTitle is how many letters of a result are shown.
const mostTitle = 100

// shownAt is what some lines of a recipe have put out: the titles as well, when there
// are several.
func shownAt(r *lang.Result, err error, first, last int) string {
	var shown lang.Result
	if r != nil {
		for _, o := range r.Outputs {
			if o.Line >= first && o.Line <= last {
				shown.Outputs = append(shown.Outputs, o)
			}
		}
	}
	switch len(shown.Outputs) {
	case 0:
		if err != nil {
			return cut("no result: " + why(err))
		}
		return "puts nothing out"
	case 1:
		shown.Outputs[0].Title = ""
	}
	line, err := report.Line(context.Background(), &shown, report.Options{})
	if err != nil {
		return cut("no result: " + why(err))
	}
	return cut(strings.TrimPrefix(line, ": "))
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
