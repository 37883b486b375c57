package repl

import "testing"

func TestKeyFilter(t *testing.T) {
	const mark = string(pasteMark)
	for _, test := range []struct {
		name string
		in   []string
		want string
	}{
		{"typed", []string{"3", "d", "6", "\r"}, "3d6\r"},
		{"tab completes when typed", []string{"ex\t"}, "ex\t"},
		{"lines that came at once", []string{"1\r2\r"}, "1" + mark + "\r2\r"},
		{"a paste", []string{"\x1b[200~a\r\n\tb\r\x1b[201~"}, "a" + mark + "\r    b" + mark + "\r"},
		{"a paste in pieces", []string{"\x1b[20", "0~a\r", "\nb\x1b", "[201~\r"}, "a" + mark + "\rb\r"},
		{"keys in a paste do nothing", []string{"\x1b[200~a\x03\x04\x1b[Ab\x1b[201~"}, "ab"},
		{"empty lines of a paste stay", []string{"\x1b[200~a\n\nb\x1b[201~"}, "a" + mark + "\r" + mark + "\rb"},
		{"arrows", []string{"\x1b[A\x1b[1;5C"}, "\x1b[A\x1b[1;5C"},
		{"shift and an arrow", []string{"\x1b[1;2C"}, "\x1b[C"},
		{"an unknown key", []string{"a\x1b[15;2~b\x1b[1;6Zc"}, "abc"},
		{"escape alone", []string{"\x1b", "a"}, "\x1ba"},
		{"alt and a letter", []string{"\x1bf"}, "\x1bf"},
		{"letters of other languages", []string{"é漢"}, "é漢"},
	} {
		var f keyFilter
		got := ""
		for _, in := range test.in {
			got += string(f.feed([]byte(in)))
		}
		want := test.want
		if got != want {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}
