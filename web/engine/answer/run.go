package answer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"
)

// A Recipe is a text with what it stands on: all that decides its result.
type Recipe struct {
	// Name is that of the file. A name in .star is never a document.
	Name string `json:"name"`
	Text string `json:"text"`
	// Files are the texts beside it, which load("./name") finds.
	Files  files          `json:"files,omitempty"`
	Inputs map[string]any `json:"inputs,omitempty"`
}

// A RunArgs asks for a run.
type RunArgs struct {
	Recipe
	Timeout float64 `json:"timeout,omitempty"` // in milliseconds; 0 is 10 seconds
	Rows    string  `json:"rows,omitempty"`    // "all" folds no table
	Show    string  `json:"show,omitempty"`    // which chances tables have: exactly, at-least, at-most or all
	Page    bool    `json:"page,omitempty"`    // answer with what a page shows, instead of the report as JSON
}

// A Run is what became of a run. What was recorded before a failure is there.
type Run struct {
	OK       bool         `json:"ok"`
	Mistakes []Mistake    `json:"mistakes"`
	Params   []Param      `json:"params"`
	Inputs   []InputValue `json:"inputs"` // that the run had
	Usage    Usage        `json:"usage"`
	Printed  string       `json:"printed,omitempty"`
	Millis   float64      `json:"millis"`
	Document bool         `json:"document"` // whether it is a document

	// For programs: the report as the command's --format json writes it.
	Report json.RawMessage `json:"report,omitempty"`

	// For a page.
	Views []View `json:"views,omitempty"`
	HTML  string `json:"html,omitempty"` // a document with its results, or the results
}

// Usage counts what a run used of its limits, by their names.
type Usage map[string]int64

func usage(u lang.Usage) Usage {
	counts := Usage{}
	for name, n := range u.Counts() {
		counts[strings.ReplaceAll(name, "-", "_")] = n
	}
	return counts
}

// An InputValue is the value that an input had.
type InputValue struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// An outcome is a run that is at hand.
type outcome struct {
	key     string
	recipe  Recipe
	params  []lang.Param
	result  *lang.Result
	failure error
	printed string
	millis  float64
}

// mostKept is how many results are at hand: the one that is shown, and some
// that are pinned beside it.
const mostKept = 6

// defaultTimeout is the time of a run in milliseconds.
const defaultTimeout = 10_000

// run runs a recipe.
func (e *Engine) run(ctx context.Context, args RunArgs) (*Run, error) {
	o := e.outcome(ctx, args.Recipe, args.Timeout)
	run := &Run{
		OK: o.failure == nil, Mistakes: mistakes(o.failure), Params: params(o.params), Printed: o.printed,
		Usage: usage(o.result.Usage), Millis: o.millis, Inputs: []InputValue{}, Document: isDocument(o.recipe),
	}
	for _, p := range o.result.Params {
		run.Inputs = append(run.Inputs, InputValue{p.Name, jsonValue(p.Value)})
	}
	ctx, cancel := e.deadline(ctx, args.Timeout)
	defer cancel()
	if !args.Page {
		var b bytes.Buffer
		err := report.Render(ctx, &b, "json", o.result, o.options(false))
		run.Report = b.Bytes()
		return run, err
	}
	for _, out := range o.result.Outputs {
		run.Views = append(run.Views, view(out))
		if ctx.Err() != nil {
			return nil, &lang.Error{Kind: lang.KindDeadline, Message: "the time was used up while the results were written"}
		}
	}
	var err error
	run.HTML, err = o.html(ctx, args.Rows == "all", report.Show(args.Show))
	return run, err
}

// outcome is the result of a recipe: the one that is at hand, or that of a run.
func (e *Engine) outcome(ctx context.Context, r Recipe, timeout float64) *outcome {
	key, _ := json.Marshal(r) // texts, numbers and booleans can be written
	if o := e.atHand(string(key)); o != nil {
		return o
	}
	began := time.Now()
	o := e.compute(ctx, r, timeout)
	o.key, o.recipe = string(key), r
	o.millis = float64(time.Since(began).Microseconds()) / 1000
	if !interrupted(o.failure) {
		e.keep(o)
	}
	return o
}

// atHand is the result with a key, nil when it is not at hand.
func (e *Engine) atHand(key string) *outcome {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, o := range e.kept {
		if o.key == key {
			copy(e.kept[1:i+1], e.kept[:i])
			e.kept[0] = o
			return o
		}
	}
	return nil
}

func (e *Engine) keep(o *outcome) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept = append([]*outcome{o}, e.kept[:min(len(e.kept), mostKept-1)]...)
}

