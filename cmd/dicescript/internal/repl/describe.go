package repl

import (
	"fmt"
	"strings"

	"dicescript/cmd/dicescript/internal/reference"
)

// NAME? explains a name: a function that was defined here by its doc string,
// anything else by the reference.

// question reads NAME? and ?NAME.
func question(text string) (name string, ok bool) {
	name, after := strings.CutSuffix(text, "?")
	name, before := strings.CutPrefix(name, "?")
	name = strings.TrimSpace(name)
	for _, r := range name {
		if r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "", false
		}
	}
	return name, (after || before) && name != ""
}

func (l *Loop) describe(name string) {
	kind := l.session.TypeOf(name)
	if kind == "function" {
		for _, d := range l.session.Doc(name) {
			fmt.Fprint(l.o.Out, reference.Function{Signature: d.Signature, Doc: d.Text}.Text())
		}
		return
	}
	if of, method, ok := strings.Cut(name, "."); ok {
		if t := l.session.TypeOf(of); t != "" {
			name = t + "." + method
		}
	}
	err := reference.Entry(l.o.Out, name)
	switch {
	case err == nil:
	case kind != "":
		fmt.Fprintf(l.o.Out, "%s is a %s; Tab after %s. lists what it can be asked\n", name, kind, name)
	default:
		l.explain(err)
	}
}
