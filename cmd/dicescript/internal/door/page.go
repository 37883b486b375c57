package door

import (
	"context"
	"fmt"
	"strings"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
	"dicescript/lang/report"
)

// A page is what has come of a run for someone who reads: tables as markdown, and what
// is wrong with its line and what may be written instead.

// EvalPage evaluates an expression; ok is false when that failed.
func (e *Engine) EvalPage(ctx context.Context, p EvalParams) (text string, ok bool, err error) {
	evaluate, err := e.evaluating(p)
	if err != nil {
		return "", false, err
	}
	return e.page(ctx, p.Bounds, evaluate)
}

// RunPage runs a recipe; ok is false when that failed.
func (e *Engine) RunPage(ctx context.Context, p RunParams) (text string, ok bool, err error) {
	run, err := e.running(p)
	if err != nil {
		return "", false, err
	}
	return e.page(ctx, p.Bounds, run)
}

func (e *Engine) page(ctx context.Context, b Bounds, run running) (text string, ok bool, err error) {
	err = e.within(ctx, b, run, func(ctx context.Context, r *lang.Result, failure error, own limits.Settings) error {
		page, err := e.written(ctx, r, failure, own, "markdown", report.Options{})
		text, ok = strings.TrimSpace(string(page)), failure == nil
		if !ok {
			text = strings.TrimSpace(text + "\n\n" + e.explained(failure, own))
		}
		return err
	})
	return text, ok, err
}

// mostExplained is how many mistakes of a source are shown.
const mostExplained = 8

// explained says what is wrong.
func (e *Engine) explained(failure error, own limits.Settings) string {
	var b strings.Builder
	for i, m := range lang.Errors(e.taught(failure, own)) {
		if i == mostExplained {
			b.WriteString("... and more\n")
			break
		}
		fmt.Fprintf(&b, "error: %s\n", m.Error())
		if m.Source != "" && m.Position.Column > 0 {
			fmt.Fprintf(&b, "    %s\n    %s^\n", m.Source, strings.Repeat(" ", m.Position.Column-1))
		}
		for _, f := range m.Fixes {
			fmt.Fprintf(&b, "write instead: %s\n", f.Text)
		}
	}
	return b.String()
}
