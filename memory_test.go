package dicescript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Memory is taken through one door: what is allocated in a size that a recipe can choose is
// charged first. This test reads the source for whatever allocates by size, and finds where
// that size is neither constant, nor the length of something that is there already, nor
// charged before in the same function. A size that is a parameter is looked for where the
// function is called.

// door is the table of what the test has to be told: see its head.
const door = "testdata/memory.txt"

// chargers charge memory for the sizes that they are given, before it is taken.
var chargers = []string{
	"dicescript/dist.ChargeTable", "dicescript/builtins/meter.Faces", "dicescript/builtins/meter.Slice",
	"(dicescript/dist/internal/work.Meter).Table", "(dicescript/dist/internal/work.Meter).Weights", "(dicescript/dist/internal/work.Meter).Product", "(dicescript/dist/internal/work.Meter).Room",
	"(*dicescript/builtins/meter.Meter).Make", "(*dicescript/builtins/meter.Meter).Keep", "(*dicescript/builtins/meter.Meter).List", "(*dicescript/builtins/meter.Meter).fits", "(*dicescript/builtins/meter.Meter).allows",
}

// makers allocate by the arguments of these places, counted from 0.
var makers = map[string][]int{
	"strings.Repeat": {1}, "bytes.Repeat": {1}, "slices.Repeat": {1}, "slices.Grow": {1},
	"(*strings.Builder).Grow": {0}, "(*bytes.Buffer).Grow": {0},
	"(*math/big.Int).Lsh": {1}, "(*math/big.Int).Exp": {1}, "(*math/big.Int).Binomial": {0}, "(*math/big.Int).MulRange": {1}, "(*math/big.Int).SetBit": {1},
}

// lengths are methods and functions that tell the size of what is there.
var lengths = []string{"Len", "NumParams", "NumFreeVars", "NumKwonlyParams", "NumIn", "BitLen", "NumField", "NumMethod"}

// A doorway is the program as the test sees it.
type doorway struct {
	*testing.T
	packages  map[string]*types.Package
	functions map[*types.Func]*function
	fields    map[string]string // lengths by their names: "dicescript/dist.Dist.size"
	looked    map[string]bool   // those that were looked up
	found     map[string][]string
	fset      *token.FileSet
}

