package lsp

import (
	"context"
	"slices"

	"dicescript/lang/assist"
)

// This file colours what a grammar of regular expressions can't know.

// The kinds of tokens and what else is said of them, in the order of their numbers.
var (
	tokenTypes     = []string{"number", "function", "method", "parameter"}
	tokenModifiers = []string{"defaultLibrary", "dice", "range"}
)

// looks are the kinds of marks as tokens.
var looks = map[assist.MarkKind]struct {
	kind      string
	modifiers []string
}{
	assist.DiceMark:      {"number", []string{"dice"}},
	assist.RangeMark:     {"number", []string{"range"}},
	assist.BuiltinMark:   {"function", []string{"defaultLibrary"}},
	assist.FunctionMark:  {"function", nil},
	assist.MethodMark:    {"method", []string{"defaultLibrary"}},
	assist.ParameterMark: {"parameter", nil},
}

func (s *server) tokens(ctx context.Context, n *snapshot, _ documentParams) (any, error) {
	return n.tokensFrom(ctx, 0, len(n.text))
}

func (s *server) tokensIn(ctx context.Context, n *snapshot, p rangeParams) (any, error) {
	return n.tokensFrom(ctx, p.Range.Start.Line, p.Range.End.Line)
}

// tokensFrom are the tokens of some lines, each with its distance from the one before.
func (s *snapshot) tokensFrom(ctx context.Context, first, last int) (any, error) {
	return asked(ctx, s, func(d *assist.Document) semanticTokens {
		t := semanticTokens{Data: []uint32{}}
		var before position
		for _, m := range d.Marks() {
			if m.Range.Start.Line-1 < first || m.Range.Start.Line-1 > last {
				continue
			}
			where, look := s.span(d, m.Range), looks[m.Kind]
			modifiers := 0
			for _, m := range look.modifiers {
				modifiers |= 1 << slices.Index(tokenModifiers, m)
			}
			if where.Start.Line != before.Line {
				before.Character = 0
			}
			for _, x := range []int{
				where.Start.Line - before.Line, where.Start.Character - before.Character,
				where.End.Character - where.Start.Character, slices.Index(tokenTypes, look.kind), modifiers,
			} {
				t.Data = append(t.Data, uint32(x))
			}
			before = where.Start
		}
		return t
	})
}
