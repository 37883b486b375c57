// What exists for recipes: the immutable setting in which they are compiled
// and run.

package lang

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/lang/internal/modules"
	dicesyntax "dicescript/lang/syntax"
	"dicescript/stdlib"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Host is what recipes can use. It is immutable and may be shared by
// goroutines. [New] makes one; what the zero Host is asked is an [Error] of [KindInput].
type Host struct {
	globals starlark.StringDict // every predeclared name of a recipe
	costs   *meter.Table
	limits  Limits
	print   func(ctx context.Context, text string)
	own     map[string]bool       // globals that WithBuiltins has given
	docs    []Doc                 // of what the host has given
	modules *modules.Finder       // where they are
	library *library              // the bundled ones that have been compiled
	kept    *modules.Shelf[*unit] // and those of the host's own

	unguarded bool // values may be of any size
	oneByOne  bool // callbacks are called like any function, each call by itself
	inBlocks  int  // of so many settings a sweep runs, 0 for as many as suit it
}

// usable is the error of a host, or of what belongs to one, that nobody has made.
func (h *Host) usable() error {
	if h == nil || h.globals == nil {
		return inputError("host: it is empty; lang.New returns one that can be used")
	}
	return nil
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
		modules: modules.NewFinder(stdlib.FS),
		library: &library{units: map[modules.Location]*unit{}},
		kept:    modules.NewShelf[*unit](),
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
	if l := &h.limits; h.unguarded {
		l.Bytes, l.IntBits, l.TextBytes, l.Elements, l.Entries = Unlimited, Unlimited, Unlimited, Unlimited, Unlimited
	}
	if err := h.checkDocs(); err != nil {
		return nil, err
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
	return func(h *Host) error {
		if files == nil {
			return fmt.Errorf("modules: files: got nil, want a file system")
		}
		return h.modules.Add(prefix, modules.Root{Files: files})
	}
}

// WithLoader lets recipes load modules from wherever the host has them, a database say.
// The prefix is as in [WithModules], and load is given the name without it, which is a
// path as fs.ValidPath wants it: load("campaign/house.star", ...) asks the loader of
// "campaign/" for "house.star".
//
// load is called whenever a recipe is compiled that stands on the module, with the
// context of the compilation, and from compilations that go on at once at once. The
// module is compiled only when its text, or that of a module that it stands on, is
// another than before. A name that there is no module of is an error that is
// fs.ErrNotExist: then shorter prefixes and the bundled modules are asked. Any other
// error fails the compilation with an [Error] of [KindModule] whose cause it is.
func WithLoader(prefix string, load func(ctx context.Context, name string) ([]byte, error)) Option {
	return func(h *Host) error {
		if load == nil {
			return fmt.Errorf("modules: load: got nil, want a function")
		}
		return h.modules.Add(prefix, modules.Root{Load: load})
	}
}

// WithBuiltins adds predeclared names with raw values of the interpreter, for what
// [WithFunc] and [WithValue] can't say, such as types of their own with methods. They may
// replace names of the language. The values are frozen, and have to be safe for concurrent use: runs
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

// WithNames declares names that recipes may use and that every run gives a value of
// its own, with [WithValue]: what a table, a character or a monster is at that moment.
// A program is compiled once, so its host has to know them before. A recipe that uses
// such a name fails in a run that gives it no value, with an [Error] of [KindInput].
//
// A name that a recipe could not say, or that is one of the language's own, is an error.
func WithNames(names ...string) Option {
	return func(h *Host) error {
		for _, name := range names {
			if !isUsable(name) {
				return fmt.Errorf("names: %q is not a name that a recipe can use", name)
			}
			if h.globals.Has(name) && !h.own[name] || starlark.Universe.Has(name) {
				return fmt.Errorf("names: %s is a name of the language", name)
			}
			if !h.own[name] {
				h.globals[name] = nil // until a run gives it one
				h.own[name] = true
			}
		}
		return nil
	}
}

// declared refuses names for which a program of the host was not compiled.
func (h *Host) declared(values starlark.StringDict) error {
	if len(values) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !h.own[name] {
			return inputError("%s: the host has not declared this name: WithNames does", name)
		}
	}
	return nil
}

// WithDocs describes what the host has given with [WithBuiltins] or [WithNames], for
// [Session.Doc] and whatever shows it: prompts, editors. A description with a Receiver is
// that of a method of the host's values of that type. A name that the host does not give,
// and one without a text, is an error of [New].
func WithDocs(docs ...Doc) Option {
	return func(h *Host) error {
		h.docs = append(h.docs, docs...)
		return nil
	}
}

func (h *Host) checkDocs() error {
	for _, d := range h.docs {
		switch {
		case d.Text == "":
			return fmt.Errorf("docs: %q has no text", d.Name)
		case d.Receiver == "" && !h.own[d.Name]:
			return fmt.Errorf("docs: the host gives no %q", d.Name)
		}
	}
	return nil
}

// docsOf are the host's descriptions of a name, or of a method of a type; an empty type is
// all types.
func (h *Host) docsOf(receiver, name string) []Doc {
	var docs []Doc
	for _, d := range h.docs {
		if d.Name == name && (receiver == "" || receiver == d.Receiver) {
			docs = append(docs, d)
		}
	}
	return docs
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

// WithoutGuard lets values be as large as they may get: the limits Bytes, IntBits,
// TextBytes, Elements and Entries of the host are [Unlimited], whatever [WithLimits]
// says. It is for trusted recipes only: an untrusted one could fill the memory. All
// other limits stay.
func WithoutGuard() Option {
	return func(h *Host) error {
		h.unguarded = true
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
