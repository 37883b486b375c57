// What names mean, in words: the documentation of builtins, of modules, and of
// the functions that a recipe defines itself.

package lang

import (
	"context"
	"slices"
	"strings"

	"dicescript/builtins"
	"dicescript/builtins/suggest"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Doc describes one name.
type Doc struct {
	Name      string
	Receiver  string // the type of values that have it, for a method or an attribute
	Signature string // how it is called: "explode(roll, max_depth=2, on=None)"
	Text      string
	Example   string // lines of a recipe; may be empty
	Result    string // what printing the last line of the example shows
}

// A ModuleDoc describes a module.
type ModuleDoc struct {
	Name      string
	Text      string
	Functions []Doc // in the order of the module's text
}

// Modules returns the names of the bundled modules.
func (h *Host) Modules() []string { return h.bundled.names() }

// ModuleDoc describes a module, named as in load.
func (h *Host) ModuleDoc(ctx context.Context, name string) (ModuleDoc, error) {
	c := &compiler{host: h, ctx: ctx, dir: ".", units: map[location]*unit{}}
	u, errs := c.module(h.beside(""), name)
	if len(errs) > 0 {
		return ModuleDoc{}, joined(errs)
	}
	return ModuleDoc{Name: name, Text: u.doc, Functions: slices.Clone(u.functions)}, nil
}

// document notes what a file says about itself and about its functions.
func (u *unit) document(f *syntax.File) {
	u.doc = docString(f.Stmts)
	text := u.lines.cursor()
	for _, s := range f.Stmts {
		def, ok := s.(*syntax.DefStmt)
		if !ok || strings.HasPrefix(def.Name.Name, "_") {
			continue
		}
		end := def.Rparen
		end.Col++
		u.functions = append(u.functions, Doc{
			Name:      def.Name.Name,
			Signature: text.between(def.Name.NamePos, end),
			Text:      docString(def.Body),
		})
	}
}

// docString is the text that a body begins with, without its indentation.
func docString(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	s, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	text, ok := s.X.(*syntax.Literal)
	if !ok || text.Token != syntax.STRING {
		return ""
	}
	return dedent(text.Value.(string))
}

// dedent takes from all lines but the first the space that they have in common.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	indent := -1
	for _, l := range lines[1:] {
		if trimmed := strings.TrimLeft(l, " \t"); trimmed != "" && (indent < 0 || len(l)-len(trimmed) < indent) {
			indent = len(l) - len(trimmed)
		}
	}
	for i, l := range lines {
		if i > 0 && len(l) >= indent {
			l = l[max(0, indent):]
		}
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Doc describes what a name means in the session: a function that has been
// defined or loaded, a builtin, or the methods that have the name, which may be
// given with a dot (".keep") or with the type or the variable they belong to. A
// name that means nothing, and a builtin of the host, have no description.
func (s *Session) Doc(name string) []Doc {
	of, method, dotted := strings.Cut(name, ".")
	if dotted {
		return methodDocs(s.typeName(of), method)
	}
	if f, ok := s.globals[name].(*starlark.Function); ok {
		return []Doc{s.functionDoc(f)}
	}
	for _, e := range builtins.Table() {
		if e.Name == name && e.Receiver == "" && !s.host.own[name] {
			return []Doc{builtinDoc(e)}
		}
	}
	return methodDocs("", name)
}

// typeName is the type of a variable, or the name itself.
func (s *Session) typeName(name string) string {
	if v, ok := s.globals[name]; ok {
		return v.Type()
	}
	return name
}

// functionDoc describes a function of a recipe or a module.
func (s *Session) functionDoc(f *starlark.Function) Doc {
	if u := s.run.units[f.Position().Filename()]; u != nil {
		for _, d := range u.functions {
			if d.Name == f.Name() {
				return d
			}
		}
	}
	return Doc{Name: f.Name(), Text: dedent(f.Doc())}
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
	text := e.Doc
	if e.Errors != "" {
		text += " " + e.Errors
	}
	return Doc{Name: e.Name, Receiver: e.Receiver, Signature: e.Signature, Text: text, Example: e.Example, Result: e.Result}
}
