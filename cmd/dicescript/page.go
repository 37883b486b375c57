package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
)

// This file is the page that the command itself has, when it was built with one.

// unpacked is a packed page as files.
func unpacked(packed []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("the page in this command is broken: %w", err)
	}
	files := pageFiles{}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, err
		}
		files[f.Name] = text
	}
	return files, nil
}

// pageFiles are files by their paths; a server seeks in them, which one of a zip file
// can't do.
type pageFiles map[string][]byte

// Open opens a file. There are no folders.
func (p pageFiles) Open(name string) (fs.File, error) {
	text, ok := p[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &pageFile{bytes.NewReader(text), name[strings.LastIndexByte(name, '/')+1:], int64(len(text))}, nil
}

type pageFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *pageFile) Stat() (fs.FileInfo, error) { return pageInfo{f.name, f.size}, nil }
func (f *pageFile) Close() error               { return nil }

type pageInfo struct {
	name string
	size int64
}

func (i pageInfo) Name() string       { return i.name }
func (i pageInfo) Size() int64        { return i.size }
func (i pageInfo) Mode() fs.FileMode  { return 0o444 }
func (i pageInfo) ModTime() time.Time { return time.Time{} }
func (i pageInfo) IsDir() bool        { return false }
func (i pageInfo) Sys() any           { return nil }
