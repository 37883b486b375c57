package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	_ "dicescript/testdata/testseed"

	"pgregory.net/rapid"
)

const uri = "file:///nowhere/recipe.star"

// endless is a recipe whose run does not end by itself in any time that matters.
const endless = "n = 0\nwhile True:\n    n = n\noutput(n)\n"

func TestExit(t *testing.T) {
	c := start(t)
	c.initialize()
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	if code := <-c.code; code != 0 {
		t.Errorf("after shutdown: %d", code)
	}
	c = start(t)
	c.initialize()
	c.notify("exit", nil)
	if code := <-c.code; code != 1 {
		t.Errorf("without shutdown: %d", code)
	}
	c = start(t)
	c.in.Close()
	if code := <-c.code; code != 1 {
		t.Errorf("a client that leaves: %d", code)
	}
}

// What is JSON, but no message, is passed over, and so are answers to nothing.
func TestNoMessages(t *testing.T) {
	c := start(t)
	c.initialize()
	for _, text := range []string{`{}`, `[]`, `1`, `{"jsonrpc":"2.0","id":{},"method":"shutdown"}`, `{"method":3}`} {
		c.send(text)
	}
	c.open(uri, "output(d6")
	if found := c.diagnostics(uri, 1); len(found) != 1 {
		t.Errorf("got %v", found)
	}
}

// Nothing is run unless a lens is asked for; then the run ends soon, and sooner when
// the client cancels or the text changes.
func TestLensRuns(t *testing.T) {
	c := start(t)
	c.initialize()
	c.open(uri, endless)
	c.diagnostics(uri, 1)
	c.call("textDocument/hover", at(uri, 3, 1), nil)
	c.call("textDocument/completion", at(uri, 3, 1), nil)
	var lenses []json.RawMessage
	c.call("textDocument/codeLens", map[string]any{"textDocument": documentID{uri}}, &lenses)
	n := c.server.work.snapshot(uri)
	if len(lenses) != 1 || n.lens.done != nil {
		t.Fatalf("it has run before a lens was asked for: %s", lenses)
	}
	id := c.ask("codeLens/resolve", lenses[0])
	c.notify("$/cancelRequest", map[string]any{"id": id})
	if m := c.answer(id); m.Error == nil || m.Error.Code != codeCancelled {
		t.Errorf("cancelled: %s", m.raw)
	}
	id = c.ask("codeLens/resolve", lenses[0])
	c.change(uri, 2, contentChange{Text: "output(1)"})
	if m := c.answer(id); m.Error == nil || m.Error.Code != codeModified {
		t.Errorf("of an old text: %s", m.raw)
	}
	<-n.lens.done
	c.change(uri, 3, contentChange{Text: endless})
	var l codeLens
	c.call("codeLens/resolve", codeLens{Range: span{position{3, 0}, position{3, 9}}, Data: lensData{uri, 3, 4}}, &l)
	if l.Command == nil || !strings.HasPrefix(l.Command.Title, "no result: ") {
		t.Errorf("got %+v", l)
	}
}

// Of texts that follow each other fast, the last one is looked at, and none after it.
func TestLastVersionCounts(t *testing.T) {
	c := start(t)
	c.initialize()
	c.open(uri, "x = 1\n")
	const changes = 60
	for v := 2; v <= changes; v++ {
		c.change(uri, v, contentChange{&span{position{0, 4}, position{0, 5}}, fmt.Sprint(v % 10)})
	}
	c.change(uri, changes+1, contentChange{&span{position{0, 0}, position{0, 1}}, "output(nothing) #"})
	last := 0
	var p publishParams
	for last <= changes {
		c.receive(func(m message) bool { return m.Method != "" && json.Unmarshal(m.Params, &p) == nil })
		if *p.Version <= last {
			t.Fatalf("version %d after %d", *p.Version, last)
		}
		last = *p.Version
	}
	if len(p.Diagnostics) != 1 || p.Diagnostics[0].Message != "undefined: nothing" {
		t.Errorf("got %v", p.Diagnostics)
	}
}

