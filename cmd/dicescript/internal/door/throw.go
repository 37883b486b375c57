package door

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
	"dicescript/lang/report"
	"dicescript/lang/throw"
)

// ThrowParams are those of throw.
type ThrowParams struct {
	Expression string         `json:"expression,omitempty" jsonschema:"notation such as 4d6kh3 + 2, or an expression whose value is a roll, a chance, outcomes or a plan; this, source or program"`
	Source     string         `json:"source,omitempty" jsonschema:"the recipe; its outputs are thrown, once each"`
	Name       string         `json:"name,omitempty" jsonschema:"the name of its file, for messages (default recipe.star)"`
	Program    string         `json:"program,omitempty" jsonschema:"the handle of a compiled program"`
	Inputs     map[string]any `json:"inputs,omitempty" jsonschema:"values of the recipe's inputs: booleans, numbers and strings"`
	Seed       any            `json:"seed,omitempty" jsonschema:"a whole number or a text that always gives the same dice (default: one at random, which the result has)"`
	Bounds
}

// A Thrown is what came up.
type Thrown struct {
	throw.Record
	Text  string   `json:"text" jsonschema:"the throw in one line for people"`
	Error *Failure `json:"error,omitempty"`
}

// Throw really throws the dice of an expression or of a recipe.
func (e *Engine) Throw(ctx context.Context, p ThrowParams) (*Thrown, error) {
	given := 0
	for _, text := range []string{p.Expression, p.Source, p.Program} {
		if text != "" {
			given++
		}
	}
	if given != 1 {
		return nil, invalid("throw: want one of expression, source and program")
	}
	seed, err := seedOf(p.Seed)
	if err != nil {
		return nil, err
	}
	own, err := settings(p.Limits)
	if err != nil {
		return nil, err
	}
	ctx, cancel, err := e.context(ctx, p.Timeout)
	if err != nil {
		return nil, err
	}
	defer cancel()
	record, err := e.throw(ctx, p, own, throw.Seed(seed))
	if unknown, ok := err.(UnknownProgramError); ok {
		return nil, unknown
	}
	if err != nil {
		t := &Thrown{Error: &e.failures(err, own)[0]}
		t.Seed, t.Outputs = seed, []throw.Output{}
		return t, nil
	}
	return &Thrown{Record: *record, Text: report.ThrowLine(record)}, nil
}

// seedOf is a seed that was named, or one at random that every JSON reader holds.
func seedOf(named any) (string, error) {
	if named == nil {
		var b [8]byte
		crand.Read(b[:]) // never fails
		return throw.NumberSeed(binary.LittleEndian.Uint64(b[:])), nil
	}
	seed, err := throw.SeedText(named)
	if err != nil {
		return "", invalid("throw: %s", err)
	}
	return seed, nil
}

func (e *Engine) throw(ctx context.Context, p ThrowParams, own limits.Settings, src throw.Source) (*throw.Record, error) {
	if p.Expression != "" {
		return e.host.NewSession(lang.WithRunLimits(own.Run)).Throw(ctx, src, p.Expression)
	}
	opts := []lang.RunOption{lang.WithInputs(p.Inputs), lang.WithRunLimits(own.Run)}
	if p.Program != "" {
		known := e.programs.get(p.Program)
		if known == nil {
			return nil, UnknownProgramError{}
		}
		return known.program.Throw(ctx, src, opts...)
	}
	_, program, err := e.compile(ctx, SourceParams{p.Source, p.Name}.name(), p.Source)
	if err != nil {
		return nil, err
	}
	return program.Throw(ctx, src, opts...)
}
