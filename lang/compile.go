// From text to program: a recipe is read, rewritten and resolved, and so are
// the modules that it loads, so that a run needs nothing but itself.

package lang

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"dicescript/builtins/meter"
	"dicescript/builtins/suggest"
	"dicescript/lang/eval"
	"dicescript/lang/internal/modules"
	"dicescript/lang/internal/outline"
	"dicescript/lang/internal/yield"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A unit is a file that has been compiled: the recipe itself or a module. It
// is immutable and may be shared by programs.
type unit struct {
	file      string // its name in positions
	at        modules.Location
	src       []byte           // until it is parsed
	lines     dicesyntax.Lines // of src
	code      *eval.File
	loads     map[string]*unit // by the text of the load statement
	loadOrder []string
	main      bool  // a recipe or an input, not a module
	exports   []Doc // the names that others can load, and where they are defined
	params    []Param
	notes     []Note // on what the recipe may not mean

	doc       string // what the file says about itself
	functions []Doc  // and about its functions
}

// newUnit is a file that is about to be compiled.
func newUnit(file string, src []byte) *unit {
	return &unit{file: file, src: src, loads: map[string]*unit{}}
}

// Compile reads a recipe and the modules that it loads. The name stands in
// positions and need not be that of a file. A name that ends in .anydice is that
// of an AnyDice program; unless it ends in .star, any other text with fences of
// code is read as a literate recipe. What is wrong is an *[Error], or
// [ErrorList] in the order of the text; [Errors] gives them as a slice. The recipe is
// not run. The program keeps nothing of src or ctx.
func (h *Host) Compile(ctx context.Context, name string, src []byte) (p *Program, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			p, err = nil, panicked(fault)
		}
	}()
	if err := h.usable(); err != nil {
		return nil, err
	}
	ctx = yield.Context(ctx)
	if isAnyDice(name) {
		return h.compileAnyDice(ctx, name, src)
	}
	c := &compiler{host: h, ctx: ctx, dir: path.Dir(name), units: map[modules.Location]*unit{}}
	main, errs := c.compile(name, src, h.modules.OfRecipe(name), true)
	if len(errs) > 0 {
		return nil, joined(errs)
	}
	return newProgram(h, main), nil
}

type compiler struct {
	host  *Host
	ctx   context.Context
	dir   string                     // of the recipe, for the names of files beside it
	units map[modules.Location]*unit // what has been compiled
	stack []modules.Location         // what is being compiled, outermost first
	// inLibrary is for the bundled modules: units is their cache.
	inLibrary bool
}

func (c *compiler) compile(file string, src []byte, at modules.Location, main bool) (*unit, []*Error) {
	u := newUnit(file, src)
	u.at, u.main = at, main
	_, tree, errs := c.parse(u)
	if len(errs) > 0 {
		return nil, errs
	}
	o := outline.Read(tree.File, &u.lines)
	predeclared := c.host.globals
	if main {
		u.params, errs = u.readParams(o.Params)
		u.notes = u.readingNotes(tree)
		if u.showLast(tree.File) {
			predeclared = maps.Clone(predeclared)
			predeclared[showName] = starlark.None
		}
	}
	u.document(o)
	outline.PointAtNames(tree.File)
	if ds := eval.Check(tree); len(ds) > 0 {
		return nil, u.diagnostics(KindSyntax, ds)
	}
	if stop := c.look(u); stop != nil {
		return nil, stop
	}
	code, ds := eval.Compile(tree, c.host.evalOptions(predeclared, nil))
	errs = append(errs, u.diagnostics(KindName, ds)...)
	if len(ds) == 0 {
		u.code = code
		u.exports = u.exported(code.Exports())
		syntax.Walk(tree.File, func(n syntax.Node) bool {
			if e := u.tooLarge(n); e != nil {
				errs = append(errs, e)
			}
			if id, ok := n.(*syntax.Ident); ok {
				if message := o.Misplaced(id, main); message != "" {
					errs = append(errs, u.errorAt(KindName, int(id.NamePos.Line), int(id.NamePos.Col), message))
				}
			}
			return true
		})
	}
	c.stack = append(c.stack, at)
	for _, l := range o.Loads {
		if len(errs) < maxErrors {
			errs = append(errs, c.load(u, l)...)
		}
	}
	c.stack = c.stack[:len(c.stack)-1]
	slices.SortStableFunc(errs, byPosition)
	return u, errs
}

// parse reads the program of a file.
func (c *compiler) parse(u *unit) (text []byte, tree *dicesyntax.Tree, errs []*Error) {
	if stop := c.look(u); stop != nil {
		return nil, nil, stop
	}
	text, errs = c.text(u)
	u.src = nil // it is the host's, who may use it again
	if len(errs) > 0 {
		return nil, nil, errs
	}
	tree, ds, err := dicesyntax.ParseContext(c.ctx, u.file, text)
	if err != nil {
		return nil, nil, c.look(u)
	}
	errs = u.diagnostics(KindSyntax, ds)
	c.host.offerLoads(errs)
	return text, tree, errs
}

