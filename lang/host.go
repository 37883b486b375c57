// What exists for recipes: the immutable setting in which they are compiled
// and run.

package lang

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Host is what recipes can use. It is immutable and may be shared by
// goroutines. [New] makes one; the zero Host is of no use.
type Host struct {
	globals starlark.StringDict // every predeclared name of a recipe
	costs   *meter.Table
	limits  Limits
	print   func(ctx context.Context, text string)
	trusted bool            // no guarded arithmetic
	own     map[string]bool // globals that WithBuiltins has given
	roots   []root
	bundled *library

	interpreted bool // callbacks are not compiled
}

// An Option is a choice about a [Host]. A nil Option changes nothing.
type Option func(*Host) error

// New returns a host. Without options it has the builtins of the language and
// the bundled modules, drops what recipes print, and keeps the default limits.
func New(opts ...Option) (*Host, error) {
	h := &Host{
		globals: builtins.Globals(),
		costs:   meter.NewTable(),
		limits:  Limits{}.Filled(),
		print:   func(context.Context, string) {},
		own:     map[string]bool{},
		bundled: newLibrary(),
	}
	h.addUniverse()
	for _, o := range opts {
		if o == nil {
			continue
		}
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
// Modules are read when a recipe is compiled. Recipes that are compiled at once
// read files at once.
//
// Names that would leave files are refused. A host that gives the files of a
// folder keeps links from leaving it too when it takes them from os.Root.FS.
func WithModules(prefix string, files fs.FS) Option {
	given := prefix
	return func(h *Host) error {
		if prefix != "" && !strings.HasSuffix(prefix, "/") {
			prefix += "/"
		}
		if files == nil {
			return fmt.Errorf("modules: files: got nil, want a file system")
		}
		// Other names with dots are looked up beside the file that loads them.
		if !fs.ValidPath(strings.TrimSuffix(prefix, "/")) && prefix != "" && prefix != "./" {
			return fmt.Errorf("modules: prefix: got %q, want \"\", \"./\" or the beginning of a name such as \"campaign/\"", given)
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
// language. The values are frozen, and have to be safe for concurrent use: runs
// that go on at once call them at once.
//
// A function takes and returns rolls, pools, chances and numbers with the
// constructors of package builtins. It hands runenv.Of(thread).Context to
// the functions of dist, so that its work is charged to the run and stops with
// it. The error that it returns is the cause of the run's [Error]; a panic
// becomes an Error of [KindInternal].
func WithBuiltins(values starlark.StringDict) Option {
	return func(h *Host) error {
		for name, v := range values {
			if v == nil {
				return fmt.Errorf("builtins: %s: got nil, want a value", name)
			}
			if !isUsable(name) {
				return fmt.Errorf("builtins: %q is not a name that a recipe can use", name)
			}
		}
		values.Freeze()
		for name, v := range values {
			if b, ok := v.(*starlark.Builtin); ok {
				v = recovering(b)
			}
			h.globals[name] = v
			h.own[name] = true
		}
		return nil
	}
}

// recovering turns a panic of b, or a missing result, into an error at the place
// of the call.
func recovering(b *starlark.Builtin) *starlark.Builtin {
	return starlark.NewBuiltin(b.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = panicked(p)
			}
		}()
		v, err = b.CallInternal(thread, args, kwargs)
		if v == nil && err == nil {
			err = &Error{Kind: KindInternal, Message: b.Name() + ": it returned neither a value nor an error"}
		}
		return v, err
	})
}

// WithLimits sets the limits of every run; see [Limits] for the defaults. When
// it is given twice, the last one counts.
//
// A limit below [Unlimited] is an error: it is mostly the rest of an account
// that is overdrawn.
func WithLimits(l Limits) Option {
	return func(h *Host) error {
		if err := checkLimits(l); err != nil {
			return err
		}
		h.limits = l.Filled()
		return nil
	}
}

// checkLimits refuses limits that are none.
func checkLimits(l Limits) error {
	if field, n := l.Below(Unlimited); field != "" {
		return fmt.Errorf("limits: %s: got %d, want a limit, 0 for the default or -1 for none", field, n)
	}
	return nil
}

// WithPrint sets what receives the text of each print, without the end of the
// line. It gets the context of the run, and is called from the goroutine of the
// run: runs that go on at once call it at once.
func WithPrint(print func(ctx context.Context, text string)) Option {
	return func(h *Host) error {
		if print == nil {
			return fmt.Errorf("print: got nil, want a function")
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

// isUsable reports whether a recipe can say name and mean what the host gives
// it: def is a word of the language, and d20 is a die.
func isUsable(name string) bool {
	if !isIdentifier(name) {
		return false
	}
	tree, ds := dicesyntax.Parse("", []byte(name))
	if len(ds) > 0 || len(tree.Literals) > 0 || len(tree.File.Stmts) != 1 {
		return false
	}
	_, ok := tree.File.Stmts[0].(*syntax.ExprStmt)
	return ok
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
