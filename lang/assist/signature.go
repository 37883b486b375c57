package assist

import (
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/notation"
)

// A Parameter is one of a function: as it is written in the signature, and what
// it means.
type Parameter struct{ Text, Doc string }

// name is what an argument for it is called.
func (p Parameter) name() string {
	name, _, _ := strings.Cut(strings.TrimLeft(p.Text, "*"), "=")
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimSpace(name)
}

// A Signature says how the function is called whose arguments are being written.
type Signature struct {
	Text       string // "explode(roll, max_depth=2, on=None)"
	Doc        string
	Parameters []Parameter
	Active     int // the parameter that the place belongs to, -1 for none
}

// Signature returns how the innermost call around a place is written.
func (d *Document) Signature(pos lang.Position) (Signature, bool) {
	pos.File = d.name
	last := d.lastBefore(pos)
	if last < 0 || !d.isCode(pos.Line) {
		return Signature{}, false
	}
	open := d.openBracket(last + 1)
	if open < 1 || d.text(d.tokens[open]) != "(" || d.tokens[open-1].Kind != notation.NameToken && d.text(d.tokens[open-1]) != "load" {
		return Signature{}, false
	}
	if open > 1 && d.text(d.tokens[open-2]) == "def" {
		return Signature{}, false
	}
	docs := d.docsAt(open - 1)
	if len(docs) == 0 || docs[0].Signature == "" {
		return Signature{}, false
	}
	s := Signature{Text: docs[0].Signature, Doc: docs[0].Words(), Parameters: parametersOf(docs[0])}
	s.Active = d.activeParameter(s.Parameters, open, last)
	return s, true
}

// parametersOf divides a signature, and describes the parameters of builtins.
func parametersOf(doc lang.Doc) []Parameter {
	from, to := strings.IndexByte(doc.Signature, '('), strings.LastIndexByte(doc.Signature, ')')
	if from < 0 || to < from {
		return nil
	}
	var params []Parameter
	inner := doc.Signature[from+1 : to]
	start, depth := 0, 0
	for _, t := range append(notation.Tokens([]byte(inner)), notation.Token{Kind: notation.OperatorToken, Start: len(inner), End: len(inner)}) {
		switch {
		case t.Kind == notation.OpenToken:
			depth++
		case t.Kind == notation.CloseToken:
			depth--
		case depth == 0 && (t.Start == len(inner) || inner[t.Start:t.End] == ","):
			if text := strings.TrimSpace(inner[start:t.Start]); text != "" {
				params = append(params, Parameter{Text: text})
			}
			start = t.End
		}
	}
	for _, e := range builtins.Table() {
		if doc.Position.Line > 0 || e.Name != doc.Name || e.Receiver != doc.Receiver {
			continue
		}
		for i := range params {
			if j := slices.IndexFunc(e.Params, func(p builtins.Param) bool { return p.Name == params[i].name() }); j >= 0 {
				params[i].Doc = e.Params[j].Doc
			}
		}
	}
	return params
}

// activeParameter is the parameter for the argument between an open bracket and
// the last token before the place.
func (d *Document) activeParameter(params []Parameter, open, last int) int {
	commas, depth, named := 0, 0, ""
	for i := open + 1; i <= last; i++ {
		t := d.tokens[i]
		switch {
		case t.Kind == notation.OpenToken:
			depth++
		case t.Kind == notation.CloseToken:
			depth--
		case depth > 0:
		case d.text(t) == ",":
			commas++
			named = ""
		case d.text(t) == "=" && d.tokens[i-1].Kind == notation.NameToken:
			named = d.text(d.tokens[i-1])
		}
	}
	for i, p := range params {
		switch {
		case named != "" && p.name() == named:
			return i
		case named == "" && (i == commas || strings.HasPrefix(p.Text, "*") && !strings.HasPrefix(p.Text, "**") && i <= commas):
			return i
		}
	}
	return -1
}
