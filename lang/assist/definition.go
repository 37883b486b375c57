package assist

import (
	"fmt"
	"slices"

	"dicescript/lang"
	"dicescript/lang/notation"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A Location is a place in the document or in a module.
type Location struct {
	Range  Range
	Source string // the text of the module that the place is in, "" for the document
}

// Definition returns where the name at a place gets its meaning: in the document,
// in a module, bundled ones too. A builtin is defined nowhere.
func (d *Document) Definition(pos lang.Position) (Location, bool) {
	pos.File = d.name
	i, ok := d.tokenAt(pos)
	if !ok {
		return Location{}, false
	}
	t := d.tokens[i]
	if t.Kind == notation.StringToken {
		return d.loadedFrom(i)
	}
	if t.Kind != notation.NameToken || i > 0 && d.text(d.tokens[i-1]) == "." || d.isArgumentName(i) {
		return Location{}, false
	}
	id := d.bound(t)
	if id == nil {
		return Location{}, false
	}
	if b := d.names.defined[id]; b.module != "" {
		if found, ok := d.inModule(b.module, b.export); ok {
			return found, true
		}
	}
	return Location{Range: d.identRange(id)}, true
}

// loadedFrom is where a module, or what a load statement takes from it, is.
func (d *Document) loadedFrom(i int) (Location, bool) {
	if m, ok := d.moduleAt(i); ok {
		start := lang.Position{File: m.File, Line: 1, Column: 1}
		return Location{Range{start, start}, m.Source}, true
	}
	module, isModule, isLoad := d.loadAround(i)
	text := d.text(d.tokens[i])
	if !isLoad || isModule || len(text) < 2 {
		return Location{}, false
	}
	return d.inModule(module, text[1:len(text)-1])
}

func (d *Document) inModule(module, name string) (Location, bool) {
	m := d.modules[module]
	e, ok := export(m, name)
	if !ok {
		return Location{}, false
	}
	end := e.Position
	end.Column += len(name)
	return Location{Range{e.Position, end}, m.Source}, true
}

// References returns every place in the document where what the name at a place
// means is bound or used, in the order of the text.
func (d *Document) References(pos lang.Position) []Range {
	return d.rangesOf(d.usesAt(pos))
}

// usesAt are the names of the tree that mean the same as the one at a place.
func (d *Document) usesAt(pos lang.Position) []*syntax.Ident {
	i, ok := d.tokenAt(pos)
	if !ok {
		return nil
	}
	t := d.tokens[i]
	at := place{t.Line, t.Col}
	if t.Kind == notation.StringToken {
		at.col++ // the name in load("m.star", "name")
	}
	wanted := d.names.at[at]
	if wanted == nil {
		return nil
	}
	if by := first(wanted); by != nil {
		return d.usesOf(by)
	}
	return d.usesWhere(func(id *syntax.Ident) bool { return id.Name == wanted.Name && first(id) == nil })
}

// usesOf are the names of the tree that a place binds.
func (d *Document) usesOf(by *syntax.Ident) []*syntax.Ident {
	return d.usesWhere(func(id *syntax.Ident) bool { return first(id) == by })
}

func (d *Document) usesWhere(wanted func(*syntax.Ident) bool) []*syntax.Ident {
	var uses []*syntax.Ident
	for _, id := range d.names.all {
		if wanted(id) {
			uses = append(uses, id)
		}
	}
	slices.SortFunc(uses, func(a, b *syntax.Ident) int {
		switch {
		case placeOf(a.NamePos).before(placeOf(b.NamePos)):
			return -1
		case placeOf(b.NamePos).before(placeOf(a.NamePos)):
			return 1
		}
		return 0
	})
	return uses
}

// An Edit puts a text in the place of another one.
type Edit struct {
	Range Range
	Text  string
}

// Rename returns the edits that give what the name at a place means another name
// throughout the document. What is loaded keeps its name in the module. A builtin
// can't be renamed, and the new name has to be free wherever the old one is used.
func (d *Document) Rename(pos lang.Position, to string) ([]Edit, error) {
	uses := d.usesAt(pos)
	switch {
	case len(uses) == 0 || first(uses[0]) == nil:
		return nil, fmt.Errorf("rename: there is no name of this recipe here")
	case !isName(to):
		return nil, fmt.Errorf("rename: %q is not a name that a recipe can use", to)
	case to == uses[0].Name:
		return nil, nil
	}
	for _, id := range d.names.all {
		if b, ok := id.Binding.(*resolve.Binding); ok && id.Name == to {
			for _, use := range uses {
				at := d.at(int(use.NamePos.Line), int(use.NamePos.Col))
				if b.First == nil || d.visible(at)[to] == b.First || d.visible(d.at(int(id.NamePos.Line), int(id.NamePos.Col)))[use.Name] == first(use) {
					return nil, fmt.Errorf("rename: %s means something else here already, in line %d", to, id.NamePos.Line)
				}
			}
		}
	}
	loaded := d.names.defined[first(uses[0])]
	var edits []Edit
	for i, id := range uses {
		r := d.identRange(id)
		text := to
		if i == 0 && loaded.module != "" && loaded.export == id.Name && d.isText(r.Start) {
			text = to + `="` + id.Name + `"`
			r.Start.Column--
			r.End.Column++
		}
		edits = append(edits, Edit{r, text})
	}
	return edits, nil
}

// isText reports whether a place is just inside a text.
func (d *Document) isText(pos lang.Position) bool {
	return slices.ContainsFunc(d.tokens, func(t notation.Token) bool {
		return t.Kind == notation.StringToken && t.Line == pos.Line && t.Col == pos.Column-1
	})
}

func isName(text string) bool {
	tokens := notation.Tokens([]byte(text))
	return len(tokens) == 1 && tokens[0].Kind == notation.NameToken
}
