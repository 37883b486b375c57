package door

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
	"dicescript/lang/report"
)

// A SourceParams is a recipe.
type SourceParams struct {
	Source string `json:"source" jsonschema:"the recipe"`
	Name   string `json:"name,omitempty" jsonschema:"the name of its file, for messages; .anydice is an AnyDice program, .md and .dice may be documents (default recipe.star)"`
}

func (p SourceParams) name() string {
	if p.Name == "" {
		return "recipe.star"
	}
	return p.Name
}

// CompileParams are those of compile and params.
type CompileParams struct {
	SourceParams
	Timeout float64 `json:"timeout,omitempty" jsonschema:"milliseconds until the call ends by itself; 0 is the default of the server"`
}

// A Compiled is a recipe that can be run, or why it can't.
type Compiled struct {
	Program string    `json:"program,omitempty" jsonschema:"the handle of the program for run; it is the same for the same name and source"`
	Params  []Param   `json:"params" jsonschema:"the inputs of the recipe"`
	Notes   []string  `json:"notes,omitempty" jsonschema:"remarks on the source"`
	Error   *Failure  `json:"error,omitempty" jsonschema:"the first mistake"`
	Errors  []Failure `json:"errors,omitempty" jsonschema:"all mistakes of a source that has several"`
}

// A Param is an input of a recipe.
type Param struct {
	Name    string `json:"name"`
	Type    string `json:"type" jsonschema:"bool, int, float or string"`
	Default any    `json:"default"`
	Help    string `json:"help,omitempty"`
	Min     any    `json:"min,omitempty"`
	Max     any    `json:"max,omitempty"`
	Choices []any  `json:"choices,omitempty"`
	Line    int    `json:"line"`
}

// Compile compiles a recipe.
func (e *Engine) Compile(ctx context.Context, p CompileParams) (*Compiled, error) {
	ctx, cancel, err := e.context(ctx, p.Timeout)
	if err != nil {
		return nil, err
	}
	defer cancel()
	key, program, err := e.compile(ctx, p.name(), p.Source)
	if err != nil {
		c := &Compiled{Params: []Param{}}
		all := e.failures(err, limits.Settings{})
		c.Error = &all[0]
		if len(all) > 1 {
			c.Errors = all
		}
		return c, nil
	}
	c := &Compiled{Program: key, Params: params(program.Params())}
	for _, n := range program.Notes() {
		c.Notes = append(c.Notes, n.Position.String()+": "+n.Message)
	}
	return c, nil
}

// Params reports the inputs of a recipe.
func (e *Engine) Params(ctx context.Context, p CompileParams) (*Inputs, error) {
	c, err := e.Compile(ctx, p)
	if err != nil {
		return nil, err
	}
	return &Inputs{c.Params, c.Error, c.Errors}, nil
}

// Inputs are those of a recipe.
type Inputs struct {
	Params []Param   `json:"params"`
	Error  *Failure  `json:"error,omitempty" jsonschema:"the first mistake"`
	Errors []Failure `json:"errors,omitempty" jsonschema:"all mistakes of a source that has several"`
}

func params(all []lang.Param) []Param {
	out := make([]Param, len(all))
	for i, p := range all {
		out[i] = Param{
			Name: p.Name, Type: p.Type, Help: p.Help, Line: p.Position.Line,
			Default: plain(p.Default), Min: plain(p.Min), Max: plain(p.Max), Choices: slices.Clone(p.Choices),
		}
		for k, c := range p.Choices {
			out[i].Choices[k] = plain(c)
		}
	}
	return out
}

// plain is a value that JSON has.
func plain(v any) any {
	switch v := v.(type) {
	case *big.Int:
		return json.Number(v.String())
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
	}
	return v
}

// RunParams are those of run.
type RunParams struct {
	Source    string         `json:"source,omitempty" jsonschema:"the recipe; this or program"`
	Name      string         `json:"name,omitempty" jsonschema:"the name of its file, for messages; .anydice is an AnyDice program, .md and .dice may be documents (default recipe.star)"`
	Program   string         `json:"program,omitempty" jsonschema:"the handle of a compiled program; this or source"`
	Inputs    map[string]any `json:"inputs,omitempty" jsonschema:"values of the recipe's inputs: booleans, numbers and strings"`
	Fractions string         `json:"fractions,omitempty" jsonschema:"exact (default), weights or none: what stands beside the floats"`
	Bounds
}

// A Report is the result of a run as JSON on one line.
type Report json.RawMessage

// MarshalJSON returns the report.
func (r Report) MarshalJSON() ([]byte, error) { return r, nil }

// An UnknownProgramError says that a handle is not, or no longer, that of a program.
type UnknownProgramError struct{}

// Error says what to do.
func (UnknownProgramError) Error() string {
	return "program: this handle is unknown, or has been dropped: compile the source again"
}