// unsized returns the types of builtins that are values of recipes, and that the meter could
// only guess the size of.
func (d *doorway) unsized() (names []string) {
	find := func(pkg, name string) *types.Interface {
		return d.packages[pkg].Scope().Lookup(name).Type().Underlying().(*types.Interface)
	}
	sized, flat := find("dicescript/builtins/meter", "Sized"), find("dicescript/builtins/meter", "Flat")
	var value *types.Interface
	for _, imported := range d.packages["dicescript/builtins/meter"].Imports() {
		if imported.Path() == "go.starlark.net/starlark" {
			value = imported.Scope().Lookup("Value").Type().Underlying().(*types.Interface)
		}
	}
	for path, p := range d.packages {
		if !strings.HasPrefix(path, "dicescript/builtins") {
			continue
		}
		for _, name := range p.Scope().Names() {
			named, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || types.IsInterface(named.Type()) {
				continue
			}
			t := types.NewPointer(named.Type())
			if types.Implements(t, value) && !types.Implements(t, sized) && !types.Implements(t, flat) {
				names = append(names, path+"."+name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// length reports whether a field or function is in the table of lengths.
func (d *doorway) length(name string) bool {
	if d.fields[name] == "" {
		return false
	}
	d.looked[name] = true
	return true
}

// A function is one declared in the source.
type function struct {
	info    *types.Info
	object  *types.Func
	decl    *ast.FuncDecl
	params  []*types.Var
	makes   map[int]bool // places of parameters that it allocates by
	charges map[int]bool // places of parameters that it charges
	defs    map[types.Object][]ast.Expr
}

// A listed package is what go list says about one.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// A source is a package that is checked from its source.
type source struct {
	files []*ast.File
	info  *types.Info
}

func loadDoorway(t *testing.T) *doorway {
	t.Helper()
	d := &doorway{T: t, functions: map[*types.Func]*function{}, fields: map[string]string{}, looked: map[string]bool{}, found: map[string][]string{}, fset: token.NewFileSet()}
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./dist/...", "./builtins/...", "./lang/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports, checked := map[string]string{}, map[string]*types.Package{}
	d.packages = checked
	compiled := importer.ForCompiler(d.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	find := importing(func(path string) (*types.Package, error) {
		if p := checked[path]; p != nil {
			return p, nil
		}
		return compiled.Import(path)
	})
	for list := json.NewDecoder(bytes.NewReader(out)); list.More(); { // what a package imports comes before it
		var p listed
		if err := list.Decode(&p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if !strings.HasPrefix(p.ImportPath, "dicescript/") {
			continue
		}
		s := source{info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(d.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			s.files = append(s.files, file)
		}
		config := types.Config{Importer: find}
		if checked[p.ImportPath], err = config.Check(p.ImportPath, d.fset, s.files, s.info); err != nil {
			t.Fatal(err)
		}
		d.declare(s)
	}
	return d
}

// importing is a function that finds packages.
type importing func(path string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }

// declare notes the functions of a package.
func (d *doorway) declare(s source) {
	for _, file := range s.files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			object := s.info.Defs[fn.Name].(*types.Func)
			f := &function{info: s.info, object: object, decl: fn, makes: map[int]bool{}, charges: map[int]bool{}}
			for v := range object.Signature().Params().Variables() {
				f.params = append(f.params, v)
			}
			f.defs = definitions(s.info, fn.Body)
			d.functions[object] = f
		}
	}
}

// definitions are what the variables of a body are set to. A variable that is set in another
// way is set to nil.
func definitions(info *types.Info, body *ast.BlockStmt) map[types.Object][]ast.Expr {
	defs := map[types.Object][]ast.Expr{}
	set := func(to, from ast.Expr) {
		id, ok := to.(*ast.Ident)
		if !ok {
			return
		}
		if o := objectOf(info, id); o != nil {
			defs[o] = append(defs[o], from)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				switch {
				case n.Tok != token.ASSIGN && n.Tok != token.DEFINE: // += and the like
					set(to, n.Rhs[0])
				case len(n.Lhs) == len(n.Rhs):
					set(to, n.Rhs[i])
				default:
					set(to, n.Rhs[0])
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				set(n.Key, n.X)
			}
			if n.Value != nil {
				set(n.Value, nil) // an element, of which nothing is known
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					set(name, n.Values[i])
				}
			}
		}
		return true
	})
	return defs
}

func objectOf(info *types.Info, id *ast.Ident) types.Object {
	if o := info.Defs[id]; o != nil {
		return o
	}
	return info.Uses[id]
}

// callee is the function that a call calls, or nil.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	f, _ := info.Uses[id].(*types.Func)
	if f == nil {
		return nil
	}
	return f.Origin()
}

func builtinName(info *types.Info, call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// charged returns the places of the arguments that a call charges.
func (d *doorway) charged(info *types.Info, call *ast.CallExpr) []int {
	f := callee(info, call)
	if f == nil {
		return nil
	}
	if slices.Contains(chargers, f.FullName()) {
		return slices.Collect(func(yield func(int) bool) {
			for i := range call.Args {
				if !yield(i) {
					return
				}
			}
		})
	}
	if own := d.functions[f]; own != nil {
		return slices.Sorted(maps.Keys(own.charges))
	}
	return nil
}

// leaves are the variables and fields that an expression depends on, those of local
// variables looked up in what these are set to.
// Where it is flat, a length is no leaf, whatever it is the length of.
func (f *function) leaves(e ast.Expr, flat bool, into map[string]bool, seen map[types.Object]bool) {
	info := f.info
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name := builtinName(info, n); flat && (name == "len" || name == "cap") {
				return false
			}
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				into[types.ExprString(n)] = true
			}
			return true
		case *ast.Ident:
			o := objectOf(info, n)
			if v, ok := o.(*types.Var); ok && !v.IsField() {
				into[n.Name] = true
				if !seen[o] {
					seen[o] = true
					for _, from := range f.defs[o] {
						if from != nil {
							f.leaves(from, flat, into, seen)
						}
					}
				}
			}
		}
		return true
	})
}

// paidBefore are the leaves of what is charged in a function before a place.
func (d *doorway) paidBefore(f *function, before token.Pos) map[string]bool {
	paid := map[string]bool{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() >= before {
			return true
		}
		for _, i := range d.charged(f.info, call) {
			if i < len(call.Args) {
				f.leaves(call.Args[i], false, paid, map[types.Object]bool{})
			}
		}
		return true
	})
	return paid
}

// A size is what an expression is as the size of an allocation.
type size struct {
	d     *doorway
	f     *function
	paid  map[string]bool
	seen  map[types.Object]bool
	param map[int]bool // parameters that it depends on
}

