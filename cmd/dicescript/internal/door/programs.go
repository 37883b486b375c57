package door

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"dicescript/lang"
)

// A memo of compiled programs: those used last, by the hash of name and source.

// What the memo holds at most.
const (
	mostPrograms    = 256
	mostSourceBytes = 32 << 20
)

type programs struct {
	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // of *entry, the one used last in front
	bytes int
}

type entry struct {
	key     string
	program *lang.Program
	size    int
	fixed   bool // stands on no file, so that its source says all about it
}

func newPrograms() *programs {
	return &programs{byKey: map[string]*list.Element{}, order: list.New()}
}

// keyOf returns the handle of a program.
func keyOf(name, source string) string {
	h := sha256.New()
	h.Write([]byte(name))
	h.Write([]byte{0})
	h.Write([]byte(source))
	return hex.EncodeToString(h.Sum(nil))
}

// get returns the program of a handle, nil when it has been dropped.
func (p *programs) get(key string) *entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.byKey[key]
	if at == nil {
		return nil
	}
	p.order.MoveToFront(at)
	return at.Value.(*entry)
}

// put keeps a program and drops those that were used longest ago.
func (p *programs) put(e *entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := p.byKey[e.key]; at != nil {
		p.drop(at)
	}
	p.byKey[e.key] = p.order.PushFront(e)
	p.bytes += e.size
	for p.order.Len() > mostPrograms || p.bytes > mostSourceBytes {
		p.drop(p.order.Back())
	}
}

func (p *programs) drop(at *list.Element) {
	e := p.order.Remove(at).(*entry)
	delete(p.byKey, e.key)
	p.bytes -= e.size
}

// filesRead is the key of a context under which a compilation notes that it has read
// files, which may change.
type filesRead struct{}

func readsFiles(ctx context.Context) {
	if seen, ok := ctx.Value(filesRead{}).(*bool); ok {
		*seen = true
	}
}

// compile returns the program of a source, compiled before or now. One that stands on
// files is compiled each time.
func (e *Engine) compile(ctx context.Context, name, source string) (key string, program *lang.Program, err error) {
	key = keyOf(name, source)
	if known := e.programs.get(key); known != nil && known.fixed {
		return key, known.program, nil
	}
	files := false
	program, err = e.host.Compile(context.WithValue(ctx, filesRead{}, &files), name, []byte(source))
	if err != nil {
		return "", nil, err
	}
	e.programs.put(&entry{key: key, program: program, size: len(source) + len(name), fixed: !files})
	return key, program, nil
}