// Run runs a recipe.
func (e *Engine) Run(ctx context.Context, p RunParams) (Report, error) {
	run, err := e.running(p)
	if err != nil {
		return nil, err
	}
	return e.reported(ctx, p.Bounds, p.Fractions, run)
}

// A running is what a call does within its bounds.
type running func(context.Context, lang.RunOption) (*lang.Result, error)

// running is the run that a call asks for.
func (e *Engine) running(p RunParams) (running, error) {
	if (p.Source == "") == (p.Program == "") {
		return nil, invalid("run: want either source or program")
	}
	if p.Program != "" {
		known := e.programs.get(p.Program)
		if known == nil {
			return nil, UnknownProgramError{}
		}
		return func(ctx context.Context, own lang.RunOption) (*lang.Result, error) {
			return known.program.Run(ctx, lang.WithInputs(p.Inputs), own)
		}, nil
	}
	return func(ctx context.Context, own lang.RunOption) (*lang.Result, error) {
		_, program, err := e.compile(ctx, SourceParams{p.Source, p.Name}.name(), p.Source)
		if err != nil {
			return nil, err
		}
		return program.Run(ctx, lang.WithInputs(p.Inputs), own)
	}, nil
}

// EvalParams are those of eval.
type EvalParams struct {
	Expression string `json:"expression" jsonschema:"an expression such as 4d6kh3 >= 15, or statements that end in one"`
	Fractions  string `json:"fractions,omitempty" jsonschema:"exact (default), weights or none: what stands beside the floats"`
	Bounds
}

// Eval evaluates an expression.
func (e *Engine) Eval(ctx context.Context, p EvalParams) (Report, error) {
	evaluate, err := e.evaluating(p)
	if err != nil {
		return nil, err
	}
	return e.reported(ctx, p.Bounds, p.Fractions, evaluate)
}

func (e *Engine) evaluating(p EvalParams) (running, error) {
	if strings.TrimSpace(p.Expression) == "" {
		return nil, invalid("expression: there is none, want one such as 4d6kh3 >= 15")
	}
	return func(ctx context.Context, own lang.RunOption) (*lang.Result, error) {
		return e.host.NewSession(own).Eval(ctx, p.Expression)
	}, nil
}

// reported runs something within its bounds and writes what has come of it as JSON.
func (e *Engine) reported(ctx context.Context, b Bounds, fractions string, run running) (Report, error) {
	how := report.Fractions(fractions)
	switch how {
	case "", report.ExactFractions, report.Weights, report.NoFractions:
	default:
		return nil, invalid("fractions: got %q, want %s, %s or %s", fractions, report.ExactFractions, report.Weights, report.NoFractions)
	}
	var text []byte
	err := e.within(ctx, b, run, func(ctx context.Context, r *lang.Result, failure error, own limits.Settings) (err error) {
		text, err = e.written(ctx, r, failure, own, "json", report.Options{Fractions: how})
		return err
	})
	return Report(oneLine(text)), err
}

// within runs something within its bounds and has what has come of it written in the
// time that is left.
func (e *Engine) within(ctx context.Context, b Bounds, run running, write func(context.Context, *lang.Result, error, limits.Settings) error) error {
	own, err := settings(b.Limits)
	if err != nil {
		return err
	}
	ctx, cancel, err := e.context(ctx, b.Timeout)
	if err != nil {
		return err
	}
	defer cancel()
	result, failure := run(ctx, lang.WithRunLimits(own.Run))
	return write(ctx, result, failure, own)
}

// lastMoments is how long writing may take what came before a failure.
const lastMoments = 500 * time.Millisecond

// written is the report of a result. One that can't be whole is the reason alone.
func (e *Engine) written(ctx context.Context, r *lang.Result, failure error, own limits.Settings, format string, o report.Options) ([]byte, error) {
	if failure != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastMoments)
		defer cancel()
	}
	var b bytes.Buffer
	o.Failure, o.Limit = e.taught(failure, own), cmp.Or(own.Report, e.options.Limits.Report)
	err := report.Render(ctx, &b, format, r, o)
	if err != nil {
		if failure == nil {
			failure = reportError(err)
		}
		b.Reset()
		o.Failure, o.Limit = e.taught(failure, own), lang.Unlimited
		if err := report.Render(context.WithoutCancel(ctx), &b, format, nil, o); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// oneLine takes the line ends and the indents out of JSON, in whose texts line ends
// are escaped.
func oneLine(text []byte) []byte {
	to := text[:0]
	for i := 0; i < len(text); i++ {
		if text[i] != '\n' {
			to = append(to, text[i])
			continue
		}
		for i+1 < len(text) && text[i+1] == ' ' {
			i++
		}
	}
	return to
}
