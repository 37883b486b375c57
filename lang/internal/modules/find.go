// Package modules finds the modules that recipes load, and keeps what was made of them.
//
// The text of a load statement, seen from the file that holds it, goes in. A [Finder] takes
// it for a file of one of the host's roots or for a bundled module, reads it, and gives its
// [Location] with its text. Whoever compiles the text puts the outcome on a [Shelf] and
// takes it from there for as long as the text is the same.
package modules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"dicescript/builtins/suggest"
)

// Beside is the prefix of the root that has the files beside a recipe.
const Beside = "./"

// A Root serves the files whose name begins with a prefix.
type Root struct {
	Prefix  string // "", "./" or "campaign/"
	Files   fs.FS  // nil where modules come from Load
	Load    func(ctx context.Context, name string) ([]byte, error)
	Bundled bool // the modules that come with dicescript
}

// A Finder knows where modules are. Once all roots have been added it may be shared by
// goroutines.
type Finder struct {
	roots   []Root
	bundled Root

	index    sync.Once
	definers map[string][]string // the bundled modules that have a name, once somebody has missed one
}

// NewFinder returns a finder that has the bundled modules.
func NewFinder(bundled fs.FS) *Finder {
	return &Finder{bundled: Root{Files: bundled, Bundled: true}}
}

// Add adds where the modules are found whose names begin with a prefix.
func (f *Finder) Add(given string, r Root) error {
	r.Prefix = given
	if given != "" && !strings.HasSuffix(given, "/") {
		r.Prefix += "/"
	}
	// Other names with dots are looked up beside the file that loads them.
	if !fs.ValidPath(strings.TrimSuffix(r.Prefix, "/")) && r.Prefix != "" && r.Prefix != Beside {
		return fmt.Errorf("modules: prefix: got %q, want \"\", \"./\" or the beginning of a name such as \"campaign/\"", given)
	}
	for _, other := range f.roots {
		if other.Prefix == r.Prefix {
			return fmt.Errorf("modules: prefix %q is given twice", r.Prefix)
		}
	}
	f.roots = append(f.roots, r)
	return nil
}

// A Location is a file of a root.
type Location struct {
	Root *Root
	Path string // as fs.FS wants it
}

// beside is the location of a relative name seen from l.
func (l Location) beside(name string) (Location, bool) {
	p := path.Join(path.Dir(l.Path), name)
	return Location{l.Root, p}, fs.ValidPath(p)
}

// OfRecipe is the location of a recipe itself: in the root for files beside it, if there
// is one.
func (f *Finder) OfRecipe(name string) Location {
	for i, r := range f.roots {
		if r.Prefix == Beside {
			return Location{&f.roots[i], path.Base(name)}
		}
	}
	return Location{}
}

// An Error says to the author of a recipe why a module can't be had.
type Error struct {
	Message string
	Meant   string // the module that is likely meant, or ""
	Cause   error  // what the loaders or the files of the host have said, or nil
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Cause }

func errorf(format string, args ...any) *Error { return &Error{Message: fmt.Sprintf(format, args...)} }

// caused is an error with a cause.
func caused(cause error, format string, args ...any) *Error {
	e := errorf(format, args...)
	e.Cause = cause
	return e
}

// meant is an error of a name for which another one is meant, unless near is "".
func meant(near, format string, args ...any) *Error {
	e := errorf(format, args...)
	e.Meant = near
	return e
}

// Locate finds the file that a load statement in the file at from means, and reads it: one
// byte more than the longest at most, or all where that is -1. The error is an [*Error], or
// that of the context.
func (f *Finder) Locate(ctx context.Context, from Location, name string, longest int64) (Location, []byte, error) {
	if err := checkName(name); err != nil {
		return Location{}, nil, err
	}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return f.locateBeside(ctx, from, name, longest)
	}
	var causes []error // of the roots that have no such module
	for _, r := range f.rootsFor(from) {
		rest, ok := strings.CutPrefix(name, r.Prefix)
		if !ok || !fs.ValidPath(rest) {
			continue
		}
		at := Location{r, rest}
		src, err := read(ctx, at, name, longest)
		if !errors.Is(err, fs.ErrNotExist) {
			return at, src, err
		}
		causes = append(causes, err)
	}
	e := f.noModule(from, name)
	e.Cause = errors.Join(causes...)
	return Location{}, nil, e
}

// rootsFor are the roots in which a plain name is looked up, in order. The
// bundled modules see only each other, so that they work with every host.
func (f *Finder) rootsFor(from Location) []*Root {
	own := &f.bundled
	if from.Root != nil && from.Root.Bundled {
		return []*Root{own}
	}
	var roots []*Root
	for i := range f.roots {
		if f.roots[i].Prefix != Beside {
			roots = append(roots, &f.roots[i])
		}
	}
	slices.SortStableFunc(roots, func(a, b *Root) int { return len(b.Prefix) - len(a.Prefix) })
	return append(roots, own)
}

func (f *Finder) locateBeside(ctx context.Context, from Location, name string, longest int64) (Location, []byte, error) {
	if from.Root == nil {
		return Location{}, nil, errorf("%s: there is no folder beside this recipe to load from", name)
	}
	at, ok := from.beside(name)
	if !ok {
		return Location{}, nil, errorf("%s: the name leaves the folder of the recipe", name)
	}
	src, err := read(ctx, at, name, longest)
	if errors.Is(err, fs.ErrNotExist) {
		near := suggest.Among(path.Base(name), namesIn(at.Root.Files, path.Dir(at.Path)))
		if near != "" {
			near = strings.TrimSuffix(name, path.Base(name)) + near
		}
		e := meant(near, "%s: there is no such file beside this one%s", name, suggest.DidYouMean(near))
		e.Cause = err
		return Location{}, nil, e
	}
	return at, src, err
}

func checkName(name string) error {
	switch {
	case name == "":
		return errorf("the name of the module is empty")
	case strings.HasPrefix(name, "/"), strings.Contains(name, "\\"), len(name) > 1 && name[1] == ':':
		return errorf("%s: a module is named as in \"rolemaster.star\" or \"./house.star\", with /", name)
	}
	return nil
}

func (f *Finder) noModule(from Location, name string) *Error {
	names := f.Bundled()
	for _, r := range f.rootsFor(from) {
		if !r.Bundled {
			for _, n := range namesIn(r.Files, ".") {
				names = append(names, r.Prefix+n)
			}
		}
	}
	if from.Root != nil && from.Root.Prefix == Beside && slices.Contains(namesIn(from.Root.Files, path.Dir(from.Path)), name) {
		return meant("./"+name, "there is no module %s; the file beside this one is \"./%s\"", name, name)
	}
	near := suggest.Among(name, names)
	if slices.Contains(names, name+".star") {
		near = name + ".star"
	}
	return meant(near, "there is no module %s%s", name, suggest.DidYouMean(near))
}
