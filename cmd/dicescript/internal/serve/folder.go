package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A Root is a folder that is never left: *os.Root is one.
type Root interface {
	FS() fs.FS
	OpenFile(name string, flag int, perm os.FileMode) (*os.File, error)
	Rename(from, to string) error
	Remove(name string) error
	Stat(name string) (os.FileInfo, error)
	Readlink(name string) (string, error)
}

// A folder is the files that the page shows: recipes, documents and AnyDice
// programs, also in folders below.
type folder struct {
	root   Root
	name   string
	saving sync.Mutex // one at a time
}

const (
	mostFile  = 1 << 20 // bytes
	mostFiles = 2000
	mostDeep  = 6
)

// A nameError is a name that no file of the page has.
type nameError struct{ name, why string }

func (e *nameError) Error() string { return fmt.Sprintf("%q: %s", e.name, e.why) }

// checked refuses names of files that are not the page's.
func checked(name string) error {
	switch {
	case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00"):
		return &nameError{name, "this is not the name of a file in the folder"}
	case hidden(name):
		return &nameError{name, "hidden files are not shown"}
	case !isRecipe(name):
		return &nameError{name, "want a name that ends in .star, .dice, .md or .anydice"}
	}
	return nil
}

func isRecipe(name string) bool {
	switch path.Ext(name) {
	case ".star", ".dice", ".md", ".anydice":
		return true
	}
	return false
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// each visits the files that the page shows. What cannot be read is left out.
func (f *folder) each(visit func(name string, info fs.FileInfo)) error {
	found := 0
	files := f.root.FS()
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil
		case entry.IsDir():
			if name != "." && (hidden(name) || entry.Name() == "node_modules" || strings.Count(name, "/") >= mostDeep) {
				return fs.SkipDir
			}
			return nil
		case !isRecipe(name) || hidden(name):
			return nil
		}
		info, err := fs.Stat(files, name) // of what a link leads to, within the folder
		if err != nil || !info.Mode().IsRegular() || info.Size() > mostFile {
			return nil
		}
		if found++; found > mostFiles {
			return fs.SkipAll
		}
		visit(name, info)
		return nil
	})
}

// texts are the files with their texts.
func (f *folder) texts() (map[string]string, error) {
	texts := map[string]string{}
	err := f.each(func(name string, _ fs.FileInfo) {
		if text, err := f.read(name); err == nil {
			texts[name] = text
		}
	})
	return texts, err
}

func (f *folder) read(name string) (string, error) {
	file, err := f.root.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostFile))
	if err == nil && !utf8.Valid(text) {
		err = errors.New("this is no text")
	}
	return string(text), err
}

// write saves a file, whole or not at all: it is written beside the one before, whose place
// it takes when it is complete. A link stays one, and what it leads to is saved.
func (f *folder) write(name string, text []byte) error {
	if err := checked(name); err != nil {
		return err
	}
	f.saving.Lock()
	defer f.saving.Unlock()
	target, err := f.followed(name)
	if err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info, err := f.root.Stat(target); err == nil {
		if !info.Mode().IsRegular() {
			return &nameError{name, "this is not a regular file"}
		}
		mode = info.Mode().Perm()
	}
	part := path.Join(path.Dir(target), ".dicescript-"+rand.Text()) // others may save it as well
	file, err := f.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return plain(err)
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = f.root.Rename(part, target)
	}
	if err != nil {
		f.root.Remove(part)
		return plain(err)
	}
	return nil
}

// mostLinks is how many links lead on from a name at most.
const mostLinks = 40

// followed is the file that a name leads to, by links within the folder.
func (f *folder) followed(name string) (string, error) {
	done, rest := "", strings.Split(name, "/")
	for links := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if done == "" {
				return "", &nameError{name, "a link leaves the folder"}
			}
			if done = path.Dir(done); done == "." {
				done = ""
			}
			continue
		}
		next := path.Join(done, part)
		to, err := f.root.Readlink(next)
		if err != nil { // not a link
			done = next
			continue
		}
		if links++; links > mostLinks {
			return "", &nameError{name, "links lead round in a circle"}
		}
		if filepath.IsAbs(to) {
			return "", &nameError{name, "a link leaves the folder"}
		}
		rest = append(strings.Split(filepath.ToSlash(to), "/"), rest...)
	}
	return done, nil
}

// remove deletes a file.
func (f *folder) remove(name string) error {
	if err := checked(name); err != nil {
		return err
	}
	f.saving.Lock()
	defer f.saving.Unlock()
	return plain(f.root.Remove(name))
}

// plain is an error of the file system without the path that it was about.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// A stamp tells one state of a file from another.
type stamp struct {
	time time.Time
	size int64
}

func (f *folder) stamps() map[string]stamp {
	all := map[string]stamp{}
	f.each(func(name string, info fs.FileInfo) { all[name] = stamp{info.ModTime(), info.Size()} })
	return all
}

// lookEvery is how often the files are looked at while a page is open.
const lookEvery = 300 * time.Millisecond

// A change is a file that is another than before; without a text it is gone.
type change struct {
	Name string  `json:"name"`
	Text *string `json:"text,omitempty"`
}

// follow tells what is another than before until the context is done.
func (f *folder) follow(ctx context.Context, before map[string]stamp, tell func(change) error) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		now := f.stamps()
		for name, s := range now {
			if old, ok := before[name]; ok && old.time.Equal(s.time) && old.size == s.size {
				continue
			}
			if text, err := f.read(name); err == nil {
				if err := tell(change{name, &text}); err != nil {
					return err
				}
			}
		}
		for name := range before {
			if _, ok := now[name]; !ok {
				if err := tell(change{Name: name}); err != nil {
					return err
				}
			}
		}
		before = now
	}
}

// changes tells a page what becomes of the files, as server-sent events.
func (s *Server) changes(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "this server cannot send events", http.StatusInternalServerError)
		return
	}
	before := s.folder.stamps() // what changes once the page knows that it is told
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	flusher.Flush()
	s.folder.follow(r.Context(), before, func(c change) error {
		text, err := json.Marshal(c)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "data: %s\n\n", text)
		flusher.Flush()
		return err
	})
}