// known reports whether an expression is constant, a length, charged, or made of those.
func (s *size) known(e ast.Expr) bool {
	e = ast.Unparen(e)
	info := s.f.info
	if tv := info.Types[e]; tv.Value != nil && tv.Value.Kind() != constant.Unknown {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		return s.variable(e)
	case *ast.SelectorExpr:
		return s.paid[types.ExprString(e)] || s.d.length(fieldName(info, e))
	case *ast.UnaryExpr:
		return s.known(e.X)
	case *ast.StarExpr:
		return s.known(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.SHR, token.SUB:
			return s.known(e.X)
		case token.REM:
			return s.known(e.Y) || s.known(e.X)
		case token.AND:
			return s.known(e.X) || s.known(e.Y)
		case token.MUL, token.SHL:
			constantSide := info.Types[e.X].Value != nil && e.Op == token.MUL || info.Types[e.Y].Value != nil
			params := len(s.param)
			return s.known(e.X) && s.known(e.Y) && (constantSide || s.allPaid(e) || len(s.param) > params)
		}
		return s.known(e.X) && s.known(e.Y)
	case *ast.CallExpr:
		return s.call(e)
	}
	return false
}

// counter returns the counter of a loop around a place that an expression grows with: all
// rounds together take the square of their number. It is "" when there is none, or when it is
// charged.
func (s *size) counter(at ast.Node, e ast.Expr) string {
	found := ""
	own := map[string]bool{}
	s.f.leaves(e, true, own, map[types.Object]bool{})
	ast.Inspect(s.f.decl.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > at.Pos() || n.End() < at.End() {
			return false
		}
		var counters []ast.Expr
		switch n := n.(type) {
		case *ast.RangeStmt:
			if key, ok := n.Key.(*ast.Ident); ok && isInteger(s.f.info.TypeOf(key)) {
				counters = append(counters, n.Key)
			}
		case *ast.ForStmt:
			if set, ok := n.Init.(*ast.AssignStmt); ok {
				counters = append(counters, set.Lhs...)
			}
		}
		for _, c := range counters {
			if id, ok := c.(*ast.Ident); ok && own[id.Name] && !s.paid[id.Name] && !s.allPaid(e) {
				found = id.Name
			}
		}
		return true
	})
	return found
}

func isInteger(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// allPaid reports whether a product is charged: all that it is made of.
func (s *size) allPaid(e ast.Expr) bool {
	own := map[string]bool{}
	s.f.leaves(e, false, own, map[types.Object]bool{})
	for leaf := range own {
		if s.paid[leaf] {
			return true
		}
	}
	return false
}

func (s *size) variable(id *ast.Ident) bool {
	info := s.f.info
	o := objectOf(info, id)
	if o == nil || s.paid[id.Name] {
		return true
	}
	if i := slices.Index(s.f.params, asVar(o)); i >= 0 && isInteger(o.Type()) {
		s.param[i] = true
		return true
	}
	if s.seen[o] {
		return true
	}
	s.seen[o] = true
	defs := s.f.defs[o]
	for _, from := range defs {
		if from == nil || !s.from(from) {
			return false
		}
	}
	return len(defs) > 0
}

// from is known for what a variable is set to, or ranges over.
func (s *size) from(e ast.Expr) bool {
	t := s.f.info.TypeOf(e)
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map, *types.Pointer, *types.Chan:
		return true // the place of something, or one of its elements
	}
	return s.known(e)
}

func (s *size) call(call *ast.CallExpr) bool {
	info := s.f.info
	all := func() bool {
		return !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return !s.known(a) })
	}
	switch builtinName(info, call) {
	case "len", "cap":
		return true
	case "min":
		return slices.ContainsFunc(call.Args, s.known)
	case "max":
		return all()
	}
	if info.Types[call.Fun].IsType() { // a conversion
		return all()
	}
	f := callee(info, call)
	if f == nil {
		return false
	}
	if slices.Contains(lengths, f.Name()) && f.Signature().Recv() != nil {
		return true
	}
	switch f.FullName() {
	case "math/big.NewInt", "math/bits.Len", "math/bits.Len64":
		return strings.HasPrefix(f.FullName(), "math/bits") || all()
	}
	return s.d.length(f.FullName())
}

func asVar(o types.Object) *types.Var { v, _ := o.(*types.Var); return v }

func fieldName(info *types.Info, e *ast.SelectorExpr) string {
	s := info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return ""
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] { // to the one that a promoted field is declared in
		t = structOf(t).Field(i).Type()
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	name := types.TypeString(t, nil)
	name, _, _ = strings.Cut(name, "[")
	return name + "." + e.Sel.Name
}

