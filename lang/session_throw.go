// Real throws in a session: of notation, and of expressions that may use what inputs have
// defined.

package lang

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"dicescript/builtins"
	"dicescript/dist"
	"dicescript/lang/notation"
	"dicescript/lang/throw"

	"go.starlark.net/starlark"
)

// WithThrows makes a session remember how its values were made, so that those which have a
// name can be thrown die by die. Without it, what an earlier input has given a name is
// thrown as one roll of its distribution. A value takes some 200 bytes more then, which no
// limit counts.
func WithThrows() RunOption { return func(o *runOptions) { o.thrown = true } }

// Throw throws dice once, as [Program.Throw] does: notation such as 4d6kh3 + 2, or an
// expression whose value is a roll, a chance, outcomes or a plan. The recipe of the record is
// the hash of the text. Anything else is an [Error], of [KindInput] where there is nothing
// to throw.
func (s *Session) Throw(ctx context.Context, src throw.Source, text string) (*throw.Record, error) {
	for record, err := range s.Throws(ctx, src, text) {
		return record, err
	}
	return nil, NewError(KindInternal, "internal error: nothing was thrown", nil)
}

// Throws evaluates an expression once and throws it again and again, for as long as records
// are asked for. The session is in use until then.
func (s *Session) Throws(ctx context.Context, src throw.Source, text string) iter.Seq2[*throw.Record, error] {
	return func(yield func(*throw.Record, error) bool) {
		if err := s.enter(); err != nil {
			yield(nil, err)
			return
		}
		defer s.leave()
		if s.run == nil {
			return
		}
		text = insideRoll(text)
		x, bad := notation.ParseRoll(text)
		input := text
		if bad == nil {
			input = "roll(" + strconv.Quote(text) + ")"
		}
		remembers := s.run.thrown
		thrown := false
		s.run.thrown = true
		s.after = func() error {
			if len(s.run.keeps) != 1 {
				return NewError(KindInput, "want one expression to throw, such as 4d6kh3 + 2", nil)
			}
			if bad == nil {
				s.run.certain()
				s.run.result.Outputs[s.run.keeps[0].output].Title = notation.Text(x)
			}
			thrown = true
			sum := sha256.Sum256([]byte(text))
			s.run.throwAll(src, throw.Record{Recipe: "sha256:" + hex.EncodeToString(sum[:])}, yield)
			return nil
		}
		_, err := s.evalInput(ctx, input)
		s.run.thrown, s.after = remembers, nil
		switch {
		case err == nil || thrown:
		case bad != nil && looksLikeNotation(text):
			yield(nil, notationError(text, bad))
		default:
			yield(nil, err)
		}
	}
}

// certain makes a roll of a number, which notation may be too: 3 + 4.
func (r *run) certain() {
	n, ok := r.keeps[0].value.(starlark.Int)
	if !ok {
		return
	}
	if small, ok := n.Int64(); ok {
		d := dist.Constant(int(small))
		r.keeps[0].value = builtins.NewRoll(d)
		r.result.Outputs[r.keeps[0].output] = Output{Data: Roll{Dist: d}}
	}
}

var rollCall = regexp.MustCompile(`^roll\(\s*("[^"\\]*"|'[^'\\]*')\s*\)$`)

// insideRoll is the notation in roll("..."), as recipes write it; other texts stay as they
// are.
func insideRoll(text string) string {
	text = strings.TrimSpace(text)
	if m := rollCall.FindStringSubmatch(text); m != nil {
		return m[1][1 : len(m[1])-1]
	}
	return text
}

// looksLikeNotation reports whether a text that is neither notation nor an expression was
// meant as notation: it has no words but those of notation.
func looksLikeNotation(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789dDkKhHlLrRoOmMiIaAF!<>=%+-*/(). ") == ""
}

// notationError is an error of notation, with its place in the text.
func notationError(text string, err error) error {
	var e *notation.Error
	if !errors.As(err, &e) {
		return err
	}
	return &Error{
		Kind: KindSyntax, Message: e.Msg, Source: text,
		Position: Position{File: "roll", Line: e.Line, Column: e.Col},
	}
}
