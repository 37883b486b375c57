// Names that a recipe uses as if they were its own, and that stand in a module: the
// error says in which.

package lang

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/starlark"
)

// elsewhere says how a recipe comes by a name that it does not have: from a bundled
// module, or from math. It is "" where nobody has it.
func (h *Host) elsewhere(name string) string {
	modules := h.bundled.having(name)
	if n := len(modules); n > 0 {
		in := modules[0]
		if n > 1 {
			in = strings.Join(modules[:n-1], ", ") + " and " + modules[n-1]
		}
		return fmt.Sprintf("there is one in %s: write load(%q, %q) first", in, modules[0], name)
	}
	if math, ok := h.globals["math"].(starlark.HasAttrs); ok && slices.Contains(math.AttrNames(), name) {
		return "write math." + name
	}
	return ""
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
