// Functions of the host: any Go function, as recipes call it.

package lang

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"dicescript/builtins/define"
	"dicescript/builtins/meter"
	"dicescript/lang/internal/given"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// WithFunc lets recipes call a function of Go. It may take a context first, and then what a
// recipe can give:
//
//	*dist.Dist                 a roll, the total of dice, or a whole number
//	*dist.Pool                 dice that are kept apart, like 4d6; a roll is one die
//	*big.Rat                   a number or a chance that is exact
//	floats                     any number, correctly rounded
//	bool, string               what they are
//	integers, *big.Int         a whole number that fits
//	slices and arrays          a list, a tuple, a set, or another finite sequence
//	maps                       a dict
//	structs, pointers to them  a dict with the names of its fields, as in [WithValue]; or what
//	                           a function of the host returned, as it was
//	any                        what [Get] gives as an any
//	Roll, Prob, Number, ...    what a result holds, see [Data]
//	starlark.Value             the value itself
//
// None is a nil pointer, slice, map or any. The last parameter may be variadic. The function
// returns nothing, an error, a value, or a value and an error; the value is one that
// [WithValue] takes, and is read where it is: the function may not change it afterwards.
//
// doc.Signature names the parameters and says what may be left out, with its value:
// "monster(name, level=1, *traits)". Errors and help use the names; without a signature they
// are arg1, arg2 and so on. The name of doc may be left out.
//
// The context is that of the run: what the functions of dist do with it is charged to the
// run and ends with it. Beyond that the run pays for what it hands over and for what it
// gets. The error that the function returns is the cause of the run's [Error], so that
// errors.Is and errors.As find it; a panic is an Error of [KindInternal]. The function is
// called from the goroutine of the run, and runs that go on at once call it at once. It
// ought to return the same for the same arguments: a recipe may call it more or less often
// than it is written, as where it plays a rule all ways at once.
//
// A function that no recipe could call, and a signature that does not suit it, are an error
// of [New].
func WithFunc(name string, fn any, doc Doc) Option {
	return func(h *Host) error {
		if !isUsable(name) {
			return fmt.Errorf("func: %q is not a name that a recipe can use", name)
		}
		f, err := newFunc(name, fn, doc)
		if err != nil {
			return fmt.Errorf("func: %s: %w", name, err)
		}
		table := define.NewTable([]define.Family{{Builtins: []define.Builtin{f.definition()}}}, nil)
		h.globals[name] = recovering(table.Globals()[name].(*starlark.Builtin))
		h.own[name] = true
		doc.Name, doc.Signature = name, table.Entries()[0].Signature
		if doc.Text == "" {
			doc.Text = "A function of the host."
		}
		h.docs = append(h.docs, doc)
		return nil
	}
}

// A hostFunc is a Go function that recipes call.
type hostFunc struct {
	name   string
	fn     reflect.Value
	params []parameter

	context, fails bool // whether it takes a context, and returns an error
	returns        bool // whether it returns a value
}

// A parameter is one of a function of the host.
type parameter struct {
	define.Param
	of        reflect.Type
	otherwise starlark.Value // when it is left out
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

func newFunc(name string, fn any, doc Doc) (*hostFunc, error) {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, fmt.Errorf("got %T, want a function", fn)
	}
	f := &hostFunc{name: name, fn: v}
	if err := f.setResults(v.Type()); err != nil {
		return nil, err
	}
	if err := f.setParams(v.Type(), doc.Signature); err != nil {
		return nil, err
	}
	return f, nil
}

// setResults looks at what the function returns.
func (f *hostFunc) setResults(t reflect.Type) error {
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		f.fails = true
		n--
	}
	if n > 1 {
		return fmt.Errorf("it returns %d values, want one at most, and an error", n)
	}
	if f.returns = n == 1; !f.returns {
		return nil
	}
	if err := given.Gives(t.Out(0)); err != nil {
		return fmt.Errorf("what it returns: %w", err)
	}
	return nil
}

// setParams looks at what the function takes, and finds the names in a signature.
func (f *hostFunc) setParams(t reflect.Type, signature string) error {
	first := 0
	if t.NumIn() > 0 && t.In(0) == contextType {
		f.context, first = true, 1
	}
	for i := first; i < t.NumIn(); i++ {
		p := parameter{of: t.In(i)}
		p.Name = fmt.Sprintf("arg%d", len(f.params)+1)
		if p.Variadic = t.IsVariadic() && i == t.NumIn()-1; p.Variadic {
			p.of = p.of.Elem()
		}
		if err := given.Takes(p.of); err != nil {
			return fmt.Errorf("parameter %d: %w", len(f.params)+1, err)
		}
		f.params = append(f.params, p)
	}
	if signature == "" {
		return nil
	}
	return f.named(signature)
}

