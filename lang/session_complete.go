// Completion of names for a host of its own that has a line to type in; editors and the
// prompt of the command ask package lang/assist, which knows more.

package lang

import (
	"slices"
	"strings"

	"dicescript/lang/eval"

	"go.starlark.net/starlark"
)

// Complete returns the names that a line may go on with, sorted, and the byte at
// which the word that they replace begins: each name is the whole of line[start:]
// and what follows. While another goroutine uses the session there are none.
func (s *Session) Complete(line string) (words []string, start int) {
	start = len(line) - len(lastWord(line))
	if s.enter() != nil {
		return nil, start
	}
	defer s.leave()
	head, word := line[:start], line[start:]
	names := s.names()
	if of, ok := strings.CutSuffix(head, "."); ok {
		names = s.attributes(lastWord(of))
	}
	for _, name := range names {
		if strings.HasPrefix(name, word) {
			words = append(words, name)
		}
	}
	return words, start
}

// lastWord is the name that a text ends in.
func lastWord(text string) string {
	i := len(text)
	for i > 0 && isIdentifier("_"+text[i-1:i]) {
		i--
	}
	return text[i:]
}

// names are all names that mean something, sorted.
func (s *Session) names() []string {
	seen := map[string]bool{}
	for name := range s.globals {
		seen[name] = !eval.Internal(name)
	}
	for name := range starlark.Universe {
		seen[name] = true
	}
	var names []string
	for name, shown := range seen {
		if shown {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *Session) attributes(name string) []string {
	v, ok := s.globals[name].(starlark.HasAttrs)
	if !ok {
		return nil
	}
	return v.AttrNames()
}
