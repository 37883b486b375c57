package reference

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"dicescript/builtins/suggest"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"
	"dicescript/stdlib"

	"go.starlark.net/syntax"
)

// Modules by their doc strings: what the module is for, and each function that
// others can load.

// A Module is what the text of a module says about itself.
type Module struct {
	name      string
	doc       string
	functions []Function
	constants []string
}

// A Function is one that others can load.
type Function struct {
	Name      string
	Signature string
	Doc       string
}

// Modules are the names of the bundled modules.
func Modules() []string {
	entries, err := fs.ReadDir(stdlib.FS, ".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if path.Ext(e.Name()) == ".star" {
			names = append(names, e.Name())
		}
	}
	return names
}

// Bundled reads a bundled module.
func Bundled(name string) (*Module, error) {
	src, err := fs.ReadFile(stdlib.FS, name)
	if err != nil {
		message := fmt.Sprintf("there is no bundled module %s", name)
		if n := suggest.Among(name, Modules()); n != "" {
			message += "; did you mean " + n + "?"
		}
		return nil, errors.New(message)
	}
	return ReadModule(name, src)
}

// ReadModule reads the text of a module or a recipe.
func ReadModule(name string, src []byte) (*Module, error) {
	if doc := notation.Literate(src); doc != nil && !strings.HasSuffix(name, ".star") {
		src = doc.Program
	}
	tree, ds := dicesyntax.Parse(name, src)
	if len(ds) > 0 {
		return nil, fmt.Errorf("%s:%s", name, ds[0])
	}
	m := &Module{name: name, doc: dicesyntax.DocString(tree.File.Stmts)}
	lines := strings.SplitAfter(string(src), "\n")
	for _, s := range tree.File.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
			if !strings.HasPrefix(s.Name.Name, "_") {
				m.functions = append(m.functions, Function{s.Name.Name, signature(lines, s), dicesyntax.DocString(s.Body)})
			}
		case *syntax.AssignStmt:
			if id, ok := s.LHS.(*syntax.Ident); ok && !strings.HasPrefix(id.Name, "_") && !isInput(s.RHS) {
				m.constants = append(m.constants, id.Name)
			}
		}
	}
	return m, nil
}

// isInput reports whether x is a call of param, which [Inputs] tells about.
func isInput(x syntax.Expr) bool {
	call, ok := x.(*syntax.CallExpr)
	if !ok {
		return false
	}
	fn, ok := call.Fn.(*syntax.Ident)
	return ok && fn.Name == "param"
}

// signature is the head of a function as it is written, without def and colon.
func signature(lines []string, def *syntax.DefStmt) string {
	var params []string
	for _, p := range def.Params {
		start, end := p.Span()
		params = append(params, between(lines, start, end))
	}
	return def.Name.Name + "(" + strings.Join(params, ", ") + ")"
}

// between is a piece of the text in one line.
func between(lines []string, start, end syntax.Position) string {
	var b strings.Builder
	for n := start.Line; n <= end.Line && int(n) <= len(lines); n++ {
		line := []rune(lines[n-1])
		from, to := 0, len(line)
		if n == start.Line {
			from = min(int(start.Col)-1, len(line))
		}
		if n == end.Line {
			to = min(int(end.Col)-1, len(line))
		}
		b.WriteString(string(line[from:max(from, to)]))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Module writes what a module says about itself.
func (l Layout) Module(w io.Writer, m *Module) error {
	p := l.page(w)
	p.para("", m.name)
	if m.doc != "" {
		p.gap()
		p.laidOut("  ", m.doc)
	}
	for _, f := range m.functions {
		p.gap()
		p.function(f)
	}
	if len(m.constants) > 0 {
		p.gap()
		p.para("", "Also: "+strings.Join(m.constants, ", "))
	}
	return p.flush()
}

// Function writes what a function says about itself.
func (l Layout) Function(w io.Writer, f Function) error {
	p := l.page(w)
	p.function(f)
	return p.flush()
}

func (p *page) function(f Function) {
	p.para("", f.Signature)
	p.gap()
	if f.Doc != "" {
		p.laidOut("  ", f.Doc)
	}
}
