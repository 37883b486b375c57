package assist

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"

	"go.starlark.net/syntax"
)

// A Hover is what there is to say about the word at a place.
type Hover struct {
	Range Range
	Docs  []lang.Doc // of a function, or of the methods that may be meant
	Text  string     // of anything else: what a variable is, what dice give
	Chart string     // of dice: their chances as text in lines
}

// Hover describes the name or the literal at a place. Dice are computed, within
// small limits and the time of the context.
func (d *Document) Hover(ctx context.Context, pos lang.Position) (Hover, bool) {
	pos.File = d.name
	i, ok := d.tokenAt(pos)
	if !ok {
		return Hover{}, false
	}
	t := d.tokens[i]
	h := Hover{Range: d.rangeOf(t)}
	switch t.Kind {
	case notation.DiceToken:
		h.Text, h.Chart = d.diceText(ctx, d.text(t))
	case notation.RangeToken:
		h.Text = rangeText(d.text(t))
	case notation.StringToken:
		h.Docs = d.loadedDocs(i)
		if m, isModule := d.moduleAt(i); isModule {
			h.Text = strings.TrimSpace(m.Name + "\n\n" + m.Text)
		}
	case notation.NameToken, notation.KeywordToken:
		h.Docs = d.docsAt(i)
		if len(h.Docs) == 0 {
			h.Text = d.variableText(i)
		}
	}
	return h, len(h.Docs) > 0 || h.Text != ""
}

// Markdown is the hover as one text.
func (h Hover) Markdown() string {
	var b strings.Builder
	for i, e := range h.Docs {
		if i > 0 {
			b.WriteString("\n---\n\n")
		}
		fmt.Fprintf(&b, "```dice\n%s%s\n```\n", e.Receiver, e.Signature)
		if text := e.Words(); text != "" {
			b.WriteString("\n" + text + "\n")
		}
		if e.Example != "" {
			fmt.Fprintf(&b, "\n```dice\n%s\n```\n", strings.TrimRight(e.Example, "\n"))
			if e.Result != "" && e.Result != "None" {
				fmt.Fprintf(&b, "```result\n%s\n```\n", e.Result)
			}
		}
	}
	if h.Text != "" {
		b.WriteString(h.Text + "\n")
	}
	if h.Chart != "" {
		fmt.Fprintf(&b, "\n```text\n%s\n```\n", strings.TrimRight(h.Chart, "\n"))
	}
	return b.String()
}

// The limits for the dice under a cursor.
const (
	hoverSteps = 10_000
	hoverWork  = 50_000_000
	hoverCells = 1_000_000
	chartWidth = 50
	chartRows  = 30
)

// diceText says what a dice literal gives, and draws it.
func (d *Document) diceText(ctx context.Context, literal string) (text, chart string) {
	s := d.host.NewSession(lang.WithRunLimits(lang.Limits{Steps: hoverSteps, Work: hoverWork, Cells: hoverCells}))
	result, err := s.Eval(ctx, literal)
	if err != nil || len(result.Outputs) != 1 {
		return "", ""
	}
	r, ok := result.Outputs[0].Data.(lang.Roll)
	if !ok {
		return "", ""
	}
	lo, hi := r.Dist.Min(), r.Dist.Max()
	text = fmt.Sprintf("%s: mean %s, %d to %d", literal, report.Decimal(r.Dist.Mean(), 3), lo, hi)
	var b bytes.Buffer
	if report.Brief(ctx, &b, result, report.Options{Width: chartWidth}, chartRows) == nil {
		_, chart, _ = strings.Cut(b.String(), "\n")
	}
	return text, chart
}

func rangeText(literal string) string {
	lo, hi, _ := strings.Cut(literal, "..")
	switch {
	case lo == "":
		return literal + ": at most " + hi
	case hi == "":
		return literal + ": at least " + lo
	}
	return literal + ": from " + lo + " to " + hi
}

// docsAt describes the function or the methods that a name token means.
func (d *Document) docsAt(i int) []lang.Doc {
	name := d.text(d.tokens[i])
	if i > 0 && d.text(d.tokens[i-1]) == "." {
		return d.memberDocs(i-1, name)
	}
	if d.isArgumentName(i) {
		return nil
	}
	if id := d.bound(d.tokens[i]); id != nil {
		return d.docsOfBinding(id)
	}
	return slices.DeleteFunc(d.session.Doc(name), func(e lang.Doc) bool { return e.Receiver != "" })
}

// isArgumentName reports whether a name is that of an argument: f(name=1).
func (d *Document) isArgumentName(i int) bool {
	return i+1 < len(d.tokens) && i > 0 && d.text(d.tokens[i+1]) == "=" && d.openBracket(i) >= 0
}

// memberDocs describes the methods that a name after a dot may be.
func (d *Document) memberDocs(dot int, name string) []lang.Doc {
	var docs []lang.Doc
	types := d.typesBefore(dot)
	for _, e := range builtins.Table() {
		if e.Name == name && e.Receiver != "" && (len(types) == 0 || slices.Contains(types, e.Receiver)) {
			docs = append(docs, docOfEntry(e))
		}
	}
	return docs
}

// docsOfBinding describes a function of the text or of a module.
func (d *Document) docsOfBinding(id *syntax.Ident) []lang.Doc {
	b := d.names.defined[id]
	switch {
	case b.def != nil:
		return []lang.Doc{d.docOf(b.def)}
	case b.module != "":
		if e, ok := export(d.modules[b.module], b.export); ok && e.Signature != "" {
			return []lang.Doc{e}
		}
	}
	return nil
}

// moduleAt is the module that a text token in a load statement names.
func (d *Document) moduleAt(i int) (lang.ModuleDoc, bool) {
	module, isModule, _ := d.loadAround(i)
	m, known := d.modules[module]
	return m, isModule && known
}

// loadedDocs describes what a text token in a load statement takes from a module.
func (d *Document) loadedDocs(i int) []lang.Doc {
	module, isModule, isLoad := d.loadAround(i)
	if !isLoad || isModule {
		return nil
	}
	if e, ok := export(d.modules[module], strings.Trim(d.text(d.tokens[i]), `"'`)); ok && e.Signature != "" {
		return []lang.Doc{e}
	}
	return nil
}

// variableText says what is known of a name that is no function.
func (d *Document) variableText(i int) string {
	t := d.tokens[i]
	name := d.text(t)
	if i > 0 && d.text(d.tokens[i-1]) == "." || d.isArgumentName(i) {
		return ""
	}
	id := d.bound(t)
	if id == nil {
		if kind := d.prompt().TypeOf(name); kind != "" {
			return name + ": " + kind
		}
		return ""
	}
	b := d.names.defined[id]
	types := (&typer{d: d, visible: d.visible(d.at(t.Line, t.Col))}).name(id)
	switch {
	case len(types) > 0:
		return name + ": " + strings.Join(types, " or ")
	case b.kind == ParameterKind:
		return name + ": a parameter"
	case b.module != "":
		return name + ": from " + b.module
	}
	return name + ": a variable"
}