func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// check looks at an expression that something is allocated by.
func (d *doorway) check(f *function, at ast.Node, e ast.Expr, what string) {
	s := size{d: d, f: f, paid: d.paidBefore(f, at.Pos()), seen: map[types.Object]bool{}, param: map[int]bool{}}
	if !s.known(e) {
		d.report(f, at, fmt.Sprintf("%s by %s", what, types.ExprString(e)))
		return
	}
	if counter := s.counter(at, e); counter != "" {
		d.report(f, at, fmt.Sprintf("%s by %s in each round of the loop of %s", what, types.ExprString(e), counter))
		return
	}
	for i := range s.param {
		f.makes[i] = true
	}
}

func (d *doorway) report(f *function, at ast.Node, what string) {
	name := f.object.FullName()
	d.found[name] = append(d.found[name], fmt.Sprintf("%s: %s", d.fset.Position(at.Pos()), what))
}

// walk looks at all that a function allocates by size.
func (d *doorway) walk(f *function) {
	info := f.info
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if builtinName(info, n) == "make" {
				for _, e := range n.Args[1:] {
					d.check(f, n, e, "make")
				}
				return true
			}
			fn := callee(info, n)
			if fn == nil {
				return true
			}
			places := makers[fn.FullName()]
			if own := d.functions[fn]; own != nil {
				places = slices.Sorted(maps.Keys(own.makes))
			}
			for _, i := range places {
				if i < len(n.Args) {
					d.check(f, n, n.Args[i], fn.Name())
				}
			}
		case *ast.ForStmt:
			d.loop(f, n, n.Body, n.Cond)
		case *ast.RangeStmt:
			if isInteger(info.TypeOf(n.X)) {
				d.loop(f, n, n.Body, n.X)
			}
		}
		return true
	})
}

// loop looks at a loop whose rounds are counted, or go on until something holds: what grows
// in it is as long as there are rounds.
func (d *doorway) loop(f *function, at ast.Node, body *ast.BlockStmt, until ast.Expr) {
	info := f.info
	grows, pays := false, false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			grows = grows || builtinName(info, call) == "append" && call.Ellipsis == token.NoPos
			pays = pays || len(d.charged(info, call)) > 0
		}
		return true
	})
	if !grows || pays {
		return
	}
	if loop, ok := at.(*ast.ForStmt); ok {
		s := size{d: d, f: f, paid: d.paidBefore(f, at.Pos()), seen: map[types.Object]bool{}, param: map[int]bool{}}
		if bound := boundOf(info, loop); bound != nil && s.known(bound) {
			for i := range s.param {
				f.makes[i] = true
			}
			return
		}
	}
	if until == nil {
		d.report(f, at, "append in a loop without an end of its own")
		return
	}
	d.check(f, at, until, "append in a loop")
}

// boundOf is what a loop with a counter, or one that goes on until something is long enough,
// goes up to or comes down from; nil when that is not told.
func boundOf(info *types.Info, loop *ast.ForStmt) ast.Expr {
	until, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	measured := false
	if call, ok := ast.Unparen(until.X).(*ast.CallExpr); ok {
		measured = builtinName(info, call) == "len"
	}
	from, _ := loop.Init.(*ast.AssignStmt)
	switch {
	case loop.Post == nil && !measured:
		return nil
	case until.Op == token.LSS || until.Op == token.LEQ || until.Op == token.NEQ:
		return until.Y
	case from != nil && len(from.Rhs) == 1:
		return from.Rhs[0]
	}
	return nil
}

// settle works out which parameters functions charge and allocate by.
func (d *doorway) settle() {
	for range 8 {
		clear(d.found)
		for _, f := range d.functions {
			for i, p := range f.params {
				if !f.charges[i] && d.chargesParam(f, p) {
					f.charges[i] = true
				}
			}
		}
	}
	for range 8 {
		clear(d.found)
		for _, f := range d.functions {
			d.walk(f)
		}
	}
}

// chargesParam reports whether a function charges what it is given as a parameter.
func (d *doorway) chargesParam(f *function, p *types.Var) bool {
	return isInteger(p.Type()) && d.paidBefore(f, f.decl.End())[p.Name()]
}

