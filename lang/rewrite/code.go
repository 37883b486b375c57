package rewrite

import (
	"errors"
	"slices"
	"strings"

	"dicescript/builtins/meter"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file makes a program of a rewritten tree, and gives a run of it what it
// needs.

// A Code is a rewritten recipe.
type Code struct {
	File     *syntax.File
	Literals []notation.Literal
	Hidden   []Hidden // builtins whose names the file uses at top level, by line
	Loaded   []string // names that load statements bind

	options Options
	byName  map[string]*operator
	bound   map[string]bool // names that the file binds, in any scope
	used    map[string]bool // predeclared names that it uses
	loadsAt int             // the line where another load statement may stand
}

// Hides returns the place where the file hides a builtin, if it does.
func (c *Code) Hides(name string) (Hidden, bool) {
	i := slices.IndexFunc(c.Hidden, func(h Hidden) bool { return h.Name == name })
	if i < 0 {
		return Hidden{}, false
	}
	return c.Hidden[i], true
}

// Program resolves and compiles the recipe, or returns all its mistakes with
// names. Not for sessions.
func (c *Code) Program() (*starlark.Program, []*notation.Error) {
	p, err := starlark.FileProgram(c.File, c.Known())
	if err != nil {
		return nil, c.Diagnose(err)
	}
	return p, nil
}

// maxUndefined bounds how many undefined names are reported. For each the
// resolver looks through all names of the file, which for a file of nothing
// but undefined names would take minutes.
const maxUndefined = 50

// Known returns a predicate for the resolver, which asks it about every use of
// a name that the file does not define: whether it is predeclared. Beyond the
// first so many that are not, it says yes; the file has been refused by then.
func (c *Code) Known() func(name string) bool {
	undefined := 0
	c.used = map[string]bool{}
	return func(name string) bool {
		if c.options.Predeclared.Has(name) || Internal(name) {
			c.used[name] = true
			return true
		}
		if !starlark.Universe.Has(name) {
			undefined++
		}
		return undefined > maxUndefined
	}
}

// Uses reports whether the resolved file uses a predeclared name.
func (c *Code) Uses(name string) bool { return c.used[name] }

// Needs are the predeclared names without which a run of the resolved file can't be,
// sorted: those that it uses, and the builtins whose names it uses for something else.
func (c *Code) Needs() []string {
	names := make([]string, 0, len(c.used)+len(c.Hidden))
	for name := range c.used {
		if c.options.Predeclared.Has(name) {
			names = append(names, name)
		}
	}
	for _, h := range c.Hidden {
		if c.options.Predeclared.Has(h.Name) {
			names = append(names, h.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Diagnose turns an error of the resolver into diagnostics; also for
// sessions, where starlark.ExecREPLChunk returns it. Of any other error it
// returns nil.
func (c *Code) Diagnose(err error) []*notation.Error {
	var list resolve.ErrorList
	if !errors.As(err, &list) {
		return nil
	}
	var ds []*notation.Error
	for _, e := range list[:min(len(list), dicesyntax.MaxErrors)] {
		d := &notation.Error{Line: int(e.Pos.Line), Col: int(e.Pos.Col), Msg: nameMessage(e.Msg)}
		if m := undefined().FindStringSubmatch(e.Msg); m != nil {
			d.Msg = "undefined: " + m[1]
			c.hinted(d, m[1])
		}
		ds = append(ds, d)
	}
	return dicesyntax.SortErrors(ds)
}

// Predeclares is how many names Predeclare adds at most.
func (c *Code) Predeclares() int { return len(c.Hidden) + len(c.byName) }

// Predeclare adds to env, the predeclared names of one run of the program
// (or the globals of a session), the operators that the program needs. They
// belong to that run and to one goroutine at a time. What they make and look at
// is paid for with the meter, if there is one.
func (c *Code) Predeclare(env starlark.StringDict, h Hooks, m *meter.Meter) {
	for _, hidden := range c.Hidden {
		v := env[hidden.Name]
		if v == nil {
			v = starlark.Universe[hidden.Name]
		}
		if v != nil && !c.options.Session {
			env[hiddenName(hidden.Name)] = v
		}
	}
	if len(c.byName) == 0 {
		return
	}
	run := &run{hooks: h, meter: m, literals: c.Literals}
	applications := make([]application, 0, len(c.byName))
	for name, op := range c.byName {
		applications = append(applications, application{op, run})
		env[name] = applications[len(applications)-1].value()
	}
}

// Withdraw takes from env, the globals of a session, what Predeclare has added: the
// functions of the program keep theirs.
func (c *Code) Withdraw(env starlark.StringDict) {
	for name := range c.byName {
		delete(env, name)
	}
}

// nameMessage is the message for an error of the resolver.
func nameMessage(msg string) string {
	if strings.HasPrefix(msg, "can't assign to ") {
		return "can't assign to this: only to a name, an element x[i], or several of them"
	}
	if name, ok := strings.CutPrefix(msg, "load: names with leading underscores are not exported: "); ok {
		return name + ": names that begin with _ are the module's own"
	}
	msg = strings.Replace(msg, "not within a function", "outside a function", 1)
	msg = strings.Replace(msg, "not in a loop", "outside a loop", 1)
	return msg
}
