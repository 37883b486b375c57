package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"dicescript/lang/report"
)

// This file is run --watch: the recipe runs again whenever it, or a module that
// it loads from a file, is saved.

// watchEvery is how often the files are looked at.
const watchEvery = 200 * time.Millisecond

// watching is what run --watch has under way: the page goes to a buffer, which
// is shown at once, laid out for the window.
type watching struct {
	width int
	color bool
	seen  *watched
}

// watch runs a recipe now and after every change, until it is interrupted.
func (t *tool) watch(o *options, file string) int {
	if standardInput(file) {
		return t.misused("--watch: standard input can't be saved; want a file")
	}
	if isTerminal(t.stdout) {
		io.WriteString(t.stdout, "\x1b[2J")
	}
	for {
		seen := newWatched(file)
		t.redraw(t.page(o, file, seen), file)
		if !seen.changed(t.ctx.Done()) {
			return exitOK
		}
	}
}

// page is what one run has to say.
func (t *tool) page(o *options, file string, seen *watched) []byte {
	w := &watching{seen: seen}
	w.width, w.color = terminal(t.stdout)
	var page bytes.Buffer
	inner := &tool{ctx: t.ctx, stdin: t.stdin, stdout: &page, stderr: &page, watching: w, child: t.child, printed: &atomic.Bool{}}
	defer t.waiting("running " + file)()
	inner.runOnce(o, file)
	return page.Bytes()
}

// window is how wide results may be, and whether they may have colours.
func (t *tool) window() (width int, color bool) {
	if t.watching != nil {
		return t.watching.width, t.watching.color
	}
	return terminal(t.stdout)
}

// watched notes what is read from a folder.
func (t *tool) watched(files fs.FS, folder string) fs.FS {
	if t.watching == nil {
		return files
	}
	return watchedFS{files, folder, t.watching.seen}
}

// redraw shows a page in one write: the cursor goes home, every line is
// written over the one that was there, and what is left below is erased.
func (t *tool) redraw(page []byte, file string) {
	if !isTerminal(t.stdout) {
		t.stdout.Write(page)
		return
	}
	var b bytes.Buffer
	b.WriteString("\x1b[H")
	b.Write(bytes.ReplaceAll(page, []byte("\n"), []byte("\x1b[K\n")))
	fmt.Fprintf(&b, "\x1b[K\n%s  %s; waiting for changes, Ctrl-C leaves\x1b[K\x1b[J\n", time.Now().Format("15:04:05"), report.Visible(file))
	t.stdout.Write(b.Bytes())
}

// watched are the files that a run has read, with what they were then.
type watched struct {
	mu    sync.Mutex
	files map[string]stamp
}

// A stamp tells one state of a file from another.
type stamp struct {
	time time.Time
	size int64
}

func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

func newWatched(file string) *watched {
	return &watched{files: map[string]stamp{file: stampOf(file)}}
}

// note adds a file.
func (w *watched) note(file string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.files[file]; !ok {
		w.files[file] = stampOf(file)
	}
}

// changed waits until one of the files is another than before, and has stayed
// so for a moment: an editor may write a file in several steps. It returns
// false when done is closed first.
func (w *watched) changed(done <-chan struct{}) bool {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var last map[string]stamp
	for {
		select {
		case <-done:
			return false
		case <-tick.C:
		}
		now := w.now()
		if w.differs(now, w.files) && last != nil && !w.differs(now, last) {
			return true
		}
		last = now
	}
}

func (w *watched) now() map[string]stamp {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := make(map[string]stamp, len(w.files))
	for file := range w.files {
		now[file] = stampOf(file)
	}
	return now
}

func (w *watched) differs(a, b map[string]stamp) bool {
	for file, s := range a {
		if !s.time.Equal(b[file].time) || s.size != b[file].size {
			return true
		}
	}
	return false
}

// watchedFS notes the modules that are read from a folder.
type watchedFS struct {
	fs.FS
	folder string
	seen   *watched
}

// Open opens a file. One that is not there is watched too: it may come.
func (w watchedFS) Open(name string) (fs.File, error) {
	if path.Ext(name) != "" {
		w.seen.note(filepath.Join(w.folder, filepath.FromSlash(name)))
	}
	return w.FS.Open(name)
}

// Stat tells about a file without opening it.
func (w watchedFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(w.FS, name) }
