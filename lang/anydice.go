// AnyDice programs: a text whose name ends in .anydice is one, and runs under
// the same limits and gives the same kind of result as a recipe.

package lang

import (
	"context"
	"errors"
	"strings"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/dist"
	"dicescript/lang/anydice"
	"dicescript/lang/internal/wording"
)

func isAnyDice(name string) bool { return strings.HasSuffix(name, ".anydice") }

// compileAnyDice is Compile for an AnyDice program, which has no parameters and
// loads no modules.
func (h *Host) compileAnyDice(ctx context.Context, name string, src []byte) (*Program, error) {
	u := newUnit(name, src)
	u.main = true
	if _, errs := (&compiler{host: h, ctx: ctx}).text(u); len(errs) > 0 {
		return nil, joined(errs)
	}
	foreign, err := anydice.Compile(name, u.lines.Text)
	if err != nil {
		return nil, u.anyDiceError(ctx, err)
	}
	p := newProgram(h, u)
	p.foreign = foreign
	return p, nil
}

// stepMeter charges the steps of an AnyDice program as those of a recipe.
type stepMeter func(n int64) error

func (m stepMeter) Charge(n int64) error { return m(n) }

// runAnyDice runs an AnyDice program and records its outputs.
func (r *run) runAnyDice(p *Program) error {
	result, err := p.foreign.Run(r.env.Context, anydice.Options{
		Meter: stepMeter(r.meter.Spend),
		Output: func(o anydice.Output) error {
			if err := meter.Check(meter.TitleBytes, int64(len(o.Title)), r.limits.TitleBytes); err != nil {
				return err
			}
			err := r.recordAt(o.Title, Roll{Dist: o.Roll}, r.line(), false)
			if limit := (*dist.LimitError)(nil); errors.As(err, &limit) && limit.Resource == meter.OutputBytes {
				if o, err = o.Shorter(r.env.Context); err == nil {
					err = r.recordAt(o.Title, Roll{Dist: o.Roll}, r.line(), false)
				}
			}
			if err != nil {
				return err
			}
			r.result.Outputs[len(r.result.Outputs)-1].Line = o.Line
			if o.Roll != nil {
				r.keepShown(builtins.NewRoll(o.Roll))
			}
			return nil
		},
	})
	if err != nil {
		return p.main.anyDiceError(r.ctx, err)
	}
	if result.DepthExceeded {
		r.result.Notes = append(r.result.Notes, `functions were called more deeply than "maximum function depth" allows; the calls beyond gave the empty die`)
	}
	return nil
}

// anyDiceError is an error of an AnyDice program as one of this package.
func (u *unit) anyDiceError(ctx context.Context, err error) *Error {
	var e *anydice.Error
	if !errors.As(err, &e) {
		return &Error{Kind: KindInternal, Message: err.Error(), cause: err}
	}
	out := &Error{Kind: KindRuntime, Message: e.Message, cause: e.Cause}
	var limit *dist.LimitError
	var own *Error
	switch {
	case e.Kind == anydice.Syntax:
		out.Kind = KindSyntax
	case e.Kind == anydice.Stopped:
		out = stopped(ctx)
	case errors.As(e.Cause, &own):
		out.Kind = own.Kind
		out.Message = own.Message
	case e.Kind == anydice.Limit:
		out.Kind = KindLimit
		if errors.As(e.Cause, &limit) {
			out.Message = limitMessage(e.Message, limit)
		}
	}
	out.Message = wording.Brief(out.Message)
	out.Position = Position{File: u.file, Line: e.Line, Column: e.Column}
	out.Source = u.lines.Line(e.Line)
	return out
}

// evalAnyDice runs an AnyDice program with the limits of the session.
func (s *Session) evalAnyDice(ctx context.Context, name string, src []byte) (*Result, error) {
	p, err := s.host.Compile(ctx, name, src)
	if err != nil {
		return &Result{}, err
	}
	return p.Run(ctx, WithRunLimits(s.run.limits), WithRunPrint(s.run.printer))
}
