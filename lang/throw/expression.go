package throw

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
)

var rollCall = regexp.MustCompile(`^roll\(\s*("[^"\\]*"|'[^'\\]*')\s*\)$`)

// asNotation is the notation in roll("..."), as recipes write it; other texts stay
// as they are.
func asNotation(text string) string {
	if m := rollCall.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return m[1][1 : len(m[1])-1]
	}
	return text
}

// Expression returns a Roller of notation, or of an expression of the session that has
// a value to roll, and its exact chances. The error of a text that is neither is an
// *[lang.Error].
func Expression(ctx context.Context, s *lang.Session, text string) (Roller, lang.Data, error) {
	text = asNotation(text)
	x, bad := notation.ParseRoll(text)
	input := text
	if bad == nil {
		input = "roll(" + strconv.Quote(text) + ")"
	}
	result, err := s.Eval(ctx, input)
	switch {
	case err != nil && bad != nil && looksLikeNotation(text):
		return nil, nil, notationError(text, bad)
	case err != nil:
		return nil, nil, err
	case len(result.Outputs) != 1:
		return nil, nil, lang.NewError(lang.KindInput, "want one expression to roll, such as 4d6kh3 + 2", nil)
	}
	data := result.Outputs[0].Data
	if n, ok := data.(lang.Number); ok && bad == nil && n.Value.IsInt() && n.Value.Num().IsInt64() {
		data = lang.Roll{Dist: dist.Constant(int(n.Value.Num().Int64()))}
	}
	if roll, ok := data.(lang.Roll); ok && bad == nil {
		return Notation(x, roll.Dist), data, nil
	}
	r, err := Data(ctx, data)
	if err != nil && ctx.Err() == nil {
		err = lang.NewError(lang.KindInput, err.Error(), err)
	}
	return r, data, err
}

// looksLikeNotation reports whether a text that is neither notation nor an
// expression was meant as notation: it has no words but those of notation.
func looksLikeNotation(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.Trim(text, "0123456789dDkKhHlLrRoOmMiIaAF!<>=%+-*/(). ") == ""
}

// notationError is an error of notation, with its place in the text.
func notationError(text string, err error) error {
	var e *notation.Error
	if !errors.As(err, &e) {
		return err
	}
	return &lang.Error{
		Kind: lang.KindSyntax, Message: e.Msg, Source: text,
		Position: lang.Position{File: "roll", Line: e.Line, Column: e.Col},
	}
}
