package reference

import (
	"fmt"
	"io"
	"strings"

	"dicescript/lang"
)

// The inputs of a recipe: what each is for, and what it may be.

// Inputs lists inputs with their defaults, ranges, choices and help; nothing
// when there are none.
func (l Layout) Inputs(w io.Writer, params []lang.Param) error {
	if len(params) == 0 {
		return nil
	}
	p := l.page(w)
	p.gap()
	p.para("", "Inputs, for --set NAME=VALUE")
	p.gap()
	for _, param := range params {
		p.row(param.Name, inputText(param), nameWidth)
	}
	return p.flush()
}

// inputText is what an input may be, and its help.
func inputText(p lang.Param) string {
	kind := map[string]string{"int": "a whole number", "float": "a number", "string": "a text", "bool": "true or false"}[string(p.Type)]
	switch {
	case p.Min != nil && p.Max != nil:
		kind += fmt.Sprintf(" from %v to %v", p.Min, p.Max)
	case p.Min != nil:
		kind += fmt.Sprintf(", at least %v", p.Min)
	case p.Max != nil:
		kind += fmt.Sprintf(", at most %v", p.Max)
	}
	if len(p.Choices) > 0 {
		var words []string
		for _, c := range p.Choices {
			words = append(words, fmt.Sprint(c))
		}
		kind = "one of " + strings.Join(words, ", ")
	}
	text := fmt.Sprintf("%s; %v if not set", kind, p.Default)
	if p.Help != "" {
		text = strings.TrimSuffix(p.Help, ".") + ": " + text
	}
	return text
}
