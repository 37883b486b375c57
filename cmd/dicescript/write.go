package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// This file is -o FILE: a regular file is there whole or not at all, and what is
// none, a device or a pipe, is written into as it is.

// mostLinks is how many links lead on from a name at most.
const mostLinks = 40

// writeFile writes what write gives to where a name leads.
func (t *tool) writeFile(name string, write func(io.Writer) error) error {
	if out := t.open(name); out != nil {
		return write(out)
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: this is a folder, want a file", name)
	case err == nil && !info.Mode().IsRegular():
		return fileProblem(name, writeInto(name, write))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fileProblem(name, err)
	}
	mode := fs.FileMode(0o644)
	if err == nil {
		mode = info.Mode().Perm()
	}
	target, err := followed(name)
	if err == nil {
		err = t.replace(target, mode, write)
	}
	return fileProblem(name, err)
}

// fileProblem names the file of an error, in words about it.
func fileProblem(name string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such folder", name)
	case errors.As(err, &p):
		return fmt.Errorf("%s: %w", name, p.Err)
	case errors.As(err, &l):
		return fmt.Errorf("%s: %w", name, l.Err)
	}
	return err
}

// writeInto writes into what is there.
func writeInto(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(f)
	return errors.Join(err, f.Close())
}

// open is what a name leads to that stands for something which is open already,
// such as /dev/stdout, else nil. It may be a file that somebody else writes to, too.
func (t *tool) open(name string) io.Writer {
	for range mostLinks {
		if dir := filepath.Dir(name); dir == "/dev/fd" || dir == "/proc/self/fd" {
			return t.descriptor(filepath.Base(name))
		}
		to, err := os.Readlink(name)
		if err != nil {
			return nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return nil
}

// descriptor is an open file by its number, nil when it is none.
func (t *tool) descriptor(number string) io.Writer {
	switch n, err := strconv.Atoi(number); {
	case err != nil || n < 0:
		return nil
	case n == 1:
		return t.stdout
	case n == 2:
		return t.stderr
	default:
		return os.NewFile(uintptr(n), number)
	}
}

// followed is where the links of a name lead, also to a file that is not there.
func followed(name string) (string, error) {
	for range mostLinks {
		to, err := os.Readlink(name)
		switch {
		case err != nil: // not a link
			return name, nil
		case filepath.IsAbs(to):
			name = to
		default:
			name = filepath.Join(filepath.Dir(name), to)
		}
	}
	return "", errors.New("too many links")
}

// replace puts a file in the place of another one in one step.
func (t *tool) replace(name string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".dicescript-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if !t.unfinished.begin(f.Name()) {
		return t.ctx.Err()
	}
	if err := write(f); err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return t.unfinished.end(f.Name(), func() error { return os.Rename(f.Name(), name) })
}
