package answer

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"

	"dicescript/lang"
)

// A Param is an input of a recipe. Default, Min, Max and Choices are booleans,
// numbers or texts.
type Param struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // "bool", "int", "float" or "string"
	Default any    `json:"default"`
	Help    string `json:"help,omitempty"`
	Min     any    `json:"min,omitempty"`
	Max     any    `json:"max,omitempty"`
	Choices []any  `json:"choices,omitempty"`
	Line    int    `json:"line,omitempty"`
}

func params(all []lang.Param) []Param {
	out := []Param{}
	for _, p := range all {
		q := Param{Name: p.Name, Type: p.Type, Help: p.Help, Line: p.Position.Line}
		q.Default, q.Min, q.Max = jsonValue(p.Default), jsonValue(p.Min), jsonValue(p.Max)
		for _, c := range p.Choices {
			q.Choices = append(q.Choices, jsonValue(c))
		}
		out = append(out, q)
	}
	return out
}

// jsonValue is a value that JSON has, and that JavaScript reads without loss: a whole
// number that its floats don't hold is text.
func jsonValue(v any) any {
	switch v := v.(type) {
	case *big.Int:
		return v.String()
	case int:
		if v > 1<<53 || v < -1<<53 {
			return strconv.Itoa(v)
		}
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
	}
	return v
}

// fitting are the inputs as the parameters want them: a number for a text is
// that text, and a text for a number is read. What does not fit is left for the
// run to refuse.
func fitting(all []lang.Param, inputs map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range inputs {
		out[name] = v
		i := slices.IndexFunc(all, func(p lang.Param) bool { return p.Name == name })
		if i < 0 {
			continue
		}
		text, isText := v.(string)
		if n, ok := v.(json.Number); ok && all[i].Type == "string" {
			out[name] = n.String()
		} else if isText && all[i].Type != "string" {
			if read, err := all[i].Parse(text); err == nil {
				out[name] = read
			}
		}
	}
	return out
}

// A CompileArgs asks what a recipe is, without running it.
type CompileArgs struct {
	Recipe
}

// A Compiled is what a recipe is.
type Compiled struct {
	OK       bool      `json:"ok"`
	Mistakes []Mistake `json:"mistakes"`
	Params   []Param   `json:"params"`
	Document bool      `json:"document"`
}

// compile compiles a recipe.
func (e *Engine) compile(ctx context.Context, args CompileArgs) (*Compiled, error) {
	ctx, cancel := e.deadline(ctx, 0)
	defer cancel()
	host, err := e.host(args.Recipe, nil)
	if err != nil {
		return nil, err
	}
	c := &Compiled{Mistakes: []Mistake{}, Params: []Param{}, Document: isDocument(args.Recipe)}
	program, err := host.Compile(ctx, nameOf(args.Recipe), []byte(args.Text))
	if err != nil {
		c.Mistakes = mistakes(err)
		return c, nil
	}
	c.OK, c.Params = true, params(program.Params())
	return c, nil
}
