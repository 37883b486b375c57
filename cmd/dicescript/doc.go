package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"dicescript/cmd/dicescript/internal/reference"
)

// This file is doc: the reference, from the table of builtins and the doc
// strings of modules.

type docOptions struct {
	*patience
	format string
}

func docFlags() (*flag.FlagSet, *docOptions) {
	f, o := quietFlags(), &docOptions{}
	choice(f, &o.format, "format", []string{"text", "markdown", "llms", "llms-full"}, "`F` is text, or for the whole reference markdown; llms and llms-full are for language models")
	o.patience = patienceFlags(f, patientTime)
	return f, o
}

func (t *tool) doc(args []string) int {
	f, o := docFlags()
	p, format := o.patience, &o.format
	rest, err := parse(f, args)
	if err == nil {
		err = p.check()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("doc")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) > 1:
		return t.misused("want one name, got %s as well", strings.Join(rest[1:], " "))
	case *format != "text" && len(rest) > 0:
		return t.misused("--format %s is the whole reference: leave %s out", *format, rest[0])
	}
	return t.within(p, func(t *tool) int { return t.explainWords(rest, *format) })
}

// explainWords shows what the reference, or a file, says about a name.
func (t *tool) explainWords(rest []string, format string) int {
	var err error
	switch {
	case format == "markdown":
		err = reference.Markdown(t.stdout)
	case format == "llms":
		err = reference.LLMs(t.stdout)
	case format == "llms-full":
		err = reference.LLMsFull(t.stdout)
	case len(rest) == 0:
		err = t.pages().Index(t.stdout)
	case isRecipe(rest[0]):
		err = t.docFile(rest[0])
	default:
		err = t.pages().Entry(t.stdout, rest[0])
	}
	if err != nil {
		return t.misused("%s", err)
	}
	return exitOK
}

// isRecipe reports whether a name is that of a file, rather than of a bundled
// module.
func isRecipe(name string) bool {
	if !strings.HasSuffix(name, ".star") && !strings.HasSuffix(name, ".dice") && !strings.HasSuffix(name, ".md") {
		return false
	}
	_, err := os.Stat(name)
	return err == nil
}

// docFile shows what a file says about itself.
func (t *tool) docFile(file string) error {
	name, src, err := t.read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	m, err := reference.ReadModule(name, src)
	if err != nil {
		return err
	}
	if err := t.pages().Module(t.stdout, m); err != nil {
		return err
	}
	return t.docInputs(file, name, src)
}

// docInputs shows the inputs of a recipe. What does not compile is a module, or
// is told about by check.
func (t *tool) docInputs(file, name string, src []byte) error {
	host, done, err := t.host(&options{}, folderOf(file))
	if err != nil {
		return err
	}
	defer done()
	program, err := host.Compile(t.ctx, name, src)
	if err != nil {
		return nil
	}
	return t.pages().Inputs(t.stdout, program.Params())
}

// pages is how pages of the reference are laid out for the window.
func (t *tool) pages() reference.Layout {
	columns, _ := t.window()
	return reference.Layout{Columns: columns}
}