// interrupted reports whether more time, or memory that something else has let go, would
// have led elsewhere.
func interrupted(err error) bool {
	var limit *dist.LimitError
	if errors.As(err, &limit) && limit.Resource == dist.HeldResource {
		return true
	}
	for _, e := range lang.Errors(err) {
		if e.Kind == lang.KindDeadline || e.Kind == lang.KindCancelled {
			return true
		}
	}
	return false
}

// compute runs a recipe.
func (e *Engine) compute(ctx context.Context, r Recipe, timeout float64) *outcome {
	o := &outcome{result: &lang.Result{}}
	var printed strings.Builder
	ctx, cancel := e.deadline(ctx, timeout)
	defer cancel()
	host, err := e.host(r, func(_ context.Context, text string) {
		printed.WriteString(text + "\n")
		if e.Print != nil {
			e.Print(text)
		}
	})
	if err != nil {
		o.failure = err
		return o
	}
	program, err := host.Compile(ctx, nameOf(r), []byte(r.Text))
	if err != nil {
		o.failure = err
		return o
	}
	o.params = program.Params()
	o.result, o.failure = program.Run(ctx, lang.WithInputs(fitting(o.params, r.Inputs)))
	o.printed = printed.String()
	return o
}

func (e *Engine) deadline(ctx context.Context, timeout float64) (context.Context, context.CancelFunc) {
	return e.Deadline(ctx, time.Duration(cmp.Or(timeout, defaultTimeout)*float64(time.Millisecond)))
}

// host is what a recipe can use.
func (e *Engine) host(r Recipe, print func(context.Context, string)) (*lang.Host, error) {
	if print == nil {
		print = func(context.Context, string) {}
	}
	return lang.New(lang.WithLimits(e.Limits), lang.WithModules("./", r.Files), lang.WithPrint(print))
}

func nameOf(r Recipe) string { return cmp.Or(path.Base(r.Name), "recipe") }

// isDocument reports whether a recipe is a document with prose.
func isDocument(r Recipe) bool {
	return !strings.HasSuffix(r.Name, ".star") && !strings.HasSuffix(r.Name, ".anydice") && notation.Literate([]byte(r.Text)) != nil
}

// options are those of a report.
func (o *outcome) options(allRows bool) report.Options {
	return report.Options{AllRows: allRows, Title: nameOf(o.recipe), Failure: o.failure}
}

// html is the report of a run: a document with its results, or the results.
func (o *outcome) html(ctx context.Context, allRows bool, show report.Show) (string, error) {
	var b bytes.Buffer
	opts := o.options(allRows)
	opts.Show = show
	if isDocument(o.recipe) {
		opts.Failure = nil // shown above the document
		if err := report.Weave(ctx, &b, "html", []byte(o.recipe.Text), o.result, opts); err != nil {
			return "", err
		}
		_, body, _ := strings.Cut(b.String(), "<main>")
		body, _, _ = strings.Cut(body, "</main>")
		return body, nil
	}
	places := make([]int, len(o.result.Outputs))
	for i := range places {
		places[i] = i
	}
	err := report.Fragment(ctx, &b, "html", o.result, places, opts)
	return b.String(), err
}

// A RenderArgs asks for a result in one of the formats of reports.
type RenderArgs struct {
	Recipe
	Timeout float64 `json:"timeout,omitempty"`
	Format  string  `json:"format"`
	Style   string  `json:"style,omitempty"`
	Rows    string  `json:"rows,omitempty"`
	Places  []int   `json:"places,omitempty"` // of outputs, from 0; none means all
	Weave   bool    `json:"weave,omitempty"`  // a document with its results set in
}

// render renders a result.
func (e *Engine) render(ctx context.Context, args RenderArgs) (string, error) {
	o := e.outcome(ctx, args.Recipe, args.Timeout)
	ctx, cancel := e.deadline(ctx, args.Timeout)
	defer cancel()
	opts := o.options(args.Rows == "all")
	opts.Style = report.Style(args.Style)
	for _, place := range args.Places {
		if place < 0 || place >= len(o.result.Outputs) {
			return "", fmt.Errorf("render: places: there is no output %d; there are %d", place, len(o.result.Outputs))
		}
	}
	var b bytes.Buffer
	var err error
	switch {
	case args.Weave && isDocument(o.recipe) && (args.Format == "html" || args.Format == "markdown"):
		err = report.Weave(ctx, &b, args.Format, []byte(o.recipe.Text), o.result, opts)
	case len(args.Places) > 0:
		part := *o.result
		part.Outputs = nil
		for _, place := range args.Places {
			part.Outputs = append(part.Outputs, o.result.Outputs[place])
		}
		err = report.Render(ctx, &b, args.Format, &part, opts)
	default:
		err = report.Render(ctx, &b, args.Format, o.result, opts)
	}
	return b.String(), err
}
