package door

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"

	"dicescript/builtins/suggest"
	"dicescript/lang/throw"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Method is a call by its name, with JSON in place of Go values.
type Method struct {
	Name, About string

	// Call answers a call. The error is an *[InvalidError] when the parameters can't be
	// read or make no sense.
	Call func(ctx context.Context, e *Engine, params json.RawMessage) (any, error)

	// Params and Result are the schemas of both.
	Params, Result func() (*jsonschema.Schema, error)
}

// Methods returns all calls, in the order of the documentation.
func Methods() []Method {
	return []Method{
		method("eval", "The value of an expression, as the report of a run.", (*Engine).Eval),
		method("run", "Runs a recipe. The result is its report.", (*Engine).Run),
		method("compile", "Compiles a recipe: a handle for run, its inputs, or its mistakes.", (*Engine).Compile),
		method("params", "The inputs of a recipe.", (*Engine).Params),
		method("throw", "Really throws the dice of an expression, or each output of a recipe, once: the record has every die.", (*Engine).Throw),
		method("check", "What is wrong with a recipe, or likely to be, without running it.", (*Engine).Check),
		method("complete", "What may stand at a place of a recipe.", (*Engine).Complete),
		method("doc", "What the reference says about a name.", (*Engine).Doc),
	}
}

func method[P, R any](name, about string, call func(*Engine, context.Context, P) (R, error)) Method {
	return Method{
		Name: name, About: about,
		Call: func(ctx context.Context, e *Engine, raw json.RawMessage) (any, error) {
			var p P
			if err := read(raw, &p); err != nil {
				return nil, err
			}
			return call(e, ctx, p)
		},
		Params: schemaOf[P], Result: schemaOf[R],
	}
}

// read reads parameters. Numbers keep all their digits.
func read[P any](raw json.RawMessage, to *P) error {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	err := d.Decode(to)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field == "":
		return invalid("params: got %s, want an object", article(wrong.Value))
	case errors.As(err, &wrong):
		field := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:] // without the struct that it is promoted from
		return invalid("params: %s: got %s", field, article(wrong.Value))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalid("params: the object has no end")
	}
	if name, ok := strings.CutPrefix(err.Error(), `json: unknown field `); ok {
		name = strings.Trim(name, `"`)
		return invalid("params: there is no member %q%s", name, suggest.DidYouMean(suggest.Among(name, members[P]())))
	}
	return invalid("params: %s", strings.TrimPrefix(err.Error(), "json: "))
}

func article(what string) string {
	word, _, _ := strings.Cut(what, " ")
	if strings.ContainsAny(word[:1], "aeiou") {
		return "an " + word
	}
	return "a " + word
}

// members are the names that an object may have, as its schema has them: what JSON is
// made of the object leaves out what is empty.
func members[P any]() []string {
	s, err := schemaOf[P]()
	if err != nil {
		return nil
	}
	return s.PropertyOrder
}

// schemaOf returns the schema of a type. That of a report is of the report's own.
func schemaOf[T any]() (*jsonschema.Schema, error) {
	throws, err := throwSchema()
	if err != nil {
		return nil, err
	}
	return jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Report]():         {Ref: "#/$defs/report"},
		reflect.TypeFor[[]*throw.Throw](): {Type: "array", Items: throws},
	}})
}

// throwSchema is the schema of a throw. The throws that it is made of are left open: each of
// them is a throw again.
func throwSchema() (*jsonschema.Schema, error) {
	return jsonschema.For[throw.Throw](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[[]*throw.Throw](): {Type: "array", Items: &jsonschema.Schema{Type: "object"}},
	}})
}
