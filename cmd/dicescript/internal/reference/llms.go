package reference

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"dicescript/examples"
)

// What language models read: llms.txt, which says in a page what there is and where, and
// llms-full.txt, which holds it.

const llmsHead = `# dicescript

> A scripting language for dice recipes. A recipe is a short Starlark program (a small
> Python) that describes a tabletop rule; running it gives exact chances as fractions,
> never a simulation.

- Dice: ` + "`3d6`, `d20`, `4d6kh3`, `2d20kl1`, `4dF`" + `; ` + "`roll(\"8d10!>=9\")`" + ` for what virtual tabletops write.
- A comparison of rolls is a chance: ` + "`1d20 + 5 >= 15`" + `. It is no condition of an ` + "`if`" + `.
- A value is a distribution, not a face: ` + "`r + r`" + ` are two independent rolls. A rule that needs the
  same faces twice looks at them in one function: ` + "`map(lambda a, b: a if a == b else 0, d6, d6)`" + `.
- ` + "`output(\"title\", value)`" + ` records a result, ` + "`param(\"bonus\", 5)`" + ` is an input.
- ` + "`dicescript eval '4d6kh3 >= 15'`, `dicescript run recipe.star`, `dicescript check recipe.star`, `dicescript doc NAME`" + `.
- ` + "`dicescript mcp`" + ` has the tools odds, run, throw, check and doc; ` + "`dicescript rpc`" + ` answers programs.
`

// LLMs writes llms.txt, whose links are paths of the repository.
func LLMs(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(llmsHead)
	b.WriteString(`
## Documentation (paths are those of the repository)

- [Everything in one file](docs/llms-full.txt): the notation, the reference, the modules and the cookbook
- [Reference](builtins/REFERENCE.md): every function and method of recipes, with examples
- [Calls from other languages](docs/rpc.md): JSON-RPC on standard input and output
- [Python](clients/python/README.md): exact fractions, recipes, notebooks

## Cookbook

`)
	err := eachPage(func(name, text string) error {
		fmt.Fprintf(b, "- [%s](examples/%s)\n", title(text), name)
		return nil
	})
	if err != nil {
		return err
	}
	b.WriteString("\n## Modules\n\n")
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "- [%s](stdlib/%s): %s\n", name, name, summary(m.doc))
	}
	return b.Flush()
}

// LLMsFull writes llms-full.txt.
func LLMsFull(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(llmsHead + "\n# Notation\n\n```text\n")
	if err := (Layout{}).Notation(b); err != nil {
		return err
	}
	b.WriteString("```\n\n")
	if err := Markdown(b); err != nil {
		return err
	}
	b.WriteString("\n# Functions of the modules\n")
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			return err
		}
		b.WriteString("\n```text\n")
		if err := (Layout{}).Module(b, m); err != nil {
			return err
		}
		b.WriteString("```\n")
	}
	err := eachPage(func(_, text string) error {
		_, err := b.WriteString("\n" + text)
		return err
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

// eachPage visits the pages of the cookbook.
func eachPage(visit func(name, text string) error) error {
	names, err := fs.Glob(examples.Cookbook, "cookbook/*.md")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(examples.Cookbook, name)
		if err != nil {
			return err
		}
		if err := visit(path.Clean(name), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// title is the first heading of a document.
func title(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimLeft(first, "# ")
}
