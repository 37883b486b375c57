// From the interpreter's error to the author's: the place and the calls are
// those of the recipe, and the words those of people who write recipes.

package lang

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"dicescript/builtins/meter"
	"dicescript/dist"
	"dicescript/lang/internal/wording"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// failure is the error of a run as its host sees it.
func (r *run) failure(err error) *Error {
	e := r.classify(err)
	if trace := innermost(err); trace != nil {
		r.trace(e, calling(trace))
	}
	if e.Kind == KindRuntime && r.advise(e, err) {
		e.Message = wording.Brief(e.Message)
		return e
	}
	if e.Kind == KindRuntime {
		e.Message = wording.Of(e.Message, e.cause, wording.Place{Attribute: attributeAt(e.Source, e.Position.Column), Parameters: r.parameters})
		e.Message += r.hiding(e)
	}
	if play := (interface{ Path() string })(nil); errors.As(err, &play) {
		e.Message += " (after " + play.Path() + ")"
	}
	e.Message = wording.Brief(e.Message)
	return e
}

// classify finds out what sort of error it is. An Error that a module or a
// limit has raised is that error; so is one of a host's builtin, as a copy: the
// host may return the same one in many runs.
func (r *run) classify(err error) *Error {
	if r.stop != nil {
		return r.stop
	}
	var own *Error
	if errors.As(err, &own) {
		e := *own
		e.cause = own
		return &e
	}
	message := err.Error()
	if trace := innermost(err); trace != nil {
		message = trace.Msg
	}
	var limit *dist.LimitError
	switch {
	case errors.As(err, &limit) && limit.Resource == meter.Steps && limit.Need/2 <= limit.Limit:
		return r.tooManySteps(limit)
	case errors.As(err, &limit):
		return &Error{Kind: KindLimit, Message: limitMessage(message, limit), cause: limit}
	case r.ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(r.ctx))):
		return stopped(r.ctx)
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

// calling is the stack of an error. Arguments that do not fit are a mistake of
// the call, not of the function, which has not begun.
func calling(e *starlark.EvalError) starlark.CallStack {
	stack := e.CallStack
	if n := len(stack); n > 1 && wording.WrongArguments(e.Msg) {
		stack = stack[:n-1]
	}
	return stack
}

// trace gives the error the calls of the recipe's own functions. A bundled
// module is like a builtin: what fails in it is shown where it was called.
func (r *run) trace(e *Error, stack starlark.CallStack) {
	inside := "" // the function of a bundled module that was called last
	for _, fr := range stack {
		u := r.units[fr.Pos.Filename()]
		if u == nil {
			continue // a builtin
		}
		if u.at.Root != nil && u.at.Root.Bundled && len(e.Frames) > 0 {
			inside = cmp.Or(inside, fr.Name)
			continue
		}
		inside = ""
		name := fr.Name
		if name == "<toplevel>" {
			name = ""
		}
		e.Frames = append(e.Frames, Frame{wording.Brief(name), Position{u.file, int(fr.Pos.Line), int(fr.Pos.Col)}})
	}
	if n := len(e.Frames); n > 0 {
		e.Position = e.Frames[n-1].Position
		e.Source = r.units[e.Position.File].lines.Line(e.Position.Line)
	}
	if inside != "" && e.Kind == KindRuntime {
		e.Message = fromModule(inside, e.Message)
	}
}

// fromModule is a message of a function of a bundled module: what it fails with
// itself begins with its name, other messages are given it.
func fromModule(function, message string) string {
	if own, ok := strings.CutPrefix(message, "fail: "); ok {
		return own
	}
	if strings.HasPrefix(message, function+": ") || !isIdentifier(function) || function == "lambda" {
		return message
	}
	return function + ": " + message
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

// parameters are those of the functions with a name, sorted.
func (r *run) parameters(function string) []string {
	var names []string
	for _, u := range r.units {
		if u.code != nil {
			names = append(names, parametersOf(u.code.Tree, function)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// parametersOf are the names of the parameters of the functions with a name.
func parametersOf(f *syntax.File, function string) []string {
	var names []string
	syntax.Walk(f, func(n syntax.Node) bool {
		def, ok := n.(*syntax.DefStmt)
		if !ok || def.Name.Name != function {
			return true
		}
		for _, p := range def.Params {
			if b, ok := p.(*syntax.BinaryExpr); ok {
				p = b.X
			}
			if id, ok := p.(*syntax.Ident); ok {
				names = append(names, id.Name)
			}
		}
		return true
	})
	return names
}

// attributeAt is the name that begins at a column, if it follows a dot.
func attributeAt(line string, column int) string {
	runes := []rune(line)
	if at := column - 2; at < 0 || at >= len(runes) || runes[at] != '.' {
		return ""
	}
	return wordAt(line, column)
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
