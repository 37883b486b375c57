package lsp

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"dicescript/lang"
	"dicescript/lang/assist"
)

// A snapshot is one version of a text that the client has open. What is asked about
// it is answered from one analysis, and nothing is worked out any more once there is
// a newer version.
type snapshot struct {
	uri     string
	name    string // of the recipe
	isFile  bool
	version int
	text    string
	space   *space

	ctx   context.Context // is done when the snapshot is stale
	stale context.CancelFunc

	slot     chan struct{} // held by the one who asks
	document atomic.Pointer[assist.Document]

	base  *assist.Document // of a text before, to answer while the line is typed
	typed func() *assist.Document

	lens lenses
}

// errStale is the answer to questions about a text that is no more.
var errStale = errors.New("the text has changed since")

func newSnapshot(ctx context.Context, uri, name string, isFile bool, version int, text string, s *space) *snapshot {
	ctx, stale := context.WithCancel(ctx)
	n := &snapshot{
		uri: uri, name: name, isFile: isFile, version: version, text: text, space: s,
		ctx: ctx, stale: stale, slot: make(chan struct{}, 1),
	}
	n.typed = sync.OnceValue(n.typedOn)
	return n
}

// after makes the snapshot one that follows another.
func (s *snapshot) after(old *snapshot) {
	if s.base = old.document.Load(); s.base == nil {
		s.base = old.base
	}
}

// typedOn is the text as one in which a line of the base is typed, nil when it is not.
func (s *snapshot) typedOn() *assist.Document {
	if s.base == nil {
		return nil
	}
	d, _ := s.base.Typed([]byte(s.text))
	return d
}

// isRecipe reports whether more than diagnostics is known about the text.
func (s *snapshot) isRecipe() bool {
	return !strings.HasSuffix(s.name, ".anydice") && !s.isOtherDocument()
}

// isOtherDocument reports whether the text is a document that is none of ours: most
// Markdown that people open has nothing to do with dice. A recipe is told by a fence
// labelled dice, or result.
func (s *snapshot) isOtherDocument() bool {
	return strings.HasSuffix(s.name, ".md") && !ownFence.MatchString(s.text)
}

var ownFence = regexp.MustCompile("(?m)^```+ *(dice|result) *\r?$")

// ask hands over the analysis, to one question at a time.
func (s *snapshot) ask(ctx context.Context, question func(*assist.Document)) error {
	select {
	case s.slot <- struct{}{}:
		defer func() { <-s.slot }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return errStale
	}
	if s.document.Load() == nil {
		d := s.space.assist.Analyze(s.ctx, s.name, []byte(s.text))
		if s.ctx.Err() == nil {
			s.document.Store(d)
		}
	}
	switch {
	case s.ctx.Err() != nil:
		return errStale
	case ctx.Err() != nil:
		return ctx.Err()
	}
	question(s.document.Load())
	return nil
}

// askSoon asks about the place where somebody types: of what is known of the text
// before, while the new one is not read.
func (s *snapshot) askSoon(ctx context.Context, question func(*assist.Document)) error {
	if s.document.Load() == nil {
		if d := s.typed(); d != nil && s.ctx.Err() == nil && ctx.Err() == nil {
			question(d)
			return nil
		}
	}
	return s.ask(ctx, question)
}

// analysis is what diagnostics are made from: they take long, and keep no other
// question waiting.
func (s *snapshot) analysis(ctx context.Context) (d *assist.Document, err error) {
	err = s.ask(ctx, func(found *assist.Document) { d = found })
	return d, err
}

// hasMark reports whether the text begins with a byte order mark, which clients
// count as a character.
func (s *snapshot) hasMark() bool { return strings.HasPrefix(s.text, "\ufeff") }

// position is where a place of the recipe is in the client's text.
func (s *snapshot) position(d *assist.Document, pos lang.Position) position {
	line, character := d.UTF16(pos)
	if line == 0 && s.hasMark() {
		character++
	}
	return position{line, character}
}

// place is the place in the recipe of a position in the client's text.
func (s *snapshot) place(d *assist.Document, p position) lang.Position {
	if p.Line == 0 && s.hasMark() {
		p.Character = max(0, p.Character-1)
	}
	return d.FromUTF16(p.Line, p.Character)
}

func (s *snapshot) span(d *assist.Document, r assist.Range) span {
	return span{s.position(d, r.Start), s.position(d, r.End)}
}

// A workspace is the texts that the client has open.
type workspace struct {
	hosts hosts

	mu    sync.Mutex
	files map[string]*snapshot // by URI
	names map[string]string    // the URIs of files, by their names
}

func newWorkspace(asker Asker) *workspace {
	w := &workspace{files: map[string]*snapshot{}, names: map[string]string{}}
	w.hosts = hosts{open: w.openText, texts: w.openIn, asker: asker, made: map[hostKey]*space{}}
	return w
}

// openText is the text of a file that is open.
func (w *workspace) openText(name string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.files[w.names[name]]; s != nil {
		return s.text, true
	}
	return "", false
}

// openIn are the texts of the files of a folder that are open, also of folders below, by
// their names.
func (w *workspace) openIn(folder string) map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	texts := map[string]string{}
	for name, uri := range w.names {
		if s := w.files[uri]; s != nil && folder != "" && strings.HasPrefix(name, folder+"/") {
			texts[name] = s.text
		}
	}
	return texts
}

// snapshot is the version of a text that the client has now, nil when it has none.
func (w *workspace) snapshot(uri string) *snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[uri]
}

// all are the texts that are open.
func (w *workspace) all() []*snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []*snapshot
	for _, s := range w.files {
		all = append(all, s)
	}
	return all
}

// put takes a version of a text in, and gives up the one before.
func (w *workspace) put(s *snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.files[s.uri]; old != nil {
		old.stale()
		s.after(old)
	}
	w.files[s.uri] = s
	if name, ok := fileName(s.uri); ok {
		w.names[name] = s.uri
	}
}

// remove closes a text.
func (w *workspace) remove(uri string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.files[uri]; old != nil {
		old.stale()
	}
	delete(w.files, uri)
	if name, ok := fileName(uri); ok {
		delete(w.names, name)
	}
}

// above returns the texts whose folder a file is in, which may load it, as new
// snapshots of the same version.
func (w *workspace) above(ctx context.Context, name string) []*snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	var renewed []*snapshot
	for uri, s := range w.files {
		own, ok := fileName(uri)
		if !ok || own == name || !strings.HasPrefix(name, folderOf(own)) || !strings.Contains(s.text, "load") {
			continue
		}
		s.stale()
		again := newSnapshot(ctx, uri, s.name, s.isFile, s.version, s.text, s.space)
		again.base = s.base // what it loads has changed, the text has not
		w.files[uri] = again
		renewed = append(renewed, again)
	}
	return renewed
}

// folderOf is the folder of a file, with a slash at its end.
func folderOf(name string) string { return name[:strings.LastIndexByte(name, '/')+1] }
