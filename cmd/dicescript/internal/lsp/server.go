package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// Codes of errors, of the protocol and of JSON-RPC.
const (
	codeNotInitialized = -32002
	codeFailed         = -32803
	codeModified       = -32801
	codeCancelled      = -32800
)

// mostAtOnce is how many questions are worked on at once.
const mostAtOnce = 8

// A server answers one client.
type server struct {
	version    string
	ctx        context.Context
	conn       *jsonrpc2.Conn
	log        *log.Logger
	work       *workspace
	slots      chan struct{}
	publishing sync.Mutex // keeps what is published in order

	mu       sync.Mutex
	state    state
	client   clientCapabilities
	folders  []string                      // of the workspace, by their names
	asked    map[string]context.CancelFunc // the questions that are being answered
	exitCode chan int
}

type state int

const (
	fresh state = iota
	running
	over
)

// Growth is by how many hundredths the memory of a process that serves should grow
// before garbage is collected. What is known of a text is thrown away with every key,
// and a person waits: time is worth more than memory here.
const Growth = 400

// Serve answers the client that writes to r and reads from w, until it says exit or
// its end is closed. The result is the exit code of the process. What goes wrong
// inside is written to logged. The asker runs the recipes of lenses, see [LensMethod].
func Serve(ctx context.Context, version string, r io.Reader, w io.Writer, logged io.Writer, asker Asker) int {
	return newServer(version, logged, asker).serve(ctx, r, w)
}

func newServer(version string, logged io.Writer, asker Asker) *server {
	return &server{
		version: version, log: log.New(logged, "dicescript lsp: ", 0),
		work: newWorkspace(asker), slots: make(chan struct{}, mostAtOnce),
		asked: map[string]context.CancelFunc{}, exitCode: make(chan int, 1),
	}
}

func (s *server) serve(ctx context.Context, r io.Reader, w io.Writer) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.ctx = ctx
	stream := &stream{r: bufio.NewReader(r), w: bufio.NewWriter(w)}
	ready := make(chan struct{})
	s.conn = jsonrpc2.NewConn(ctx, stream, handler{s, ready}, jsonrpc2.SetLogger(s.log))
	close(ready)
	code := 1 // the client has left without a word
	select {
	case code = <-s.exitCode:
	case <-s.conn.DisconnectNotify():
	case <-ctx.Done():
	}
	stop()
	s.conn.Close()
	return code
}

// A stream is the two directions of the connection. A message that is JSON, but no
// message, is passed over.
type stream struct {
	r     *bufio.Reader
	mu    sync.Mutex
	w     *bufio.Writer
	codec jsonrpc2.VSCodeObjectCodec
}

func (s *stream) ReadObject(v any) error {
	for {
		var message json.RawMessage
		if err := s.codec.ReadObject(s.r, &message); err != nil {
			return err
		}
		if json.Unmarshal(message, v) == nil {
			return nil
		}
	}
}

func (s *stream) WriteObject(v any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.codec.WriteObject(s.w, v); err != nil {
		return err
	}
	return s.w.Flush()
}

func (s *stream) Close() error { return nil }

// A handler takes the messages of the client in, one after the other.
type handler struct {
	s     *server
	ready chan struct{} // closed when the server knows its connection
}

func (h handler) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	<-h.ready
	if r.Notif {
		h.s.notified(r)
		return
	}
	h.s.asks(ctx, r)
}

// notified takes a message in that wants no answer.
func (s *server) notified(r *jsonrpc2.Request) {
	if r.Method == "exit" {
		code := 1
		if s.is(over) {
			code = 0
		}
		s.exitCode <- code
		return
	}
	take, known := notifications[r.Method]
	if !known || !s.is(running) {
		return // the protocol says so
	}
	defer s.survive(r.Method, nil)
	if err := take(s, paramsOf(r)); err != nil {
		s.log.Printf("%s: %s", r.Method, err)
	}
}

func paramsOf(r *jsonrpc2.Request) json.RawMessage {
	if r.Params == nil {
		return json.RawMessage("null")
	}
	return *r.Params
}

// is reports whether the server is in a state.
func (s *server) is(now state) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == now
}

// asks begins to answer a question.
func (s *server) asks(ctx context.Context, r *jsonrpc2.Request) {
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	switch {
	case r.Method == "initialize" && state == fresh:
		s.reply(r.ID, s.initialize(paramsOf(r)))
		return
	case state == fresh:
		s.reply(r.ID, answer{err: &jsonrpc2.Error{Code: codeNotInitialized, Message: "the server waits to be initialized"}})
		return
	case state == over || r.Method == "initialize":
		s.reply(r.ID, answer{err: &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "this is not the time for " + r.Method}})
		return
	case r.Method == "shutdown":
		s.mu.Lock()
		s.state = over
		s.mu.Unlock()
		s.reply(r.ID, answer{})
		return
	}
	begin, known := requests[r.Method]
	if !known {
		s.reply(r.ID, answer{err: &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no " + r.Method + " here"}})
		return
	}
	// The snapshot that a question is about is taken before the next message is read.
	work, err := begin(s, paramsOf(r))
	if err != nil {
		s.reply(r.ID, answer{err: err})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	id := r.ID.String()
	s.mu.Lock()
	s.asked[id] = cancel
	s.mu.Unlock()
	go func() {
		a := s.worked(ctx, r.Method, work)
		s.mu.Lock()
		delete(s.asked, id)
		s.mu.Unlock()
		cancel()
		s.reply(r.ID, a)
	}()
}

// An answer is a result or an error.
type answer struct {
	result any
	err    error
}

// A job works an answer out.
type job func(ctx context.Context) (any, error)

// worked does a job when there is room for it.
func (s *server) worked(ctx context.Context, method string, do job) (a answer) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
	defer s.survive(method, &a)
	a.result, a.err = do(ctx)
	return a
}

// survive turns a panic into an error.
func (s *server) survive(method string, a *answer) {
	fault := recover()
	if fault == nil {
		return
	}
	s.log.Printf("a fault in %s: %v\n%s", method, fault, debug.Stack())
	if a != nil {
		*a = answer{err: &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "a fault of dicescript: " + fmt.Sprint(fault)}}
	}
}

// reply sends an answer.
func (s *server) reply(id jsonrpc2.ID, a answer) {
	if a.err == nil {
		s.conn.Reply(s.ctx, id, a.result)
		return
	}
	var e *jsonrpc2.Error
	switch {
	case errors.As(a.err, &e):
	case errors.Is(a.err, errStale):
		e = &jsonrpc2.Error{Code: codeModified, Message: a.err.Error()}
	case errors.Is(a.err, context.Canceled):
		e = &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	default:
		e = &jsonrpc2.Error{Code: codeFailed, Message: a.err.Error()}
	}
	s.conn.ReplyWithError(s.ctx, id, e)
}

// initialize begins the conversation.
func (s *server) initialize(params json.RawMessage) answer {
	var p initializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return answer{err: invalid(err)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = p.Capabilities
	folders := p.Folders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []documentID{{p.RootURI}}
	}
	for _, f := range folders {
		if name, ok := fileName(f.URI); ok {
			s.folders = append(s.folders, name)
		}
	}
	s.state = running
	return answer{result: map[string]any{
		"capabilities": capabilities(),
		"serverInfo":   map[string]any{"name": "dicescript", "version": s.version},
	}}
}

func invalid(err error) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
}
