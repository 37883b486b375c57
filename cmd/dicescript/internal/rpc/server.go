package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"dicescript/builtins/suggest"
	"dicescript/cmd/dicescript/internal/door"
)

// A server answers one client.
type server struct {
	engine  *door.Engine
	methods map[string]door.Method
	queue   *queue
	log     *log.Logger
	lost    context.CancelFunc // nobody reads answers any more

	writing sync.Mutex
	w       io.Writer
	broken  atomic.Bool

	mu      sync.Mutex
	pending map[string]*call // by id
}

// callKey is the key of a context under which the call is.
type callKey struct{}

// Serve answers the client that writes to r and reads from w, until r ends and all has
// been answered. Gone, which may be nil, is asked when r has ended: it returns when w has
// no reader any more, or its context is done. The result is the exit code of the process.
func Serve(ctx context.Context, o door.Options, r io.Reader, w io.Writer, logged io.Writer, gone func(context.Context)) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{
		w: w, lost: stop, queue: newQueue(), methods: map[string]door.Method{},
		log: log.New(logged, "dicescript rpc: ", 0), pending: map[string]*call{},
	}
	o.Print = s.print
	engine, err := door.New(o)
	if err != nil {
		s.log.Print(err)
		return 1
	}
	s.engine = engine
	for _, m := range door.Methods() {
		s.methods[m.Name] = m
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() { s.work() })
	}
	read := make(chan error, 1)
	go func() { read <- s.read(ctx, lines{bufio.NewReader(r)}) }()
	select {
	case err = <-read:
	case <-ctx.Done():
	}
	s.queue.close()
	if gone != nil {
		watched, unwatch := context.WithCancel(ctx)
		defer unwatch()
		go func() {
			gone(watched)
			if watched.Err() == nil {
				stop()
			}
		}()
	}
	workers.Wait()
	switch {
	case s.broken.Load(), ctx.Err() != nil:
		return 1
	case err != nil && err != io.EOF:
		s.log.Print(err)
		return 1
	}
	return 0
}

// read takes lines in until there are no more.
func (s *server) read(ctx context.Context, in lines) error {
	for {
		line, err := in.next()
		switch {
		case err == errLong:
			s.write(refusal(null, &Error{codeRequest, fmt.Sprintf("the line is longer than %d bytes", mostLineBytes)}))
			continue
		case err != nil:
			return err
		case len(line) == 0:
			continue
		}
		r, id, wrong := parse(line)
		if wrong != nil {
			s.write(refusal(id, wrong))
			continue
		}
		if !s.take(ctx, r) {
			return ctx.Err()
		}
	}
}

// take takes a message in. It is false when the server has ended.
func (s *server) take(ctx context.Context, r request) bool {
	switch _, known := s.methods[r.Method]; {
	case r.Method == "cancel":
		s.cancel(r)
		return true
	case r.ID == nil:
		return true // a call whose answer nobody wants does nothing
	case !known:
		s.write(refusal(r.ID, s.unknownMethod(r.Method)))
		return true
	}
	c := &call{request: r}
	c.ctx, c.cancel = context.WithCancel(context.WithValue(ctx, callKey{}, c))
	if !s.enter(c) {
		c.cancel()
		s.write(refusal(r.ID, &Error{codeRequest, "id: there is a call with this id that has not been answered yet"}))
		return true
	}
	return s.queue.push(c)
}

func (s *server) unknownMethod(name string) *Error {
	names := []string{"cancel"}
	for _, m := range door.Methods() {
		names = append(names, m.Name)
	}
	return &Error{codeMethod, fmt.Sprintf("there is no method %q%s", name, suggest.DidYouMean(suggest.Among(name, names)))}
}

// enter notes a call by its id; it is false when another one has it.
func (s *server) enter(c *call) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending[string(c.ID)] != nil {
		return false
	}
	s.pending[string(c.ID)] = c
	return true
}

func (s *server) leave(c *call) {
	c.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pending, string(c.ID))
}

// A CancelParams names the call to stop.
type CancelParams struct {
	ID any `json:"id" jsonschema:"of the call to stop"`
}

// A Cancelled says whether a call was stopped: one that has been answered is not.
type Cancelled struct {
	Cancelled bool `json:"cancelled"`
}

// cancel stops a call.
func (s *server) cancel(r request) {
	var p struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(r.Params, &p) != nil || p.ID == nil || !isID(p.ID) {
		if r.ID != nil {
			s.write(refusal(r.ID, &Error{codeParams, "params: id: want that of the call to stop"}))
		}
		return
	}
	s.mu.Lock()
	c := s.pending[string(p.ID)]
	s.mu.Unlock()
	if c != nil {
		c.cancel()
	}
	if r.ID != nil {
		s.reply(r.ID, Cancelled{c != nil})
	}
}

// work answers calls until there are no more.
func (s *server) work() {
	for c := s.queue.pop(); c != nil; c = s.queue.pop() {
		s.serve(c)
	}
}

// serve answers a call.
func (s *server) serve(c *call) {
	result, err := s.result(c)
	s.leave(c)
	var bad *door.InvalidError
	switch {
	case err == nil:
		s.reply(c.ID, result)
	case errors.As(err, &bad):
		s.write(refusal(c.ID, &Error{codeParams, bad.Message}))
	case errors.As(err, &door.UnknownProgramError{}):
		s.write(refusal(c.ID, &Error{codeUnknownProgram, err.Error()}))
	default:
		s.log.Printf("%s: %s", c.Method, err)
		s.write(refusal(c.ID, &Error{codeInternal, "this is a fault of dicescript: " + err.Error()}))
	}
}

// result is that of a call. A fault inside ends the call alone.
func (s *server) result(c *call) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Printf("%s: panic: %v\n%s", c.Method, p, debug.Stack())
			err = fmt.Errorf("%v", p)
		}
	}()
	return s.methods[c.Method].Call(c.ctx, s.engine, c.Params)
}

func (s *server) reply(id json.RawMessage, result any) {
	if ready, ok := result.(door.Report); ok {
		s.write(answer(id, json.RawMessage(ready)))
		return
	}
	text, err := marshal(result)
	if err != nil {
		s.write(refusal(id, &Error{codeInternal, "this is a fault of dicescript: " + err.Error()}))
		return
	}
	s.write(answer(id, text))
}

// A Printed is what a recipe has printed, which goes to the client at once.
type Printed struct {
	ID   json.RawMessage `json:"id"`
	Text string          `json:"text"`
}

// print passes on what a recipe prints.
func (s *server) print(ctx context.Context, text string) {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		s.write(notification("print", Printed{c.ID, text}))
	}
}

// write writes a line. When nobody reads, everything ends.
func (s *server) write(line []byte) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.broken.Load() {
		return
	}
	if _, err := s.w.Write(line); err != nil {
		s.broken.Store(true)
		s.lost()
	}
}
