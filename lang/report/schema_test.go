// JSON Schema, as much of it as result.schema.json uses.

package report

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"dicescript/lang"
)

type schema = map[string]any

// keywords that a validator must know; an unknown one fails the test instead
// of being passed over.
var knownKeywords = map[string]bool{"$schema": true, "title": true, "description": true, "$defs": true, "$ref": true, "type": true,
	"required": true, "properties": true, "additionalProperties": true, "items": true, "const": true, "oneOf": true,
	"minimum": true, "maximum": true, "pattern": true}

// validate returns what is wrong with v, "" when nothing is.
func validate(root, s schema, v any, at string) string {
	for k := range s {
		if !knownKeywords[k] {
			return "schema: unknown keyword " + k
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		target := root["$defs"].(schema)[strings.TrimPrefix(ref, "#/$defs/")]
		return validate(root, target.(schema), v, at)
	}
	for _, check := range []func() string{
		func() string { return wrongType(s, v) },
		func() string { return wrongScalar(s, v) },
		func() string { return wrongObject(root, s, v, at) },
		func() string { return wrongItems(root, s, v, at) },
		func() string { return wrongChoice(root, s, v, at) },
	} {
		if problem := check(); problem != "" {
			if strings.HasPrefix(problem, "$") {
				return problem
			}
			return at + ": " + problem
		}
	}
	return ""
}

func wrongType(s schema, v any) string {
	want, ok := s["type"]
	if !ok {
		return ""
	}
	names, ok := want.([]any)
	if !ok {
		names = []any{want}
	}
	for _, name := range names {
		if hasType(name.(string), v) {
			return ""
		}
	}
	return fmt.Sprintf("%v is no %v", v, want)
}

func hasType(name string, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case schema:
		return name == "object"
	case json.Number:
		return name == "number" || name == "integer" && !strings.ContainsAny(v.String(), ".eE")
	}
	return false
}

func wrongScalar(s schema, v any) string {
	if want, ok := s["const"]; ok && !reflect.DeepEqual(want, v) {
		return fmt.Sprintf("%v is not %v", v, want)
	}
	if pattern, ok := s["pattern"].(string); ok {
		if text, ok := v.(string); ok && !regexp.MustCompile(pattern).MatchString(text) {
			return text + " does not match " + pattern
		}
	}
	n, ok := v.(json.Number)
	if !ok {
		return ""
	}
	x, _ := n.Float64()
	if least, ok := s["minimum"].(json.Number); ok {
		if limit, _ := least.Float64(); x < limit {
			return fmt.Sprintf("%v is below %v", n, least)
		}
	}
	if most, ok := s["maximum"].(json.Number); ok {
		if limit, _ := most.Float64(); x > limit {
			return fmt.Sprintf("%v is above %v", n, most)
		}
	}
	return ""
}

func wrongObject(root, s schema, v any, at string) string {
	object, ok := v.(schema)
	if !ok {
		return ""
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := object[name.(string)]; !ok {
			return fmt.Sprintf("%v is missing", name)
		}
	}
	properties, _ := s["properties"].(schema)
	for name, value := range object {
		property, known := properties[name]
		if !known {
			if s["additionalProperties"] == false {
				return name + " is not in the schema"
			}
			continue
		}
		if problem := validate(root, property.(schema), value, at+"."+name); problem != "" {
			return problem
		}
	}
	return ""
}

func wrongItems(root, s schema, v any, at string) string {
	items, ok := s["items"].(schema)
	list, isList := v.([]any)
	if !ok || !isList {
		return ""
	}
	for i, item := range list {
		if problem := validate(root, items, item, fmt.Sprintf("%s[%d]", at, i)); problem != "" {
			return problem
		}
	}
	return ""
}

func wrongChoice(root, s schema, v any, at string) string {
	choices, ok := s["oneOf"].([]any)
	if !ok {
		return ""
	}
	fits, problems := 0, []string{}
	for _, choice := range choices {
		if problem := validate(root, choice.(schema), v, at); problem == "" {
			fits++
		} else {
			problems = append(problems, problem)
		}
	}
	if fits != 1 {
		return fmt.Sprintf("fits %d of %d choices: %s", fits, len(choices), strings.Join(problems, "; "))
	}
	return ""
}

// decoded reads JSON with its numbers kept as they are written.
func decoded(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return v
}

func TestResultsFitTheSchema(t *testing.T) {
	text, err := os.ReadFile("testdata/result.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	root := decoded(t, string(text)).(schema)
	failure := &lang.Error{Kind: lang.KindRuntime, Message: "d: sides: too few, got 0, want at least 1", Position: lang.Position{File: "a.dice", Line: 2, Column: 5},
		Frames: []lang.Frame{{Position: lang.Position{File: "a.dice", Line: 2, Column: 5}}}}
	for name, o := range map[string]Options{"success": {}, "failure": {Failure: failure}, "weights": {Fractions: Weights}, "values": {Fractions: NoFractions}} {
		text := render(t, "json", everyKind(), o)
		if outputs, _, _ := strings.Cut(text, `"params"`); strings.Contains(outputs, `"weight": "`) != (o.Fractions == Weights) || strings.Contains(outputs, `"exact": "`) != (o.Fractions != NoFractions) {
			t.Errorf("%s: the fractions are not those that were asked for", name)
		}
		v := decoded(t, text)
		if problem := validate(root, root, v, "$"); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
	broken := decoded(t, `{"outputs": [{"title": "p", "kind": "Prob", "exact": "1/0", "value": 2, "error": 0}], "params": [], "usage": {"steps": 0, "work": 0, "cells": 0, "bytes": 0, "outputs": 1, "output_bytes": 0, "print_bytes": 0}}`)
	if validate(root, root, broken, "$") == "" {
		t.Error("the schema takes 1/0 for a probability")
	}
}
