package main

import (
	"fmt"
	"io"
	"strings"
)

// This file is help --man: the manual as a page for man, made from the same texts
// and flags as help. It is written in the macros of man(7), which groff and mandoc
// both read.

// manPage prints it.
func (t *tool) manPage() int {
	if _, err := io.WriteString(t.stdout, manual1()); err != nil {
		return exitFailed
	}
	return exitOK
}

// manual1 is the page, which stands in section 1, that of commands.
func manual1() string {
	p := &page{}
	fmt.Fprintf(p, ".TH DICESCRIPT 1 %s \"dicescript %s\" \"Commands\"\n", releaseDay, release)
	p.section("NAME")
	p.text("dicescript - run dice recipes and print exact chances")
	p.section("SYNOPSIS")
	p.WriteString(".nf\n")
	for _, c := range subcommands() {
		p.line(usage(c))
	}
	p.line("dicescript FILE")
	p.line("dicescript")
	p.WriteString(".fi\n")
	p.section("DESCRIPTION")
	p.text("A recipe is a short program that describes a rule of a tabletop game; running it gives\n" +
		"the exact chances, never a simulation. With a file alone, dicescript runs it; with\n" +
		"nothing, it is the interactive session on a terminal, and runs standard input otherwise.")
	p.section("COMMANDS")
	for _, c := range subcommands() {
		p.command(c)
	}
	p.section("EXIT STATUS")
	p.item("0", "all is well")
	p.item("1", "a recipe failed, or something was found to be wrong with one")
	p.item("2", "the command was used wrongly, or an input of the recipe is wrong")
	p.section("ENVIRONMENT")
	p.item("NO_COLOR", "when it is set, nothing is coloured")
	p.item("XDG_STATE_HOME", "the folder below which the session keeps what was typed, ~/.local/state otherwise")
	return p.String()
}

// A page is a text in the macros of man(7).
type page struct{ strings.Builder }

// escaped is a text that roff does not take for commands of its own.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

func (p *page) section(title string) { fmt.Fprintf(p, ".SH %s\n", title) }

// line is a line that stays as it is.
func (p *page) line(text string) { p.WriteString(escaped(text) + "\n") }

// item is a word and what it means.
func (p *page) item(word, about string) {
	fmt.Fprintf(p, ".TP\n.B %s\n", escaped(word))
	p.fill(about)
}

// command is the help of a subcommand.
func (p *page) command(c subcommand) {
	fmt.Fprintf(p, ".SS %s\n", escaped(strings.TrimSpace(c.name+" "+c.usage)))
	p.text(manual()[c.name])
	for _, f := range flagsOf(c) {
		p.item(f.form, f.about)
	}
	if c.name == "run" {
		p.WriteString(".PP\n")
		p.text(limitsHelp())
	}
}

// text is paragraphs, whose lines are filled, and between them indented lines,
// which stay as they are.
func (p *page) text(text string) {
	for i, block := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			p.WriteString(".PP\n")
		}
		if !strings.HasPrefix(block, "  ") {
			p.fill(block)
			continue
		}
		p.WriteString(".RS 2\n.nf\n")
		for l := range strings.SplitSeq(block, "\n") {
			p.line(strings.TrimPrefix(l, "  "))
		}
		p.WriteString(".fi\n.RE\n")
	}
}

// fill writes a paragraph in lines that a person can read too.
func (p *page) fill(text string) {
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len(line)+len(w) > 60 {
			p.line(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	p.line(line)
}
