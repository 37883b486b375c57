package repl

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// plain is a Terminal without editing, for those that can't move a cursor.
type plain struct {
	in  *bufio.Reader
	out io.Writer
}

func newPlain(in io.Reader, out io.Writer) *plain {
	return &plain{in: bufio.NewReader(in), out: out}
}

// ReadLine reads a line, which nothing can be typed for in advance. See [Terminal].
func (p *plain) ReadLine(prompt, _ string) (Line, error) {
	fmt.Fprint(p.out, prompt)
	text, err := p.in.ReadString('\n')
	if err != nil && text == "" {
		fmt.Fprintln(p.out)
		return Line{}, err
	}
	return Line{Text: strings.TrimRight(text, "\r\n"), More: p.in.Buffered() > 0}, nil
}

// Remember does nothing: there are no arrow keys.
func (p *plain) Remember(string) {}

// Size asks the window.
func (p *plain) Size() (columns, rows int) { return windowSize() }

// Close does nothing.
func (p *plain) Close() error { return nil }