// named gives the parameters the names and values of a signature.
func (f *hostFunc) named(signature string) error {
	def, err := readSignature(signature)
	if err != nil || def.Name.Name != f.name {
		return fmt.Errorf("its signature is %q, want one like %q", signature, f.name+"(name, level=1)")
	}
	if len(def.Params) != len(f.params) {
		return fmt.Errorf("its signature %q has %d parameters, the function %d", signature, len(def.Params), len(f.params))
	}
	for i, x := range def.Params {
		if err := f.params[i].read(x); err != nil {
			return fmt.Errorf("its signature %q: %w", signature, err)
		}
	}
	return nil
}

// readSignature reads a signature as the head of a definition.
func readSignature(text string) (*syntax.DefStmt, error) {
	file, err := (&syntax.FileOptions{}).Parse("signature", "def "+text+": pass", 0)
	if err != nil {
		return nil, err
	}
	if def, ok := file.Stmts[0].(*syntax.DefStmt); ok && len(file.Stmts) == 1 {
		return def, nil
	}
	return nil, fmt.Errorf("it is no signature")
}

// read gives the parameter the name that it has in a signature, and the value when it is
// left out.
func (p *parameter) read(x syntax.Expr) error {
	star, isStar := x.(*syntax.UnaryExpr)
	if isStar != p.Variadic || isStar && (star.Op != syntax.STAR || star.X == nil) {
		return fmt.Errorf("want *name for the last parameter of a variadic function, and for no other")
	}
	if isStar {
		x = star.X
	}
	if b, ok := x.(*syntax.BinaryExpr); ok {
		v, ok := literal(b.Y)
		if !ok {
			return fmt.Errorf("%s: want a number, a text, a truth value, None or a list of such", b.X.(*syntax.Ident).Name)
		}
		p.Default, p.otherwise = v.String(), v
		x = b.X
	}
	p.Name = x.(*syntax.Ident).Name
	if p.otherwise == nil {
		return nil
	}
	if err := new(given.Taker).Take(p.otherwise, reflect.New(p.of).Elem()); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return nil
}

// definition is the function as a builtin.
func (f *hostFunc) definition() define.Builtin {
	def := define.Builtin{Name: f.name, Free: true, Run: f.call}
	for _, p := range f.params {
		def.Params = append(def.Params, p.Param)
	}
	return def
}

// call calls the function.
func (f *hostFunc) call(c define.Call) (starlark.Value, error) {
	in, err := f.arguments(c)
	if err != nil {
		return nil, err
	}
	out := f.fn.Call(in)
	if f.fails {
		if err, ok := out[len(out)-1].Interface().(error); ok {
			return nil, err
		}
	}
	if !f.returns {
		return starlark.None, nil
	}
	return f.returned(c, out[0].Interface())
}

// arguments are those of a call as the function takes them.
func (f *hostFunc) arguments(c define.Call) ([]reflect.Value, error) {
	var in []reflect.Value
	if f.context {
		in = append(in, reflect.ValueOf(c.Context()))
	}
	r := runOf(c.Thread)
	taker := given.Taker{Thread: c.Thread, Plain: r.structured, Data: func(v starlark.Value) (any, error) { return r.data(v) }}
	for i, p := range f.params {
		values := []starlark.Value{c.Value(i)}
		if p.Variadic {
			values = c.Rest(i)
		}
		for _, v := range values {
			if v == nil {
				v = p.otherwise
			}
			to := reflect.New(p.of).Elem()
			if err := taker.Take(v, to); err != nil {
				return nil, c.Label(i, err)
			}
			in = append(in, to)
		}
	}
	return in, nil
}

// returned is what the function has returned as the recipe gets it.
func (f *hostFunc) returned(c define.Call, v any) (starlark.Value, error) {
	made, err := runOf(c.Thread).giver().Value(v)
	if err != nil {
		return nil, &Error{Kind: KindInternal, Message: "it returned what no recipe can have: " + strings.TrimPrefix(err.Error(), "got "), cause: err}
	}
	if sized, ok := made.(meter.Sized); ok {
		return made, meter.Faces(c.Context(), int(sized.Size().Cells))
	}
	return made, c.Meter().Moved(int(meter.LengthOf(made)))
}
