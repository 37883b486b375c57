// Package answer answers what a page, an editor or a program in JavaScript asks
// of dicescript: to run a recipe, to explain a name, to say how likely the
// outcome under the pointer is. A question is the name of a method with its
// arguments as JSON, and so is the answer.
//
// Nothing that was asked before changes an answer. A result is named by the
// recipe, its files and its inputs, which decide it wholly; when it is no longer
// at hand it is computed again. So an engine may be ended at any time, which is
// how a run that takes too long is stopped in a browser.
//
// All numbers that are shown come from here. The floats of a chart are the
// nearest to exact chances, and what is printed beside the pointer is printed
// from the exact chance by the rules of package report.
package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dicescript/builtins/suggest"
	"dicescript/lang"
)

// An Engine answers questions, from any number of goroutines.
type Engine struct {
	// Limits bound every run.
	Limits lang.Limits
	// Deadline makes a context that ends after a time. It is
	// [context.WithTimeout], or where nothing interrupts a computation [Clock].
	Deadline func(parent context.Context, after time.Duration) (context.Context, context.CancelFunc)
	// Print is called with what recipes print, while they run; nil drops it. The
	// answer of a run holds it too.
	Print func(text string)

	mu   sync.Mutex // of kept
	kept []*outcome // results at hand, the last used first
}

// New returns an engine for a person who waits: its limits let an honest recipe
// run for about half a minute. See also [Engine.BoundHeld].
func New() *Engine {
	return &Engine{
		Limits:   lang.Limits{Steps: 1_000_000_000, Work: 20_000_000_000, OutputBytes: 32 << 20},
		Deadline: context.WithTimeout,
	}
}

// BoundHeld bounds the bytes that the process holds at once, in place of what runs make and
// let go again, where nothing interrupts a computation.
func (e *Engine) BoundHeld(bytes int64) {
	e.Limits.Bytes, e.Limits.Cells = lang.Unlimited, lang.Unlimited
	e.Deadline = Watch(bytes)
}

// methods are the questions.
func (e *Engine) methods() map[string]func(ctx context.Context, args []byte) (any, error) {
	return map[string]func(context.Context, []byte) (any, error){
		"about":     asked(e.about),
		"compile":   asked(e.compile),
		"complete":  asked(e.complete),
		"hover":     asked(e.hover),
		"modules":   asked(e.modules),
		"probe":     asked(e.probe),
		"reference": asked(e.reference),
		"remarks":   asked(e.remarks),
		"render":    asked(e.render),
		"roll":      asked(e.roll),
		"run":       asked(e.run),
		"signature": asked(e.signature),
		"throw":     asked(e.throw),
	}
}

// Methods are the names of the questions, sorted.
func (e *Engine) Methods() []string {
	var names []string
	for name := range e.methods() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Call answers a question. The answer is {"result": ...}, or {"error": {...}}
// when the question cannot be answered; a recipe that fails is a result. It is
// always valid JSON.
func (e *Engine) Call(ctx context.Context, method string, args []byte) (answer []byte) {
	defer func() {
		if p := recover(); p != nil {
			answer = Failed(fmt.Errorf("internal error: %v", p))
		}
	}()
	f, ok := e.methods()[method]
	if !ok {
		message := fmt.Sprintf("there is no question %q", method)
		if near := suggest.Among(method, e.Methods()); near != "" {
			message += "; did you mean " + near + "?"
		}
		return Failed(errors.New(message))
	}
	result, err := f(ctx, args)
	if err != nil {
		return Failed(err)
	}
	text, err := json.Marshal(map[string]any{"result": result})
	if err != nil {
		return Failed(err)
	}
	return text
}

// asked reads the arguments of a question.
func asked[Args, Answer any](f func(ctx context.Context, args Args) (Answer, error)) func(context.Context, []byte) (any, error) {
	return func(ctx context.Context, text []byte) (any, error) {
		var args Args
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		d.DisallowUnknownFields()
		if err := d.Decode(&args); err != nil {
			return nil, fmt.Errorf("the arguments cannot be read: %w", err)
		}
		if d.More() {
			return nil, errors.New("the arguments cannot be read: there is more after them")
		}
		return f(ctx, args)
	}
}

// Failed is the answer to a question that can't be answered.
func Failed(err error) []byte {
	text, err := json.Marshal(map[string]any{"error": mistakeOf(err)})
	if err != nil {
		return []byte(`{"error":{"kind":"internal","message":"the error cannot be written"}}`)
	}
	return text
}
