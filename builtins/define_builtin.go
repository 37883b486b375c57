package builtins

import (
	"slices"
	"strings"

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
type builtin struct {
	name    string
	on      []string // the types that have it as a method
	free    bool     // whether it is a global
	self    Param    // with on and free: the parameter that takes the value the method belongs to
	params  []Param  // without self
	doc     string
	errors  string
	excess  string // what to write instead of too many arguments; may be empty
	example string
	result  string
	run     func(c call) (starlark.Value, error)
	raw     func(c call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) // instead of run: binds its own arguments
	attr    func(c call) (starlark.Value, error)                                               // instead of run: an attribute

	table *registry // that the builtin is in
}

func (def *builtin) entry(group, receiver string) Entry {
	e := Entry{
		Name: def.name, Receiver: receiver, Group: group, Signature: def.signature(receiver != ""),
		Doc: def.doc, Params: def.params, Errors: def.errors,
		Example: def.example, Result: def.result, Attribute: def.attr != nil,
	}
	if receiver == "" && len(def.on) > 0 {
		e.Params = append([]Param{def.self}, def.params...)
	}
	return e
}

// signature writes how the builtin is called.
func (def *builtin) signature(asMethod bool) string {
	if def.attr != nil {
		return "." + def.name
	}
	var parts []string
	prefix := "."
	if !asMethod {
		prefix = ""
		if len(def.on) > 0 {
			parts = append(parts, def.self.String())
		}
	}
	for _, p := range def.params {
		parts = append(parts, p.String())
	}
	return prefix + def.name + "(" + strings.Join(parts, ", ") + ")"
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
