package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"testing"
	"time"

	"dicescript/cmd/dicescript/internal/door"
)

// A client speaks with a server in this process over two pipes.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	exit chan int
	logs *bytes.Buffer
}

func start(t *testing.T, o door.Options) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), exit: make(chan int, 1), logs: &bytes.Buffer{}}
	go func() {
		code := Serve(context.Background(), o, inR, outW, c.logs, nil)
		outW.Close()
		c.exit <- code
	}()
	t.Cleanup(func() { inW.Close(); outR.Close(); inR.Close() })
	return c
}

// A reply is any message of the server.
type reply struct {
	Version string          `json:"jsonrpc"`
	ID      any             `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *Error          `json:"error"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

func (c *client) send(lines string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, lines); err != nil {
		c.t.Fatal(err)
	}
}

// next reads a message, in no more than a minute.
func (c *client) next() reply {
	c.t.Helper()
	type got struct {
		line []byte
		err  error
	}
	ch := make(chan got, 1)
	go func() {
		line, err := c.out.ReadBytes('\n')
		ch <- got{line, err}
	}()
	select {
	case g := <-ch:
		if g.err != nil {
			c.t.Fatalf("no message: %v", g.err)
		}
		var r reply
		if err := json.Unmarshal(g.line, &r); err != nil || r.Version != "2.0" {
			c.t.Fatalf("%s: %v", g.line, err)
		}
		return r
	case <-time.After(time.Minute):
		c.t.Fatal("no answer in a minute")
	}
	return reply{}
}

// ask sends a call and returns its answer, when it is the only one.
func (c *client) ask(method, params string) reply {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + "}\n")
	return c.next()
}

// all are the messages to a whole input, by their ids.
func all(t *testing.T, o door.Options, input string) (byID map[any]reply, others []reply, code int) {
	t.Helper()
	var out safeBuffer
	code = Serve(context.Background(), o, bytes.NewBufferString(input), &out, io.Discard, nil)
	byID = map[any]reply{}
	for line := range bytes.Lines(out.b.Bytes()) {
		var r reply
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if r.ID == nil {
			others = append(others, r)
			continue
		}
		if _, twice := byID[r.ID]; twice {
			t.Fatalf("call %v is answered twice", r.ID)
		}
		byID[r.ID] = r
	}
	return byID, others, code
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}
