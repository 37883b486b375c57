// The modules that a recipe stands on, compiled: the bundled ones once for a host, and the
// host's own for as long as their texts are the same.

package lang

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"

	"dicescript/builtins/meter"
	"dicescript/lang/internal/modules"
)

// library is the bundled modules that have been compiled. A unit is immutable, so that all
// programs of a host can share it.
type library struct {
	mu    sync.Mutex
	units map[modules.Location]*unit
}

// bundled compiles a bundled module, once for all programs of the host.
func (c *compiler) bundled(at modules.Location, name string) (*unit, []*Error) {
	lib := c.host.library
	lib.mu.Lock()
	defer lib.mu.Unlock()
	inside := &compiler{host: c.host, ctx: c.ctx, units: lib.units, inLibrary: true}
	u, errs := inside.module(modules.Location{Root: at.Root}, name)
	if len(errs) == 0 {
		c.adopt(u)
	}
	return u, errs
}

// adopt counts a unit and those that it loads.
func (c *compiler) adopt(u *unit) {
	c.units[u.at] = u
	for _, m := range u.loads {
		if c.units[m.at] == nil {
			c.adopt(m)
		}
	}
}

// kept is a module that was compiled before from the same text, and stands on modules
// that are the same too; nil when there is none.
func (c *compiler) kept(at modules.Location, src []byte) *unit {
	if c.inLibrary || meter.Check(meter.SourceBytes, int64(len(src)), c.host.limits.SourceBytes) != nil {
		return nil
	}
	u, ok := c.host.kept.Take(modules.Key{At: at, File: c.fileName(at)}, src)
	if !ok {
		return nil
	}
	c.stack = append(c.stack, at)
	defer func() { c.stack = c.stack[:len(c.stack)-1] }()
	for _, name := range u.loadOrder {
		if m, errs := c.module(at, name); len(errs) > 0 || m != u.loads[name] {
			return nil // compiling it again tells what is wrong
		}
	}
	return u
}

// keep keeps a module that has been compiled.
func (c *compiler) keep(u *unit) {
	if !c.inLibrary {
		c.host.kept.Put(modules.Key{At: u.at, File: u.file}, u.lines.Text, u)
	}
}

// notFound is the error of a load statement whose module can't be had.
func notFound(ctx context.Context, err error) *Error {
	var e *modules.Error
	if !errors.As(err, &e) {
		return stopped(ctx)
	}
	out := &Error{Kind: KindModule, Message: e.Message, cause: e.Cause}
	if e.Meant != "" {
		out.Fixes = []Fix{{Text: e.Meant}}
	}
	return out
}

// A Module is one that a program stands on.
type Module struct {
	Name string // as a recipe of the host would load it
	Hash string // of its text: SHA-256 in hexadecimal digits
}

// Modules returns the modules that the program stands on, by name: those that it loads and
// those that they load, bundled ones among them. The same text with the same modules is
// the same program, whatever the host's files or database say by now. It takes some 3 µs
// for each kilobyte of their texts.
func (p *Program) Modules() []Module {
	seen := map[*unit]bool{}
	var stoodOn []Module
	var visit func(u *unit)
	visit = func(u *unit) {
		for _, m := range u.loads {
			if !seen[m] {
				seen[m] = true
				sum := sha256.Sum256([]byte(m.lines.Text))
				stoodOn = append(stoodOn, Module{m.at.Root.Prefix + m.at.Path, hex.EncodeToString(sum[:])})
				visit(m)
			}
		}
	}
	visit(p.main)
	slices.SortFunc(stoodOn, func(a, b Module) int { return strings.Compare(a.Name, b.Name) })
	return stoodOn
}
