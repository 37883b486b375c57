package builtins

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"dicescript/builtins/meter"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// The table holds every builtin once. It is collected from one function per
// family, never by side effects, and does not change afterwards.

// families lists the families in the order in which documentation shows them.
func families() []family {
	return []family{
		{"build", slices.Concat(diceBuiltins(), keptBuiltins(), explodeBuiltins(), openEndedBuiltins(), rerollBuiltins(), timesBuiltins(),
			successPoolBuiltins(), coinBuiltins(), mixtureBuiltins(), notationBuiltins())},
		{"change", slices.Concat(transformBuiltins(), mapBuiltins(), poolMapBuiltins(), mapSortedBuiltins(), evaluateBuiltins(), jointEvaluateBuiltins())},
		{"pools", slices.Concat(poolKeepBuiltins(), poolCountBuiltins(), poolMatchBuiltins(), poolPartsBuiltins(), keptDiceBuiltins())},
		{"cards", slices.Concat(deckBuiltins(), multisetBuiltins())},
		{"ask", slices.Concat(chanceBuiltins(), statisticsBuiltins(), sameBuiltins(), sampleBuiltins())},
		{"label", slices.Concat(bandBuiltins(), scaleBuiltins(), bucketBuiltins(), classifyBuiltins(), outcomesBuiltins(), outcomesPartsBuiltins(), versusBuiltins())},
		{"time", slices.Concat(iterateBuiltins(), firstTimeBuiltins(), stationaryBuiltins())},
		{"decide", bestPlayBuiltins()},
		{"show", slices.Concat(outputBuiltins(), probTableBuiltins(), gridBuiltins(), comparisonBuiltins(), paramBuiltins())},
		{"numbers", slices.Concat(extremeBuiltins(), orderBuiltins(), universeBuiltins(), numberBuiltins())},
	}
}

// A family is a group of builtins that are documented together.
type family struct {
	name string
	defs []builtin
}

// A Param is one parameter of a builtin.
type Param struct {
	Name     string
	Doc      string   // what it means, as a phrase
	Default  string   // how the default is written; empty when the parameter is required
	Also     []string // second names that are understood too
	Variadic bool     // takes all further positional arguments
}

// An Entry describes one builtin as one receiver has it.
type Entry struct {
	Name      string
	Receiver  string // the type whose values have it; "" for a global
	Group     string
	Signature string // "explode(roll, max_depth=2, on=None)" or ".explode(max_depth=2, on=None)"
	Doc       string // one sentence
	Params    []Param
	Errors    string // when it is an error; may be empty
	Example   string // lines of Starlark; the last one is an expression
	Result    string // what printing that expression shows
	Attribute bool   // a value, not a method to call
}

// A builtin defines a function, a method, or both at once.
type builtin struct {
	name    string
	on      []string // the types that have it as a method
	free    bool     // whether it is a global
	self    Param    // with on and free: the parameter that takes the value the method belongs to
	params  []Param  // without self
	doc     string
	errors  string
	excess  string // what to write instead of too many arguments; may be empty
	example string
	result  string
	run     func(c call) (starlark.Value, error)
	raw     func(c call, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) // instead of run: binds its own arguments
	attr    func(c call) (starlark.Value, error)                                               // instead of run: an attribute

	table *registry // that the builtin is in
}

// Types that share methods.
var (
	onRolls   = []string{"DieRoll", "DicePool"}
	onPools   = []string{"DicePool"}
	onCounted = []string{"DieRoll", "DicePool", "Outcomes"} // those with labels that are whole numbers
)

// methodTable holds the methods and attributes of one type.
type methodTable struct {
	defs  map[string]*builtin
	bound map[string]*starlark.Builtin // without receiver yet
	names []string
}

// A registry is the collected table.
type registry struct {
	entries []Entry
	globals []*starlark.Builtin
	modules starlark.StringDict
	methods map[string]*methodTable
}

// registered collects the table when it is first needed.
var registered = sync.OnceValue(newRegistry)

func newRegistry() *registry {
	reg := &registry{methods: map[string]*methodTable{}, modules: modules()}
	for _, f := range families() {
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

// Globals returns the names that every recipe knows, with their values. The
// dict is fresh; the values are immutable and shared.
func Globals() starlark.StringDict {
	reg := registered()
	dict := make(starlark.StringDict, len(reg.globals))
	for _, b := range reg.globals {
		dict[b.Name()] = b
	}
	maps.Copy(dict, reg.modules)
	return dict
}

// Table returns the description of every builtin, in the order of the
// documentation. A builtin that several types share has an entry for each.
func Table() []Entry { return slices.Clone(registered().entries) }

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

func (def *builtin) entry(group, receiver string) Entry {
	e := Entry{
		Name: def.name, Receiver: receiver, Group: group, Signature: def.signature(receiver != ""),
		Doc: def.doc, Params: def.params, Errors: def.errors,
		Example: def.example, Result: def.result, Attribute: def.attr != nil,
	}
	if receiver == "" && len(def.on) > 0 {
		e.Params = append([]Param{def.self}, def.params...)
	}
	return e
}

// signature writes how the builtin is called.
func (def *builtin) signature(asMethod bool) string {
	if def.attr != nil {
		return "." + def.name
	}
	var parts []string
	prefix := "."
	if !asMethod {
		prefix = ""
		if len(def.on) > 0 {
			parts = append(parts, def.self.String())
		}
	}
	for _, p := range def.params {
		parts = append(parts, p.String())
	}
	return prefix + def.name + "(" + strings.Join(parts, ", ") + ")"
}

// String writes a parameter as it stands in a signature.
func (p Param) String() string {
	switch {
	case p.Variadic:
		return "*" + p.Name
	case p.Default != "":
		return p.Name + "=" + p.Default
	}
	return p.Name
}

func (p *Param) named(name string) bool {
	return p.Name == name || slices.Contains(p.Also, name)
}
