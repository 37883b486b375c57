package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A client is the other side of a conversation, for tests.
type client struct {
	t      testing.TB
	server *server
	in     io.WriteCloser
	got    chan message
	code   chan int
	logged *safeBuffer
	next   int
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	raw []byte
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// start starts a server, which ends with the test, and whose log has to stay empty.
func start(t testing.TB) *client {
	t.Helper()
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	c := &client{t: t, in: in, got: make(chan message, 1000), code: make(chan int, 1), logged: &safeBuffer{}}
	c.server = newServer("test", c.logged, Here{})
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		c.code <- c.server.serve(ctx, fromClient, toClient)
		toClient.Close()
	}()
	go c.read(out)
	t.Cleanup(func() {
		stop()
		in.Close()
		if text := c.logged.String(); text != "" && !strings.Contains(text, "closed") {
			t.Errorf("the server has logged:\n%s", text)
		}
	})
	return c
}

func (c *client) read(out io.Reader) {
	defer close(c.got)
	r := textproto.NewReader(bufio.NewReader(out))
	for {
		header, err := r.ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r.R, body); err != nil {
			return
		}
		m := message{raw: body}
		if json.Unmarshal(body, &m) != nil {
			return
		}
		c.got <- m
	}
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) sendJSON(m map[string]any) {
	c.t.Helper()
	m["jsonrpc"] = "2.0"
	b, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(b))
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.sendJSON(map[string]any{"method": method, "params": params})
}

// ask sends a question and returns its number.
func (c *client) ask(method string, params any) int {
	c.t.Helper()
	c.next++
	c.sendJSON(map[string]any{"id": c.next, "method": method, "params": params})
	return c.next
}

// receive waits for a message that is as wanted, and passes over others.
func (c *client) receive(wanted func(message) bool) message {
	c.t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case m, ok := <-c.got:
			if !ok {
				c.t.Fatal("the server has left; it logged: " + c.logged.String())
			}
			if wanted(m) {
				return m
			}
		case <-limit:
			c.t.Fatal("nothing came for a minute")
		}
	}
}

func (c *client) answer(id int) message {
	c.t.Helper()
	return c.receive(func(m message) bool { return m.Method == "" && string(m.ID) == strconv.Itoa(id) })
}

// call asks and waits for the result.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	m := c.answer(c.ask(method, params))
	if m.Error != nil {
		c.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			c.t.Fatalf("%s: %v in %s", method, err, m.Result)
		}
	}
}

func (c *client) initialize() {
	c.t.Helper()
	c.call("initialize", map[string]any{"capabilities": map[string]any{}}, nil)
	c.notify("initialized", struct{}{})
}

func (c *client) open(uri, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "dicescript", "version": 1, "text": text}})
}

func (c *client) change(uri string, version int, changes ...contentChange) {
	c.t.Helper()
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": changes})
}

// diagnostics waits for what is wrong with a version of a text.
func (c *client) diagnostics(uri string, version int) []diagnostic {
	c.t.Helper()
	var p publishParams
	c.receive(func(m message) bool {
		p = publishParams{}
		return m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil &&
			p.URI == uri && p.Version != nil && *p.Version == version
	})
	return p.Diagnostics
}

func at(uri string, line, character int) map[string]any {
	return map[string]any{"textDocument": documentID{uri}, "position": position{line, character}}
}
