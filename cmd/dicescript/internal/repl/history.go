package repl

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dicescript/lang/notation"
)

// The history is a file of lines, oldest first, that all sessions of a person
// share. A session adds its own lines to the end when it leaves, so that none
// loses those of another. An input of several lines is one line of it, as the
// line editor wants it, with a sign for each line end.

// lineEnd stands for a line end in an entry. It is a sign that is seen, so that
// what is copied from the terminal holds nothing that is not.
const lineEnd = "↵"

// entriesOf is an input as an entry of the history, or several where lines hold the
// sign themselves.
func entriesOf(input string) []string {
	lines := strings.Split(strings.TrimRight(input, "\n"), "\n")
	if strings.Contains(input, lineEnd) {
		return lines
	}
	return []string{strings.Join(lines, lineEnd)}
}

// isShortText reports whether a token is a text that ends in the line in which it
// begins.
func isShortText(t notation.Token, text string) bool {
	return t.Kind == notation.StringToken && !t.Unclosed && !strings.Contains(text, `"""`) && !strings.Contains(text, "'''")
}

// linesOf are the lines of an entry. A sign that stands in a text is one.
func linesOf(entry string) []string {
	first := strings.Index(entry, lineEnd)
	if first < 0 {
		return []string{entry}
	}
	for _, t := range notation.Tokens([]byte(entry)) {
		if t.Start < first && first < t.End && isShortText(t, entry[t.Start:t.End]) {
			return []string{entry}
		}
	}
	return strings.Split(entry, lineEnd)
}

// Lines that the file holds at most, and what is left when there are more.
const (
	mostHistory = 2000
	keepHistory = 1000
)

// History is the file at a path; "" is no file.
type History struct {
	path  string
	added []string
}

// HistoryPath is where the history is kept, by the XDG base directory
// specification, or "" when the environment does not say.
func HistoryPath(getenv func(string) string) string {
	state := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "dicescript", "history")
}

// OpenHistory reads the history at a path. A file that is not there is an
// empty history.
func OpenHistory(path string) (h *History, lines []string, err error) {
	h = &History{path: path}
	if path == "" {
		return h, nil, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil, nil
	}
	if err != nil {
		return &History{}, nil, err
	}
	return h, historyLines(data), nil
}

func historyLines(data []byte) []string {
	var lines []string
	for _, line := range strings.Split(string(data), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Add notes an entry of this session. One that repeats the one before it is left
// out, and so is an empty one.
func (h *History) Add(entry string) {
	if strings.TrimSpace(entry) == "" || len(h.added) > 0 && h.added[len(h.added)-1] == entry {
		return
	}
	h.added = append(h.added, strings.ReplaceAll(entry, "\n", " "))
}

// Save adds the lines of this session to the file.
func (h *History) Save() error {
	if h.path == "" || len(h.added) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(h.path), 0o700); err != nil {
		return err
	}
	text := []byte(strings.Join(h.added, "\n") + "\n")
	h.added = nil
	if err := appendTo(h.path, text); err != nil {
		return err
	}
	return shorten(h.path)
}

// appendTo adds text to a file in one write, which sessions that leave at the
// same moment do not mix up.
func appendTo(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Chmod(0o600), f.Close())
}

// shorten drops the oldest lines of a file that has become long.
func shorten(path string) error {
	data, err := os.ReadFile(path)
	if err != nil || bytes.Count(data, []byte("\n")) <= mostHistory {
		return err
	}
	lines := historyLines(data)
	kept := strings.Join(lines[max(0, len(lines)-keepHistory):], "\n") + "\n"
	f, err := os.CreateTemp(filepath.Dir(path), ".history-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.WriteString(kept)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
