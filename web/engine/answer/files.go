package answer

import (
	"bytes"
	"io"
	"io/fs"
	"time"
)

// files are the texts beside a recipe, by their names, as a file system that
// recipes load modules from. It has one folder.
type files map[string]string

// Open opens a file.
func (f files) Open(name string) (fs.File, error) {
	text, ok := f[name]
	if !ok || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &file{name: name, size: int64(len(text)), Reader: bytes.NewReader([]byte(text))}, nil
}

// A file is an open text.
type file struct {
	name string
	size int64
	io.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return info{f}, nil }
func (f *file) Close() error               { return nil }

// info is what there is to know about a text.
type info struct{ *file }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
