package reference

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"dicescript/builtins/suggest"
)

// Text for a terminal: the index, and one entry.

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
func Index(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, g := range groups() {
		fmt.Fprintf(b, "%s\n\n", groupTitle(g.name))
		for _, t := range g.topics {
			line(b, t.title(), summary(t.Doc))
		}
		b.WriteByte('\n')
	}
	b.WriteString("Modules, for load(\"NAME.star\", ...)\n\n")
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		line(b, name, summary(m.doc))
	}
	b.WriteString("\nStarlark's own functions\n\n")
	b.WriteString(wrapped(strings.Join(starlarkNames(), " "), "  "))
	b.WriteString("\ndicescript doc NAME explains one, dicescript doc MODULE.star a module,\ndicescript doc notation the notation of dice, and dicescript doc WORD finds what mentions a word.\n")
	return b.Flush()
}

// nameWidth is the column at which the purposes begin.
const nameWidth = 24

func line(b *bufio.Writer, name, about string) { b.WriteString(hanging(name, about, nameWidth)) }

// Entry writes what a name means. The error of an unknown name suggests one
// that is near.
func Entry(w io.Writer, name string) error {
	found := named(name)
	switch {
	case len(found) > 0:
	case isNotation(name):
		return Notation(w)
	default:
		return foreign(w, name)
	}
	b := bufio.NewWriter(w)
	for i, t := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeTopic(b, t)
	}
	if hits := mentions(name); len(hits) > 0 {
		writeHits(b, "\nSee also", hits[:min(len(hits), mostRelated)])
	}
	return b.Flush()
}

// mostRelated is how many entries are named below another.
const mostRelated = 8

// foreign explains what is not in the table.
func foreign(w io.Writer, name string) error {
	if e, ok := starlarkEntry(name); ok {
		_, err := fmt.Fprintf(w, "%s\n\n  %s\n", e.Signature, e.Doc)
		return err
	}
	if module, function, ok := strings.Cut(strings.TrimSuffix(name, ".star"), "."); ok && slices.Contains(Modules(), module+".star") {
		return ofModule(w, module+".star", function)
	}
	if slices.Contains(Modules(), name+".star") {
		name += ".star"
	}
	if strings.HasSuffix(name, ".star") {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		return m.Text(w)
	}
	if found, err := searched(w, name); found {
		return err
	}
	message := fmt.Sprintf("there is nothing called %s", name)
	if n := suggest.Among(name, names()); n != "" {
		return fmt.Errorf("%s; did you mean %s?", message, n)
	}
	return fmt.Errorf("%s; dicescript doc lists everything", message)
}

// ofModule explains one function of a bundled module: fate.contest.
func ofModule(w io.Writer, module, function string) error {
	m, err := Bundled(module)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range m.functions {
		if f.Name == function {
			_, err := io.WriteString(w, f.Text())
			return err
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

func writeTopic(b *bufio.Writer, t topic) {
	if t.free {
		b.WriteString(t.Signature + "\n")
	}
	if len(t.on) > 0 {
		fmt.Fprintf(b, "%s   of %s\n", t.method, t.of())
	}
	b.WriteString("\n" + wrapped(t.Doc, "  "))
	if params := described(t); len(params) > 0 {
		b.WriteByte('\n')
		for _, p := range params {
			b.WriteString(hanging(p[0], p[1], 16))
		}
	}
	if t.Errors != "" {
		b.WriteString("\n" + wrapped("Errors: "+t.Errors, "  "))
	}
	if t.Example != "" {
		b.WriteByte('\n')
		for _, l := range strings.Split(strings.TrimRight(t.Example, "\n"), "\n") {
			b.WriteString("    " + l + "\n")
		}
		if t.Result != "" && t.Result != "None" {
			b.WriteString("    # " + strings.ReplaceAll(t.Result, "\n", "\n    # ") + "\n")
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

const textWidth = 78

// wrapped breaks a text into lines that begin with indent.
func wrapped(text, indent string) string {
	var b strings.Builder
	col := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case col == 0:
			b.WriteString(indent)
			col = len(indent)
		case col+1+n > textWidth:
			b.WriteString("\n" + indent)
			col = len(indent)
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += n
	}
	return b.String() + "\n"
}

// hanging is a name and, from a column on, its description.
func hanging(name, text string, column int) string {
	body := wrapped(text, strings.Repeat(" ", column))
	head := "  " + name
	if len(head) >= column {
		return head + "\n" + body
	}
	return head + body[len(head):]
}
