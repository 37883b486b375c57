package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"
)

// Literate recipes: what a program fence puts out is what stands printed in
// the result fence after it.

func (s *Suite) document(ctx context.Context, file, name string, src []byte, each func(Outcome)) {
	doc := notation.Literate(src)
	if doc == nil || !hasResults(doc) {
		return
	}
	host, done, err := s.Host(filepath.Dir(file))
	if err != nil {
		each(Outcome{File: name, Err: err})
		return
	}
	defer done()
	d := document{limit: s.Limit, host: host, name: name, doc: doc}
	changed := false
	for i, segment := range doc.Segments {
		if segment.Kind != notation.ResultText {
			continue
		}
		o := d.result(ctx, i)
		if o.Diff != "" && s.Update {
			changed, o.Updated, o.Diff, o.Err = true, true, "", nil
		}
		each(o)
	}
	if changed {
		if err := os.WriteFile(file, d.written(), 0o644); err != nil {
			each(Outcome{File: name, Err: err})
		}
	}
}

func hasResults(doc *notation.Document) bool {
	for _, s := range doc.Segments {
		if s.Kind == notation.ResultText {
			return true
		}
	}
	return false
}

type document struct {
	limit int64
	host  *lang.Host
	name  string
	doc   *notation.Document
	fresh map[int]string // what result segments should hold, where that is not what they do
}

// result checks the result fence that is segment i.
func (d *document) result(ctx context.Context, i int) Outcome {
	segment := d.doc.Segments[i]
	o := Outcome{File: d.name, Test: fmt.Sprintf("%s:%d", d.name, segment.Line)}
	if segment.Of < 0 {
		o.Err = errors.New("this result has no program before it")
		return o
	}
	got, err := d.printed(ctx, segment.Of)
	if err != nil {
		o.Err = err
		return o
	}
	if trimmed(got) != trimmed(segment.Text) {
		o.Err = errors.New("the printed result is not what the program gives")
		o.Diff = diff(trimmed(segment.Text), trimmed(got))
		if d.fresh == nil {
			d.fresh = map[int]string{}
		}
		d.fresh[i] = got
	}
	return o
}

// printed is what the program segment i puts out: the outputs of all programs
// up to it, without those of the programs before.
func (d *document) printed(ctx context.Context, i int) (string, error) {
	before, err := d.run(ctx, i)
	if err != nil {
		return "", err
	}
	all, err := d.run(ctx, i+1)
	if err != nil {
		return "", err
	}
	var places []int
	for k := len(before.Outputs); k < len(all.Outputs); k++ {
		places = append(places, k)
	}
	var b bytes.Buffer
	err = report.Fragment(ctx, &b, "text", all, places, report.Options{Limit: d.limit})
	return b.String(), err
}

// run runs the programs among the first n segments. The lines of the others
// are empty, so that errors have their place in the document.
func (d *document) run(ctx context.Context, n int) (*lang.Result, error) {
	var src strings.Builder
	for _, s := range d.doc.Segments[:n] {
		if s.Kind == notation.ProgramCode {
			src.WriteString("\n" + s.Text + "\n")
		} else {
			src.WriteString(strings.Repeat("\n", strings.Count(s.Raw, "\n")))
		}
	}
	program, err := d.host.Compile(ctx, d.name+".star", []byte(src.String()))
	if err != nil {
		return nil, renamed(err, d.name)
	}
	result, err := program.Run(ctx)
	return result, renamed(err, d.name)
}

// renamed gives errors the name of the document.
func renamed(err error, name string) error {
	for _, e := range lang.Errors(err) {
		e.Position.File = strings.ReplaceAll(e.Position.File, name+".star", name)
		for i := range e.Frames {
			e.Frames[i].File = strings.ReplaceAll(e.Frames[i].File, name+".star", name)
		}
	}
	return err
}

// written is the document with fresh results. Nothing else is changed.
func (d *document) written() []byte {
	var b bytes.Buffer
	for i, s := range d.doc.Segments {
		text, ok := d.fresh[i]
		if !ok {
			b.WriteString(s.Raw)
			continue
		}
		opening, rest, _ := strings.Cut(s.Raw, "\n")
		b.WriteString(opening + "\n" + text)
		b.WriteString(rest[len(s.Text):])
	}
	return b.Bytes()
}

// trimmed is a text without the space at the ends of its lines and its own.
func trimmed(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
