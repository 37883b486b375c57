package repl

import (
	"fmt"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/cmd/dicescript/internal/reference"
	"dicescript/lang"
	"dicescript/lang/assist"
)

// NAME? explains a name: a function that was defined here by its doc string,
// anything else by the reference.

// question reads NAME? and ?NAME.
func question(text string) (name string, ok bool) {
	name, after := strings.CutSuffix(text, "?")
	name, before := strings.CutPrefix(name, "?")
	name = strings.TrimSpace(name)
	for _, r := range name {
		if r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "", false
		}
	}
	return name, (after || before) && name != ""
}

// isName reports whether a text can be asked about, or is empty.
func isName(text string) bool {
	_, ok := question(text + "?")
	return ok || text == ""
}

func (l *Loop) describe(name string) {
	ctx, stop := l.attention()
	defer stop()
	columns, _ := l.term.Size()
	layout := reference.Layout{Columns: columns}
	end := lang.Position{Line: 1, Column: len(name) + 1}
	hover, known := assist.New(l.session.Host()).AnalyzeInput(ctx, l.session, name).Hover(ctx, end)
	if known && hover.Text != "" { // dice, or what has been given a name
		text := hover.Text
		if words, _ := l.recipeWords(name+".", len(name)+1); len(words) > 0 && hover.Chart == "" {
			text += fmt.Sprintf("; Tab after %s. lists what it can be asked", name)
		}
		l.say("%s", text)
		fmt.Fprint(l.o.Out, hover.Chart)
		return
	}
	if _, method, ok := strings.Cut(name, "."); ok && len(hover.Docs) == 1 {
		name = hover.Docs[0].Receiver + "." + method
	}
	if known && !isBuiltin(hover.Docs[0]) {
		for _, d := range hover.Docs {
			layout.Function(l.o.Out, reference.Function{Signature: d.Signature, Doc: d.Words()})
		}
		return
	}
	if err := layout.Entry(l.o.Out, name); err != nil {
		l.explain(err)
	}
}

// isBuiltin reports whether the reference has more to say about a function than
// its doc string does.
func isBuiltin(d lang.Doc) bool {
	return slices.ContainsFunc(builtins.Table(), func(e builtins.Entry) bool {
		return e.Receiver == d.Receiver && e.Name == d.Name && e.Signature == d.Signature
	})
}
