package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"dicescript/lang"
	"dicescript/lang/assist"
	"dicescript/lang/format"
)

// This file answers questions about a text.

// requests are the questions that are answered, each with what finds the text that
// it is about and returns the work.
var requests = map[string]func(*server, json.RawMessage) (job, error){
	"textDocument/completion":           about((*server).completion),
	"textDocument/hover":                about((*server).hover),
	"textDocument/signatureHelp":        about((*server).signature),
	"textDocument/definition":           about((*server).definition),
	"textDocument/references":           about((*server).references),
	"textDocument/documentHighlight":    about((*server).highlights),
	"textDocument/prepareRename":        about((*server).prepareRename),
	"textDocument/rename":               about((*server).rename),
	"textDocument/documentSymbol":       about((*server).symbols),
	"textDocument/foldingRange":         about((*server).folds),
	"textDocument/formatting":           about((*server).formatting),
	"textDocument/codeAction":           about((*server).actions),
	"textDocument/codeLens":             about((*server).lenses),
	"codeLens/resolve":                  (*server).resolveLens,
	"textDocument/semanticTokens/full":  about((*server).tokens),
	"textDocument/semanticTokens/range": about((*server).tokensIn),
}

// A subject is what the parameters of a question name.
type subject interface{ uri() string }

func (p placeParams) uri() string    { return p.Document.URI }
func (p documentParams) uri() string { return p.Document.URI }
func (p rangeParams) uri() string    { return p.Document.URI }

// about is a question about a text that the client has open.
func about[P subject](ask func(*server, context.Context, *snapshot, P) (any, error)) func(*server, json.RawMessage) (job, error) {
	return func(s *server, params json.RawMessage) (job, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, invalid(err)
		}
		n := s.work.snapshot(p.uri())
		if n == nil {
			return nil, invalid(errors.New("this text is not open: " + p.uri()))
		}
		return func(ctx context.Context) (any, error) { return ask(s, ctx, n, p) }, nil
	}
}

// asked asks one question of the analysis of a recipe. Of an AnyDice program nothing
// is known, and there is no answer.
func asked[T any](ctx context.Context, n *snapshot, question func(*assist.Document) T) (any, error) {
	if !n.isRecipe() {
		return nil, nil
	}
	return answered(ctx, n.ask, question)
}

// askedSoon is asked about what somebody is typing.
func askedSoon[T any](ctx context.Context, n *snapshot, question func(*assist.Document) T) (any, error) {
	if !n.isRecipe() {
		return nil, nil
	}
	return answered(ctx, n.askSoon, question)
}

func answered[T any](ctx context.Context, ask func(context.Context, func(*assist.Document)) error, question func(*assist.Document) T) (any, error) {
	var answer T
	if err := ask(ctx, func(d *assist.Document) { answer = question(d) }); err != nil {
		return nil, err
	}
	return answer, nil
}

func (s *server) completion(ctx context.Context, n *snapshot, p placeParams) (any, error) {
	return askedSoon(ctx, n, func(d *assist.Document) completionList {
		list := completionList{Items: []completionItem{}}
		c := d.Complete(n.place(d, p.Position))
		where := n.span(d, c.Range)
		for _, item := range c.Items {
			list.Items = append(list.Items, completionItem{
				Label: item.Text, Kind: completionKinds[item.Kind], Detail: item.Detail,
				Documentation: s.documentation(item.Doc), Edit: textEdit{where, item.Text},
			})
		}
		return list
	})
}

// completionKinds are the numbers of the protocol.
var completionKinds = map[assist.Kind]int{
	assist.MethodKind: 2, assist.FunctionKind: 3, assist.VariableKind: 6, assist.ModuleKind: 9,
	assist.AttributeKind: 10, assist.LabelKind: 12, assist.KeywordKind: 14, assist.ParameterKind: 5,
}

// documentation is a text about a name, nil when there is none.
func (s *server) documentation(text string) *markup {
	if text == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &markup{kindFor(s.client.TextDocument.Completion.Item.Formats), text}
}

// kindFor is markdown where the client shows it.
func kindFor(formats []string) string {
	if len(formats) > 0 && formats[0] == plaintext {
		return plaintext
	}
	return markdown
}

