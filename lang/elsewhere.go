// Names that a recipe uses as if they were its own, and that stand in a module: the
// error says in which.

package lang

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"dicescript/lang/rewrite"

	"go.starlark.net/starlark"
)

// elsewhere says how a recipe comes by a name that it does not have: from a bundled
// module, or from math.
func (h *Host) elsewhere(name string) (hint rewrite.Hint) {
	modules := h.bundled.having(name)
	for _, m := range modules {
		hint.Loads = append(hint.Loads, loadText(m, name))
	}
	if n := len(modules); n > 0 {
		in := modules[0]
		if n > 1 {
			in = strings.Join(modules[:n-1], ", ") + " and " + modules[n-1]
		}
		hint.Text = fmt.Sprintf("there is one in %s: write %s first", in, hint.Loads[0])
		return hint
	}
	if math, ok := h.globals["math"].(starlark.HasAttrs); ok && slices.Contains(math.AttrNames(), name) {
		hint.Write = "math." + name
		hint.Text = "write " + hint.Write
	}
	return hint
}

// loadText is the statement that loads names from a module.
func loadText(module string, names ...string) string {
	text := fmt.Sprintf("load(%q", module)
	for _, n := range names {
		text += fmt.Sprintf(", %q", n)
	}
	return text + ")"
}

// imported is how another language loads names from a module.
var imported = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(from\s+(\w+)\s+import\s+(\w+(?:\s*,\s*\w+)*))\s*(?:#.*)?$`)
})

// offerLoads has the errors at such lines offer to load the names instead, where the
// module is a bundled one.
func (h *Host) offerLoads(errs []*Error) {
	for _, e := range errs {
		if len(e.Source) > longestLine || len(e.Fixes) > 0 {
			continue
		}
		m := imported().FindStringSubmatchIndex(e.Source)
		if m == nil || utf8.RuneCountInString(e.Source[:m[2]]) != e.Position.Column-1 {
			continue
		}
		module, names := e.Source[m[4]:m[5]]+".star", strings.Split(strings.ReplaceAll(e.Source[m[6]:m[7]], " ", ""), ",")
		if !slices.Contains(h.bundled.names(), module) {
			continue
		}
		e.Fixes = []Fix{{
			Line: e.Position.Line, Column: e.Position.Column,
			EndColumn: e.Position.Column + utf8.RuneCountInString(e.Source[m[2]:m[3]]), Text: loadText(module, names...),
		}}
	}
}

// having are the bundled modules that define a name for others.
func (l *library) having(name string) []string {
	l.index.Do(func() { l.definers = definersIn(l.root.files, l.names()) })
	return l.definers[name]
}

// definersIn are the modules that define each name at their top level, for others.
func definersIn(files fs.FS, modules []string) map[string][]string {
	found := map[string][]string{}
	for _, m := range modules {
		src, err := fs.ReadFile(files, m)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(src)) {
			name := definedBy(line)
			if name == "" || strings.HasPrefix(name, "_") || slices.Contains(found[name], m) {
				continue
			}
			found[name] = append(found[name], m)
		}
	}
	return found
}

// definedBy is the name that a line defines at the top level of a module: it begins
// with def name( or name =. It is "" for any other.
func definedBy(line string) string {
	rest, isDef := strings.CutPrefix(line, "def ")
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end <= 0 {
		return ""
	}
	name, after := rest[:end], rest[end:]
	if isDef && strings.HasPrefix(after, "(") || !isDef && strings.HasPrefix(after, " = ") {
		return name
	}
	return ""
}
