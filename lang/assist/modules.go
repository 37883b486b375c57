package assist

import (
	"context"
	"path"
	"strconv"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"
)

// The modules that a text loads, and what is asked inside the texts of a load
// statement.

// loadModules reads the modules that the text names. One that can't be read or
// compiled is unknown; the diagnostics say why.
func (d *Document) loadModules(ctx context.Context) {
	d.modules = map[string]lang.ModuleDoc{}
	for i := range d.tokens {
		if d.isLoad(i) && i+2 < len(d.tokens) {
			d.module(ctx, d.tokens[i+2])
		}
	}
}

// isLoad reports whether a load statement begins at a token.
func (d *Document) isLoad(i int) bool {
	return d.text(d.tokens[i]) == "load" && i+1 < len(d.tokens) && d.tokens[i+1].Kind == notation.OpenToken &&
		(i == 0 || d.text(d.tokens[i-1]) != ".")
}

func (d *Document) module(ctx context.Context, t notation.Token) {
	name, ok := unquoted(d.text(t))
	if _, known := d.modules[name]; !ok || known {
		return
	}
	m, err := d.host.ModuleDoc(ctx, name)
	if err != nil {
		return
	}
	if strings.HasPrefix(name, ".") { // beside the text
		m.File = path.Join(path.Dir(d.name), m.File)
	}
	d.modules[name] = m
}

// exports are what a module has for others.
func exports(m lang.ModuleDoc) []lang.Doc {
	docs := append([]lang.Doc{}, m.Functions...)
	return append(docs, m.Constants...)
}

// export is one of them.
func export(m lang.ModuleDoc, name string) (lang.Doc, bool) {
	for _, e := range exports(m) {
		if e.Name == name {
			e.Position.File = m.File
			return e, true
		}
	}
	return lang.Doc{}, false
}

// loadAround is the load statement that a text token stands in: the name of its
// module, and whether the token is that name. ok is false outside load
// statements.
func (d *Document) loadAround(i int) (module string, isModule, ok bool) {
	open := d.openBracket(i)
	if open < 1 || !d.isLoad(open-1) {
		return "", false, false
	}
	module, _ = unquoted(d.text(d.tokens[open+1]))
	return module, i == open+1, true
}

// openBracket is the index of the innermost bracket that is open before a token,
// or -1.
func (d *Document) openBracket(i int) int { return int(d.open[i]) }

// unquoted is what a text literal on one line says, in quotes of either kind.
func unquoted(literal string) (text string, ok bool) {
	if len(literal) < 2 || strings.ContainsAny(literal, "\r\n") {
		return "", false
	}
	inside, quote := literal[1:len(literal)-1], literal[0]
	if literal[len(literal)-1] != quote || quote != '"' && quote != '\'' {
		return "", false
	}
	if !strings.ContainsAny(inside, "\\"+string(quote)) {
		return inside, true
	}
	if quote == '\'' { // a Go text has double quotes
		inside = strings.NewReplacer(`\'`, `'`, `"`, `\"`, `\"`, `\"`).Replace(inside)
	}
	text, err := strconv.Unquote(`"` + inside + `"`)
	return text, err == nil
}