func (s *server) hover(ctx context.Context, n *snapshot, p placeParams) (any, error) {
	s.mu.Lock()
	kind := kindFor(s.client.TextDocument.Hover.Formats)
	s.mu.Unlock()
	return asked(ctx, n, func(d *assist.Document) *hoverResult {
		h, ok := d.Hover(ctx, n.place(d, p.Position))
		if !ok {
			return nil
		}
		return &hoverResult{markup{kind, h.Markdown()}, n.span(d, h.Range)}
	})
}

func (s *server) signature(ctx context.Context, n *snapshot, p placeParams) (any, error) {
	return askedSoon(ctx, n, func(d *assist.Document) *signatureResult {
		found, ok := d.Signature(n.place(d, p.Position))
		if !ok {
			return nil
		}
		item := signatureItem{Label: found.Text, Documentation: s.documentation(found.Doc), Parameters: []parameterItem{}}
		for _, q := range found.Parameters {
			item.Parameters = append(item.Parameters, parameterItem{q.Text, s.documentation(q.Doc)})
		}
		r := &signatureResult{Signatures: []signatureItem{item}}
		if active := found.Active; active >= 0 {
			r.Parameter = &active
		}
		return r
	})
}

func (s *server) highlights(ctx context.Context, n *snapshot, p placeParams) (any, error) {
	return asked(ctx, n, func(d *assist.Document) []highlight {
		found := []highlight{}
		for _, r := range d.References(n.place(d, p.Position)) {
			found = append(found, highlight{n.span(d, r)})
		}
		return found
	})
}

func (s *server) symbols(ctx context.Context, n *snapshot, p documentParams) (any, error) {
	s.mu.Lock()
	tree := s.client.TextDocument.Symbol.Tree
	s.mu.Unlock()
	return asked(ctx, n, func(d *assist.Document) any {
		found, plain := []documentSymbol{}, []symbolInformation{}
		for _, sym := range d.Symbols() {
			name := sym.Name
			if strings.TrimSpace(name) == "" {
				name = "output" // the protocol wants a name
			}
			all := n.span(d, sym.Range)
			found = append(found, documentSymbol{name, sym.Detail, symbolKinds[sym.Kind], all, n.span(d, sym.Select)})
			plain = append(plain, symbolInformation{name, symbolKinds[sym.Kind], location{n.uri, all}})
		}
		if tree {
			return found
		}
		return plain
	})
}

var symbolKinds = map[assist.Kind]int{
	assist.FunctionKind: 12, assist.VariableKind: 13, assist.ParameterKind: 20 /* Key */, assist.OutputKind: 24, /* Event */
}

func (s *server) folds(ctx context.Context, n *snapshot, p documentParams) (any, error) {
	return asked(ctx, n, func(d *assist.Document) []foldingRange {
		found := []foldingRange{}
		for _, f := range d.Folds() {
			fold := foldingRange{Start: f.Start - 1, End: f.End - 1}
			if f.Comment {
				fold.Kind = "comment"
			}
			found = append(found, fold)
		}
		return found
	})
}

// formatting is one edit from the first line that changes to the last.
func (s *server) formatting(ctx context.Context, n *snapshot, p documentParams) (any, error) {
	if !n.isRecipe() {
		return nil, nil // it is formatted on saving, whatever it is
	}
	out, err := format.Source(ctx, n.name, []byte(n.text))
	if err != nil {
		first := lang.Errors(err)[0]
		return nil, fmt.Errorf("%d:%d: %s", first.Position.Line, first.Position.Column, first.Message)
	}
	if n.ctx.Err() != nil {
		return nil, errStale
	}
	return difference(n.text, string(out)), nil
}

// difference is what makes one text another: nothing, or one edit of whole lines.
func difference(from, to string) []textEdit {
	if from == to {
		return []textEdit{}
	}
	start := 0
	for i := 0; i < min(len(from), len(to)) && from[i] == to[i]; i++ {
		if from[i] == '\n' {
			start = i + 1
		}
	}
	end := 0
	for i := 1; i < min(len(from), len(to))-start && from[len(from)-i] == to[len(to)-i]; i++ {
		if from[len(from)-i-1] == '\n' && to[len(to)-i-1] == '\n' {
			end = i
		}
	}
	return []textEdit{{span{place(from, start), place(from, len(from)-end)}, to[start : len(to)-end]}}
}
