// What names mean, in words: the documentation of builtins, of modules, and of
// the functions that a recipe defines itself.

package lang

import (
	"context"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/builtins/suggest"
	"dicescript/lang/eval"
	"dicescript/lang/internal/modules"
	"dicescript/lang/internal/outline"
	dicesyntax "dicescript/lang/syntax"
)

// A Doc describes one name.
type Doc struct {
	Name      string
	Receiver  string // the type of values that have it, for a method or an attribute
	Signature string // how it is called: "explode(roll, max_depth=2, on=None)"
	Text      string
	Errors    string   // what it refuses: "a chance below 0 or above 1"; may be empty
	Example   string   // lines of a recipe; may be empty
	Result    string   // what printing the last line of the example shows
	Position  Position // where it is defined; without a line when it is a builtin
}

// Words are the text and the errors of the description.
func (d Doc) Words() string {
	if d.Errors == "" {
		return d.Text
	}
	return strings.TrimSpace(d.Text + "\n\nErrors: " + d.Errors)
}

// A ModuleDoc describes a module.
type ModuleDoc struct {
	Name      string
	File      string // as it stands in positions
	Text      string // what the module says about itself
	Functions []Doc  // in the order of the module's text
	Constants []Doc  // what else it has for others, by name
	Source    string
}

// Modules returns the names of the bundled modules.
func (h *Host) Modules() []string {
	if h.usable() != nil {
		return nil
	}
	return h.modules.Bundled()
}

// ModuleDoc describes a module, named as in load.
func (h *Host) ModuleDoc(ctx context.Context, name string) (ModuleDoc, error) {
	if err := h.usable(); err != nil {
		return ModuleDoc{}, err
	}
	c := &compiler{host: h, ctx: ctx, dir: ".", units: map[modules.Location]*unit{}}
	u, errs := c.module(h.modules.OfRecipe(""), name)
	if len(errs) > 0 {
		return ModuleDoc{}, joined(errs)
	}
	m := ModuleDoc{Name: name, File: u.file, Text: u.doc, Functions: slices.Clone(u.functions), Source: u.lines.Text}
	for _, d := range u.exports {
		if !slices.ContainsFunc(m.Functions, func(f Doc) bool { return f.Name == d.Name }) {
			m.Constants = append(m.Constants, d)
		}
	}
	return m, nil
}

// Loadable returns the modules that the text of a load statement may name, of
// those that begin as given: files, and folders with a slash after them.
func (h *Host) Loadable(begun string) []string {
	if h.usable() != nil {
		return nil
	}
	return h.modules.Loadable(begun)
}

// document keeps what a file says about itself and about its functions.
func (u *unit) document(o *outline.Outline) {
	u.doc = o.Doc
	for _, f := range o.Functions {
		u.functions = append(u.functions, Doc{
			Name: f.Name, Position: Position{u.file, int(f.Pos.Line), int(f.Pos.Col)}, Signature: f.Signature, Text: f.Doc,
		})
	}
}

// Doc describes what a name means in the session: a function that has been
// defined or loaded, a builtin, or the methods that have the name, which may be
// given with a dot (".keep") or with the type or the variable they belong to. What the
// host has given has the description that it has with [WithDocs]. A name that means
// nothing has none, and nothing has one while another goroutine uses the session.
func (s *Session) Doc(name string) []Doc {
	if s.enter() != nil {
		return nil
	}
	defer s.leave()
	of, method, dotted := strings.Cut(name, ".")
	if dotted {
		docs := methodDocs(s.typeName(of), method)
		return append(docs, s.host.docsOf(s.typeName(of), method)...)
	}
	if f, ok := s.globals[name].(*eval.Function); ok {
		return []Doc{s.functionDoc(f)}
	}
	for _, e := range builtins.Table() {
		if e.Name == name && e.Receiver == "" && !s.host.own[name] {
			return []Doc{builtinDoc(e)}
		}
	}
	if s.host.own[name] {
		return s.host.docsOf("", name)
	}
	if docs := append(methodDocs("", name), s.host.docsOf("", name)...); len(docs) > 0 {
		return docs
	}
	for _, e := range builtins.Starlark() {
		if e.Name == name {
			return []Doc{builtinDoc(e)}
		}
	}
	return nil
}

// typeName is the type of a variable, or the name itself.
func (s *Session) typeName(name string) string {
	if v, ok := s.globals[name]; ok {
		return v.Type()
	}
	return name
}

// functionDoc describes a function of a recipe or a module.
func (s *Session) functionDoc(f *eval.Function) Doc {
	if u := s.run.units[f.Defined().Filename()]; u != nil {
		for _, d := range u.functions {
			if d.Name == f.Name() {
				return d
			}
		}
	}
	return Doc{Name: f.Name(), Text: dicesyntax.Dedent(f.Doc())}
}

// methodDocs describes the methods and attributes of a type with a name; an
// empty type is all types.
func methodDocs(receiver, name string) []Doc {
	var docs []Doc
	for _, e := range builtins.Table() {
		if e.Name == name && e.Receiver != "" && (receiver == "" || receiver == e.Receiver) {
			docs = append(docs, builtinDoc(e))
		}
	}
	return docs
}

// methodCall is how the first method or attribute with a name is written, such
// as roll.mean(), or "" when there is none.
func methodCall(name string) string {
	if call := callOf(name); call != "" {
		return call
	}
	if other := suggest.OtherWord(name); other != "" {
		return callOf(other)
	}
	return ""
}

func callOf(name string) string {
	for _, e := range builtins.Table() {
		if e.Name == name && e.Receiver != "" {
			return strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(e.Receiver, "Die"), "Dice")) + e.Signature
		}
	}
	return ""
}

func builtinDoc(e builtins.Entry) Doc {
	return Doc{Name: e.Name, Receiver: e.Receiver, Signature: e.Signature, Text: e.Doc, Errors: e.Errors, Example: e.Example, Result: e.Result}
}
