// The files of testdata/hostile.

package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A hostileCase is a file of testdata/hostile. Its first lines say what it
// tries and how it may end: with one of several kinds of errors, or "ok". What
// follows is the recipe, with lines that stand for long texts:
//
//	#repeat 1000 "x"    the text so many times, without an end of line
//	#count 1000 "a%d"   the text with each number from 0
//	#indent 100 "if x:" blocks in blocks
//	#stairs 100 "x"     lines of growing length
type hostileCase struct {
	file  string
	tries string
	ends  []string
	src   []byte
}

// host reports whether a recipe needs the builtins of a careless host.
func (c hostileCase) host() bool { return bytes.Contains(c.src, []byte("host_")) }

func readHostile(t *testing.T, file string) hostileCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(data), "\n\n")
	c := hostileCase{file: file}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "# tries: "); ok {
			c.tries = text
		}
		if text, ok := strings.CutPrefix(line, "# ends: "); ok {
			c.ends = strings.Split(text, " | ")
		}
	}
	if c.tries == "" || len(c.ends) == 0 {
		t.Fatalf("%s does not say what it tries and how it ends", file)
	}
	var b bytes.Buffer
	for line := range strings.Lines(body) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(f) != 3 || !slices.Contains([]string{"#repeat", "#count", "#indent", "#stairs"}, f[0]) {
			b.WriteString(line)
			continue
		}
		n, err := strconv.Atoi(f[1])
		text, err2 := strconv.Unquote(f[2])
		if err != nil || err2 != nil {
			t.Fatalf("%s: %s: %v, %v", file, line, err, err2)
		}
		switch f[0] {
		case "#repeat":
			b.WriteString(strings.Repeat(text, n))
		case "#count":
			for i := range n {
				fmt.Fprintf(&b, text, i)
			}
		case "#indent":
			for i := range n {
				b.WriteString(strings.Repeat(" ", i) + text + "\n")
			}
		case "#stairs":
			for i := range n {
				b.WriteString(strings.Repeat(text, i) + "\n")
			}
		}
	}
	c.src = b.Bytes()
	return c
}
