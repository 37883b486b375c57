package reference

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"dicescript/builtins/suggest"
)

// Text for a terminal: the index, and one entry.

// A Layout is how text for a terminal is laid out.
type Layout struct {
	Columns int // of the window; 0 or above 78 is 78
}

// titles of the groups of the table, for people.
var titles = map[string]string{
	"build":   "Making dice and rolls",
	"change":  "Changing dice and rolls",
	"pool":    "Several dice",
	"ask":     "Asking",
	"numbers": "Chances and numbers",
	"label":   "Results with names",
	"time":    "Things that go on",
	"show":    "Showing, and inputs",
}

func groupTitle(name string) string {
	if t, ok := titles[name]; ok {
		return t
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// Index writes a line for each entry, by groups, and the modules.
func (l Layout) Index(w io.Writer) error {
	p := l.page(w)
	for _, g := range groups() {
		p.para("", groupTitle(g.name))
		p.gap()
		for _, t := range g.topics {
			p.row(t.title(), summary(t.Doc), nameWidth)
		}
		p.gap()
	}
	p.para("", "Modules, for load(\"NAME.star\", ...)")
	p.gap()
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		p.row(name, summary(m.doc), nameWidth)
	}
	p.gap()
	p.para("", "Starlark's own functions")
	p.gap()
	p.para("  ", strings.Join(starlarkNames(), " "))
	p.gap()
	p.para("", "dicescript doc NAME explains one, dicescript doc MODULE.star a module, "+
		"dicescript doc notation the notation of dice, and dicescript doc WORD finds what mentions a word.")
	return p.flush()
}

// Entry writes what a name means. The error of an unknown name suggests one
// that is near.
func (l Layout) Entry(w io.Writer, name string) error {
	found := named(name)
	switch {
	case len(found) > 0:
	case isNotation(name):
		return l.Notation(w)
	default:
		return l.foreign(w, name)
	}
	p := l.page(w)
	for i, t := range found {
		if i > 0 {
			p.gap()
		}
		p.topic(t)
	}
	if hits := mentions(name); len(hits) > 0 {
		p.gap()
		p.hits("See also", hits[:min(len(hits), mostRelated)])
	}
	return p.flush()
}

// mostRelated is how many entries are named below another.
const mostRelated = 8

// foreign explains what is not in the table.
func (l Layout) foreign(w io.Writer, name string) error {
	if e, ok := starlarkEntry(name); ok {
		p := l.page(w)
		p.function(Function{Signature: e.Signature, Doc: e.Doc})
		return p.flush()
	}
	if module, function, ok := strings.Cut(strings.TrimSuffix(name, ".star"), "."); ok && slices.Contains(Modules(), module+".star") {
		return l.ofModule(w, module+".star", function)
	}
	if slices.Contains(Modules(), name+".star") {
		name += ".star"
	}
	if strings.HasSuffix(name, ".star") {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		return l.Module(w, m)
	}
	if found, err := l.searched(w, name); found {
		return err
	}
	message := fmt.Sprintf("there is nothing called %s", name)
	if n := suggest.Among(name, names()); n != "" {
		return fmt.Errorf("%s; did you mean %s?", message, n)
	}
	return fmt.Errorf("%s; dicescript doc lists everything", message)
}

// ofModule explains one function of a bundled module: fate.contest.
func (l Layout) ofModule(w io.Writer, module, function string) error {
	m, err := Bundled(module)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range m.functions {
		if f.Name == function {
			return l.Function(w, f)
		}
		names = append(names, f.Name)
	}
	if n := suggest.Among(function, names); n != "" {
		return fmt.Errorf("%s has no %s; did you mean %s?", module, function, n)
	}
	return fmt.Errorf("%s has no %s; it has %s", module, function, strings.Join(names, ", "))
}

// names are all that can be asked about.
func names() []string {
	var all []string
	for _, t := range topics() {
		all = append(all, t.Name)
		for _, r := range t.on {
			all = append(all, r+"."+t.Name)
		}
	}
	return append(append(all, starlarkNames()...), Modules()...)
}

func (p *page) topic(t topic) {
	if t.free {
		p.para("", t.Signature)
	}
	if len(t.on) > 0 {
		p.para("", t.method+"   of "+t.of())
	}
	p.gap()
	p.para("  ", t.Doc)
	if params := described(t); len(params) > 0 {
		p.gap()
		for _, d := range params {
			p.row(d[0], d[1], parameterWidth)
		}
	}
	if t.Errors != "" {
		p.gap()
		p.para("  ", "Errors: "+t.Errors)
	}
	if t.Example != "" {
		p.gap()
		p.laidOut("    ", strings.TrimRight(t.Example, "\n"))
		if t.Result != "" && t.Result != "None" {
			p.laidOut("    # ", t.Result)
		}
	}
}

// described are the parameters that have a description.
func described(t topic) [][2]string {
	var out [][2]string
	for _, p := range t.Params {
		if p.Doc != "" {
			out = append(out, [2]string{p.Name, p.Doc})
		}
	}
	return out
}
