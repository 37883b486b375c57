// What can go wrong with a recipe, as one type: what kind of mistake it is,
// where in the author's text it was noticed, and what caused it.

package lang

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dicescript/dist"
	"dicescript/lang/internal/wording"
)

// A Kind says what sort of mistake an [Error] reports.
type Kind string

// The kinds of errors.
const (
	KindSyntax    Kind = "syntax"    // the text is not a program
	KindName      Kind = "name"      // a name that means nothing, or is used where it can't be
	KindRuntime   Kind = "runtime"   // the recipe failed while it ran
	KindLimit     Kind = "limit"     // a limit of the run would have been exceeded
	KindDeadline  Kind = "deadline"  // the time of the run was used up
	KindCancelled Kind = "cancelled" // the host stopped the run
	KindModule    Kind = "module"    // a module can't be found or loaded
	KindInput     Kind = "input"     // the host gave a value that the recipe has no use for
	KindInternal  Kind = "internal"  // a fault of dicescript or of a host's builtin
)

// A Position is a place in a recipe or a module: lines and columns count from
// 1, columns in runes. A zero Line is no place in particular.
type Position struct {
	File         string
	Line, Column int
}

// String writes the position as "attack.star:3:7", without what is not known.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// A Frame is one call that was active when a run failed: the function, ""
// at the top level of a file, and the place that it had reached.
type Frame struct {
	Function string
	Position
}

// An Error is what is wrong with a recipe or a run. Message is for the author of
// the recipe; a host decides by Kind.
//
// errors.Is finds context.DeadlineExceeded and context.Canceled in the error
// of a run that was stopped, and the [context.Cause] of it; errors.As the *dist.LimitError in one that
// would have exceeded a limit. Both find what a host's own builtin returned.
type Error struct {
	Kind     Kind
	Message  string
	Position Position
	// Source is the line of text that Position is on, "" when it is unknown.
	Source string
	// Frames are the calls of the recipe's own functions that were active,
	// outermost first; the last one is at Position.
	Frames []Frame
	// Stack is the Go stack of a panic, for KindInternal.
	Stack []byte
	// Fixes are what may be written instead, the likeliest first: of errors that suggest
	// something, edits of the file at Position.
	Fixes []Fix

	cause error
}

// A Fix is an edit of one line of a text: Text takes the place of what stands from Column
// up to, not with, EndColumn. An empty place is one where Text is put in.
type Fix struct {
	Line, Column, EndColumn int // from 1, columns in runes
	Text                    string
}

// Error returns the position and the message.
func (e *Error) Error() string {
	if p := e.Position.String(); p != "" {
		return p + ": " + e.Message
	}
	return e.Message
}

// Is reports whether target is the context's error that an error of this kind stands for,
// also where the error comes from another process.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Kind == KindDeadline || target == context.Canceled && e.Kind == KindCancelled
}

// Unwrap returns what caused the error, or nil.
func (e *Error) Unwrap() error { return e.cause }

// NewError returns an error without a place, for hosts that find out by themselves what
// [Program.Run] would have told: in errors.Is and errors.As it has the cause, which may be
// nil.
func NewError(kind Kind, message string, cause error) *Error {
	return &Error{Kind: kind, Message: message, cause: cause}
}

// An ErrorList is several mistakes in one text, in the order of their places.
// errors.As with an *[Error] finds the first; [Errors] gives all.
type ErrorList []*Error

// Error returns all of them, a line each.
func (es ErrorList) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns all of them.
func (es ErrorList) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// Errors returns the errors that err consists of: one for the error of a run, one
// or several for one of [Host.Compile], none for nil.
func Errors(err error) []*Error {
	var many ErrorList
	if errors.As(err, &many) {
		return many
	}
	var one *Error
	if errors.As(err, &one) {
		return []*Error{one}
	}
	if err != nil {
		return []*Error{{Kind: KindInternal, Message: err.Error(), cause: err}}
	}
	return nil
}

// joined returns several errors as one; a single one stays what it is. Names that are
// too long for a person to read are cut.
func joined(es []*Error) error {
	for _, e := range es {
		e.Message = wording.Brief(e.Message)
	}
	switch len(es) {
	case 0:
		return nil
	case 1:
		return es[0]
	}
	return ErrorList(es)
}

// stopped is the error of a run whose context is done: because a limit was met outside of
// it, such as that of the memory of the process, because its time is over, or because its
// host has had enough.
func stopped(ctx context.Context) *Error {
	var limit *dist.LimitError
	if errors.As(context.Cause(ctx), &limit) {
		return &Error{Kind: KindLimit, Message: limitMessage(limit.Error(), limit), cause: limit}
	}
	e := &Error{Kind: KindCancelled, Message: "the run was stopped", cause: context.Cause(ctx)}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind, e.Message = KindDeadline, "the time for this run is used up"
	}
	return e
}

// moduleError is an error of a load statement that has no position yet.
func moduleError(format string, args ...any) *Error {
	return &Error{Kind: KindModule, Message: fmt.Sprintf(format, args...)}
}
