package lang_test

import (
	"fmt"
	"strings"
	"testing"

	"dicescript/lang"

	"go.starlark.net/starlark"
)

func egg() starlark.StringDict { return starlark.StringDict{"egg": fragile{starlark.None}} }

// What the host gives is described as what the language has.
func TestWithDocs(t *testing.T) {
	s := newHost(t, lang.WithDocs(
		lang.Doc{Name: "egg", Signature: "egg", Text: "An egg.", Errors: "whatever is done with it"},
		lang.Doc{Name: "crack", Receiver: "fragile", Signature: ".crack()", Text: "Cracks it."},
	), lang.WithBuiltins(egg())).NewSession()
	for name, want := range map[string]string{"egg": "An egg.", "egg.crack": "Cracks it.", ".crack": "Cracks it.", "crack": "Cracks it."} {
		if docs := s.Doc(name); len(docs) != 1 || docs[0].Text != want {
			t.Errorf("%s: %+v", name, docs)
		}
	}
	if docs := s.Doc("egg"); docs[0].Words() != "An egg.\n\nErrors: whatever is done with it" {
		t.Errorf("got %q", docs[0].Words())
	}
	if docs := s.Doc("either"); len(docs) != 1 || docs[0].Errors != "a chance below 0 or above 1" || strings.Contains(docs[0].Text, "below 0") {
		t.Errorf("got %+v", docs)
	}
	for _, docs := range []lang.Doc{{Name: "egg"}, {Name: "ham", Text: "There is none."}, {Name: "len", Text: "The language's own."}} {
		if _, err := lang.New(lang.WithBuiltins(egg()), lang.WithDocs(docs)); err == nil {
			t.Errorf("%+v: no error", docs)
		}
	}
}

// A host describes what it adds.
func ExampleWithDocs() {
	host, err := lang.New(
		lang.WithNames("hero"),
		lang.WithDocs(lang.Doc{Name: "hero", Signature: "hero", Text: "Whose turn it is."}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range host.NewSession().Doc("hero") {
		fmt.Println(d.Words())
	}
	// Output: Whose turn it is.
}
