package reference

import (
	"strings"

	"dicescript/examples/atlas"
)

// The pages of the atlas are found by their games, their mechanics and the words by which
// people look for them.

// inAtlas are the pages that a word, or several words together, stand for.
func inAtlas(word string) []hit {
	pages, err := atlas.Pages()
	if err != nil {
		return nil // the pages are part of the program, and their test reads them all
	}
	wanted := plainWords(word)
	if wanted == "" {
		return nil
	}
	var hits []hit
	for _, p := range pages {
		for _, name := range append([]string{p.Game, p.Mechanic, p.Title}, p.Words...) {
			if strings.Contains(" "+plainWords(name)+" ", " "+wanted+" ") {
				hits = append(hits, hit{"examples/atlas/" + p.Name, p.Game + ": " + p.Title})
				break
			}
		}
	}
	return hits
}

// plainWords are the words of a text in small letters, with a space between them.
func plainWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r == ' ' || r == ',' || r == ':' || r == '?' || r == '-' || r == '\''
	}), " ")
}
