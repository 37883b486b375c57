package define

import (
	"slices"
	"strings"

	"dicescript/builtins/throwing"

	"go.starlark.net/starlark"
)

// A builtin is described once: its name, the types that have it, its parameters, a
// sentence of documentation, an example with its printed result, and the function behind
// it. What recipes call and what documentation shows are made of that.

// A Param is one parameter of a builtin.
type Param struct {
	Name     string
	Doc      string   // what it means, as a phrase
	Default  string   // how the default is written; empty when the parameter is required
	Also     []string // second names that are understood too
	Variadic bool     // takes all further positional arguments
}

// An Entry describes one builtin as one receiver has it.
type Entry struct {
	Name      string
	Receiver  string // the type whose values have it; "" for a global
	Group     string
	Signature string // "explode(roll, max_depth=2, on=None)" or ".explode(max_depth=2, on=None)"
	Doc       string // one sentence
	Params    []Param
	Errors    string // when it is an error; may be empty
	Example   string // lines of Starlark; the last one is an expression
	Result    string // what printing that expression shows
	Attribute bool   // a value, not a method to call
}

// A Builtin describes a function, a method, or both at once.
type Builtin struct {
	Name    string
	On      []string // the types that have it as a method
	Free    bool     // whether it is a global
	Self    Param    // with On and Free: the parameter that takes the value the method belongs to
	Params  []Param  // without Self
	Doc     string
	Errors  string
	Excess  string                           // what to write instead of too many arguments; may be empty
	Slip    func(args starlark.Tuple) string // what was likely meant by arguments that do not fit, "" when nothing is known; may be nil
	Example string
	Result  string

	// One of these is what it does.
	Run  func(c Call) (starlark.Value, error)
	Raw  func(c Call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) // binds its own arguments
	Attr func(c Call) (starlark.Value, error)                                               // an attribute: a call without arguments

	// Throw throws a result of it, by throwing what it was given; it returns a value of the
	// same type that is certain. Where it is nil, a result is drawn from its distribution.
	Throw func(c Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error)

	table *Table // that it is in
}

func (def *Builtin) entry(group, receiver string) Entry {
	e := Entry{
		Name: def.Name, Receiver: receiver, Group: group, Signature: def.signature(receiver != ""),
		Doc: def.Doc, Params: def.Params, Errors: def.Errors,
		Example: def.Example, Result: def.Result, Attribute: def.Attr != nil,
	}
	if receiver == "" && len(def.On) > 0 {
		e.Params = append([]Param{def.Self}, def.Params...)
	}
	return e
}

// signature writes how the builtin is called.
func (def *Builtin) signature(asMethod bool) string {
	if def.Attr != nil {
		return "." + def.Name
	}
	var parts []string
	prefix := "."
	if !asMethod {
		prefix = ""
		if len(def.On) > 0 {
			parts = append(parts, def.Self.String())
		}
	}
	for _, p := range def.Params {
		parts = append(parts, p.String())
	}
	return prefix + def.Name + "(" + strings.Join(parts, ", ") + ")"
}

// String writes a parameter as it stands in a signature.
func (p Param) String() string {
	switch {
	case p.Variadic:
		return "*" + p.Name
	case p.Default != "":
		return p.Name + "=" + p.Default
	}
	return p.Name
}

func (p *Param) named(name string) bool {
	return p.Name == name || slices.Contains(p.Also, name)
}
