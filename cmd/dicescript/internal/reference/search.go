package reference

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A search finds what mentions a word, in names and in texts.

// A hit is something that mentions the word, with what it is about.
type hit struct{ name, about string }

// mostHits is how many hits are listed.
const mostHits = 20

// searchable is a word that a text may hold.
var searchable = regexp.MustCompile(`^\pL[\pL0-9-]+$`)

// mentions are the entries, modules and pages in which a word begins with this
// one, leaving out the topics that are called so.
func mentions(word string) []hit {
	if !searchable.MatchString(word) {
		return nil
	}
	begins := regexp.MustCompile(`(?i)(^|[^a-z])` + word)
	var hits []hit
	for _, t := range topics() {
		texts := []string{strings.ReplaceAll(t.Name, "_", " "), t.Doc, t.Errors, t.Example}
		for _, p := range t.Params {
			texts = append(texts, p.Doc)
		}
		if t.Name != word && begins.MatchString(strings.Join(texts, "\n")) {
			hits = append(hits, hit{t.title(), summary(t.Doc)})
		}
	}
	if begins.MatchString(notationPage) {
		hits = append(hits, hit{"notation", "Dice literals, ranges and roll(\"...\")"})
	}
	for _, name := range Modules() {
		m, err := Bundled(name)
		if err != nil {
			continue
		}
		if begins.MatchString(name + "\n" + m.doc) {
			hits = append(hits, hit{name, summary(m.doc)})
		}
		for _, f := range m.functions {
			if begins.MatchString(strings.ReplaceAll(f.Name, "_", " ") + "\n" + f.Doc) {
				hits = append(hits, hit{strings.TrimSuffix(name, ".star") + "." + f.Name, summary(f.Doc)})
			}
		}
	}
	return hits
}

// hits lists hits under a heading.
func (p *page) hits(heading string, hits []hit) {
	p.para("", heading)
	p.gap()
	for i, h := range hits {
		if i == mostHits {
			p.para("  ", fmt.Sprintf("... and %d more", len(hits)-i))
			break
		}
		p.row(h.name, h.about, nameWidth)
	}
}

// searched lists what mentions words that are no name, and the pages of the atlas that
// have them; false when nothing does.
func (l Layout) searched(w io.Writer, word string) (bool, error) {
	hits, pages := mentions(word), inAtlas(word)
	if len(hits)+len(pages) == 0 {
		return false, nil
	}
	p := l.page(w)
	if len(hits) > 0 {
		p.hits("Nothing is called "+word+"; it is mentioned by", hits)
	}
	if len(hits) > 0 && len(pages) > 0 {
		p.gap()
	}
	if len(pages) > 0 {
		p.hits("In the atlas, recipes to run and change", pages)
	}
	return true, p.flush()
}
