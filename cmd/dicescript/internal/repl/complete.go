package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dicescript/builtins"
	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
	"dicescript/lang/assist"
	"dicescript/lang/notation"
)

// What Tab offers, by what stands before the cursor: an indentation at the
// start of a line, a command or its file, and in a recipe what package assist
// knows, with the labels of the results so far.

// Complete is a [Completer].
func (l *Loop) Complete(line string, pos int) (head string, words []string, tail string) {
	runes := []rune(line)
	before, tail := string(runes[:pos]), string(runes[pos:])
	if strings.TrimSpace(before) == "" {
		return before, []string{strings.Repeat(" ", tabWidth)}, tail
	}
	if strings.HasPrefix(before, ":") && l.input.empty() {
		words, start := commandWords(before)
		slices.Sort(words)
		return before[:start], slices.Compact(words), tail
	}
	words, start := l.recipeWords(line, pos)
	return string(runes[:start]), words, tail
}

// recipeWords are the words that the line of a recipe may have at a rune, and the
// rune at which the word begins that they replace.
func (l *Loop) recipeWords(line string, pos int) (words []string, start int) {
	ctx, stop := l.attention()
	defer stop()
	text := line
	if !l.input.empty() {
		text = l.input.text() + "\n" + line
	}
	at := lang.Position{Line: strings.Count(text, "\n") + 1, Column: pos + 1}
	found := assist.New(l.session.Host()).AnalyzeInput(ctx, l.session, text, l.labels()...).Complete(at)
	for _, item := range found.Items {
		words = append(words, item.Text)
	}
	return words, found.Range.Start.Column - 1
}

func beginning(all []string, word string) []string {
	var some []string
	for _, s := range all {
		if strings.HasPrefix(s, word) {
			some = append(some, s)
		}
	}
	return some
}

// files are the folders, and the files with one of the endings, whose path
// begins as given.
func files(begun string, endings ...string) []string {
	dir, name := filepath.Split(begun)
	entries, err := os.ReadDir(filepath.Join(home(dir), "."))
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".")
		if !strings.HasPrefix(e.Name(), name) || hidden {
			continue
		}
		switch {
		case e.IsDir():
			paths = append(paths, dir+e.Name()+"/")
		case len(endings) == 0 || slices.Contains(endings, filepath.Ext(e.Name())):
			paths = append(paths, dir+e.Name())
		}
	}
	return paths
}

// commandWords completes a command, and the file after it.
func commandWords(before string) (words []string, start int) {
	name, arg, hasArg := strings.Cut(before[1:], " ")
	if !hasArg {
		for _, c := range commands() {
			if strings.HasPrefix(c.name, name) {
				words = append(words, c.name)
			}
		}
		return words, 1
	}
	c, err := findCommand(name)
	switch {
	case err != nil:
		return nil, 0
	case c.name == "limits":
		for _, m := range limits.All() {
			words = append(words, m.Name)
		}
		words = beginning(words, arg)
	case c.name == "load":
		words = files(strings.TrimLeft(arg, " "), ".star", ".dice", ".md", ".anydice")
	case c.name == "save":
		words = files(strings.TrimLeft(arg, " "))
	case c.name == "help":
		words, _ = []string(nil), 0
		for _, e := range builtins.Table() {
			words = append(words, e.Name)
		}
		words = beginning(words, arg)
	}
	return words, len(before) - len(strings.TrimLeft(arg, " "))
}

// labels are the texts that have been typed in this session, and the labels
// that its results have.
func (l *Loop) labels() []string {
	var labels []string
	for _, e := range l.log.entries {
		labels = append(labels, e.labels...)
		for _, t := range notation.Tokens([]byte(e.text)) {
			if t.Kind != notation.StringToken {
				continue
			}
			if s, err := strconv.Unquote(e.text[t.Start:t.End]); err == nil && s != "" {
				labels = append(labels, s)
			}
		}
	}
	return labels
}
