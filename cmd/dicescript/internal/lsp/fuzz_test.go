package lsp

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// fuzzPieces are what fuzzing types: words of recipes, ends of lines of every kind,
// letters of one, two and more units of UTF-16, and what breaks a text.
var fuzzPieces = []string{
	"a", "\n", "\r\n", "\r", " ", "    ", "x = 2d6", "4d6kh3", "5..6", "(", ")", "\"", "'''", "# ", "\\", "é", "é", "🎲", "\ufeff",
	"def f(n):\n    return n\n", "load(\"./b.star\", \"f\")\n", "output(", "explode(d6, ", ".p_", "if x:\n", "```\n", "```dice\n", "while a:\n  b()\n", "\t", ";", "[1, 2]",
}

// fuzzQuestions are asked at a place in a text.
var fuzzQuestions = []string{
	"textDocument/completion", "textDocument/hover", "textDocument/signatureHelp", "textDocument/definition", "textDocument/references",
	"textDocument/documentHighlight", "textDocument/prepareRename", "textDocument/rename", "textDocument/documentSymbol",
	"textDocument/foldingRange", "textDocument/formatting", "textDocument/codeAction", "textDocument/codeLens",
	"textDocument/semanticTokens/full", "textDocument/semanticTokens/range",
}

// A script is read from bytes: each step edits a text, or asks about it.
type script struct{ data []byte }

// next is a number below n.
func (s *script) next(n int) int {
	if len(s.data) == 0 || n <= 0 {
		return 0
	}
	b := int(s.data[0])
	s.data = s.data[1:]
	if n > 256 && len(s.data) > 0 {
		b = b<<8 | int(s.data[0])
		s.data = s.data[1:]
	}
	return b % n
}

// Whatever is typed, the server has the client's text, answers every question that the
// protocol allows, and lives.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte("\x00\x00\x00\x06\x01\x00\x01\x01\x07\x10\x20\x30\x03\x05"))
	f.Add([]byte("the quick brown fox jumps over the lazy dog 0123456789"))
	f.Add([]byte{2, 0, 0, 19, 2, 3, 3, 20, 1, 0, 0, 1, 5, 2, 9, 9, 25, 1, 7, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 200 {
			return
		}
		s := &script{data}
		c := start(t)
		c.initialize()
		texts := []string{"file:///fuzz/a.star", "file:///fuzz/b.star", "file:///fuzz/c.md", "file:///fuzz/d.anydice"}
		has := map[string]units{}
		version := 1
		for _, uri := range texts {
			c.open(uri, "")
			has[uri] = nil
		}
		asked := map[string]bool{} // and not answered yet
		for len(s.data) > 0 {
			uri := texts[s.next(len(texts))]
			if s.next(3) > 0 {
				version++
				has[uri] = edit(c, s, uri, version, has[uri])
				continue
			}
			asked[strconv.Itoa(question(c, s, uri, has[uri]))] = true
		}
		for len(asked) > 0 { // answers come in any order
			m := c.receive(func(m message) bool { return m.Method == "" && asked[string(m.ID)] })
			delete(asked, string(m.ID))
			if m.Error != nil && m.Error.Code != codeFailed && m.Error.Code != codeModified {
				t.Errorf("%s", m.raw)
			}
		}
		c.call("shutdown", nil, nil) // everything before it has been taken in
		for uri, want := range has {
			if got := c.server.work.snapshot(uri).text; got != want.String() {
				t.Errorf("%s: the server has %q, the client %q", uri, got, want)
			}
		}
	})
}

// edit edits a text here and there, and returns it.
func edit(c *client, s *script, uri string, version int, text units) units {
	var changes []contentChange
	for range 1 + s.next(2) {
		from := s.next(len(text) + 1)
		to := min(len(text), from+s.next(6))
		piece := fuzzPieces[s.next(len(fuzzPieces))]
		if !text.isBetween(from) || !text.isBetween(to) {
			continue
		}
		changes = append(changes, contentChange{&span{text.position(from), text.position(to)}, piece})
		text = text.apply(from, to, piece)
	}
	c.change(uri, version, changes...)
	return text
}

// question asks something about a place in a text, or behind it.
func question(c *client, s *script, uri string, text units) int {
	p := text.position(s.next(len(text) + 1))
	p.Line += s.next(5) / 4
	p.Character += s.next(5) / 4
	return c.ask(fuzzQuestions[s.next(len(fuzzQuestions))], map[string]any{
		"textDocument": documentID{uri}, "position": p, "range": span{position{}, p}, "newName": "renamed",
		"context": json.RawMessage(`{"includeDeclaration":true,"diagnostics":[]}`),
	})
}

func FuzzChanged(f *testing.F) {
	f.Add("a🎲b\r\nc", "x", 0, 1, 1, 0)
	f.Fuzz(func(t *testing.T, text, piece string, l1, c1, l2, c2 int) {
		text, piece = strings.ToValidUTF8(text, "\uFFFD"), strings.ToValidUTF8(piece, "\uFFFD") // as json gives them
		got := changed(text, []contentChange{{&span{position{l1, c1}, position{l2, c2}}, piece}})
		if !strings.Contains(got, piece) || len(got) > len(text)+len(piece) || len(utf16.Encode([]rune(got))) < len(utf16.Encode([]rune(piece))) {
			t.Errorf("%q with %q in it became %q", text, piece, got)
		}
	})
}
