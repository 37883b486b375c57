package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"dicescript/lang"
	"dicescript/lang/assist"

	"github.com/sourcegraph/jsonrpc2"
)

// This file takes in what the client does to its texts.

// notifications are the messages that want no answer.
var notifications = map[string]func(*server, json.RawMessage) error{
	"initialized":                     (*server).initialized,
	"textDocument/didOpen":            (*server).didOpen,
	"textDocument/didChange":          (*server).didChange,
	"textDocument/didClose":           (*server).didClose,
	"textDocument/didSave":            (*server).didSave,
	"workspace/didChangeWatchedFiles": (*server).watched,
	"$/cancelRequest":                 (*server).cancel,
}

// initialized asks to be told about modules that change outside of the client.
func (s *server) initialized(json.RawMessage) error {
	s.mu.Lock()
	dynamic := s.client.Workspace.WatchedFiles.Dynamic
	s.mu.Unlock()
	if !dynamic {
		return nil
	}
	type watcher struct {
		Pattern string `json:"globPattern"`
	}
	type registration struct {
		ID      string `json:"id"`
		Method  string `json:"method"`
		Options any    `json:"registerOptions"`
	}
	go s.conn.Call(s.ctx, "client/registerCapability", map[string]any{"registrations": []registration{{
		"modules", "workspace/didChangeWatchedFiles", map[string]any{"watchers": []watcher{{"**/*.star"}}},
	}}}, nil)
	return nil
}

func (s *server) didOpen(params json.RawMessage) error {
	var p didOpenParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	name, isFile := recipeName(p.Document.URI, p.Document.Language)
	where, err := s.work.hosts.of(name, isFile)
	if err != nil {
		return err
	}
	s.take(newSnapshot(s.ctx, p.Document.URI, name, isFile, p.Document.Version, p.Document.Text, where))
	return nil
}

func (s *server) didChange(params json.RawMessage) error {
	var p didChangeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	old := s.work.snapshot(p.Document.URI)
	if old == nil {
		return fmt.Errorf("%s is not open", p.Document.URI)
	}
	text := changed(old.text, p.Changes)
	s.take(newSnapshot(s.ctx, old.uri, old.name, old.isFile, p.Document.Version, text, old.space))
	return nil
}

// take takes a new version of a text in, and tells what is wrong with it and with
// what may load it.
func (s *server) take(n *snapshot) {
	s.work.put(n)
	s.diagnose(n)
	s.reviewAbove(n.uri)
}

func (s *server) didClose(params json.RawMessage) error {
	var p didCloseParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	s.work.remove(p.Document.URI)
	s.reviewAbove(p.Document.URI)
	return s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", publishParams{URI: p.Document.URI, Diagnostics: []diagnostic{}})
}

func (s *server) didSave(params json.RawMessage) error { return nil } // its text is known

// watched hears of files that others have changed.
func (s *server) watched(params json.RawMessage) error {
	var p watchedFilesParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	for _, c := range p.Changes {
		if s.work.snapshot(c.URI) == nil { // else the client's text counts
			s.reviewAbove(c.URI)
		}
	}
	return nil
}

// reviewAbove looks again at the texts that may load a file.
func (s *server) reviewAbove(uri string) {
	name, ok := fileName(uri)
	if !ok {
		return
	}
	for _, above := range s.work.above(s.ctx, name) {
		s.diagnose(above)
	}
}

// cancel ends the work on a question.
func (s *server) cancel(params json.RawMessage) error {
	var p cancelParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	var id jsonrpc2.ID
	if err := json.Unmarshal(p.ID, &id); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop, ok := s.asked[id.String()]; ok {
		stop()
	}
	return nil
}

// longestCheck is how long a text may be compiled.
const longestCheck = 10 * time.Second

// diagnose tells the client what is wrong with a text, unless there is a newer
// version by then.
func (s *server) diagnose(n *snapshot) {
	go func() {
		select {
		case <-time.After(breath):
		case <-n.ctx.Done():
			return
		}
		s.worked(n.ctx, "diagnostics", func(ctx context.Context) (any, error) {
			ctx, stop := context.WithTimeout(ctx, longestCheck)
			defer stop()
			if n.isOtherDocument() {
				s.publish(n, []diagnostic{})
				return nil, nil
			}
			found, err := n.diagnostics(ctx)
			if err == nil {
				s.publish(n, found)
			}
			return nil, err
		})
	}()
}

// breath is how long a text stays as it is before it is looked through: what the client
// asks as soon as a key is typed is answered first, and fast keys cost nothing.
const breath = 4 * time.Millisecond

// publish sends the diagnostics of a snapshot while that is the newest.
func (s *server) publish(n *snapshot, found []diagnostic) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	if s.work.snapshot(n.uri) == n && n.ctx.Err() == nil {
		s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", publishParams{URI: n.uri, Version: &n.version, Diagnostics: found})
	}
}

// diagnostics compiles the text while it is analysed.
func (s *snapshot) diagnostics(ctx context.Context) ([]diagnostic, error) {
	type compiled struct {
		program *lang.Program
		err     error
	}
	done := make(chan compiled, 1)
	go func() {
		p, err := s.space.host.Compile(ctx, s.name, []byte(s.text))
		done <- compiled{p, err}
	}()
	d, err := s.analysis(ctx)
	c := <-done
	if err != nil {
		return nil, err
	}
	all := []diagnostic{}
	for _, found := range d.DiagnosticsOf(c.program, c.err) {
		all = append(all, s.diagnostic(d, found))
	}
	return all, nil
}

func (s *snapshot) diagnostic(d *assist.Document, found assist.Diagnostic) diagnostic {
	severity := severityError
	if found.IsWarning() {
		severity = severityWarning
	}
	return diagnostic{Range: s.span(d, found.Range), Severity: severity, Code: string(found.Kind), Source: "dicescript", Message: found.Message}
}
