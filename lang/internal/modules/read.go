// Reading a module from the files or the loader of its root.

package modules

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
)

// read reads a file, at most as much of it as a source may have. Its
// error is an fs.ErrNotExist of the host's, or one for the author.
func read(ctx context.Context, at Location, name string, longest int64) ([]byte, error) {
	if at.Root.Load != nil {
		return loaded(ctx, at, name)
	}
	// Opening a pipe would wait for its other end, so it is asked about before.
	if info, err := fs.Stat(at.Root.Files, at.Path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errorf("%s: this is a pipe or a device, not a module", name)
	}
	f, err := at.Root.Files.Open(at.Path)
	if err != nil {
		return nil, readError(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return nil, errorf("%s: this is a folder, not a module", name)
	}
	var r io.Reader = f
	if longest >= 0 {
		r = io.LimitReader(f, longest+1)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, readError(name, err)
	}
	return src, nil
}

// loaded is what the host's loader has of a module. Its own error is the cause of ours.
func loaded(ctx context.Context, at Location, name string) ([]byte, error) {
	src, err := at.Root.Load(ctx, at.Path)
	switch {
	case err == nil:
		return src, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return nil, caused(err, "%s: can't be loaded: %s", name, err)
}

func readError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return err
	case strings.Contains(err.Error(), "escapes"):
		return caused(err, "%s: the name or a link in it leaves the folder it belongs to", name)
	}
	return caused(err, "%s: can't be read: %s", name, plainCause(err))
}

// plainCause is what the system says, without the path that it says it of.
func plainCause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
