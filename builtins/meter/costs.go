package meter

import (
	"maps"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A cost is what a function or method costs besides [CallSteps], and how it is
// paid. The zero cost is that of whatever is not said to be cheaper: the size of
// the receiver and of all arguments, with all that they hold, before, and of the
// result after.
type cost struct {
	name  string
	free  bool // nothing at all: it takes no longer for larger values
	look  look // at what it looks
	fresh bool // the elements of the result are new as well
	grows bool // the receiver, which pays for what it has become

	before func(m *Meter, c *call) error                   // besides: why not
	run    func(m *Meter, c *call) (starlark.Value, error) // in place of Starlark's own, which pays for itself
}

// A look says which values a function looks at.
type look uint8

const (
	all       look = iota // the receiver and the arguments, with all that they hold
	moved                 // both, but at nothing that they hold: it is moved as a whole
	arguments             // the arguments, which the receiver finds
	nothing               // what before says
)

// Steps of one call.
const (
	CallSteps = 8  // of a function or method, of Starlark's or the recipe's
	ownSteps  = 20 // of a builtin of ours, which makes more of its arguments
)

// A call of a function of the recipe makes room for its parameters and variables, for
// nothing while they are few.
const (
	FewVariables = 32
	roomSteps    = 128
)

// movedElements is how many elements are moved in a step.
const movedElements = 16

// A Table is what everything costs. A host has one for all its runs.
type Table struct{ costs map[string]*cost }

// NewTable returns what everything costs that a recipe can reach. Methods of
// Starlark's values are named with the type that has them. The functions, methods
// and attributes of ours all cost [ownSteps] and the size of their arguments: the
// engine charges what it does with rolls and pools.
func NewTable() *Table {
	return collect(
		group{cost{free: true}, // what they look at and make has a size of its own
			"len type chr ord abs bool None True False dict.popitem set.pop " + // these two take the first
				"string.codepoint_ords string.codepoints string.elem_ords string.elems bytes.elems"}, // one by one, when asked
		group{cost{}, // all that is not cheaper
			"hash any all min max sorted sum bytes float range " +
				"math.ceil math.copysign math.fabs math.floor math.mod math.pow math.remainder math.round math.exp math.sqrt " +
				"math.acos math.asin math.atan math.atan2 math.cos math.hypot math.sin math.tan math.degrees math.radians " +
				"math.acosh math.asinh math.atanh math.cosh math.sinh math.tanh math.log math.gamma math.e math.pi " +
				"string.count string.find string.index string.partition string.rfind string.rindex string.rpartition " +
				"string.startswith string.endswith string.removeprefix string.removesuffix"},
		group{cost{run: searches}, "list.index list.remove"},
		group{cost{before: letters}, "string.capitalize string.lower string.title string.upper " +
			"string.isalnum string.isalpha string.isdigit string.islower string.isspace string.istitle string.isupper"},
		group{cost{fresh: true}, "dir string.split string.rsplit string.splitlines"},
		group{cost{before: strips}, "string.strip string.lstrip string.rstrip"},
		group{cost{before: joins}, "string.join"},
		group{cost{before: replaces}, "string.replace"},
		group{cost{before: digits}, "int"},
		group{cost{before: decodes}, "json.decode"},
		group{cost{before: gathers}, "dict set set.union set.intersection set.difference set.symmetric_difference set.issubset set.issuperset"},
		group{cost{look: nothing, before: formats}, "string.format"},
		group{cost{look: nothing, before: writes}, "str repr print fail json.encode"},
		group{cost{look: nothing, run: indent}, "json.encode_indent json.indent"},
		group{cost{look: nothing, run: attribute}, "getattr hasattr"},

		// What is done with a list or dict again and again takes no look at all of it.
		group{cost{look: moved}, "list tuple reversed dict.keys dict.values"},
		group{cost{look: moved, fresh: true}, "enumerate zip dict.items"},
		group{cost{look: moved, grows: true}, "list.append list.insert list.extend list.pop list.clear dict.clear set.clear"},
		group{cost{look: arguments}, "dict.get dict.pop set.discard set.remove"},
		group{cost{look: arguments, before: adds, grows: true}, "dict.setdefault set.add"},
		group{cost{look: arguments, before: gathers, grows: true}, "dict.update set.update"},
	)
}

// Charges are what a program pays for besides calls, operators and comparisons, by
// the names that the front end has for them. Each is given the value in question.
var Charges = map[string]func(*Meter, starlark.Value) error{
	"made":         (*Meter).Made,     // it has just been made
	"key":          (*Meter).Key,      // it will be looked up
	"new key":      (*Meter).Name,     // it is that of an entry that is written out
	"element":      (*Meter).element,  // it becomes an element of a list that is comprehended
	"source":       (*Meter).elements, // each of its elements becomes one
	"spread":       (*Meter).spread,   // its elements become arguments
	"spread named": (*Meter).named,    // its entries become arguments by name
	"room":         (*Meter).room,     // a function of many variables has been called
}

// A group is several names with one cost.
type group struct {
	cost
	names string
}

func collect(groups ...group) *Table {
	t := &Table{map[string]*cost{}}
	for _, g := range groups {
		for _, name := range strings.Fields(g.names) {
			c := g.cost
			c.name = name
			if _, method, ok := strings.Cut(name, "."); ok && !strings.HasPrefix(name, "json.") {
				c.name = method
			}
			t.costs[name] = &c
		}
	}
	return t
}

// of is the cost of a name. What has no entry costs what everything does that is
// not cheaper.
func (t *Table) of(name string) *cost {
	if c := t.costs[name]; c != nil {
		return c
	}
	return &cost{name: name}
}

// Has reports whether the table says what a name costs.
func (t *Table) Has(name string) bool { return t.costs[name] != nil }

// Names are all names that have an entry, sorted.
func (t *Table) Names() []string { return slices.Sorted(maps.Keys(t.costs)) }
