package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Everything that the service says is as openapi.json says. A test that asks the
// service has its answers checked.

var document = sync.OnceValues(func() (any, error) {
	return jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
})

// schemaAt compiles what stands at a place of the document.
func schemaAt(pointer string) (*jsonschema.Schema, error) {
	doc, err := document()
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("openapi.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("openapi.json#" + pointer)
}

var schemas sync.Map // of schemaAt

func conforms(t *testing.T, path, method string, r reply) {
	t.Helper()
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	place := fmt.Sprintf("/paths/%s/%s/responses/%d/content/%s/schema", strings.ReplaceAll(path, "/", "~1"), method, r.status, strings.ReplaceAll(kind, "/", "~1"))
	found, ok := schemas.Load(place)
	if !ok {
		schema, err := schemaAt(place)
		if err != nil {
			t.Errorf("openapi.json says nothing about status %d with %s of %s: %v", r.status, kind, path, err)
			return
		}
		found = schema
		schemas.Store(place, schema)
	}
	if kind != "application/json" {
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.body))
	if err != nil {
		t.Errorf("%s: %v", r.body, err)
		return
	}
	if err := found.(*jsonschema.Schema).Validate(value); err != nil {
		t.Errorf("%s is not as openapi.json says: %v", r.body, err)
	}
}

// Every kind of result is as the document says, with each way to give fractions: so
// are the examples and the tutorial.
func TestResultsConform(t *testing.T) {
	s := newInstance(t, func(_ *poolOptions, c *clients) {
		c.Tiers[anonymous] = tier{Name: anonymous, Timeout: duration(60e9), AtOnce: 10}
	})
	seen := map[string]bool{}
	try := func(name, recipe string) {
		for _, fractions := range []string{"exact", "weights", "none"} {
			r := s.ask(t, fields{"recipe": recipe, "name": name, "fractions": fractions})
			var kinds struct{ Outputs []struct{ Kind string } }
			if err := json.Unmarshal(r.body, &kinds); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, o := range kinds.Outputs {
				seen[o.Kind] = true
			}
		}
	}
	try("kinds.dice", `output("roll", explode(d(6), None))
output("chance", 1d20 >= 15)
output("number", 3d6.mean())
output("labels", bucket(2d6, scale().step("miss").step("hit"), 6))
output("rows", prob_table([("a", 1d6 >= 3)]))
output("table", grid([1, 2], ["x", "y"], lambda a, b: d(6) >= a))
output("text", "so")
output("pairs", die_faces([(1, 0), (0, 2)]))
output("plan", best_play(0, lambda n: -n - 1 if n < 0 else {"stop": -n - 1, "climb": either("1/6", -1, min(n + 1, 9))}))
output("two", {"axe": 1d8, "sword": 2d4})
n = param("n", 3, help="how many", min=1, max=9)
x = param("x", "a", choices=["a", "b"])
`)
	files, err := filepath.Glob("../../tutorial/*.md")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d lessons, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		try(filepath.Base(file), string(text))
	}
	for _, kind := range []string{"DieRoll", "Prob", "Number", "Outcomes", "ProbTable", "Grid", "Plan", "Text"} {
		if !seen[kind] {
			t.Errorf("nothing of kind %s was seen", kind)
		}
	}
}

// The example of the document is a request as it says, and what it says is no request
// is refused by the service too.
func TestRequestsConform(t *testing.T) {
	schema, err := schemaAt("/components/schemas/Request")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	example := string(doc.Paths["/v1/run"]["post"].RequestBody.Content["application/json"].Example)
	s := newInstance(t, nil)
	for body, fine := range map[string]bool{
		example: true,
		`{"recipe": "output(1)", "name": "a.star", "fractions": "none"}`: true,
		`{}`:                                  false,
		`{"recipe": 3}`:                       false,
		`{"recipe": "output(1)", "other": 1}`: false,
		`{"recipe": "output(1)", "fractions": "some"}`: false,
		`{"recipe": "output(1)", "name": "a.exe"}`:     false,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != fine {
			t.Errorf("%s: the document says %v", body, err)
		}
		if r := s.ask(t, body); (r.status == http.StatusOK) != fine {
			t.Errorf("%s: the service says %d: %s", body, r.status, r.body)
		}
	}
}
