package repl

import (
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"dicescript/lang/report"

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
	t := &editor{complete: complete}
	if runtime.GOOS == "windows" {
		t.state = liner.NewLiner() // which asks the console for keys, not for text
	} else {
		t.queue = newKeyQueue()
		keys, err := filteredKeys(t.queue)
		if err != nil {
			return nil, err
		}
		t.state = newLiner(keys)
	}
	t.state.SetCtrlCAborts(true)
	t.state.SetMultiLineMode(true)
	t.state.SetBeep(false)
	t.state.SetWordCompleter(t.tab)
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

// filteredKeys returns what is typed, filtered, as far as the queue lets it through.
func filteredKeys(q *keyQueue) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func(terminal *os.File) {
		defer q.end()
		var f keyFilter
		buf := make([]byte, 4096)
		for {
			n, err := terminal.Read(buf)
			q.add(f.feed(buf[:n]), f.pasting)
			if err != nil {
				return
			}
		}
	}(os.Stdin)
	go func() {
		defer w.Close()
		for {
			keys, ok := q.next()
			if !ok {
				return
			}
			if _, err := w.Write(keys); err != nil {
				return
			}
		}
	}()
	return r, nil
}

// editor is a Terminal with liner.
type editor struct {
	state    *liner.State
	queue    *keyQueue // nil where the console is asked for keys
	complete Completer
	closed   sync.Once
}

// ReadLine reads a line. See [Terminal].
func (t *editor) ReadLine(prompt, begun string) (Line, error) {
	if t.queue != nil {
		os.Stdout.WriteString(markPastes)
		defer os.Stdout.WriteString(unmarkPastes)
		if t.queue.begin() {
			begun = "" // what was pasted has spaces of its own
		}
	}
	text, err := t.state.PromptWithSuggestion(prompt, begun, -1)
	if errors.Is(err, liner.ErrPromptAborted) {
		err = ErrInterrupted
	}
	if errors.Is(err, io.EOF) {
		os.Stdout.WriteString("\n")
	}
	return Line{Text: text, More: t.queue != nil && t.queue.followed()}, err
}

// tab is what Tab does: it completes as far as there is only one way, and where
// there is nothing to complete it lists the ways.
func (t *editor) tab(line string, pos int) (head string, words []string, tail string) {
	head, words, tail = t.complete(line, pos)
	if len(words) < 2 {
		return head, words, tail
	}
	begun := string([]rune(line)[len([]rune(head)):pos])
	common := commonBeginning(words)
	if common == begun {
		columns, rows := t.Size()
		os.Stdout.WriteString("\n" + listed(words, columns, rows))
		// The editor clears the rows that a long line takes.
		os.Stdout.WriteString(strings.Repeat("\n", (len(prompt)+report.Columns(line))/columns))
	}
	return head, []string{common}, tail
}

// Remember adds an entry to the history.
func (t *editor) Remember(entry string) { t.state.AppendHistory(entry) }

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