// look is the error of the context when it is done.
func (c *compiler) look(u *unit) []*Error {
	if c.ctx.Err() == nil {
		return nil
	}
	e := stopped(c.ctx)
	e.Position.File = u.file
	return []*Error{e}
}

// maxErrors is how many errors a file may have before no more of its loads are
// tried.
const maxErrors = 50

func byPosition(a, b *Error) int {
	return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column))
}

// text is the program of a file: the file, or the code in a document.
func (c *compiler) text(u *unit) ([]byte, []*Error) {
	if err := meter.Check(meter.SourceBytes, int64(len(u.src)), c.host.limits.SourceBytes); err != nil {
		return nil, []*Error{{Kind: KindLimit, Message: "the recipe is too long: it " + err.Error(), Position: Position{File: u.file}, cause: err}}
	}
	u.lines = dicesyntax.NewLines(u.src)
	if err := u.checkText(); err != nil {
		return nil, []*Error{err}
	}
	if strings.HasSuffix(u.file, ".star") || isAnyDice(u.file) {
		return u.src, nil
	}
	doc := notation.Literate(u.src)
	if doc == nil {
		if strings.HasSuffix(u.file, ".md") {
			return nil, []*Error{u.errorAt(KindSyntax, 1, 1, "there is no recipe in this document: its code stands between a line ``` (or ```dice) and a line ```")}
		}
		return u.src, nil
	}
	var errs []*Error
	for _, e := range doc.Errors {
		errs = append(errs, u.errorAt(KindSyntax, e.Line, e.Col, e.Msg))
	}
	return doc.Program, errs
}

// checkText refuses what is no text at all.
func (u *unit) checkText() *Error {
	if utf8.Valid(u.src) && bytes.IndexByte(u.src, 0) < 0 {
		return nil
	}
	line := 1
	for rest := u.src; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == 0 || r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		rest = rest[size:]
	}
	return &Error{Kind: KindSyntax, Message: "this is not a text file in UTF-8", Position: Position{File: u.file, Line: line, Column: 1}}
}

// errorAt makes an error with a position in the unit.
func (u *unit) errorAt(kind Kind, line, column int, message string) *Error {
	return &Error{Kind: kind, Message: message, Position: Position{u.file, line, column}, Source: u.lines.Line(line)}
}

// placed gives an error that has a line and a column its file and source.
func (u *unit) placed(e *Error) *Error {
	e.Position.File = u.file
	e.Source = u.lines.Line(e.Position.Line)
	return e
}

