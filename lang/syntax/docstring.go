package syntax

import (
	"strings"

	"go.starlark.net/syntax"
)

// This file reads documentation: the text that a file or the body of a function
// begins with.

// DocString is the text that a body begins with, without its indentation, or "".
func DocString(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	s, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	text, ok := s.X.(*syntax.Literal)
	if !ok || text.Token != syntax.STRING {
		return ""
	}
	return Dedent(text.Value.(string))
}

// Dedent takes from all lines but the first the space that they have in common,
// and the space around the whole.
func Dedent(text string) string {
	lines := strings.Split(text, "\n")
	indent := -1
	for _, l := range lines[1:] {
		if trimmed := strings.TrimLeft(l, " \t"); trimmed != "" && (indent < 0 || len(l)-len(trimmed) < indent) {
			indent = len(l) - len(trimmed)
		}
	}
	for i, l := range lines {
		if i > 0 && len(l) >= indent {
			l = l[max(0, indent):]
		}
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
