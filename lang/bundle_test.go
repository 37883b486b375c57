package lang_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dicescript/lang"
)

// Every bundled module can be loaded, says what it is, and describes every
// function that it gives.
func TestBundledModules(t *testing.T) {
	h := newHost(t)
	for _, name := range h.Modules() {
		m, err := h.ModuleDoc(context.Background(), name)
		if err != nil {
			t.Error(err)
			continue
		}
		if m.Text == "" {
			t.Errorf("%s has no doc string", name)
		}
		for _, f := range m.Functions {
			if f.Text == "" {
				t.Errorf("%s: %s has no doc string", name, f.Name)
			}
		}
		if len(m.Functions) == 0 {
			continue
		}
		mustRun(t, h, "load('"+name+"', '"+m.Functions[0].Name+"')")
	}
}

// Every example runs with the default limits and puts something out.
func TestExamplesRun(t *testing.T) {
	h := newHost(t, lang.WithModules("./", os.DirFS("../examples")))
	files, err := filepath.Glob("../examples/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, f := range files {
		if ext := filepath.Ext(f); ext != ".star" && ext != ".md" && ext != ".dice" || strings.HasSuffix(f, "_test.star") {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.Compile(context.Background(), filepath.Base(f), src)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if r, err := p.Run(context.Background()); err != nil || len(r.Outputs) == 0 {
			t.Errorf("%s: %d outputs, %v", f, len(r.Outputs), err)
		}
	}
}

// The module agrees with the published facts of the open-ended roll.
func TestRolemaster(t *testing.T) {
	r := mustRun(t, newHost(t), `
load("rolemaster.star", "open_ended", "high_open_ended", "low_open_ended", "beats")
for cap in [0, 1, 2, 8, None]:
    output("mean %s" % cap, open_ended(cap).mean())
    output("at least 150, %s" % cap, open_ended(cap).p_ge(150))
    output("zero or below, %s" % cap, open_ended(cap).p_le(0))
    output("holes %s" % cap, open_ended(cap).p_in([5, 96]))
output("at least 300, 0", open_ended(0).p_ge(300))
output("at least 300, 1", open_ended(1).p_ge(300))
output("at least 300, 2", open_ended(2).p_ge(300))
output("high", high_open_ended(None).mean())
output("low", low_open_ended(None).mean())
output("variance", open_ended(None).variance())
output("least", open_ended(3).min())
output("most", open_ended(3).max())
output("beats", beats(100, bonus=50))
`)
	want := map[string]string{
		"at least 300, 0": "0", "at least 300, 1": "1/1000000", "at least 300, 2": "5937/50000000",
		"high": "1010/19", "low": "909/19", "variance": "2525909/1444", "least": "-399", "most": "500",
	}
	for _, limit := range []string{"0", "1", "2", "8", "None"} {
		want["mean "+limit] = "101/2"
		if limit != "None" {
			want["at least 150, "+limit] = "49/2000"
			want["zero or below, "+limit] = "49/1000"
			want["holes "+limit] = "0"
		}
	}
	for title, exact := range want {
		if got := rat(t, r, title); got != exact {
			t.Errorf("%s: got %s, want %s", title, got, exact)
		}
	}
}
