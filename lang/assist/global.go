package assist

import (
	"slices"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A Global is a name at the top level of a file, which other files may load.
type Global struct{ File, Name string }

// Global is the one that the name at a place means: of the text itself, or of the
// module that it is loaded from. ok is false for what only the text can use.
func (d *Document) Global(pos lang.Position) (g Global, ok bool) {
	pos.File = d.name
	if g, ok := d.loadedName(pos); ok {
		return g, true
	}
	uses := d.usesAt(pos)
	if len(uses) == 0 {
		return Global{}, false
	}
	by := first(uses[0])
	if by == nil {
		return Global{}, false
	}
	if b := d.names.defined[by]; b.module != "" {
		return Global{d.modules[b.module].File, b.export}, d.modules[b.module].File != ""
	}
	b := uses[0].Binding.(*resolve.Binding)
	return Global{d.name, by.Name}, b.Scope == resolve.Global && !strings.HasPrefix(by.Name, "_")
}

// loadedName is what a text in a load statement takes from its module.
func (d *Document) loadedName(pos lang.Position) (Global, bool) {
	i, ok := d.tokenAt(pos)
	if !ok || d.tokens[i].Kind != notation.StringToken {
		return Global{}, false
	}
	module, isModule, isLoad := d.loadAround(i)
	text := d.text(d.tokens[i])
	if !isLoad || isModule || len(text) < 2 || d.modules[module].File == "" {
		return Global{}, false
	}
	return Global{d.modules[module].File, text[1 : len(text)-1]}, true
}

// UsesOf returns the places in the document that mean a global, in the order of the
// text.
func (d *Document) UsesOf(g Global) []Range {
	var ranges []Range
	if g.File == d.name {
		if by := d.names.globals[g.Name]; by != nil {
			ranges = d.rangesOf(d.usesOf(by))
		}
		return ranges
	}
	d.loadsOf(g, func(to, from *syntax.Ident) {
		if to.NamePos != from.NamePos {
			ranges = append(ranges, d.identRange(from))
		}
		ranges = append(ranges, d.rangesOf(d.usesOf(first(to)))...)
	})
	slices.SortFunc(ranges, func(a, b Range) int {
		switch {
		case before(a.Start, b.Start):
			return -1
		case before(b.Start, a.Start):
			return 1
		}
		return 0
	})
	return slices.Compact(ranges)
}

// RenameLoaded returns the edits that load a global, which has got another name,
// under the name that it has in the document.
func (d *Document) RenameLoaded(g Global, to string) []Edit {
	var edits []Edit
	d.loadsOf(g, func(as, from *syntax.Ident) {
		r := d.identRange(from)
		if as.NamePos != from.NamePos {
			edits = append(edits, Edit{r, to})
			return
		}
		r.Start.Column-- // the quotes
		r.End.Column++
		edits = append(edits, Edit{r, as.Name + `="` + to + `"`})
	})
	return edits
}

// loadsOf visits the places where a global of another file is loaded.
func (d *Document) loadsOf(g Global, visit func(to, from *syntax.Ident)) {
	syntax.Walk(d.tree, func(n syntax.Node) bool {
		load, ok := n.(*syntax.LoadStmt)
		if !ok {
			return true
		}
		if d.modules[load.ModuleName()].File == g.File && g.File != "" {
			for i := range load.To {
				if load.From[i].Name == g.Name {
					visit(load.To[i], load.From[i])
				}
			}
		}
		return false
	})
}

func (d *Document) rangesOf(ids []*syntax.Ident) []Range {
	var ranges []Range
	for _, id := range ids {
		ranges = append(ranges, d.identRange(id))
	}
	return ranges
}
