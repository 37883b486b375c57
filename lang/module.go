// Where modules are found: the text of a load statement, seen from the file
// that holds it, is a file of one of the host's roots or a bundled module.

package lang

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"dicescript/builtins/suggest"
	"dicescript/stdlib"
)

// A root serves the files whose name begins with a prefix.
type root struct {
	prefix  string // "", "./" or "campaign/"
	files   fs.FS  // nil where modules come from load
	load    func(ctx context.Context, name string) ([]byte, error)
	bundled bool // the modules that come with dicescript
}

// library is the bundled modules, with those that have been compiled. A unit
// is immutable, so that all programs of a host can share it.
type library struct {
	root  root
	mu    sync.Mutex
	units map[location]*unit

	index    sync.Once
	definers map[string][]string // the modules that have a name, once somebody has missed one
}

func newLibrary() *library {
	return &library{
		root:  root{files: stdlib.FS, bundled: true},
		units: map[location]*unit{},
	}
}

// names are the bundled modules: "rolemaster.star".
func (l *library) names() []string {
	return moduleNames(l.root.files, ".")
}

// moduleNames are the modules in a folder of files. What a loader has, nobody knows.
func moduleNames(files fs.FS, dir string) []string {
	if files == nil {
		return nil
	}
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && path.Ext(e.Name()) == ".star" {
			names = append(names, e.Name())
		}
	}
	return names
}

// A location is a file of a root.
type location struct {
	root *root
	path string // as fs.FS wants it
}

// beside is the location of a relative name seen from l.
func (l location) beside(name string) (location, bool) {
	p := path.Join(path.Dir(l.path), name)
	return location{l.root, p}, fs.ValidPath(p)
}

// locate finds the file that a load statement in the file at from means. The
// message of the error is for the author.
func (h *Host) locate(ctx context.Context, from location, name string) (location, []byte, error) {
	if err := checkModuleName(name); err != nil {
		return location{}, nil, err
	}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return h.locateBeside(ctx, from, name)
	}
	for _, r := range h.rootsFor(from) {
		rest, ok := strings.CutPrefix(name, r.prefix)
		if !ok || !fs.ValidPath(rest) {
			continue
		}
		at := location{r, rest}
		src, err := h.readModule(ctx, at, name)
		if !errors.Is(err, fs.ErrNotExist) {
			return at, src, err
		}
	}
	return location{}, nil, h.noModule(from, name)
}

// rootsFor are the roots in which a plain name is looked up, in order. The
// bundled modules see only each other, so that they work with every host.
func (h *Host) rootsFor(from location) []*root {
	own := &h.bundled.root
	if from.root != nil && from.root.bundled {
		return []*root{own}
	}
	var roots []*root
	for i := range h.roots {
		if h.roots[i].prefix != "./" {
			roots = append(roots, &h.roots[i])
		}
	}
	slices.SortStableFunc(roots, func(a, b *root) int { return len(b.prefix) - len(a.prefix) })
	return append(roots, own)
}

func (h *Host) locateBeside(ctx context.Context, from location, name string) (location, []byte, error) {
	if from.root == nil {
		return location{}, nil, moduleError("%s: there is no folder beside this recipe to load from", name)
	}
	at, ok := from.beside(name)
	if !ok {
		return location{}, nil, moduleError("%s: the name leaves the folder of the recipe", name)
	}
	src, err := h.readModule(ctx, at, name)
	if errors.Is(err, fs.ErrNotExist) {
		near := suggest.Among(path.Base(name), moduleNames(at.root.files, path.Dir(at.path)))
		if near != "" {
			near = strings.TrimSuffix(name, path.Base(name)) + near
		}
		return location{}, nil, moduleMeant(near, "%s: there is no such file beside this one%s", name, suggest.DidYouMean(near))
	}
	return at, src, err
}

// readModule reads a file, at most as much of it as a source may have. Its
// error is fs.ErrNotExist, or one for the author.
func (h *Host) readModule(ctx context.Context, at location, name string) ([]byte, error) {
	if at.root.load != nil {
		return loaded(ctx, at, name)
	}
	// Opening a pipe would wait for its other end, so it is asked about before.
	if info, err := fs.Stat(at.root.files, at.path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, moduleError("%s: this is a pipe or a device, not a module", name)
	}
	f, err := at.root.files.Open(at.path)
	if err != nil {
		return nil, readError(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return nil, moduleError("%s: this is a folder, not a module", name)
	}
	var r io.Reader = f
	if limit := h.limits.SourceBytes; limit >= 0 {
		r = io.LimitReader(f, limit+1)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, readError(name, err)
	}
	return src, nil
}

// loaded is what the host's loader has of a module. Its own error is the cause of ours.
func loaded(ctx context.Context, at location, name string) ([]byte, error) {
	src, err := at.root.load(ctx, at.path)
	switch {
	case err == nil:
		return src, nil
	case ctx.Err() != nil:
		return nil, stopped(ctx.Err())
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	}
	e := moduleError("%s: can't be loaded: %s", name, err)
	e.cause = err
	return nil, e
}

func readError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case strings.Contains(err.Error(), "escapes"):
		return moduleError("%s: the name or a link in it leaves the folder it belongs to", name)
	}
	return moduleError("%s: can't be read: %s", name, plainCause(err))
}

// plainCause is what the system says, without the path that it says it of.
func plainCause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func checkModuleName(name string) error {
	switch {
	case name == "":
		return moduleError("the name of the module is empty")
	case strings.HasPrefix(name, "/"), strings.Contains(name, "\\"), len(name) > 1 && name[1] == ':':
		return moduleError("%s: a module is named as in \"rolemaster.star\" or \"./house.star\", with /", name)
	}
	return nil
}

func (h *Host) noModule(from location, name string) error {
	names := h.bundled.names()
	for _, r := range h.rootsFor(from) {
		if !r.bundled {
			for _, n := range moduleNames(r.files, ".") {
				names = append(names, r.prefix+n)
			}
		}
	}
	if from.root != nil && from.root.prefix == "./" && slices.Contains(moduleNames(from.root.files, path.Dir(from.path)), name) {
		return moduleMeant("./"+name, "there is no module %s; the file beside this one is \"./%s\"", name, name)
	}
	near := suggest.Among(name, names)
	if slices.Contains(names, name+".star") {
		near = name + ".star"
	}
	return moduleMeant(near, "there is no module %s%s", name, suggest.DidYouMean(near))
}

// moduleMeant is an error of a load statement in which another module is meant; none
// where near is "".
func moduleMeant(near, format string, args ...any) *Error {
	e := moduleError(format, args...)
	if near != "" {
		e.Fixes = []Fix{{Text: near}}
	}
	return e
}