func TestMemoryIsTakenThroughOneDoor(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash(door))
	if err != nil {
		t.Fatal(err)
	}
	d := loadDoorway(t)
	exceptions := map[string]string{}
	for line := range strings.Lines(string(data)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, reason, _ := strings.Cut(rest, ": ")
		switch {
		case kind == "" || kind == "#":
		case reason == "":
			t.Errorf("%s: no reason: %s", door, line)
		case kind == "length":
			d.fields[name] = reason
		case kind == "except":
			exceptions[name] = reason
		default:
			t.Errorf("%s: want a line that begins with length, except or #: %s", door, line)
		}
	}
	for _, name := range d.unsized() {
		if exceptions[name] != "" {
			d.found[name] = []string{"a type"}
			continue
		}
		t.Errorf("%s is a value of recipes that does not know its size: give it a method Size, as a meter.Sized has, or Memory, as a meter.Flat has", name)
	}
	sizes := maps.Clone(d.found)
	d.settle()
	maps.Copy(d.found, sizes)
	used := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(d.found)) {
		if pkg := packageOf(name); exceptions[pkg] != "" {
			used[pkg] = true
			continue
		}
		if exceptions[name] != "" {
			used[name] = true
			continue
		}
		t.Errorf("%s allocates in a size that is not charged:\n\t%s", name, strings.Join(slices.Compact(slices.Sorted(slices.Values(d.found[name]))), "\n\t"))
	}
	for name := range exceptions {
		if !used[name] {
			t.Errorf("%s: the exception of %s is no longer needed: take the line away", door, name)
		}
	}
	for name := range d.fields {
		if !d.looked[name] {
			t.Errorf("%s: nothing is allocated by %s any more: take the line away", door, name)
		}
	}
	if t.Failed() {
		t.Log(howToPay)
	}
	t.Logf("%d functions, %d exceptions, %d fields that are lengths", len(d.functions), len(exceptions), len(d.fields))
}

const howToPay = `Charge the size before it is allocated, in the same function and with the same variables:
	dist              ChargeTable(ctx, entries, words) or chargeRoom, chargeWeights, chargeProduct
	dist/internal     meter.Table, Weights, Product or Room of the work.Meter
	builtins, lang    (*meter.Meter).Make, Row, Keep or List, or meter.Slice, which charges and makes
or take the size from the length of what is there: make([]T, len(x)). A size that is a parameter has to be charged where the
function is called. Where a bound of another kind holds, a line "except FUNCTION: REASON" in testdata/memory.txt says which.`

// packageOf is the path of the package of a full name of a function.
func packageOf(name string) string {
	name = strings.TrimLeft(name, "(*")
	slash := strings.LastIndex(name, "/")
	dot := strings.Index(name[slash+1:], ".")
	return name[:slash+1+dot]
}

// The test finds what it is there to find.
func TestTheDoorIsWatched(t *testing.T) {
	const text = `package fake

func asked() int

func sized(n int) []int { return make([]int, n) }

func chosen() []int { return make([]int, asked()) }

func passedOn() []int { return sized(asked()) }

func triangle(n []int) (rows [][]int) {
	for r := range n {
		rows = append(rows, make([]int, r+1))
	}
	return rows
}

func grows() (out []int) {
	for range asked() {
		out = append(out, 1)
	}
	return out
}

func endless() (out []int) {
	for asked() > 0 {
		out = append(out, 1)
	}
	return out
}

func element(counts []int) (out [][]int) {
	for _, n := range counts {
		out = append(out, make([]int, n))
	}
	return out
}

type held struct{ size int }

func (h *held) field() []int { return make([]int, 2*h.size+1) }

func squared(a, b []int) []int { return make([]int, len(a)*len(b)) }

func fine(a []int, m map[int]int) ([]int, []int, map[int]int, []int) {
	n := min(asked(), len(a)) + 3
	out := make([]int, 0, len(a)+1)
	for i := range a {
		out = append(out, i)
	}
	for i := 0; i < len(m); i++ {
		out = append(out, i)
	}
	return out, make([]int, n), make(map[int]int, len(m)), make([]int, 12)
}
`
	d := &doorway{T: t, functions: map[*types.Func]*function{}, fields: map[string]string{}, looked: map[string]bool{}, found: map[string][]string{}, fset: token.NewFileSet()}
	file, err := parser.ParseFile(d.fset, "fake.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := source{files: []*ast.File{file}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	if _, err := new(types.Config).Check("fake", d.fset, s.files, s.info); err != nil {
		t.Fatal(err)
	}
	d.declare(s)
	d.settle()
	want := []string{"(*fake.held).field", "fake.chosen", "fake.element", "fake.endless", "fake.grows", "fake.passedOn", "fake.squared", "fake.triangle"}
	if got := slices.Sorted(maps.Keys(d.found)); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	d.fields["fake.held.size"] = "held"
	if d.settle(); d.found["(*fake.held).field"] != nil {
		t.Error("a field that is a length is none")
	}
}
