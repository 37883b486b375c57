// The keys in a text of json, which are looked at before they become those of
// dicts: while a text is being read, nobody sees them collide.

package lang

import (
	"encoding/json"
	"iter"
	"strings"

	"go.starlark.net/starlark"
)

// jsonKeys yields the texts in s that a colon follows.
func jsonKeys(s string) iter.Seq[starlark.Value] {
	return func(yield func(starlark.Value) bool) {
		for {
			start := strings.IndexByte(s, '"')
			if start < 0 {
				return
			}
			text, rest, closed := jsonText(s[start:])
			if !closed {
				return
			}
			s = rest
			if strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":") && !yield(starlark.String(unquoted(text))) {
				return
			}
		}
	}
}

// jsonText divides s, which begins with a quote, behind the quote that closes it.
func jsonText(s string) (text, rest string, closed bool) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i+1], s[i+1:], true
		}
	}
	return "", "", false
}

// unquoted is what a quoted text says; one with a mistake, which no reader takes,
// is left as it is.
func unquoted(text string) string {
	if !strings.Contains(text, `\`) {
		return text[1 : len(text)-1]
	}
	var s string
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return text
	}
	return s
}
