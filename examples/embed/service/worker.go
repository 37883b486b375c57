package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"dicescript/lang"
	"dicescript/lang/isolate"
	"dicescript/lang/report"
)

// A worker is a process that runs one recipe at a time, for as long as it lives. The
// operating system limits its memory, so that a recipe that finds a way around the
// limits of the interpreter ends its worker and nothing else.
//
// It reads jobs from its standard input and writes answers to its standard output, after
// a line that says that it is ready. A job is a line of JSON. An answer is a line that says
// that the job has come, a line of JSON, and after it the body that goes
// to the client, which so is written once and read by nobody in between.

// The lines that a worker says beside its answers.
const (
	ready = "ready"
	begun = "begun"
)

// A job is a recipe to run.
type job struct {
	Name      string                     `json:"name"`
	Recipe    string                     `json:"recipe"`
	Inputs    map[string]json.RawMessage `json:"inputs"`
	Fractions report.Fractions           `json:"fractions"`
	Limits    lang.Limits                `json:"limits"`
	Timeout   time.Duration              `json:"timeout"`
}

// An answer is what became of a job.
type answer struct {
	Outcome outcome `json:"outcome"`
	Cached  bool    `json:"cached"` // the program had been compiled before
	Size    int     `json:"size"`   // bytes of the body
	body    []byte
	begun   bool // the worker has said that it has the job
}

// An outcome is how a run ended, as logs and metrics name it.
type outcome string

const (
	ok       outcome = "ok"
	failed   outcome = "failed"   // a mistake in the recipe or its inputs
	limited  outcome = "limited"  // it met a limit of the run
	late     outcome = "late"     // its time was used up
	exceeded outcome = "exceeded" // its process needed more memory or time than it may have
	crashed  outcome = "crashed"  // its process ended, and nobody knows why
	lost     outcome = "lost"     // its process was ended, which was not the recipe's fault
)

// outputBytes is how long an answer may be.
const outputBytes = 4 << 20

// work is the life of a worker, whose arguments follow [isolate.Subcommand].
func work(args []string) error {
	ctx, _, err := isolate.Enter(context.Background(), args)
	if err != nil {
		return err
	}
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		in := json.NewDecoder(os.Stdin)
		for {
			var j job
			if err := in.Decode(&j); err != nil {
				// The service is gone: nobody wants to know how the run ends.
				os.Exit(0)
			}
			jobs <- j
		}
	}()
	w, err := newRunner()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	if err := say(out, ready); err != nil {
		return err
	}
	for j := range jobs {
		if err := say(out, begun); err != nil {
			return err
		}
		a := w.run(ctx, j)
		if ctx.Err() != nil && a.Outcome == late {
			return nil // the time of the worker is used up, not that of the recipe: another one runs it
		}
		if err := write(out, a); err != nil || ctx.Err() != nil {
			return err // a new worker takes over
		}
	}
	return nil
}

// say writes a line.
func say(out *bufio.Writer, line string) error {
	out.WriteString(line + "\n")
	return out.Flush()
}

// expect reads a line that say wrote.
func expect(in *bufio.Reader, line string) error {
	got, err := in.ReadString('\n')
	if err == nil && got != line+"\n" {
		err = fmt.Errorf("a worker says %.40q, want %q", got, line)
	}
	return err
}

func write(out *bufio.Writer, a answer) error {
	a.Size = len(a.body)
	head, err := json.Marshal(a)
	if err != nil {
		return err
	}
	out.Write(append(head, '\n'))
	out.Write(a.body)
	return out.Flush()
}

// readAnswer reads what write wrote.
func readAnswer(in *bufio.Reader) (answer, error) {
	var a answer
	head, err := in.ReadBytes('\n')
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(head, &a); err != nil {
		return a, err
	}
	if a.Size < 0 || a.Size > 2*outputBytes {
		return a, fmt.Errorf("an answer of %d bytes", a.Size)
	}
	a.body = make([]byte, a.Size)
	_, err = io.ReadFull(in, a.body)
	return a, err
}

// A runner compiles and runs recipes, and keeps the programs.
type runner struct {
	host     *lang.Host
	programs *cache
}

func newRunner() (*runner, error) {
	host, err := lang.New(lang.WithLimits(lang.Limits{SourceBytes: maxRecipe, OutputBytes: outputBytes}))
	return &runner{host: host, programs: newCache(cachedPrograms, cachedBytes)}, err
}

func (r *runner) run(ctx context.Context, j job) answer {
	ctx, cancel := context.WithTimeout(ctx, j.Timeout)
	defer cancel()
	result, cached, err := r.result(ctx, j)
	a := answer{Outcome: outcomeOf(err), Cached: cached}
	options := report.Options{Fractions: j.Fractions, Limit: outputBytes, Failure: err}
	// Rendering has a time of its own: a run that took too long still has outputs to
	// show.
	ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), renderTime)
	defer cancel()
	var body bytes.Buffer
	if err := report.Render(ctx, &body, "json", result, options); err != nil {
		a.Outcome = limited
		a.body = failure("limit", "the results are too long to be written out: "+err.Error())
		return a
	}
	a.body = body.Bytes()
	return a
}

// renderTime is how long an answer may take to be written.
const renderTime = time.Second

// result runs a recipe. The result is there beside an error too: with what was
// recorded before it.
func (r *runner) result(ctx context.Context, j job) (*lang.Result, bool, error) {
	program, cached, err := r.program(ctx, j)
	if err != nil {
		return &lang.Result{}, false, err
	}
	inputs := map[string]any{}
	for name, raw := range j.Inputs {
		if inputs[name], err = inputOf(raw); err != nil {
			return &lang.Result{}, cached, &lang.Error{Kind: lang.KindInput, Message: name + ": " + err.Error()}
		}
	}
	result, err := program.Run(ctx, lang.WithInputs(inputs), lang.WithRunLimits(j.Limits))
	return result, cached, err
}

// program compiles a recipe, unless it is there already.
func (r *runner) program(ctx context.Context, j job) (*lang.Program, bool, error) {
	key := cacheKey{j.Name, j.Recipe}
	if p, ok := r.programs.get(key); ok {
		return p, true, nil
	}
	p, err := r.host.Compile(ctx, j.Name, []byte(j.Recipe))
	if err == nil {
		r.programs.put(key, p)
	}
	return p, false, err
}

// inputOf is an input as the host API takes it. A number keeps its digits.
func inputOf(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	switch v.(type) {
	case bool, string, json.Number:
		return v, nil
	}
	return nil, errors.New("want true, false, a number or a text")
}

func outcomeOf(err error) outcome {
	switch {
	case err == nil:
		return ok
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return late
	}
	for _, e := range lang.Errors(err) {
		if e.Kind == lang.KindLimit {
			return limited
		}
	}
	return failed
}

// failure is the body of an answer that only says what went wrong.
func failure(kind lang.Kind, message string) []byte {
	var body bytes.Buffer
	// A rendering of nothing but a failure can't fail.
	report.Render(context.Background(), &body, "json", nil, report.Options{Failure: lang.NewError(kind, message, nil)})
	return body.Bytes()
}
