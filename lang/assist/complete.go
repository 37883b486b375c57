package assist

import (
	"cmp"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/notation"
)

// A Kind says what a name stands for.
type Kind string

// The kinds of names.
const (
	KeywordKind   Kind = "keyword"
	FunctionKind  Kind = "function"
	MethodKind    Kind = "method"
	AttributeKind Kind = "attribute"
	VariableKind  Kind = "variable"
	ParameterKind Kind = "parameter" // of a function, or the name of an argument
	ModuleKind    Kind = "module"
	LabelKind     Kind = "label" // a text that is written elsewhere
	OutputKind    Kind = "output"
)

// An Item is one way for a text to go on.
type Item struct {
	Text   string // what stands in the place of the range of the completion
	Kind   Kind
	Detail string // how it is called, or where it comes from
	Doc    string
}

// A Completion is what may stand at a place: each item instead of the range,
// which is the word before the place, or empty.
type Completion struct {
	Range Range
	Items []Item // by their text
}

var keywords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in",
	"lambda", "load", "not", "or", "pass", "return", "while",
}

// Complete returns what may stand at a place: inside a text the modules, what a
// module has, or labels; after a dot the methods of what stands before it; else
// names, keywords, and the arguments of the call around it.
func (d *Document) Complete(pos lang.Position) Completion {
	pos.File = d.name
	none := Completion{Range: Range{pos, pos}}
	if !d.isCode(pos.Line) {
		return none
	}
	if i, begun, ok := d.openText(pos); ok {
		from := d.tokens[i]
		start := d.at(from.Line, from.Col+1)
		return Completion{Range{start, pos}, sorted(d.insideText(i, begun), begun)}
	}
	if d.inComment(pos) {
		return none
	}
	last := d.lastBefore(pos)
	word, start := "", pos
	if i, ok := d.wordBefore(pos); ok {
		r := d.rangeOf(d.tokens[i])
		word, start = string([]rune(d.text(d.tokens[i]))[:pos.Column-r.Start.Column]), r.Start
		last = d.lastBefore(start)
	}
	if last >= 0 && d.text(d.tokens[last]) == "." && d.touches(last, start) {
		return Completion{Range{start, pos}, sorted(d.afterDot(last), word)}
	}
	items := slices.Concat(d.arguments(start), d.nameItems(start))
	for _, k := range keywords {
		items = append(items, Item{Text: k, Kind: KeywordKind})
	}
	return Completion{Range{start, pos}, sorted(items, word)}
}

// sorted are the items that begin with a word, by their text, each once.
func sorted(items []Item, word string) []Item {
	var some []Item
	for _, item := range items {
		if strings.HasPrefix(item.Text, word) {
			some = append(some, item)
		}
	}
	slices.SortStableFunc(some, func(a, b Item) int { return cmp.Compare(a.Text, b.Text) })
	return slices.CompactFunc(some, func(a, b Item) bool { return a.Text == b.Text })
}

// openText is the text that a place is in, and what of it stands before.
func (d *Document) openText(pos lang.Position) (i int, begun string, ok bool) {
	for i := d.tokensFrom(pos.Line); i < len(d.tokens) && d.tokens[i].Line == pos.Line; i++ {
		t := d.tokens[i]
		if t.Kind != notation.StringToken {
			continue
		}
		r := d.rangeOf(t)
		text := d.text(t)
		if pos.Line != t.Line || !before(r.Start, pos) || before(r.End, pos) || !t.Unclosed && r.End == pos || text[0] != '"' && text[0] != '\'' {
			continue
		}
		return i, string([]rune(text)[1 : pos.Column-t.Col]), true
	}
	return 0, "", false
}

func (d *Document) inComment(pos lang.Position) bool {
	return slices.ContainsFunc(d.tokens[d.tokensFrom(pos.Line):d.tokensFrom(pos.Line+1)], func(t notation.Token) bool {
		return t.Kind == notation.CommentToken && t.Col < pos.Column
	})
}

// wordBefore is the token that a place stands in or at the end of, if it can be
// the beginning of a name.
func (d *Document) wordBefore(pos lang.Position) (int, bool) {
	for i := d.tokensFrom(pos.Line); i < len(d.tokens) && d.tokens[i].Line == pos.Line; i++ {
		t := d.tokens[i]
		switch t.Kind {
		case notation.NameToken, notation.KeywordToken, notation.DiceToken, notation.NumberToken:
			if r := d.rangeOf(t); before(r.Start, pos) && !before(r.End, pos) {
				return i, true
			}
		}
	}
	return 0, false
}

