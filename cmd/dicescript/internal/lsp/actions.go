package lsp

import (
	"context"
	"slices"
	"strings"

	"dicescript/lang/assist"
)

// This file does what errors suggest.

func (s *server) actions(ctx context.Context, n *snapshot, p codeActionParams) (any, error) {
	found := []codeAction{}
	if !n.isRecipe() || len(p.Context.Only) > 0 && !slices.ContainsFunc(p.Context.Only, wantsFixes) {
		return found, nil
	}
	d, err := n.analysis(ctx)
	if err != nil {
		return nil, err
	}
	all := d.Diagnostics(ctx)
	err = n.ask(ctx, func(d *assist.Document) {
		for _, g := range all {
			where := n.span(d, g.Range)
			if behind(where.Start, p.Range.End) || behind(p.Range.Start, where.End) {
				continue
			}
			for _, edit := range g.Fixes {
				found = append(found, codeAction{
					Title: "Write " + strings.TrimSpace(edit.Text), Kind: "quickfix", Preferred: len(g.Fixes) == 1,
					Diagnostics: []diagnostic{n.diagnostic(d, g)},
					Edit:        workspaceEdit{map[string][]textEdit{n.uri: n.edits(d, []assist.Edit{edit})}},
				})
			}
		}
	})
	return found, err
}

// wantsFixes reports whether fixes are among the actions of a kind.
func wantsFixes(kind string) bool {
	return kind == "" || kind == "quickfix" || strings.HasPrefix(kind, "quickfix.")
}

// behind reports whether a place comes after another one.
func behind(a, b position) bool {
	return a.Line > b.Line || a.Line == b.Line && a.Character > b.Character
}
