// Package source reads the texts of recipes. They are regular files: nothing waits
// for a pipe that nobody writes to, or reads a device that has no end.
package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// The errors that people get are in their words.
var (
	ErrNone    = errors.New("there is no such file")
	ErrFolder  = errors.New("this is a folder, not a recipe")
	ErrSpecial = errors.New("this is a pipe or a device, want a file; - reads standard input")
)

// Read reads a regular file, at most so many bytes of it; below 0 all.
func Read(path string, most int64) ([]byte, error) {
	// Opening a pipe would wait for its other end, so it is asked about before.
	info, err := os.Stat(path)
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, plain(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, plain(err)
	}
	src, err := ReadAll(f, most)
	return src, plain(err)
}

// ReadAll reads at most so many bytes; below 0 all.
func ReadAll(r io.Reader, most int64) ([]byte, error) {
	if most >= 0 {
		r = io.LimitReader(r, most)
	}
	return io.ReadAll(r)
}

func regular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return ErrFolder
	case !info.Mode().IsRegular():
		return ErrSpecial
	}
	return nil
}

// plain puts an error of the file system into words about this file.
func plain(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNone
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("it can't be read: %w", p.Err)
	}
	return err
}
