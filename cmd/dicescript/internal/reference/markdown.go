package reference

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// The whole reference as one markdown page.

const pageHead = `# Reference

Every function and method that recipes have. This page is made from the table of
builtins: ` + "`dicescript doc --format markdown`" + ` prints it, and
` + "`dicescript doc NAME`" + ` shows one entry of it.

A *spec* says which results are meant: a whole number, a list of them, or a range
such as ` + "`5..6`" + `. Wherever a roll is wanted, a pool stands for its total and a whole
number for itself. Arguments work by position and by name.

`

// Markdown writes the page.
func Markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(pageHead)
	for _, g := range groups() {
		title := groupTitle(g.name)
		fmt.Fprintf(b, "- [%s](#%s)\n", title, anchor(title))
	}
	b.WriteString("- [Modules](#modules)\n- [Starlark's own functions](#starlarks-own-functions)\n")
	for _, g := range groups() {
		fmt.Fprintf(b, "\n## %s\n", groupTitle(g.name))
		for _, t := range g.topics {
			markdownTopic(b, t)
		}
	}
	b.WriteString("\n## Modules\n\nFor `load(\"NAME.star\", ...)`; `dicescript doc NAME.star` shows the functions of one.\n\n| module | models |\n|---|---|\n")
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", name, cell(summary(m.doc)))
	}
	b.WriteString("\n## Starlark's own functions\n\n| function | meaning |\n|---|---|\n")
	for _, name := range starlarkNames() {
		e, _ := starlarkEntry(name)
		fmt.Fprintf(b, "| `%s` | %s |\n", e.Signature, cell(e.Doc))
	}
	return b.Flush()
}

func markdownTopic(b *bufio.Writer, t topic) {
	fmt.Fprintf(b, "\n### %s\n\n", t.title())
	if t.free {
		fmt.Fprintf(b, "`%s`", t.Signature)
		if len(t.on) > 0 {
			b.WriteString(", ")
		}
	}
	if len(t.on) > 0 {
		fmt.Fprintf(b, "`%s` of %s", t.method, t.of())
	}
	b.WriteString("\n\n" + t.Doc + "\n")
	if params := described(t); len(params) > 0 {
		b.WriteByte('\n')
		for _, p := range params {
			fmt.Fprintf(b, "- `%s`: %s\n", p[0], p[1])
		}
	}
	if t.Errors != "" {
		b.WriteString("\nErrors: " + t.Errors + "\n")
	}
	if t.Example != "" {
		b.WriteString("\n```python\n" + strings.TrimRight(t.Example, "\n") + "\n")
		if t.Result != "" && t.Result != "None" {
			b.WriteString("# " + strings.ReplaceAll(t.Result, "\n", "\n# ") + "\n")
		}
		b.WriteString("```\n")
	}
}

// anchor is the name that a heading gets on the page.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '\'' || r == ',':
			return -1
		}
		return r
	}, strings.ToLower(title))
}

// cell is a text in a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
