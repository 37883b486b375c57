package repl

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/peterh/liner"
	"golang.org/x/term"
)

// The terminal of a person: liner edits the lines, and its keys come through
// a filter.

// Open takes over the terminal that is standard input and output. Close has to
// be called whatever happens: until then the terminal does not show what is
// typed.
func Open(complete Completer, history []string) (Terminal, error) {
	if !liner.TerminalSupported() {
		return newPlain(os.Stdin, os.Stdout), nil
	}
	t := &editor{}
	if runtime.GOOS == "windows" {
		t.state = liner.NewLiner() // which asks the console for keys, not for text
	} else {
		keys, err := filteredKeys()
		if err != nil {
			return nil, err
		}
		t.state = newLiner(keys)
	}
	t.state.SetCtrlCAborts(true)
	t.state.SetMultiLineMode(true)
	t.state.SetTabCompletionStyle(liner.TabPrints)
	t.state.SetBeep(false)
	t.state.SetWordCompleter(liner.WordCompleter(complete))
	for _, line := range history {
		t.state.AppendHistory(line)
	}
	return t, nil
}

// newLiner makes a liner that reads keys and not standard input. Liner takes
// whatever os.Stdin is while it is made.
func newLiner(keys *os.File) *liner.State {
	stdin := os.Stdin
	os.Stdin = keys
	defer func() { os.Stdin = stdin }()
	return liner.NewLiner()
}

// filteredKeys returns what is typed, filtered.
func filteredKeys() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func(terminal *os.File) {
		defer w.Close()
		var f keyFilter
		buf := make([]byte, 4096)
		for {
			n, err := terminal.Read(buf)
			if n > 0 {
				if _, err := w.Write(f.feed(buf[:n])); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}(os.Stdin)
	return r, nil
}

// editor is a Terminal with liner.
type editor struct {
	state  *liner.State
	closed sync.Once
}

// ReadLine reads a line. See [Terminal].
func (t *editor) ReadLine(prompt string) (Line, error) {
	if runtime.GOOS != "windows" {
		os.Stdout.WriteString(markPastes)
		defer os.Stdout.WriteString(unmarkPastes)
	}
	text, err := t.state.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		err = ErrInterrupted
	}
	if errors.Is(err, io.EOF) {
		os.Stdout.WriteString("\n")
	}
	plain := strings.ReplaceAll(text, string(pasteMark), "")
	return Line{Text: plain, More: plain != text}, err
}

// Remember adds a line to the history.
func (t *editor) Remember(line string) { t.state.AppendHistory(line) }

// Size asks the window.
func (t *editor) Size() (columns, rows int) { return windowSize() }

// Close restores the terminal.
func (t *editor) Close() (err error) {
	t.closed.Do(func() {
		os.Stdout.WriteString(unmarkPastes)
		err = t.state.Close()
	})
	return err
}

// windowSize is the size of the window, or a usual one.
func windowSize() (columns, rows int) {
	columns, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}
