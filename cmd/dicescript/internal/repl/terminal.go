package repl

import "errors"

// A Terminal is where a person types and reads.
type Terminal interface {
	// ReadLine shows a prompt and the beginning of a line, and returns the line
	// that was typed, without its end. It returns io.EOF when the person leaves
	// and ErrInterrupted when the person drops the line.
	ReadLine(prompt, begun string) (Line, error)
	// Remember adds an entry to those that the arrow keys bring back.
	Remember(entry string)
	// Size is how many columns and rows the window has.
	Size() (columns, rows int)
	// Close brings the terminal back to how it was.
	Close() error
}

// A Line is a line that was typed or pasted.
type Line struct {
	Text string
	More bool // further lines were there already when it ended: it was pasted
}

// ErrInterrupted is what ReadLine returns after Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// A Completer returns the words that may stand before the cursor instead of
// what does: head and tail are what stays before and after them.
type Completer func(line string, pos int) (head string, words []string, tail string)