// A file is known by its text in the editor, and when that is closed by what is saved.
func TestModuleOnDisk(t *testing.T) {
	folder := t.TempDir()
	module := filepath.Join(folder, "sub", "house.star")
	if err := os.Mkdir(filepath.Dir(module), 0o755); err != nil {
		t.Fatal(err)
	}
	main, loaded := fileURI(filepath.ToSlash(filepath.Join(folder, "a.star"))), fileURI(filepath.ToSlash(module))
	c := start(t)
	c.initialize()
	c.open(main, "load(\"./sub/house.star\", \"f\")\noutput(f(1))\n")
	if found := c.diagnostics(main, 1); len(found) != 1 || found[0].Code != "module" {
		t.Fatalf("without the module: %v", found)
	}
	c.open(loaded, "def f(n):\n    return n\n")
	if found := c.diagnostics(main, 1); len(found) != 0 {
		t.Fatalf("with an unsaved module: %v", found)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": documentID{loaded}})
	if found := c.diagnostics(main, 1); len(found) != 1 {
		t.Fatalf("closed again: %v", found)
	}
	if err := os.WriteFile(module, []byte("def f(n):\n    return n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []documentID{{loaded}}})
	if found := c.diagnostics(main, 1); len(found) != 0 {
		t.Fatalf("saved: %v", found)
	}
}

// Test files have the assertions of dicescript test, other files have not.
func TestAssertions(t *testing.T) {
	c := start(t)
	c.initialize()
	for _, file := range []struct {
		uri  string
		want int
	}{{"file:///nowhere/a_test.star", 0}, {"file:///nowhere/a.star", 1}} {
		c.open(file.uri, "def test_two():\n    assert_eq(1 + 1, 2)\n")
		errors := 0
		for _, d := range c.diagnostics(file.uri, 1) {
			if d.Severity == severityError {
				errors++
			}
		}
		if errors != file.want {
			t.Errorf("%s: %d errors, want %d", file.uri, errors, file.want)
		}
	}
}

func TestURI(t *testing.T) {
	for _, c := range []struct{ uri, name, back string }{
		{"file:///home/x/a%20b.star", "/home/x/a b.star", "file:///home/x/a%20b.star"},
		{"file:///c%3A/dice/a.star", "C:/dice/a.star", "file:///C:/dice/a.star"},
		{"file:///home/%C3%A9/%F0%9F%8E%B2.star", "/home/é/🎲.star", "file:///home/%C3%A9/%F0%9F%8E%B2.star"},
		{"untitled:Untitled-1", "", ""},
		{"file://", "", ""},
		{"%zz", "", ""},
	} {
		name, ok := fileName(c.uri)
		if name != c.name || ok != (c.name != "") || ok && fileURI(name) != c.back {
			t.Errorf("%s: got %q, %v, and back %s", c.uri, name, ok, fileURI(name))
		}
	}
}

// units is a text in units of UTF-16, as JavaScript has it.
type units []uint16

// apply puts a text in the place of a range, counted from the start of the text.
func (u units) apply(from, to int, text string) units {
	out := append(units{}, u[:from]...)
	out = append(out, utf16.Encode([]rune(text))...)
	return append(out, u[to:]...)
}

// position is the place of a unit: the line ends are \r\n, \n and \r.
func (u units) position(at int) position {
	var p position
	for i := 0; i < at; i++ {
		switch {
		case u[i] == '\n', u[i] == '\r' && (i+1 == len(u) || u[i+1] != '\n'):
			p.Line++
			p.Character = 0
		default:
			p.Character++
		}
	}
	return p
}

// isBetween reports whether a client can stand before a unit: neither inside a
// character nor inside a line end.
func (u units) isBetween(at int) bool {
	if at == 0 || at == len(u) {
		return true
	}
	low := u[at] >= 0xDC00 && u[at] <= 0xDFFF
	return !low && !(u[at-1] == '\r' && u[at] == '\n')
}

func (u units) String() string { return string(utf16.Decode(u)) }

// Edits mean the same to a server that counts bytes as to a client that counts units.
func TestEdits(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"a", "x = 2d6", "\n", "\r\n", "\r", "é", "é", "🎲", "👩‍👩‍👧", "\ufeff", "\"\"\"", "(", "\t", ""})
	texts := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "") })
	rapid.Check(t, func(t *rapid.T) {
		client := units(utf16.Encode([]rune(texts.Draw(t, "text"))))
		server := client.String()
		for range rapid.IntRange(1, 5).Draw(t, "edits") {
			from := rapid.IntRange(0, len(client)).Draw(t, "from")
			to := rapid.IntRange(from, len(client)).Draw(t, "to")
			text := texts.Draw(t, "new")
			if !client.isBetween(from) || !client.isBetween(to) {
				continue
			}
			start, end := client.position(from), client.position(to)
			server = changed(server, []contentChange{{&span{start, end}, text}})
			client = client.apply(from, to, text)
			if server != client.String() {
				t.Fatalf("the server has %q, the client %q", server, client)
			}
			at := rapid.IntRange(0, len(client)).Draw(t, "at")
			byteAt := len(client[:at].String())
			if p := place(server, byteAt); client.isBetween(at) && (p != client.position(at) || offset(server, p) != byteAt) {
				t.Fatalf("byte %d of %q is %v, which is byte %d", byteAt, server, p, offset(server, p))
			}
		}
	})
}

// One edit makes a text the formatted one, and leaves whole lines around it alone.
func TestDifference(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"a\nb\nc\n", "a\nB\nc\n", "1:0-2:0 B\n"},
		{"a", "a\n", "0:0-0:1 a\n"},
		{"a\n\n\n", "a\n", "1:0-3:0 "},
		{"", "a\n", "0:0-0:0 a\n"},
		{"a\r\nb", "a\r\nb\r\n", "1:0-1:1 b\r\n"},
		{"x=1\nx=1\nx=1\n", "x = 1\nx = 1\nx = 1\n", "0:0-3:0 x = 1\nx = 1\nx = 1\n"},
		{"same", "same", ""},
	} {
		edits := difference(c.from, c.to)
		got := ""
		for _, e := range edits {
			got += fmt.Sprintf("%d:%d-%d:%d %s", e.Range.Start.Line, e.Range.Start.Character, e.Range.End.Line, e.Range.End.Character, e.NewText)
			if made := changed(c.from, []contentChange{{&e.Range, e.NewText}}); made != c.to {
				t.Errorf("%q became %q, want %q", c.from, made, c.to)
			}
		}
		if got != c.want {
			t.Errorf("%q to %q: got %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
