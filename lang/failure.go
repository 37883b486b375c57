// From the interpreter's error to the author's: the place and the calls are
// those of the recipe, and the words those of people who write recipes.

package lang

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"dicescript/dist"
	"dicescript/lang/rewrite"

	"go.starlark.net/starlark"
)

// failure is the error of a run as its host sees it.
func (r *run) failure(err error) *Error {
	e := r.classify(err)
	if trace := innermost(err); trace != nil {
		r.trace(e, calling(trace))
	}
	if e.Kind == KindRuntime {
		e.Message = plainMessage(e.Message)
		e.Message += r.hiding(e)
	}
	return e
}

// classify finds out what sort of error it is. An Error that a module or a
// limit has raised is that error.
func (r *run) classify(err error) *Error {
	if r.stop != nil {
		return r.stop
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	message := err.Error()
	if trace := innermost(err); trace != nil {
		message = trace.Msg
	}
	var limit *dist.LimitError
	switch {
	case errors.As(err, &limit):
		return &Error{Kind: KindLimit, Message: limitMessage(message, limit), cause: limit}
	case r.ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)):
		return stopped(r.ctx.Err())
	}
	return &Error{Kind: KindRuntime, Message: message, cause: hostCause(err)}
}

// hostCause is what a builtin has returned, without the interpreter's
// wrapping.
func hostCause(err error) error {
	if trace := innermost(err); trace != nil {
		return trace.Unwrap()
	}
	return err
}

// innermost is the trace of the call in which the error arose: errors of
// callbacks pass through the builtins that have called them.
func innermost(err error) *starlark.EvalError {
	var found *starlark.EvalError
	for {
		var trace *starlark.EvalError
		if !errors.As(err, &trace) {
			return found
		}
		found, err = trace, trace.Unwrap()
		if err == nil {
			return found
		}
	}
}

// wrongArguments is how the interpreter refuses a call of a recipe's function.
var wrongArguments = regexp.MustCompile(`^function \S+ (accepts|got|missing) `)

// calling is the stack of an error. Arguments that do not fit are a mistake of
// the call, not of the function, which has not begun.
func calling(e *starlark.EvalError) starlark.CallStack {
	stack := e.CallStack
	if n := len(stack); n > 1 && wrongArguments.MatchString(e.Msg) {
		stack = stack[:n-1]
	}
	return stack
}

// trace gives the error the calls of the recipe's own functions.
func (r *run) trace(e *Error, stack starlark.CallStack) {
	for _, fr := range stack {
		u := r.units[fr.Pos.Filename()]
		if u == nil {
			continue // a builtin
		}
		name := fr.Name
		if name == "<toplevel>" {
			name = ""
		}
		e.Frames = append(e.Frames, Frame{name, Position{u.file, int(fr.Pos.Line), int(fr.Pos.Col)}})
	}
	if n := len(e.Frames); n > 0 {
		e.Position = e.Frames[n-1].Position
		e.Source = r.units[e.Position.File].line(e.Position.Line)
	}
}

// hiding names the line that gives a builtin's name to something else, when the
// error is about that name.
func (r *run) hiding(e *Error) string {
	u := r.units[e.Position.File]
	if u == nil || u.code == nil {
		return ""
	}
	h, ok := u.code.Hides(wordAt(e.Source, e.Position.Column))
	if !ok || h.Line == e.Position.Line {
		return ""
	}
	return fmt.Sprintf("; line %d gives the name %s to something else than the builtin", h.Line, h.Name)
}

// wordAt is the name that begins at a column.
func wordAt(line string, column int) string {
	runes := []rune(line)
	if column < 1 || column > len(runes) {
		return ""
	}
	rest := string(runes[column-1:])
	end := strings.IndexFunc(rest, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// phrases puts messages of the interpreter into other words.
var phrases = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`^(\S+) has no \.(\w+) field or method`), "$1 has no .$2"},
	{regexp.MustCompile(` \(did you mean (\S+)\?\)$`), "; did you mean $1?"},
	{regexp.MustCompile(`^invalid call of non-function \((\w+)\)$`), "this is not a function, it is of type $1"},
	{regexp.MustCompile(`^(?:global|local) variable (\w+) referenced before assignment$`), "$1 has no value yet"},
	{regexp.MustCompile(`^unknown binary op: (\S+) (\S+|not in) (\S+)$`), "$1 $2 $3 has no meaning for values of these types"},
	{regexp.MustCompile(`^unknown unary op: (\S+) (\S+)$`), "$1 has no meaning for a $2"},
	{regexp.MustCompile(`^IntBand value is not iterable$`), "a range that is open at one end, or very long, can't be gone through"},
	{regexp.MustCompile(`^(DieRoll|DicePool) value is not iterable$`), "a $1 has no elements to go through; map(fn, roll) looks at each result"},
	{regexp.MustCompile(`^(\w+) value is not iterable$`), "a value of type $1 has no elements to go through"},
	{regexp.MustCompile(`^unhandled index operation (\w+)\[(\w+)\]$`), "a value of type $1 has no elements: [...] is for lists, texts and dicts"},
	{regexp.MustCompile(`^unhashable: (\w+)$`), "a $1 can't be the key of a dict or an element of a set"},
	{regexp.MustCompile(`^unhashable type: (\w+)$`), "a $1 can't be the key of a dict or an element of a set"},
	{regexp.MustCompile(`^function (\w+) `), "$1: "},
	{regexp.MustCompile(`^(\w+): got an unexpected keyword argument "?(\w+)"?`), "$1: there is no argument $2"},
}

// plainMessage is a message of the interpreter in the words of recipes. It
// lets no internal name through.
func plainMessage(message string) string {
	for _, p := range phrases {
		message = p.pattern.ReplaceAllString(message, p.words)
	}
	if rewrite.Internal(message) || strings.Contains(message, "·") {
		return "this operation has no meaning for values of these types"
	}
	return message
}
