package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"dicescript/cmd/dicescript/internal/door"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// OddsParams are those of the tool odds.
type OddsParams struct {
	Expression string `json:"expression" jsonschema:"an expression such as 4d6kh3 >= 15, versus(2d6, d12) or count(6d10, 8..)"`
	Format     string `json:"format,omitempty" jsonschema:"table (default): markdown, where long tables are folded; json: every outcome with its exact fraction"`
	door.Bounds
}

// RunParams are those of the tool run.
type RunParams struct {
	Source string         `json:"source" jsonschema:"the recipe: Starlark with output(title, value) for results and param(name, default) for inputs"`
	Name   string         `json:"name,omitempty" jsonschema:"the name of its file; one in .anydice is an AnyDice program"`
	Inputs map[string]any `json:"inputs,omitempty" jsonschema:"values of the inputs by name: booleans, numbers and strings"`
	Format string         `json:"format,omitempty" jsonschema:"table (default): markdown, where long tables are folded; json: every outcome with its exact fraction"`
	door.Bounds
}

// CheckParams are those of the tool check.
type CheckParams struct {
	Source string `json:"source" jsonschema:"the recipe"`
	Name   string `json:"name,omitempty" jsonschema:"the name of its file; one in .anydice is an AnyDice program"`
}

// An answer is the text of a tool; ok is false when the recipe is wrong.
type answer struct {
	text string
	ok   bool
}

func (s *server) addTools(m *mcp.Server) {
	addTool(m, s, "odds", "The exact chances of one expression: a table of outcomes, or one probability.", true, s.odds)
	addTool(m, s, "run", "Runs a recipe (a short Starlark program about dice) and shows the exact chances that it puts out.", true, s.run)
	addTool(m, s, "throw", "Really rolls an expression once, for play: every die of notation, and how often a result like it happens. For chances, use odds.", false, s.throw)
	addTool(m, s, "check", "What is wrong with a recipe, or likely to be, with what may be written instead. It is not run.", true, s.check)
	addTool(m, s, "doc", "What the reference says about a function, a method, a module (coc7.star), notation, or a word; without a name, the index of everything.", true, s.doc)
}

// printedKey is the key of a context under which what a recipe prints is gathered.
type printedKey struct{}

// printed gathers what a recipe prints for the answer of its call.
func printed(ctx context.Context, text string) {
	if b, ok := ctx.Value(printedKey{}).(*strings.Builder); ok {
		b.WriteString(text + "\n")
	}
}

func addTool[P any](m *mcp.Server, s *server, name, about string, same bool, do func(context.Context, P) (answer, error)) {
	no := false
	tool := &mcp.Tool{Name: name, Description: about, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: same, OpenWorldHint: &no}}
	mcp.AddTool(m, tool, func(ctx context.Context, _ *mcp.CallToolRequest, p P) (*mcp.CallToolResult, any, error) {
		leave, err := s.slot(ctx)
		if err != nil {
			return nil, nil, err
		}
		defer leave()
		var printed strings.Builder
		a, err := do(context.WithValue(ctx, printedKey{}, &printed), p)
		if err != nil {
			a = answer{text: err.Error()}
		}
		if printed.Len() > 0 {
			a.text = "printed:\n" + printed.String() + "\n" + a.text
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: a.text}}, IsError: !a.ok}, nil, nil
	})
}

func (s *server) odds(ctx context.Context, p OddsParams) (answer, error) {
	asked := door.EvalParams{Expression: p.Expression, Bounds: p.Bounds}
	switch p.Format {
	case "json":
		return reported(s.engine.Eval(ctx, asked))
	case "", "table":
		return paged(s.engine.EvalPage(ctx, asked))
	}
	return answer{}, unknownFormat(p.Format)
}

func (s *server) run(ctx context.Context, p RunParams) (answer, error) {
	asked := door.RunParams{Source: p.Source, Name: p.Name, Inputs: p.Inputs, Bounds: p.Bounds}
	switch p.Format {
	case "json":
		return reported(s.engine.Run(ctx, asked))
	case "", "table":
		a, err := paged(s.engine.RunPage(ctx, asked))
		if a.ok && a.text == "" {
			return answer{text: `the recipe shows nothing: record its results with output("title", value)`}, err
		}
		return a, err
	}
	return answer{}, unknownFormat(p.Format)
}

func unknownFormat(got string) error {
	return fmt.Errorf("format: got %q, want table or json", got)
}

func reported(r door.Report, err error) (answer, error) {
	return answer{string(r), err == nil && !strings.HasPrefix(string(r), `{"error"`)}, err
}

func paged(text string, ok bool, err error) (answer, error) { return answer{text, ok}, err }

func (s *server) throw(ctx context.Context, p door.ThrowParams) (answer, error) {
	t, err := s.engine.Throw(ctx, p)
	switch {
	case err != nil:
		return answer{}, err
	case t.Error != nil:
		return answer{text: "error: " + t.Error.Message}, nil
	}
	data, err := json.Marshal(t.Record)
	return answer{t.Text + "\n\nseed " + t.Seed + " gives the same again; as data:\n" + string(data), true}, err
}

func (s *server) check(ctx context.Context, p CheckParams) (answer, error) {
	var asked door.CheckParams
	asked.Source, asked.Name = p.Source, p.Name
	c, err := s.engine.Check(ctx, asked)
	if err != nil {
		return answer{}, err
	}
	if len(c.Diagnostics) == 0 {
		return answer{"nothing is wrong", true}, nil
	}
	var b strings.Builder
	for _, d := range c.Diagnostics {
		fmt.Fprintf(&b, "%d:%d: %s: %s\n", d.Range.Line, d.Range.Column, d.Severity, d.Message)
		for _, f := range d.Fixes {
			fmt.Fprintf(&b, "  write %q from %d:%d to %d:%d\n", f.Text, f.Range.Line, f.Range.Column, f.Range.EndLine, f.Range.EndColumn)
		}
	}
	return answer{strings.TrimRight(b.String(), "\n"), true}, nil
}

func (s *server) doc(ctx context.Context, p door.DocParams) (answer, error) {
	d, err := s.engine.Doc(ctx, p)
	switch {
	case err != nil:
		return answer{}, err
	case d.Error != nil:
		return answer{text: d.Error.Message + "; without a name, doc lists everything"}, nil
	}
	return answer{d.Text, true}, nil
}
