// What exists for recipes: the immutable setting in which they are compiled
// and run.

package lang

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"dicescript/builtins"

	"go.starlark.net/starlark"
)

// A Host is what recipes can use. It is immutable and may be shared by
// goroutines.
type Host struct {
	globals starlark.StringDict // every predeclared name of a recipe
	limits  Limits
	print   func(ctx context.Context, text string)
	trusted bool // no guarded arithmetic
	roots   []root
	bundled *library
}

// An Option is a choice about a [Host].
type Option func(*Host) error

// New returns a host. Without options it has the builtins of the language and
// the bundled modules, drops what recipes print, and keeps the default limits.
func New(opts ...Option) (*Host, error) {
	h := &Host{
		globals: builtins.Globals(),
		limits:  Limits{}.filled(),
		print:   func(context.Context, string) {},
		bundled: newLibrary(),
	}
	h.addUniverse()
	for _, o := range opts {
		if err := o(h); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// WithModules lets recipes load modules from files.
//
// With the prefix "" a plain name, as in load("house.star", ...), is looked up
// in files before the bundled modules. A prefix such as "campaign/" serves
// names that begin with it, load("campaign/house.star", ...), without it. The
// prefix "./" says where files beside the recipe are: load("./house.star", ...).
//
// Names that would leave files are refused. A host that gives the files of a
// folder keeps links from leaving it too when it takes them from os.Root.FS.
func WithModules(prefix string, files fs.FS) Option {
	return func(h *Host) error {
		if prefix != "" && !strings.HasSuffix(prefix, "/") {
			prefix += "/"
		}
		if strings.HasPrefix(prefix, "/") || strings.HasPrefix(prefix, "../") || files == nil {
			return fmt.Errorf("modules: prefix %q: want \"\", \"./\" or the beginning of a name, and files", prefix)
		}
		for _, r := range h.roots {
			if r.prefix == prefix {
				return fmt.Errorf("modules: prefix %q is given twice", prefix)
			}
		}
		h.roots = append(h.roots, root{prefix: prefix, files: files})
		return nil
	}
}

// WithBuiltins adds predeclared names, which may replace those of the
// language. The values are frozen, and have to be safe for concurrent use.
func WithBuiltins(values starlark.StringDict) Option {
	return func(h *Host) error {
		for name, v := range values {
			if v == nil {
				return fmt.Errorf("builtins: %s is nil", name)
			}
			if !isIdentifier(name) {
				return fmt.Errorf("builtins: %q is not a name that a recipe can use", name)
			}
		}
		values.Freeze()
		for name, v := range values {
			if b, ok := v.(*starlark.Builtin); ok {
				v = recovering(b)
			}
			h.globals[name] = v
		}
		return nil
	}
}

// recovering turns a panic of b into an error at the place of the call.
func recovering(b *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(b.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = panicked(p)
			}
		}()
		return b.CallInternal(thread, args, kwargs)
	})
}

// WithLimits sets the limits of every run; see [Limits] for the defaults.
func WithLimits(l Limits) Option {
	return func(h *Host) error {
		h.limits = l.filled()
		return nil
	}
}

// WithPrint sets what receives the text of each print. It gets the context of
// the run, and is called from the goroutine of the run.
func WithPrint(print func(ctx context.Context, text string)) Option {
	return func(h *Host) error {
		if print == nil {
			return fmt.Errorf("print: the function is nil")
		}
		h.print = print
		return nil
	}
}

// WithoutGuard runs arithmetic without checking the size of its results first,
// which makes recipes with many callbacks faster. It is for trusted recipes
// only: an untrusted one could fill the memory. All other limits stay.
func WithoutGuard() Option {
	return func(h *Host) error {
		h.trusted = true
		return nil
	}
}

func isIdentifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
