// Package atlas holds one page for each game or question of the atlas: a document that is
// read and run, with a few lines under its heading that say where it belongs.
package atlas

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.md
var files embed.FS

// A Page is one game or question of the atlas.
type Page struct {
	Name     string   // the file's name, such as "risk.md"
	Title    string   // the question, which is the heading
	Game     string   // where the question is asked, such as "Dungeons & Dragons 5e"
	Mechanic string   // the kind of dice or rule, such as "dice pools"
	Words    []string // what people call it, such as "glitch"
	Source   string   // where the rule stands
	Text     string   // the whole document
}

// apart are the documents of the folder that are no pages.
var apart = map[string]bool{"README.md": true, "errata.md": true}

// Pages returns all pages by name. Its error says which page lacks what.
func Pages() ([]Page, error) {
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		return nil, err
	}
	var all []Page
	for _, name := range names {
		if apart[name] {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := Read(name, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Read reads the heading of a page and the lines under it. Its error says what is missing.
func Read(name, text string) (Page, error) {
	heading, rest, _ := strings.Cut(text, "\n")
	title, ok := strings.CutPrefix(heading, "# ")
	if !ok {
		return Page{}, fmt.Errorf("%s: the first line is %q, want # and the question", name, heading)
	}
	p := Page{Name: name, Title: title, Text: text}
	var words string
	for _, f := range []struct {
		label string
		to    *string
	}{{"Game", &p.Game}, {"Mechanic", &p.Mechanic}, {"Words", &words}, {"Source", &p.Source}} {
		rest = strings.TrimLeft(rest, "\n")
		line, after, _ := strings.Cut(rest, "\n")
		value, ok := strings.CutPrefix(line, "- "+f.label+": ")
		if !ok || value == "" {
			return Page{}, fmt.Errorf("%s: after the heading there is %q, want a line - %s: ...", name, line, f.label)
		}
		*f.to, rest = value, after
	}
	p.Words = strings.Split(words, ", ")
	return p, nil
}
