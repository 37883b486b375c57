// What in a recipe is likely not meant as it is read, in words.

package lang

import (
	"fmt"
	"slices"

	"dicescript/lang/internal/readings"
	dicesyntax "dicescript/lang/syntax"
)

// A Note says how something in a recipe was read that may be meant otherwise.
type Note struct {
	Position Position
	Message  string
}

// Notes returns what in the recipe is likely not meant as it is read, in the
// order of the text. A result has them as text.
func (p *Program) Notes() []Note { return slices.Clone(p.main.notes) }

// texts are notes as a result of the recipe has them.
func texts(notes []Note) []string {
	var out []string
	for _, n := range notes {
		out = append(out, fmt.Sprintf("line %d: %s", n.Position.Line, n.Message))
	}
	return out
}

// readingNotes are the notes on what has a second reading in a recipe.
func (u *unit) readingNotes(tree *dicesyntax.Tree) []Note {
	if !readings.Likely(u.lines.Text) {
		return nil
	}
	var notes []Note
	for _, n := range readings.Program(tree) {
		notes = append(notes, Note{Position{u.file, n.Line, n.Column}, n.Message})
	}
	return notes
}

// inputNotes are all notes on an input of a session.
func (s *Session) inputNotes(tree *dicesyntax.Tree) []string {
	var out []string
	for _, n := range readings.Input(tree, s.renamed()) {
		out = append(out, n.Message)
	}
	return out
}
