package define

import (
	"fmt"
	"maps"
	"slices"

	"dicescript/builtins/meter"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// The table holds every builtin once, and does not change afterwards. A function with
// a method twin is the same definition.

// A Family is a group of builtins that are documented together.
type Family struct {
	Name     string
	Builtins []Builtin
}

// methodTable holds the methods and attributes of one type.
type methodTable struct {
	defs  map[string]*Builtin
	bound map[string]*starlark.Builtin // without receiver yet
	names []string
}

// A Table is the collected table. It holds the methods of the values that its builtins
// make.
type Table struct {
	entries []Entry
	globals []*starlark.Builtin
	others  starlark.StringDict
	methods map[string]*methodTable
}

// NewTable collects families, in the order in which documentation shows them; others
// are globals that are not builtins.
func NewTable(families []Family, others starlark.StringDict) *Table {
	t := &Table{methods: map[string]*methodTable{}, others: others}
	for _, f := range families {
		for i := range f.Builtins {
			t.add(f.Name, &f.Builtins[i])
		}
	}
	for _, m := range t.methods {
		slices.Sort(m.names)
	}
	return t
}

func (t *Table) add(group string, def *Builtin) {
	def.table = t
	for _, receiver := range def.On {
		t.addMethod(receiver, def)
		t.entries = append(t.entries, def.entry(group, receiver))
	}
	if def.Free {
		t.globals = append(t.globals, starlark.NewBuiltin(def.Name, t.function(def)))
		t.entries = append(t.entries, def.entry(group, ""))
	}
}

func (t *Table) addMethod(receiver string, def *Builtin) {
	m := t.methods[receiver]
	if m == nil {
		m = &methodTable{defs: map[string]*Builtin{}, bound: map[string]*starlark.Builtin{}}
		t.methods[receiver] = m
	}
	m.defs[def.Name] = def
	m.names = append(m.names, def.Name)
	if def.Attr == nil {
		asMethod := *def
		asMethod.Free = false // what is wrong with its arguments shows the method
		m.bound[def.Name] = starlark.NewBuiltin(def.Name, method(&asMethod))
	}
}

// method returns the Starlark function of a method, whose receiver is bound.
func method(def *Builtin) starlarkFunc {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return def.invoke(thread, b.Receiver(), args, kwargs)
	}
}

// function returns the Starlark function of a global. Where it has method
// twins, the type of the value that comes first decides which one is meant.
func (t *Table) function(def *Builtin) starlarkFunc {
	if def.Raw != nil {
		raw := starlark.NewBuiltin(def.Name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			c := Call{Thread: thread, def: def, args: args}
			if len(kwargs) > 0 {
				return def.Raw(c, args, kwargs)
			}
			held := c.held()
			v, err := def.Raw(c, args, nil)
			return held.noted(v), err
		})
		return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := meter.Of(thread).Native(thread, def.Name, raw, args, kwargs)
			return v, value.InFunction(def.Name, err)
		}
	}
	if len(def.On) == 0 {
		return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return def.invoke(thread, nil, args, kwargs)
		}
	}
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		recv, args, kwargs, err := def.splitSelf(args, kwargs)
		if err != nil {
			return nil, value.InFunction(def.Name, err)
		}
		twin := def
		if m := t.methods[recv.Type()]; m != nil {
			if d := m.defs[def.Name]; d != nil && d.Run != nil {
				twin = d
			}
		}
		return twin.invoke(thread, recv, args, kwargs)
	}
}

type starlarkFunc = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// Globals returns the names that every recipe knows, with their values. The dict is
// fresh; the values are immutable and shared.
func (t *Table) Globals() starlark.StringDict {
	dict := make(starlark.StringDict, len(t.globals)+len(t.others))
	for _, b := range t.globals {
		dict[b.Name()] = b
	}
	maps.Copy(dict, t.others)
	return dict
}

// Entries returns the description of every builtin, in the order of the documentation.
// A builtin that several types share has an entry for each.
func (t *Table) Entries() []Entry { return slices.Clone(t.entries) }

// Attr returns the method or attribute of v with a name, nil when it has none.
func (t *Table) Attr(v starlark.Value, name string) (starlark.Value, error) {
	m := t.methods[v.Type()]
	if m == nil {
		return nil, nil
	}
	if b := m.bound[name]; b != nil {
		return b.BindReceiver(v), nil
	}
	if def := m.defs[name]; def != nil {
		got, err := def.Attr(Call{def: def, Receiver: v})
		return got, value.InFunction(name, err)
	}
	return nil, t.onlyOfPools(v, name)
}

// Method returns the method of v with a name, which it has.
func (t *Table) Method(v starlark.Value, name string) starlark.Callable {
	return t.methods[v.Type()].bound[name].BindReceiver(v)
}

// onlyOfPools explains to who asks a roll about its dice that it has none left.
func (t *Table) onlyOfPools(v starlark.Value, name string) error {
	pools := t.methods["DicePool"]
	if _, ok := v.(*value.Roll); ok && pools != nil && pools.defs[name] != nil {
		return fmt.Errorf("%s: got a roll, want a dice pool; a roll is one total, dice_pool(count, sides) and pool(a, b) keep dice apart", name)
	}
	return nil
}

// AttrNames returns the methods and attributes of v in alphabetical order.
func (t *Table) AttrNames(v starlark.Value) []string {
	if m := t.methods[v.Type()]; m != nil {
		return m.names
	}
	return nil
}
