package rpc

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"dicescript/cmd/dicescript/internal/door"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write docs/rpc.schema.json and the tables of docs/rpc.md anew")

const (
	schemaFile   = "../../../../docs/rpc.schema.json"
	pageFile     = "../../../../docs/rpc.md"
	reportSchema = "../../../../lang/report/testdata/result.schema.json"
)

// methods are those of the engine and that of the connection.
func methods(t *testing.T) []door.Method {
	t.Helper()
	return append(door.Methods(), door.Method{
		Name: "cancel", About: "Stops a call that waits or is being answered; that one is answered with an error of kind cancelled.",
		Params: func() (*jsonschema.Schema, error) { return jsonschema.For[CancelParams](nil) },
		Result: func() (*jsonschema.Schema, error) { return jsonschema.For[Cancelled](nil) },
	})
}

// A schema of the whole protocol: the parameters and results of each method.
func wholeSchema(t *testing.T) map[string]any {
	t.Helper()
	plain := func(v any) map[string]any {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	text, err := os.ReadFile(reportSchema)
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	defs := report["$defs"].(map[string]any)
	delete(report, "$defs")
	delete(report, "$schema")
	defs["report"] = report
	all := map[string]any{}
	for _, m := range methods(t) {
		p, err := m.Params()
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Result()
		if err != nil {
			t.Fatal(err)
		}
		all[m.Name] = map[string]any{"description": m.About, "params": plain(p), "result": plain(r)}
	}
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "The calls of dicescript rpc", "methods": all, "$defs": defs,
	}
}

func TestSchema(t *testing.T) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(wholeSchema(t)); err != nil {
		t.Fatal(err)
	}
	same(t, schemaFile, b.String())
}

func TestPage(t *testing.T) {
	text, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- made from the Go types by go test ./cmd/dicescript/internal/rpc -update -->\n"
	head, _, ok := strings.Cut(string(text), mark)
	if !ok {
		t.Fatalf("%s has no line %s", pageFile, mark)
	}
	same(t, pageFile, head+mark+tables(t))
}

// tables are the parameters and results of the methods for the page.
func tables(t *testing.T) string {
	var b strings.Builder
	for _, m := range methods(t) {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", m.Name, m.About)
		for _, side := range []struct {
			name   string
			schema func() (*jsonschema.Schema, error)
		}{{"parameter", m.Params}, {"result", m.Result}} {
			s, err := side.schema()
			if err != nil {
				t.Fatal(err)
			}
			if s.Ref != "" {
				b.WriteString("\nThe result is the [report](#the-report) of the run.\n")
				continue
			}
			fmt.Fprintf(&b, "\n| %s | type | meaning |\n|---|---|---|\n", side.name)
			rows(&b, "", s)
		}
	}
	return b.String()
}

// rows are the members of an object, and those of the objects in it.
func rows(b *strings.Builder, path string, s *jsonschema.Schema) {
	for _, name := range s.PropertyOrder {
		p := s.Properties[name]
		about := strings.ReplaceAll(p.Description, "|", `\|`)
		if path == "" && contains(s.Required, name) {
			about = strings.TrimSuffix("always there; "+about, "; ")
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", path, name, typeName(p), about)
		if p.Items != nil && p.Items.Properties != nil {
			rows(b, path+name+"[].", p.Items)
		}
		rows(b, path+name+".", p)
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func typeName(s *jsonschema.Schema) string {
	name := s.Type
	for _, t := range s.Types {
		if t != "null" {
			name = t
		}
	}
	if name == "" {
		return "any"
	}
	return name
}

// same compares a file with what it should hold, or writes it.
func same(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: go test ./cmd/dicescript/internal/rpc -update writes it anew", file)
	}
}

// What the server sends is as the schema says.
func TestResultsFitSchema(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Methods map[string]struct{ Params, Result json.RawMessage }
		Defs    json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	validator := func(side json.RawMessage) *jsonschema.Resolved {
		var s jsonschema.Schema
		var defs map[string]*jsonschema.Schema
		if err := json.Unmarshal(side, &s); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(whole.Defs, &defs); err != nil {
			t.Fatal(err)
		}
		s.Defs = defs
		r, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	c := start(t, quick())
	for _, x := range []struct{ method, params string }{
		{"eval", `{"expression": "2d6"}`},
		{"eval", `{"expression": "2d6 >= 3", "fractions": "weights", "limits": {"steps": 1000}, "timeout": 5000}`},
		{"eval", `{"expression": "explode(d6, None)", "fractions": "none"}`},
		{"eval", `{"expression": "foo"}`},
		{"run", `{"source": "b = param('bonus', 1)\noutput(versus(d6, d6))", "inputs": {"bonus": 2}, "name": "a.star"}`},
		{"compile", `{"source": "b = param('bonus', 1.5, min=0.5, choices=[1.5, 2.5])"}`},
		{"compile", `{"source": "x = a\ny = b"}`},
		{"params", `{"source": "x = a\ny = b", "name": "x.star", "timeout": 100}`},
		{"throw", `{"expression": "4d6kh3 + 2", "seed": -5}`},
		{"throw", `{"expression": "explode(d6, None)"}`},
		{"throw", `{"expression": "'a'"}`},
		{"check", `{"source": "x = lenn([])\n"}`},
		{"check", `{"source": "for x in [1]:\n  y = 1"}`},
		{"complete", `{"source": "x = d", "line": 1, "column": 6}`},
		{"doc", `{"name": "nothing at all"}`},
		{"cancel", `{"id": 17}`},
	} {
		r := c.ask(x.method, x.params)
		if r.Error != nil {
			t.Errorf("%s %s: %+v", x.method, x.params, r.Error)
			continue
		}
		for side, text := range map[*jsonschema.Resolved]json.RawMessage{
			validator(whole.Methods[x.method].Params): json.RawMessage(x.params),
			validator(whole.Methods[x.method].Result): r.Result,
		} {
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			if err := side.Validate(v); err != nil {
				t.Errorf("%s %s\n%s\ndoes not fit the schema: %v", x.method, x.params, text, err)
			}
		}
	}
}
