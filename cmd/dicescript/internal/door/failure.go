package door

import (
	"context"
	"errors"
	"fmt"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
	"dicescript/lang/report"
)

// A Failure is what is wrong with a recipe or a run, as results have it.
type Failure struct {
	Kind      lang.Kind `json:"kind" jsonschema:"syntax, name, runtime, limit, deadline, cancelled, module, input or internal"`
	Message   string    `json:"message"`
	File      string    `json:"file"`
	Line      int       `json:"line" jsonschema:"from 1; 0 is no place in particular"`
	Column    int       `json:"column" jsonschema:"from 1, in characters"`
	Backtrace []Frame   `json:"backtrace" jsonschema:"the calls that were active, outermost first"`
}

// A Frame is one call that was active.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// failures returns all mistakes of an error, nil for none.
func (e *Engine) failures(err error, now limits.Settings) []Failure {
	var all []Failure
	for _, m := range lang.Errors(e.taught(err, now)) {
		f := Failure{
			Kind: m.Kind, Message: m.Message, Backtrace: []Frame{},
			File: m.Position.File, Line: m.Position.Line, Column: m.Position.Column,
		}
		for _, call := range m.Frames {
			f.Backtrace = append(f.Backtrace, Frame{call.Function, call.File, call.Line, call.Column})
		}
		all = append(all, f)
	}
	return all
}

// taught is an error that says how a client raises the limit that was met.
func (e *Engine) taught(err error, call limits.Settings) error {
	all := lang.Errors(err)
	if len(all) == 0 {
		return nil
	}
	first := *all[0]
	now := e.inForce
	now.Run = call.Run.Over(now.Run)
	if call.Report != 0 {
		now.Report = call.Report
	}
	l, value, ok := limits.Raise(err, now)
	switch {
	case ok && value == "":
		first.Message += fmt.Sprintf(" (it is set by limits: %q)", memberName(l.Name))
	case ok:
		n, _ := l.Parse(value) // it is one that can be read
		first.Message += fmt.Sprintf(" (raise it with limits: {%q: %d})", memberName(l.Name), n)
	case first.Kind == lang.KindDeadline:
		first.Message += "; a larger timeout gives it more"
	}
	return append(lang.ErrorList{&first}, all[1:]...)
}

// reportError is why a report is not whole, as an error of the run.
func reportError(err error) error {
	switch {
	case errors.As(err, new(*report.LimitError)):
		return lang.NewError(lang.KindLimit, err.Error(), err)
	case errors.Is(err, context.DeadlineExceeded):
		return lang.NewError(lang.KindDeadline, "the time is used up before the results are written", err)
	}
	return lang.NewError(lang.KindCancelled, "the run was stopped", err)
}
