package lsp

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"dicescript/cmd/dicescript/internal/suite"
	"dicescript/lang"
	"dicescript/lang/assist"
)

// This file is what recipes can use: the bundled modules, and the files beside them
// as the client has them, saved or not.

// hosts are those of all folders with open files.
type hosts struct {
	open  func(name string) (text string, ok bool)      // a file that the client has open
	texts func(folder string) (texts map[string]string) // all that are in a folder, by names
	asker Asker                                         // who runs recipes

	mu   sync.Mutex
	made map[hostKey]*space
}

type hostKey struct {
	folder string // "" for a text that is no file
	test   bool   // with the assertions of test files
}

// A space is where a recipe stands: its host, and questions to it.
type space struct {
	host   *lang.Host
	assist *assist.Assistant
	folder string
	texts  func(folder string) map[string]string
	asker  Asker
}

// of returns the space of a file, by its name.
func (h *hosts) of(name string, isFile bool) (*space, error) {
	key := hostKey{test: suite.IsTestFile(name)}
	if isFile {
		key.folder = path.Dir(name)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.made[key]; s != nil {
		return s, nil
	}
	s, whole, err := h.make(key)
	if err == nil && whole {
		h.made[key] = s
	}
	return s, err
}

// make makes a space; whole is false when the folder is not there, which it may be
// later.
func (h *hosts) make(key hostKey) (s *space, whole bool, err error) {
	var opts []lang.Option
	if key.test {
		opts = append(opts, lang.WithBuiltins(suite.Assertions()))
	}
	if key.folder != "" {
		root, err := os.OpenRoot(filepath.FromSlash(key.folder))
		if whole = err == nil; whole {
			opts = append(opts, lang.WithModules("./", overlay{root.FS(), key.folder, h.open}))
		}
	}
	host, err := lang.New(opts...)
	if err != nil {
		return nil, false, err
	}
	return &space{host, assist.New(host), key.folder, h.texts, h.asker}, whole || key.folder == "", nil
}

// An overlay is the files of a folder, with the texts that the client has open
// instead of what is saved.
type overlay struct {
	fs.FS
	folder string
	open   func(name string) (string, bool)
}

func (o overlay) Open(name string) (fs.File, error) {
	if text, ok := o.open(path.Join(o.folder, name)); ok && fs.ValidPath(name) {
		return &openFile{path.Base(name), int64(len(text)), strings.NewReader(text)}, nil
	}
	return o.FS.Open(name)
}

// An openFile is a text that the client has open, as a file.
type openFile struct {
	name string
	size int64
	io.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *openFile) Close() error               { return nil }
func (f *openFile) Name() string               { return f.name }
func (f *openFile) Size() int64                { return f.size }
func (f *openFile) Mode() fs.FileMode          { return 0o444 }
func (f *openFile) ModTime() time.Time         { return time.Time{} }
func (f *openFile) IsDir() bool                { return false }
func (f *openFile) Sys() any                   { return nil }
