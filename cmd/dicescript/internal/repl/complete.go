package repl

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dicescript/builtins"
	"dicescript/lang/notation"
)

// What Tab offers, by what stands before the cursor: an indentation at the
// start of a line, a command, a file, a module and what can be loaded from it,
// a label, a method, a name or a keyword.

var keywords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in",
	"lambda", "load", "not", "or", "pass", "return", "while",
}

// Complete is a [Completer].
func (l *Loop) Complete(line string, pos int) (head string, words []string, tail string) {
	runes := []rune(line)
	before, tail := string(runes[:pos]), string(runes[pos:])
	if strings.TrimSpace(before) == "" {
		return before, []string{strings.Repeat(" ", tabWidth)}, tail
	}
	words, start := l.words(before)
	slices.Sort(words)
	return before[:start], slices.Compact(words), tail
}

// words are the words that the text before the cursor may end in, instead of
// what begins at start.
func (l *Loop) words(before string) (words []string, start int) {
	if strings.HasPrefix(before, ":") && l.input.empty() {
		return commandWords(before)
	}
	if t, ok := openText(before); ok {
		start = t.Start + 1
		return l.insideText(before[:t.Start], before[start:]), start
	}
	start = len(before) - len(lastWord(before))
	word := before[start:]
	if of, ok := strings.CutSuffix(before[:start], "."); ok && !strings.HasSuffix(of, ".") {
		return beginning(l.methods(of), word), start
	}
	names, _ := l.session.Complete(word)
	return append(beginning(keywords, word), names...), start
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

// lastWord is the name that a text ends in.
func lastWord(text string) string {
	return text[strings.LastIndexFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})+1:]
}

// openText is the text that has been begun and not ended.
func openText(before string) (notation.Token, bool) {
	tokens := notation.Tokens([]byte(before))
	if len(tokens) == 0 {
		return notation.Token{}, false
	}
	t := tokens[len(tokens)-1]
	quote := before[t.Start:]
	return t, t.Kind == notation.StringToken && t.Unclosed && (quote[0] == '"' || quote[0] == '\'')
}

// insideText are the texts that may stand where one has been begun.
func (l *Loop) insideText(before, begun string) []string {
	first, rest, isLoad := loadArguments(before)
	switch {
	case isLoad && first == "" && (strings.HasPrefix(begun, "./") || strings.HasPrefix(begun, "../")):
		return files(begun, ".star")
	case isLoad && first == "":
		return append(beginning(l.o.Modules, begun), prefixed("./", files(begun, ".star"))...)
	case isLoad && rest:
		return beginning(l.session.Exports(first), begun)
	}
	return beginning(l.labels(), begun)
}

// loadArguments reads the beginning of a load statement: the module, "" when
// it is not there yet, and whether a name may come next.
func loadArguments(before string) (module string, next, ok bool) {
	tokens := notation.Tokens([]byte(before))
	word := func(i int) string { return before[tokens[i].Start:tokens[i].End] }
	if len(tokens) < 2 || word(0) != "load" || word(1) != "(" {
		return "", false, false
	}
	if len(tokens) == 2 {
		return "", false, true
	}
	module, err := strconv.Unquote(word(2))
	return module, err == nil, err == nil
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

func prefixed(prefix string, list []string) []string {
	for i := range list {
		list[i] = prefix + list[i]
	}
	return list
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
		for _, m := range limits() {
			words = append(words, m.name)
		}
		words = beginning(words, arg)
	case c.name == "load":
		words = files(strings.TrimLeft(arg, " "), ".star", ".dice", ".md")
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

// methods are the methods of what stands before a dot: of a name by its value,
// of dice those of pools and rolls, of anything else those of all.
func (l *Loop) methods(of string) []string {
	if name := lastWord(of); name != "" && !strings.HasSuffix(of[:len(of)-len(name)], ".") {
		if words, _ := l.session.Complete(name + "."); len(words) > 0 {
			return words
		}
	}
	tokens := notation.Tokens([]byte(of))
	dice := len(tokens) > 0 && tokens[len(tokens)-1].Kind == notation.DiceToken
	var names []string
	for _, e := range builtins.Table() {
		if e.Receiver != "" && (!dice || e.Receiver == "DicePool" || e.Receiver == "DieRoll") {
			names = append(names, e.Name)
		}
	}
	return names
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