// touches reports whether a token ends at a place.
func (d *Document) touches(i int, pos lang.Position) bool { return d.endOf(d.tokens[i]) == pos }

// insideText are the texts that may stand where one has been begun.
func (d *Document) insideText(i int, begun string) []Item {
	module, isModule, isLoad := d.loadAround(i)
	var items []Item
	switch {
	case isModule:
		for _, name := range d.host.Loadable(begun) {
			items = append(items, Item{Text: name, Kind: ModuleKind})
		}
	case isLoad:
		for _, e := range exports(d.modules[module]) {
			items = append(items, itemOf(e, exportKind(e)))
		}
	default:
		for _, label := range d.allLabels(i) {
			items = append(items, Item{Text: label, Kind: LabelKind})
		}
	}
	return items
}

func exportKind(e lang.Doc) Kind {
	if e.Signature == "" {
		return VariableKind
	}
	return FunctionKind
}

// allLabels are the texts that are written in the document, but not those of load
// statements nor the one at the cursor.
func (d *Document) allLabels(cursor int) []string {
	labels := slices.Clone(d.labels)
	for i, t := range d.tokens {
		if t.Kind != notation.StringToken || i == cursor || t.Unclosed {
			continue
		}
		if _, _, isLoad := d.loadAround(i); isLoad {
			continue
		}
		if s, ok := unquoted(d.text(t)); ok && s != "" {
			labels = append(labels, s)
		}
	}
	return labels
}

// afterDot are the methods and attributes of what stands before a dot; of
// something unknown those of all types.
func (d *Document) afterDot(dot int) []Item {
	var items []Item
	types := d.typesBefore(dot)
	for _, kind := range types {
		for _, m := range members(kind) {
			items = append(items, itemOf(m, memberKind(m)))
		}
	}
	if dot > 0 && d.tokens[dot-1].Kind == notation.NameToken && (dot < 2 || d.text(d.tokens[dot-2]) != ".") && len(items) == 0 {
		names, _ := d.session.Complete(d.text(d.tokens[dot-1]) + ".") // a value of the session, or a module such as math
		for _, name := range names {
			items = append(items, Item{Text: name, Kind: MethodKind})
		}
	}
	if len(types) > 0 || len(items) > 0 {
		return items
	}
	for _, e := range builtins.Table() {
		if e.Receiver != "" {
			m := docOfEntry(e)
			items = append(items, itemOf(m, memberKind(m)))
		}
	}
	return items
}

func memberKind(m lang.Doc) Kind {
	if e, ok := entryOf(m.Receiver, m.Name); ok && e.Attribute {
		return AttributeKind
	}
	return MethodKind
}

func itemOf(e lang.Doc, kind Kind) Item {
	return Item{Text: e.Name, Kind: kind, Detail: e.Signature, Doc: e.Words()}
}

// nameItems are the names that can be said at a place.
func (d *Document) nameItems(pos lang.Position) []Item {
	var items []Item
	for name, id := range d.visible(pos) {
		if _, literal := d.literals[name]; literal {
			continue
		}
		docs := d.docsOfBinding(id)
		item := Item{Text: name, Kind: d.names.defined[id].kind}
		if len(docs) > 0 {
			item = itemOf(docs[0], item.Kind)
			item.Text = name
		}
		items = append(items, item)
	}
	own, _ := d.session.Complete("")
	for _, name := range own {
		item := Item{Text: name, Kind: VariableKind}
		if isFunctionType(d.prompt().TypeOf(name)) || len(d.session.Doc(name)) > 0 {
			item.Kind = FunctionKind
		}
		for _, e := range d.session.Doc(name) {
			if e.Receiver == "" {
				item = itemOf(e, item.Kind)
			}
		}
		items = append(items, item)
	}
	return items
}

// arguments are the names of the arguments of the call around a place, where one
// may begin.
func (d *Document) arguments(pos lang.Position) []Item {
	s, ok := d.Signature(pos)
	last := d.lastBefore(pos)
	if !ok || last < 0 || d.tokens[last].Kind != notation.OpenToken && d.text(d.tokens[last]) != "," {
		return nil
	}
	var items []Item
	for _, p := range s.Parameters {
		if name := p.name(); name != "" && !strings.HasPrefix(p.Text, "*") {
			items = append(items, Item{Text: name + "=", Kind: ParameterKind, Detail: p.Text, Doc: p.Doc})
		}
	}
	return items
}
