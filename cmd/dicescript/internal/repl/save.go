package repl

import (
	"fmt"
	"strconv"
	"strings"

	"dicescript/lang/notation"
)

// What has been typed, as a recipe: inputs in their order, where an expression
// becomes an output, and _ the name of the result that it stood for.

// An entry is an input that could be evaluated.
type entry struct {
	text  string
	shown []int // the numbers of the results that it showed
	last  int   // the number that _ had before it

	file   string   // that the text is of, when it was loaded
	labels []string // of the results
}

// A journal holds the inputs of a session.
type journal struct {
	entries []entry
	results int // how many results have been shown
}

func (j *journal) add(e entry) {
	e.last = j.results
	for _, n := range e.shown {
		j.results = max(j.results, n)
	}
	j.entries = append(j.entries, e)
}

// loaded adds a file, or puts its new text in the place of the old one.
func (j *journal) loaded(e entry) {
	for i := range j.entries {
		if j.entries[i].file == e.file {
			j.entries[i].text = e.text
			e.text = ""
		}
	}
	j.add(e)
}

// recipe is the text of :save.
func (j *journal) recipe() string {
	used := map[string]bool{}
	texts := make([]string, len(j.entries))
	for i, e := range j.entries {
		texts[i] = named(e, used)
	}
	var b strings.Builder
	for i, e := range j.entries {
		if e.text == "" {
			continue // it failed
		}
		b.WriteString(statement(e, strings.TrimRight(texts[i], "\n"), used))
		b.WriteByte('\n')
	}
	return b.String()
}

// named is the text of an entry in which _ has the number of the result that
// it meant. It notes which results are used.
func named(e entry, used map[string]bool) string {
	var b strings.Builder
	done := 0
	for _, t := range notation.Tokens([]byte(e.text)) {
		if t.Kind != notation.NameToken {
			continue
		}
		word := e.text[t.Start:t.End]
		if word == "_" && e.last > 0 {
			word = resultName(e.last)
			b.WriteString(e.text[done:t.Start] + word)
			done = t.End
		}
		used[word] = true
	}
	b.WriteString(e.text[done:])
	return b.String()
}

func resultName(n int) string { return "_" + strconv.Itoa(n) }

// statement is an entry in a recipe. Only an expression by itself needs to be
// put out; of several statements in one input nothing is changed.
func statement(e entry, text string, used map[string]bool) string {
	if e.file != "" {
		return "# " + e.file + "\n" + text
	}
	if len(e.shown) != 1 || !isExpression(text) {
		return text
	}
	title := strconv.Quote(strings.Join(strings.Fields(text), " "))
	if name := resultName(e.shown[0]); used[name] {
		return fmt.Sprintf("%s = %s\noutput(%s, %s)", name, text, title, name)
	}
	return fmt.Sprintf("output(%s, %s)", title, text)
}

// isExpression reports whether a text that showed one result can be nothing
// else: it has one logical line, which is no call of output and holds no
// comment that would hide what comes after it.
func isExpression(text string) bool {
	depth, first := 0, ""
	for _, t := range notation.Tokens([]byte(text)) {
		word := text[t.Start:t.End]
		if first == "" {
			first = word
		}
		switch {
		case t.Kind == notation.CommentToken:
			return false
		case t.Kind == notation.OpenToken:
			depth++
		case t.Kind == notation.CloseToken:
			depth--
		case depth == 0 && (t.Kind == notation.NewlineToken || word == ";" || word == "="):
			return false
		}
	}
	return first != "output"
}
