package workers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
)

// Lines that a child says beside its answers.
const (
	ready = "ready"
	begun = "begun"
)

// A question is what a child is asked.
type question struct {
	Method string          `json:"method"`
	Args   json.RawMessage `json:"args"`
}

// Serve answers the questions of a parent until it is gone, or ctx is done. An answer is
// JSON.
func Serve(ctx context.Context, in io.Reader, out io.Writer, answer func(ctx context.Context, method string, args []byte) []byte) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	questions := make(chan question)
	go read(ctx, leave, in, questions)
	w := bufio.NewWriter(out)
	say := func(line []byte) error {
		w.Write(line)
		w.WriteByte('\n')
		return w.Flush()
	}
	if err := say([]byte(ready)); err != nil {
		return err
	}
	for {
		var q question
		select {
		case <-ctx.Done():
			return nil
		case q = <-questions:
		}
		if err := say([]byte(begun)); err != nil {
			return err
		}
		if err := say(oneLine(answer(ctx, q.Method, q.Args))); err != nil {
			return err
		}
	}
}

// read reads questions. Where there are no more, nobody wants to know how the last one ends.
func read(ctx context.Context, leave func(), in io.Reader, questions chan<- question) {
	defer leave()
	d := json.NewDecoder(in)
	for {
		var q question
		if err := d.Decode(&q); err != nil {
			return
		}
		select {
		case questions <- q:
		case <-ctx.Done():
			return
		}
	}
}

// oneLine is JSON without line breaks.
func oneLine(text []byte) []byte {
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return []byte("null")
	}
	return line.Bytes()
}
