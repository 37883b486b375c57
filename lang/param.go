// The inputs of a recipe. They are read from its text, so that a host knows
// them before a run: param is called at the top level with literal arguments.

package lang

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"dicescript/builtins"
	"dicescript/lang/internal/given"
	"dicescript/lang/internal/wording"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Param is an input of a recipe. Default, Min, Max and Choices hold bools,
// ints, float64s and strings, and a *big.Int for what does not fit an int.
type Param struct {
	Name     string
	Type     string // of Default: "bool", "int", "float" or "string"
	Default  any
	Help     string
	Min, Max any   // nil when there is no bound
	Choices  []any // nil when every value will do
	Position Position

	def *builtins.Parameter
}

// Parse reads a value of the parameter from text, as a command line or a form
// has it: true or false, a number, or the text itself. What it returns is for
// [WithInput]. The error is an *[Error] of [KindInput]. It is for parameters that
// come from [Program.Params].
func (p Param) Parse(text string) (any, error) {
	v, err := p.def.Parse(text)
	if err != nil {
		return nil, inputError("%s", err)
	}
	return given.Plain(v), nil
}

// readParam reads a call of param.
func readParam(call *syntax.CallExpr) (Param, *Error) {
	var args starlark.Tuple
	var kwargs []starlark.Tuple
	for _, arg := range call.Args {
		name, x := "", arg
		if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			name, x = named.X.(*syntax.Ident).Name, named.Y
		}
		v, ok := literal(x)
		switch {
		case !ok:
			return Param{}, paramError(x, errors.New("param: write the value out: hosts read it before the recipe runs"))
		case name != "":
			kwargs = append(kwargs, starlark.Tuple{starlark.String(name), v})
		default:
			args = append(args, v)
		}
	}
	def, err := builtins.ParameterOf(args, kwargs)
	if err != nil {
		return Param{}, paramError(call, err)
	}
	p := Param{
		Name: def.Name, Type: def.Default.Type(), Default: given.Plain(def.Default), Help: def.Help,
		Min: given.Plain(def.Min), Max: given.Plain(def.Max), def: def,
	}
	for _, c := range def.Choices {
		p.Choices = append(p.Choices, given.Plain(c))
	}
	return p, nil
}

// paramError is an error at a place that the caller turns into a position.
func paramError(at syntax.Node, err error) *Error {
	start := syntax.Start(at)
	return &Error{
		Kind: KindName, Message: err.Error(), cause: err,
		Position: Position{Line: int(start.Line), Column: int(start.Col)},
	}
}

// literal is the value of a literal, a list or tuple of literals, or None.
func literal(x syntax.Expr) (starlark.Value, bool) {
	switch x := x.(type) {
	case *syntax.Literal:
		return given.Simple(x.Value)
	case *syntax.Ident:
		switch x.Name {
		case "True", "False":
			return starlark.Bool(x.Name == "True"), true
		case "None":
			return starlark.None, true
		}
	case *syntax.ParenExpr:
		return literal(x.X)
	case *syntax.UnaryExpr:
		if v, ok := literal(x.X); ok && (x.Op == syntax.MINUS || x.Op == syntax.PLUS) {
			v, err := starlark.Unary(x.Op, v)
			return v, err == nil
		}
	case *syntax.ListExpr:
		return literals(x.List)
	case *syntax.TupleExpr:
		return literals(x.List)
	}
	return nil, false
}

func literals(xs []syntax.Expr) (starlark.Value, bool) {
	values := make([]starlark.Value, len(xs))
	for i, x := range xs {
		v, ok := literal(x)
		if !ok {
			return nil, false
		}
		values[i] = v
	}
	return starlark.NewList(values), true
}

// accept is what a host has given for the parameter as the recipe gets it.
func (p Param) accept(from any) (starlark.Value, error) {
	v, ok := given.Simple(from)
	if !ok {
		return nil, unsuited(p.Name, from)
	}
	v, err := p.def.Check(v)
	if err != nil {
		return nil, inputError("%s", err)
	}
	return v, nil
}

// unsuited refuses a Go value that no recipe could take.
func unsuited(name string, v any) *Error {
	got := "nil"
	switch v := v.(type) {
	case nil:
	case json.Number:
		got = strconv.Quote(v.String())
	default:
		got = fmt.Sprintf("a %T", v)
	}
	return inputError("%s: got %s, want a bool, a number or a string", name, got)
}

func inputError(format string, args ...any) *Error {
	return &Error{Kind: KindInput, Message: wording.Brief(fmt.Sprintf(format, args...))}
}
