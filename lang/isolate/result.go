package isolate

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"

	"dicescript/lang"
	"dicescript/lang/report"
)

// Result runs a recipe in a child, as [Run] does with "run --format json" and args, which
// end in the name of its file or in "-" for what Stdin gives, and returns what
// [lang.Program.Run] would have: a result that is never nil, and an *[lang.Error] beside
// what was recorded before it. A child that the system has ended for its memory or its
// processor time gives an error of [lang.KindLimit] in which errors.Is finds [ErrMemory] or
// [ErrCPU], one that the context has ended an error of [lang.KindDeadline] or
// [lang.KindCancelled]. Any other error says that the command could not be run, that it is
// none of dicescript, or that it was killed from outside, see [ErrKilled]. Stdout is not used. What json does not have, see
// [report.ReadJSON], the result does not have either.
//
// It takes some 20 ms to start the child and twice the length of the json in memory.
func Result(ctx context.Context, c Child, l Limits, args ...string) (*lang.Result, error) {
	var out, messages bytes.Buffer
	c.Stdout = &out
	if c.Stderr == nil {
		c.Stderr = &messages
	}
	failure := Run(ctx, c, l, append([]string{"run", "--format", "json"}, args...)...)
	var exit *exec.ExitError
	switch {
	case errors.Is(failure, ErrMemory), errors.Is(failure, ErrCPU):
		return &lang.Result{}, lang.NewError(lang.KindLimit, failure.Error(), failure)
	case ctx.Err() != nil && failure != nil:
		return ended(ctx, &out)
	case failure != nil && !errors.As(failure, &exit):
		return &lang.Result{}, failure
	}
	result, err := report.ReadJSON(ctx, &out)
	switch {
	case err == nil && failure != nil: // it had something to say that is not in the json
		return result, said(failure, &messages)
	case err != nil && !errors.As(err, new(*lang.Error)) && failure != nil:
		return result, said(failure, &messages)
	}
	return result, err
}

// ended is the result of a child that was told to end, if it has still written it.
func ended(ctx context.Context, out *bytes.Buffer) (*lang.Result, error) {
	e := lang.NewError(lang.KindCancelled, "the run was stopped", context.Cause(ctx))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind, e.Message = lang.KindDeadline, "the time for this run is used up"
	}
	result, err := report.ReadJSON(context.WithoutCancel(ctx), out)
	if own := new(lang.Error); errors.As(err, &own) && own.Kind == e.Kind {
		if cause := context.Cause(ctx); cause != ctx.Err() {
			err = errors.Join(err, cause)
		}
		return result, err
	}
	return result, e
}

// said is a failure with what the command has said about it.
func said(failure error, messages *bytes.Buffer) error {
	if text := strings.TrimSpace(messages.String()); text != "" {
		return errors.Join(failure, errors.New(text))
	}
	return failure
}
