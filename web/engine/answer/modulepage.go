package answer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"dicescript/lang"
)

// A module as a page: a document that says what the module and its functions
// are, with the examples of their doc strings as a recipe that runs.

var (
	exampleHead = regexp.MustCompile(`(?m)^\s*Examples?:\s*$`)
	section     = regexp.MustCompile(`(?m)^([A-Z][a-z]+):\s*$`)
	argument    = regexp.MustCompile(`(?m)^\s+(\w+): (.*)$`)
)

// modulePage writes the page.
func modulePage(m lang.ModuleDoc) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", m.Name, strings.TrimSpace(m.Text))
	var names []string
	for _, f := range m.Functions {
		names = append(names, fmt.Sprintf("%q", f.Name))
	}
	if len(names) == 0 {
		return b.String()
	}
	head := fmt.Sprintf("```\nload(%q, %s)\n```\n", m.Name, strings.Join(names, ", "))
	for _, f := range m.Functions {
		text, example := f.Text, f.Example
		if at := exampleHead.FindStringIndex(text); at != nil {
			text, example = text[:at[0]], text[at[1]:]
		}
		fmt.Fprintf(&b, "\n## `%s`\n\n%s\n", f.Signature, listed(text))
		if code := shown(example, strings.Contains(text, "Returns:")); code != "" {
			fmt.Fprintf(&b, "\n%s\n```\n%s\n```\n", head, code)
			head = ""
		}
	}
	return b.String()
}

// listed is a doc string as prose: its sections in bold, its arguments a list.
func listed(text string) string {
	text = section.ReplaceAllString(strings.TrimSpace(text), "**$1**\n")
	return argument.ReplaceAllString(text, "- `$1`: $2")
}

// shown is an example that puts its values out, titled with what they are. A
// function that returns nothing has no value.
func shown(example string, returns bool) string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(example), "\n") {
		line = strings.TrimSpace(line)
		code, _, _ := strings.Cut(line, "  #")
		code = strings.TrimSpace(code)
		switch {
		case code == "" || strings.HasPrefix(code, "#"):
		case returns && expression(code):
			title, _ := json.Marshal(code) // a JSON string is one of the language
			lines = append(lines, fmt.Sprintf("output(%s, %s)", title, code))
		default:
			lines = append(lines, code)
		}
	}
	return strings.Join(lines, "\n")
}

var statement = regexp.MustCompile(`^(\w+\s*=[^=]|def |load\(|for |if |output\()`)

func expression(code string) bool { return !statement.MatchString(code) }
