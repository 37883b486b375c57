package notation

import (
	"fmt"
	"strings"
	"testing"
)

func TestLiterate(t *testing.T) {
	for _, test := range []struct{ name, src, program, kinds string }{
		{"one fence", "# Title\n\n```\nx = 1\n```\nend", "\n\n\nx = 1\n\n\n", "prose code prose"},
		{"labels", "```dice\na\n```\n```python\nb\n```\n```result\nc\n```\n", "\na\n\n\n\n\n\n\n\n", "code other result(0)"},
		{"no code", "just prose\n", "", ""},
		{"unclosed", "```\nx\n", "", ""},
		{"only other fences", "```python\nx\n```\n", "", ""},
		{"longer fence holds shorter", "````\na = '''\n```\n'''\n````\n", "\na = '''\n```\n'''\n\n", "code"},
		{"closing may be longer", "```\na\n`````  \n", "\na\n\n", "code"},
		{"closing has no label", "```\na\n``` dice\n```\n", "\na\n``` dice\n\n", "code"},
		{"tildes are prose", "~~~\n```\na\n```\n~~~\n```\nb\n```\n", "\n\n\n\n\n\nb\n\n", "other code"},
		{"indented fences are prose", "- x\n  ```\n  a\n  ```\n```\nb\n```", "\n\n\n\n\nb\n\n", "prose other code"},
		{"deep indent is code of prose", "    ```\n```\nb\n```", "\n\nb\n\n", "prose code"},
		{"windows", "a\r\n```\r\nx\r\n```\r\nb\r\n", "\n\nx\r\n\n\n", "prose code prose"},
		{"inline code is no fence", "``` x ``` y\n```\na\n```\n", "\n\na\n\n", "prose code"},
		{"result of nothing", "```result\nx\n```\n```\na\n```\n", "\n\n\n\na\n\n", "result(-1) code"},
		{"byte order mark", "\ufeff```\na\n```\n", "\na\n\n", "code"},
		{"empty fence", "```\n```\n", "\n\n", "code"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := Literate([]byte(test.src))
			if d == nil {
				if test.kinds != "" {
					t.Fatal("not literate")
				}
				return
			}
			if got := string(d.Program); got != test.program {
				t.Errorf("program is %q, want %q", got, test.program)
			}
			names := []string{"", "prose", "code", "result", "other"}
			var kinds []string
			for _, s := range d.Segments {
				k := names[s.Kind]
				if s.Kind == ResultText {
					k += fmt.Sprintf("(%d)", s.Of)
				}
				kinds = append(kinds, k)
			}
			if got := strings.Join(kinds, " "); got != test.kinds {
				t.Errorf("segments are %s, want %s", got, test.kinds)
			}
			checkLiterate(t, []byte(test.src))
		})
	}
}

func TestLiterateUnclosed(t *testing.T) {
	d := Literate([]byte("```\na\n```\ntext\n```dice\nb\n"))
	if d == nil || len(d.Errors) != 1 || d.Errors[0].Line != 5 {
		t.Errorf("got %+v, want an error on line 5", d)
	}
}

// checkLiterate holds for any text: segments join to the document, and code
// stands in the program on its own line.
func checkLiterate(t testing.TB, src []byte) {
	d := Literate(src)
	if d == nil {
		return
	}
	joined, line := "", 1
	program := splitLines(d.Program)
	for _, s := range d.Segments {
		if s.Line != line {
			t.Fatalf("%q: a segment on line %d says %d", src, line, s.Line)
		}
		joined += s.Raw
		line += len(splitLines([]byte(s.Raw)))
		if s.Kind != ProgramCode {
			continue
		}
		for i, l := range splitLines([]byte(loneReturns(s.Text))) {
			if got := program[s.TextLine()+i-1]; got != l {
				t.Fatalf("%q: line %d of the program is %q, want %q", src, s.TextLine()+i, got, l)
			}
		}
	}
	if joined != string(src) {
		t.Fatalf("%q comes back as %q", src, joined)
	}
}

func FuzzLiterate(f *testing.F) {
	f.Add([]byte("a\n```\nx\n```\n~~~\n```result\ny\n```"))
	f.Add([]byte("```dice\r\rx\r\n````\n   ```"))
	f.Fuzz(func(t *testing.T, src []byte) { checkLiterate(t, src) })
}
