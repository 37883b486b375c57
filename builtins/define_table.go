package builtins

import (
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"
)

// The table holds every builtin once, and does not change afterwards. A function with
// a method twin is the same definition.

// A family is a group of builtins that are documented together.
type family struct {
	name string
	defs []builtin
}

// methodTable holds the methods and attributes of one type.
type methodTable struct {
	defs  map[string]*builtin
	bound map[string]*starlark.Builtin // without receiver yet
	names []string
}

// A registry is the collected table. It holds the methods of the values that its
// builtins make.
type registry struct {
	entries []Entry
	globals []*starlark.Builtin
	others  starlark.StringDict
	methods map[string]*methodTable
}

// newRegistry collects families, in the order in which documentation shows them; others
// are globals that are not builtins.
func newRegistry(families []family, others starlark.StringDict) *registry {
	reg := &registry{methods: map[string]*methodTable{}, others: others}
	for _, f := range families {
		for i := range f.defs {
			reg.add(f.name, &f.defs[i])
		}
	}
	for _, m := range reg.methods {
		slices.Sort(m.names)
	}
	return reg
}

func (reg *registry) add(group string, def *builtin) {
	def.table = reg
	for _, receiver := range def.on {
		reg.addMethod(receiver, def)
		reg.entries = append(reg.entries, def.entry(group, receiver))
	}
	if def.free {
		reg.globals = append(reg.globals, starlark.NewBuiltin(def.name, reg.function(def)))
		reg.entries = append(reg.entries, def.entry(group, ""))
	}
}

func (reg *registry) addMethod(receiver string, def *builtin) {
	m := reg.methods[receiver]
	if m == nil {
		m = &methodTable{defs: map[string]*builtin{}, bound: map[string]*starlark.Builtin{}}
		reg.methods[receiver] = m
	}
	m.defs[def.name] = def
	m.names = append(m.names, def.name)
	if def.attr == nil {
		asMethod := *def
		asMethod.free = false // what is wrong with its arguments shows the method
		m.bound[def.name] = starlark.NewBuiltin(def.name, method(&asMethod))
	}
}

// method returns the Starlark function of a method, whose receiver is bound.
func method(def *builtin) starlarkFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return def.invoke(thread, b.Receiver(), args, kwargs)
	}
}

// function returns the Starlark function of a global. Where it has method
// twins, the type of the value that comes first decides which one is meant.
func (reg *registry) function(def *builtin) starlarkFunc {
	if def.raw != nil {
		raw := starlark.NewBuiltin(def.name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return def.raw(call{thread: thread, def: def}, args, kwargs)
		})
		return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := meter.Of(thread).Native(thread, def.name, raw, args, kwargs)
			return v, value.InFunction(def.name, err)
		}
	}
	if len(def.on) == 0 {
		return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return def.invoke(thread, nil, args, kwargs)
		}
	}
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		recv, args, kwargs, err := def.splitSelf(args, kwargs)
		if err != nil {
			return nil, value.InFunction(def.name, err)
		}
		twin := def
		if m := reg.methods[recv.Type()]; m != nil {
			if d := m.defs[def.name]; d != nil && d.run != nil {
				twin = d
			}
		}
		return twin.invoke(thread, recv, args, kwargs)
	}
}

type starlarkFunc = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// allGlobals returns the names that every recipe knows, with their values. The dict is
// fresh; the values are immutable and shared.
func (reg *registry) allGlobals() starlark.StringDict {
	dict := make(starlark.StringDict, len(reg.globals)+len(reg.others))
	for _, b := range reg.globals {
		dict[b.Name()] = b
	}
	maps.Copy(dict, reg.others)
	return dict
}

// allEntries returns the description of every builtin, in the order of the documentation.
// A builtin that several types share has an entry for each.
func (reg *registry) allEntries() []Entry { return slices.Clone(reg.entries) }

// Attr returns the method or attribute of v with a name, nil when it has none.
func (reg *registry) Attr(v starlark.Value, name string) (starlark.Value, error) {
	m := reg.methods[v.Type()]
	if m == nil {
		return nil, nil
	}
	if b := m.bound[name]; b != nil {
		return b.BindReceiver(v), nil
	}
	if def := m.defs[name]; def != nil {
		got, err := def.attr(call{def: def, recv: v})
		return got, value.InFunction(name, err)
	}
	return nil, reg.onlyOfPools(v, name)
}

// onlyOfPools explains to who asks a roll about its dice that it has none left.
func (reg *registry) onlyOfPools(v starlark.Value, name string) error {
	if _, ok := v.(*value.Roll); ok && reg.methods["DicePool"].defs[name] != nil {
		return fmt.Errorf("%s: got a roll, want a dice pool; a roll is one total, dice_pool(count, sides) and pool(a, b) keep dice apart", name)
	}
	return nil
}

// AttrNames returns the methods and attributes of v in alphabetical order.
func (reg *registry) AttrNames(v starlark.Value) []string {
	if m := reg.methods[v.Type()]; m != nil {
		return m.names
	}
	return nil
}
