package repl

import (
	"bytes"
	"strings"
	"testing"
)

func TestKeyFilter(t *testing.T) {
	for _, test := range []struct {
		name string
		in   []string
		want string // with + after lines that more follow
	}{
		{"typed", []string{"3", "d", "6", "\r"}, "3d6\r"},
		{"tab completes when typed", []string{"ex\t"}, "ex\t"},
		{"lines that came at once", []string{"1\r2\r"}, "1\r+2\r"},
		{"a paste", []string{"\x1b[200~a\r\n\tb\r\x1b[201~"}, "a\n+    b\n+"},
		{"a paste in pieces", []string{"\x1b[20", "0~a\r", "\nb\x1b", "[201~\r"}, "a\n+b\r"},
		{"keys in a paste do nothing", []string{"\x1b[200~a\x03\x04\x1b[Ab\x1b[201~"}, "ab"},
		{"empty lines of a paste stay", []string{"\x1b[200~a\n\nb\x1b[201~"}, "a\n+\n+b"},
		{"arrows", []string{"\x1b[A\x1b[1;5C"}, "\x1b[A\x1b[1;5C"},
		{"shift and an arrow", []string{"\x1b[1;2C"}, "\x1b[C"},
		{"an unknown key", []string{"a\x1b[15;2~b\x1b[1;6Zc"}, "abc"},
		{"escape alone", []string{"\x1b", "a"}, "\x1ba"},
		{"alt and a letter", []string{"\x1bf"}, "\x1bf"},
		{"letters of other languages", []string{"é漢"}, "é漢"},
	} {
		var f keyFilter
		var got strings.Builder
		for _, in := range test.in {
			for _, s := range f.feed([]byte(in)) {
				got.Write(s.keys)
				if s.more {
					got.WriteByte('+')
				}
				if ends := bytes.HasSuffix(s.keys, []byte("\r")) || bytes.HasSuffix(s.keys, []byte("\n")); s.ends != ends {
					t.Errorf("%s: %q ends a line: %v", test.name, s.keys, s.ends)
				}
			}
		}
		if got.String() != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got.String(), test.want)
		}
	}
}

// The queue hands out a line only when one is read, and knows of each whether
// more followed.
func TestKeyQueue(t *testing.T) {
	q := newKeyQueue()
	var f keyFilter
	q.add(f.feed([]byte("\x1b[200~a\nb\x1b[201~c\rd")), f.pasting)
	q.end()
	for _, want := range []struct {
		line  string
		there bool
		more  bool
	}{{"a\n", true, true}, {"bc\r", true, true}, {"d", true, true}} {
		if there := q.begin(); there != want.there {
			t.Errorf("%q: there already: %v", want.line, there)
		}
		got, _ := q.next()
		if string(got) != want.line || q.followed() != want.more {
			t.Errorf("got %q, followed %v; want %q, %v", got, q.followed(), want.line, want.more)
		}
	}
	if q.begin() {
		t.Error("nothing is left")
	}
	if got, ok := q.next(); ok {
		t.Errorf("got %q after the end", got)
	}
}
