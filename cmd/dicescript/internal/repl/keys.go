package repl

import (
	"bytes"
	"sync"
)

// Keys on their way from the terminal to the line editor. The editor knows
// neither pasted text nor most key sequences: in a pasted text a tab would
// complete a word, and an unknown sequence would leave its letters in the
// line. The filter turns both into what the editor understands, and the queue
// hands it on line by line, so that it is known of each whether more follow.

// What the terminal is asked for, so that it marks pasted text, and takes back.
const (
	markPastes   = "\x1b[?2004h"
	unmarkPastes = "\x1b[?2004l"
)

// tabWidth is what a tab in a pasted text is worth, and what Tab indents by.
const tabWidth = 4

// A stroke is what was typed up to the end of a line, or so far.
type stroke struct {
	keys []byte
	ends bool // at the end of a line
	more bool // further lines were there already
}

// A keyFilter translates what a terminal sends.
type keyFilter struct {
	pasting bool
	wasCR   bool   // the last byte of a paste was a carriage return
	partial []byte // the beginning of a key sequence
	keys    bytes.Buffer
	strokes []stroke
}

// feed translates one piece of what the terminal sent.
func (f *keyFilter) feed(in []byte) []stroke {
	f.strokes = nil
	in = append(f.partial, in...)
	f.partial = nil
	for i := 0; i < len(in); {
		if in[i] == escape && (i+1 < len(in) && in[i+1] == '[' || i+1 == len(in) && f.pasting) {
			n := sequenceWidth(in[i:])
			if n == 0 {
				f.partial = bytes.Clone(in[i:])
				break
			}
			f.sequence(string(in[i : i+n]))
			i += n
			continue
		}
		f.key(in[i], i+1 < len(in))
		i++
	}
	f.cut(false, false)
	return f.strokes
}

// cut ends a stroke.
func (f *keyFilter) cut(ends, more bool) {
	if f.keys.Len() == 0 {
		return
	}
	f.strokes = append(f.strokes, stroke{bytes.Clone(f.keys.Bytes()), ends, more})
	f.keys.Reset()
}

// endLine passes the end of a line.
func (f *keyFilter) endLine(c byte, more bool) {
	f.keys.WriteByte(c)
	f.cut(true, more)
}

const (
	escape = 0x1b
	rubout = 0x7f
)

// longestSequence is longer than any key sequence: what is longer is none.
const longestSequence = 32

// sequenceWidth is the width of the key sequence that in begins with, or 0
// when its end is still to come.
func sequenceWidth(in []byte) int {
	for i := 2; i < len(in); i++ {
		if in[i] >= 0x40 && in[i] <= 0x7e || in[i] < ' ' || i == longestSequence {
			return i + 1
		}
	}
	return 0
}

// key passes a byte that belongs to no sequence.
func (f *keyFilter) key(c byte, more bool) {
	wasCR := f.wasCR
	f.wasCR = false
	if !f.pasting {
		if c == '\r' || c == '\n' {
			f.endLine(c, more)
			return
		}
		f.keys.WriteByte(c)
		return
	}
	switch {
	case c == '\n' && wasCR:
	case c == '\r' || c == '\n':
		f.endLine('\n', true)
		f.wasCR = c == '\r'
	case c == '\t':
		for range tabWidth {
			f.keys.WriteByte(' ')
		}
	case c < ' ' || c == rubout: // pasted text is text, not keys
	default:
		f.keys.WriteByte(c)
	}
}

// sequence passes a key sequence that the editor knows, or what comes nearest.
func (f *keyFilter) sequence(s string) {
	switch s {
	case "\x1b[200~":
		f.pasting = true
		return
	case "\x1b[201~":
		f.pasting, f.wasCR = false, false
		return
	}
	if f.pasting {
		return
	}
	if known, ok := sequences[s]; ok {
		f.keys.WriteString(known)
	}
}

// sequences are the key sequences that the editor knows, and what others are
// turned into. A sequence that is not listed does nothing.
var sequences = func() map[string]string {
	m := map[string]string{
		"\x1b[1;5C": "\x1b[1;5C", "\x1b[1;5D": "\x1b[1;5D", // Ctrl and an arrow: by words
		"\x1b[1;3C": "\x1bf", "\x1b[1;3D": "\x1bb", // Alt and an arrow: the same
		"\x1b[5C": "\x1b[1;5C", "\x1b[5D": "\x1b[1;5D",
		"\x1b[Z": "\x1b[Z",
	}
	for _, key := range "ABCDHF" {
		m["\x1b["+string(key)] = "\x1b[" + string(key)
		m["\x1b[1;2"+string(key)] = "\x1b[" + string(key) // with Shift, as without
	}
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		m["\x1b["+key+"~"] = "\x1b[" + key + "~"
	}
	return m
}()

// A keyQueue holds what was typed or pasted until the line before it has been
// read.
type keyQueue struct {
	mu      sync.Mutex
	changed *sync.Cond
	strokes []stroke
	pasting bool // the end of a paste is still to come
	ended   bool // nothing comes any more
	reading bool // a line is being read
	more    bool // further lines were there when the last one ended
}

func newKeyQueue() *keyQueue {
	q := &keyQueue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// add adds strokes.
func (q *keyQueue) add(strokes []stroke, pasting bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.strokes, q.pasting = append(q.strokes, strokes...), pasting
	q.changed.Broadcast()
}

// end says that nothing comes any more.
func (q *keyQueue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
	q.changed.Broadcast()
}

// begin lets one line through. It reports whether the line is there already, at
// least in part.
func (q *keyQueue) begin() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reading = true
	q.changed.Broadcast()
	return q.pasting || len(q.strokes) > 0
}

// next waits for what comes next in the line that is read; false at the end.
func (q *keyQueue) next() (keys []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.reading || len(q.strokes) == 0 {
		if q.ended && len(q.strokes) == 0 {
			return nil, false
		}
		q.changed.Wait()
	}
	s := q.strokes[0]
	q.strokes = q.strokes[1:]
	if s.ends {
		q.reading, q.more = false, s.more
	}
	return s.keys, true
}

// followed reports whether further lines were there when the last one ended.
func (q *keyQueue) followed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.more
}
