package anydice

import (
	"context"
	"errors"
	"fmt"

	"dicescript/dist"
)

// The first error is the whole answer of a program, and it is of one of few
// kinds: the language itself tells a text that is no program from a calculation
// that fails when it is reached.

// A Kind says what sort of mistake an [Error] reports.
type Kind string

// The kinds of errors.
const (
	Syntax      Kind = "syntax"      // the text is no program; nothing has run
	Calculation Kind = "calculation" // a statement that was reached makes no sense
	Limit       Kind = "limit"       // the run would have needed more than it may spend
	Stopped     Kind = "stopped"     // the context of the run is done
)

// An Error is what is wrong with a program or a run. Lines and columns count
// from 1, columns in characters.
type Error struct {
	Kind         Kind
	File         string
	Line, Column int
	Message      string
	Cause        error // a *dist.LimitError, the error of the context, or nil
}

// Error returns the position and the message.
func (e *Error) Error() string {
	place := fmt.Sprintf("%d:%d", e.Line, e.Column)
	if e.File != "" {
		place = e.File + ":" + place
	}
	return place + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// A place is a byte offset in the text of a program.
type place int

// A fault is an error that has only a place yet.
type fault struct {
	at   place
	kind Kind
	text string
}

func (f *fault) Error() string { return f.text }

func faultf(at place, format string, args ...any) error {
	return &fault{at: at, kind: Calculation, text: fmt.Sprintf(format, args...)}
}

// A placed error is one of the engine or of the meter at the place of the
// program that met it.
type placed struct {
	at  place
	err error
}

func (p *placed) Error() string { return p.err.Error() }
func (p *placed) Unwrap() error { return p.err }

// located gives an error a place unless it has one; nil stays nil. What only steers the
// evaluation passes as it is.
func located(at place, err error) error {
	switch err.(type) {
	case nil, *fault, *placed, *wish:
		return err
	}
	return &placed{at: at, err: err}
}

// report turns the error of a run into an [Error].
func (p *Program) report(err error) *Error {
	e := &Error{Kind: Calculation, File: p.name, Message: err.Error()}
	at := place(0)
	var f *fault
	var held *placed
	var limit *dist.LimitError
	switch {
	case errors.As(err, &f):
		at, e.Kind = f.at, f.kind
	case errors.As(err, &held):
		at, e.Cause = held.at, held.err
	default:
		e.Cause = err
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind = Stopped
	case errors.As(err, &limit):
		e.Kind = Limit
	}
	e.Line, e.Column = p.text.position(at)
	return e
}
