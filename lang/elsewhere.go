// Names that a recipe uses as if they were its own, and that stand in a module: the
// error says in which.

package lang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"dicescript/lang/eval"

	"go.starlark.net/starlark"
)

// elsewhere says how a recipe comes by a name that it does not have: from a bundled
// module, or from math.
func (h *Host) elsewhere(name string) (hint eval.Hint) {
	in := h.modules.Having(name)
	for _, m := range in {
		hint.Loads = append(hint.Loads, loadText(m, name))
	}
	if n := len(in); n > 0 {
		all := in[0]
		if n > 1 {
			all = strings.Join(in[:n-1], ", ") + " and " + in[n-1]
		}
		hint.Text = fmt.Sprintf("there is one in %s: write %s first", all, hint.Loads[0])
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
		if !slices.Contains(h.modules.Bundled(), module) {
			continue
		}
		e.Fixes = []Fix{{
			Line: e.Position.Line, Column: e.Position.Column,
			EndColumn: e.Position.Column + utf8.RuneCountInString(e.Source[m[2]:m[3]]), Text: loadText(module, names...),
		}}
	}
}