// barePercent is d% at the end of a line, a remainder that lacks its divisor.
var barePercent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[dD]%\s*(?:#.*)?$`) })

// longestLine is how long a line may be that is looked through for each error in
// it: nobody writes longer ones by hand.
const longestLine = 1000

func (u *unit) diagnostics(kind Kind, ds []*notation.Error) []*Error {
	errs := make([]*Error, len(ds))
	for i, d := range ds {
		message := d.Msg
		if d.Hint != "" {
			message += "; " + d.Hint
		}
		errs[i] = u.errorAt(kind, d.Line, d.Col, message)
		for _, f := range d.Fixes {
			if len(f.Text) > longestLine {
				continue
			}
			errs[i].Fixes = append(errs[i].Fixes, Fix{f.Line, f.Col, f.EndCol, f.Text})
		}
		if kind != KindSyntax || len(errs[i].Source) > longestLine {
			continue
		}
		if at := barePercent().FindStringIndex(errs[i].Source); at != nil && d.Col > at[0] {
			column := utf8.RuneCountInString(errs[i].Source[:at[0]]) + 1
			errs[i] = u.errorAt(kind, d.Line, column, "d% does not say how many dice: write 1d%")
			errs[i].Fixes = []Fix{{d.Line, column, column + len("d%"), "1d%"}}
		}
	}
	return errs
}

// readParams reads the calls of param.
func (u *unit) readParams(calls []*syntax.CallExpr) ([]Param, []*Error) {
	var params []Param
	var errs []*Error
	lines := map[string]int{}
	for _, call := range calls {
		p, err := readParam(call)
		if err != nil {
			errs = append(errs, u.placed(err))
			continue
		}
		at := syntax.Start(call)
		p.Position = Position{u.file, int(at.Line), int(at.Col)}
		if line, ok := lines[p.Name]; ok {
			errs = append(errs, u.placed(paramError(call, fmt.Errorf("param: %s is defined in line %d already", p.Name, line))))
			continue
		}
		lines[p.Name] = p.Position.Line
		params = append(params, p)
	}
	return params, errs
}

// showLast makes a recipe without output show the value of the expression that
// it ends in, and reports whether it does.
func (u *unit) showLast(f *syntax.File) bool {
	last := dicesyntax.Shown(f)
	if last == nil {
		return false
	}
	u.show(last)
	return true
}

// tooLarge is the error of a node of a resolved file that is a function with too many
// names.
func (u *unit) tooLarge(n syntax.Node) *Error {
	pos, message := outline.TooLarge(n)
	if message == "" {
		return nil
	}
	return u.errorAt(KindSyntax, int(pos.Line), int(pos.Col), message)
}

// exported are the names of the unit that others can load.
func (u *unit) exported(names []*syntax.Ident) []Doc {
	docs := make([]Doc, len(names))
	for i, id := range names {
		docs[i] = Doc{Name: id.Name, Position: Position{u.file, int(id.NamePos.Line), int(id.NamePos.Col)}}
	}
	return docs
}

// exportedNames are the names alone.
func (u *unit) exportedNames() []string {
	names := make([]string, len(u.exports))
	for i, d := range u.exports {
		names[i] = d.Name
	}
	return names
}

// load compiles what one statement of u loads.
func (c *compiler) load(u *unit, l outline.Load) []*Error {
	m, errs := c.module(u.at, l.Module)
	if len(errs) > 0 {
		for _, e := range errs {
			if e.Position.Line == 0 && e.Position.File == "" {
				e.Position = Position{Line: int(l.Pos.Line), Column: int(l.Pos.Col)}
				u.placed(e)
				for i := range e.Fixes {
					e.Fixes[i] = insideQuotes(e.Position.Line, e.Position.Column+1, l.Module, e.Fixes[i].Text)
				}
			}
		}
		return errs
	}
	if u.loads[l.Module] == nil {
		u.loadOrder = append(u.loadOrder, l.Module)
	}
	u.loads[l.Module] = m
	exported, names := map[string]bool{}, m.exportedNames()
	for _, name := range names {
		exported[name] = true
	}
	for _, id := range l.From {
		if stop := c.look(u); stop != nil {
			return append(errs, stop...)
		}
		if len(errs) >= maxErrors {
			break
		}
		if exported[id.Name] || strings.HasPrefix(id.Name, "_") {
			continue // a private name is an error of names, which has been told
		}
		near := suggest.Among(id.Name, names)
		e := u.errorAt(KindModule, int(id.NamePos.Line), int(id.NamePos.Col), l.Module+" has no "+id.Name+cmp.Or(suggest.DidYouMean(near), has(m.exportedNames())))
		if near != "" {
			e.Fixes = []Fix{insideQuotes(e.Position.Line, e.Position.Column, id.Name, near)}
		}
		errs = append(errs, e)
	}
	return errs
}

// has says what there is to load.
func has(names []string) string {
	const most = 20
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		names = append(names[:most:most], "...")
	}
	return "; it has " + strings.Join(names, ", ")
}

// insideQuotes is the fix of a name that stands between quotes.
func insideQuotes(line, column int, name, by string) Fix {
	return Fix{line, column, column + utf8.RuneCountInString(name), by}
}

// module compiles the module that a load statement in the file at from names.
func (c *compiler) module(from modules.Location, name string) (*unit, []*Error) {
	at, src, err := c.host.modules.Locate(c.ctx, from, name, c.host.limits.SourceBytes)
	if err != nil {
		return nil, []*Error{notFound(c.ctx, err)}
	}
	if i := slices.Index(c.stack, at); i >= 0 {
		return nil, []*Error{moduleError("this file loads itself: %s", c.cycle(c.stack[i:], at))}
	}
	if u := c.units[at]; u != nil {
		return u, nil
	}
	// On the stack are the modules that are being compiled, and the recipe.
	if err := meter.Check(meter.Loads, int64(len(c.units)+len(c.stack)), c.host.limits.Loads); !c.inLibrary && err != nil {
		return nil, []*Error{{Kind: KindLimit, Message: "too many modules: the recipe " + err.Error(), cause: err}}
	}
	if at.Root.Bundled && !c.inLibrary {
		return c.bundled(at, name)
	}
	if u := c.kept(at, src); u != nil {
		c.units[at] = u
		return u, nil
	}
	u, errs := c.compile(c.fileName(at), src, at, false)
	if len(errs) > 0 {
		return nil, errs
	}
	c.keep(u)
	c.units[at] = u
	return u, nil
}

func (c *compiler) cycle(stack []modules.Location, again modules.Location) string {
	names := make([]string, 0, len(stack)+1)
	for _, at := range append(slices.Clone(stack), again) {
		names = append(names, path.Base(at.Path))
	}
	return strings.Join(names, " loads ")
}

// fileName is the name of a module in positions.
func (c *compiler) fileName(at modules.Location) string {
	switch {
	case at.Root.Bundled:
		return "stdlib/" + at.Path
	case at.Root.Prefix == modules.Beside:
		return path.Join(c.dir, at.Path)
	}
	return at.Root.Prefix + at.Path
}
