package meter

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Lists are counted before they grow, and searched with a look at the context.
// Dicts and sets grow one entry at a time, with a look between: one in which keys
// collide gets slow, which only the deadline ends.

// collects refuses a list of all elements of the arguments that is too long.
func collects(m *Meter, c *call) error {
	for v := range c.values() {
		if err := m.elements(v); err != nil {
			return err
		}
	}
	return nil
}

// elements refuses a list of all that v holds when it is too long.
func (m *Meter) elements(v starlark.Value) error {
	return Check(Elements, lengthOf(v), m.limits().Elements)
}

// element pays for an element of a list that is comprehended.
func (m *Meter) element(starlark.Value) error { return m.Make(elementBytes) }

// arguments pays for the elements of v that become arguments.
func (m *Meter) arguments(v starlark.Value) error {
	n := lengthOf(v)
	if err := m.Spend(n); err != nil || n == 0 {
		return err
	}
	return m.long(starlark.Tuple(nil), 2*n)
}

// maxNamed is how many arguments can be given by name in a dict: a function looks
// for each among its parameters.
const maxNamed = 250

// named pays for the entries of v that become arguments by name.
func (m *Meter) named(v starlark.Value) error {
	n := lengthOf(v)
	if n > maxNamed {
		return fmt.Errorf("got %d arguments by name, want at most %d", n, maxNamed)
	}
	return m.Make(n * entryBytes)
}

// rows pays for enumerate and zip: a list of tuples of an element of each argument.
func rows(m *Meter, c *call) error {
	n := int64(math.MaxInt64)
	for v := range c.values() {
		if _, counts := v.(starlark.Int); !counts {
			n = min(n, lengthOf(v))
		}
	}
	if n == math.MaxInt64 {
		return nil
	}
	places := mul(n, int64(max(2, len(c.args)))+headBytes/elementBytes)
	if err := Check(Elements, places, m.limits().Elements); err != nil {
		return err
	}
	if err := m.Spend(places); err != nil {
		return err
	}
	return m.Make(mul(elementBytes, places))
}

// ranges refuses a range that nothing could go through to its end.
func ranges(m *Meter, c *call) error {
	bounds := []float64{0, 0, 1}
	for i, v := range c.args {
		n, ok := v.(starlark.Int)
		if !ok || i == len(bounds) {
			return nil
		}
		bounds[i] = float64(n.Float())
	}
	if len(c.args) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	n := (bounds[1] - bounds[0]) / bounds[2]
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return nil
	}
	return Check(Looks, int64(min(max(0, n), 1<<62)), m.Limits.Steps)
}

// grows pays for a method of a list that adds elements, or moves those it has.
func grows(m *Meter, c *call) error {
	list, more := c.recv.(*starlark.List), int64(0)
	switch c.fn.Name() {
	case "append":
		return m.grow(list, 1)
	case "insert":
		more = 1
	case "extend":
		for _, v := range c.args {
			more = add(more, lengthOf(v))
		}
	}
	if err := m.Spend((int64(list.Len()) + more) / 64); err != nil {
		return err
	}
	return m.grow(list, more)
}

// grow pays for more elements of a list, for which it moves to a larger place now
// and then.
func (m *Meter) grow(list *starlark.List, more int64) error {
	if err := m.fits(Elements, add(int64(list.Len()), more)); err != nil {
		return err
	}
	return m.Make(mul(2*elementBytes, more))
}

// find returns the first place of x among some elements, -1 when there is none. It
// pays for every comparison: long numbers and floats take their time.
func (m *Meter) find(x starlark.Value, among starlark.Indexable, from, to int) (int, error) {
	size, err := m.measure(x, looked)
	if err != nil {
		return -1, err
	}
	for i := from; i < to; i++ {
		v := among.Index(i)
		if err := m.Spend(size.Elements); err != nil {
			return -1, err
		}
		if _, isText := v.(starlark.String); !isText {
			if err := m.Look(v); err != nil {
				return -1, err
			}
		}
		if equal, err := starlark.Equal(v, x); equal || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// search is list.index(x, from, to) and list.remove(x).
func search(m *Meter, c *call) (starlark.Value, error) {
	list := c.recv.(*starlark.List)
	bounds := []int{0, list.Len()}
	most := map[string]int{"index": 3, "remove": 1}
	if len(c.args) == 0 || len(c.args) > most[c.fn.Name()] || len(c.kwargs) > 0 || list.Len() == 0 {
		return c.native()
	}
	for i, v := range c.args[1:] {
		n, ok := v.(starlark.Int)
		switch {
		case ok:
			at := int(min(max(n.Float(), -1<<40), 1<<40)) // no list is so long
			if at < 0 {
				at += list.Len()
			}
			bounds[i] = min(max(at, 0), list.Len())
		case v != starlark.None:
			return c.native() // an error
		}
	}
	at, err := m.find(c.args[0], list, bounds[0], bounds[1])
	switch {
	case err != nil:
		return nil, err
	case c.fn.Name() == "index" && at >= 0:
		return starlark.MakeInt(at), nil
	case c.fn.Name() == "index":
		return nil, fmt.Errorf("value not in list")
	case at < 0:
		return nil, fmt.Errorf("element not found")
	}
	pop, err := list.Attr("pop")
	if err == nil {
		_, err = pop.(*starlark.Builtin).CallInternal(c.thread, starlark.Tuple{starlark.MakeInt(at)}, nil)
	}
	return starlark.None, err
}

// Extend is list += values.
func (m *Meter) Extend(list *starlark.List, values starlark.Iterable) error {
	extend, err := list.Attr("extend")
	if err != nil {
		return err
	}
	c := call{fn: extend.(*starlark.Builtin), recv: list, args: starlark.Tuple{values}}
	if err := grows(m, &c); err != nil {
		return err
	}
	_, err = c.native()
	return applied("+=", err)
}

// applied words the error of another change as that of an operator.
func applied(op string, err error) error {
	if err == nil {
		return nil
	}
	to := "cannot apply " + op + " to"
	words := strings.NewReplacer("extend: ", "", "cannot extend", to, "cannot insert into", to)
	return errors.New(words.Replace(err.Error()))
}

// Key pays for looking up a key in a dict or set. It is compared with each key of
// the same hash, however many there are.
func (m *Meter) Key(v starlark.Value) error {
	_, err := m.key(v)
	return err
}

func (m *Meter) key(v starlark.Value) (Size, error) {
	if m == nil || isSmall(v) {
		return Size{}, nil
	}
	size, err := m.measure(v, looked)
	if err != nil {
		return size, err
	}
	return size, m.pass(size.Elements * 16)
}

func looksUp(m *Meter, c *call) error {
	for _, v := range c.args {
		return m.Key(v)
	}
	return nil
}

// Name pays for a look at a label, a state or a new key, which may not be too
// long.
func (m *Meter) Name(v starlark.Value) error {
	size, err := m.key(v)
	if err != nil {
		return err
	}
	return m.fits(NameBytes, add(size.Bytes, mul(8, size.Cells)))
}

// A table is a dict or set.
type table interface {
	starlark.Iterable
	Len() int
}

// insert makes a change of a dict or set that may add an entry, and pays for that.
func (m *Meter) insert(t table, key starlark.Value, change func() error) error {
	if err := m.Name(key); err != nil {
		return err
	}
	n := t.Len()
	if n >= manyEntries { // each entry is compared with all that it collides with
		if err := m.pass(lookEvery / 8); err != nil {
			return err
		}
	}
	if times := n / leastDoubled; n > 0 && n == times*leastDoubled && times&(times-1) == 0 {
		if err := m.uncrowded(t, n); err != nil {
			return err
		}
	}
	if err := change(); err != nil || t.Len() == n {
		return err
	}
	if err := m.fits(Entries, int64(n)+1); err != nil {
		return err
	}
	return m.Make(entryBytes)
}

const (
	// manyEntries is how many entries a dict has before every few new ones are worth
	// a look at the context.
	manyEntries = 4096

	// leastDoubled is the number of entries from which on the keys of a table are
	// looked at before it is built anew: Starlark doubles one of 2^k places when it
	// holds 6.5 * 2^k entries.
	leastDoubled = 208

	// mostCrowded is how many keys building a table anew may pass: some thirtieth of
	// a second, in which nothing looks at the context. To compare an element of a key
	// takes as long as to pass some keys. Keys that nobody chose to collide pass some
	// three each.
	mostCrowded    = 20_000_000
	passedElements = 5
)

// uncrowded refuses a table that would take too long to be built anew. Keys of one
// place are passed, keys of one hash are compared.
func (m *Meter) uncrowded(t table, n int) error {
	if err := m.Spend(int64(n) / 4); err != nil {
		return err
	}
	places := make([]int64, 4*n/13) // n is 6.5 times as many as there are
	hashes := make(map[uint32]int64, n)
	passed := int64(0)
	for key := range starlark.Elements(t) {
		hash, err := key.Hash()
		if err != nil {
			return err
		}
		size, err := m.measure(key, looked)
		if err != nil {
			return err
		}
		place := &places[hash&uint32(len(places)-1)]
		passed += *place + hashes[hash]*passedElements*size.Elements
		*place++
		hashes[hash]++
	}
	if passed > mostCrowded {
		return fmt.Errorf("too many of the %d keys fall into the same place of the dict or set; use other keys, such as texts", n)
	}
	return nil
}

// SetKey is dict[key] = value.
func (m *Meter) SetKey(d *starlark.Dict, key, value starlark.Value) error {
	return m.insert(d, key, func() error { return d.SetKey(key, value) })
}

// addsKey is dict.setdefault(key, value) and set.add(value).
func addsKey(m *Meter, c *call) (v starlark.Value, err error) {
	if len(c.args) == 0 {
		return c.native()
	}
	err = m.insert(c.recv.(table), c.args[0], func() (err error) { v, err = c.native(); return err })
	return v, err
}

// newDict is dict(...), and dict.update(...), which gives nothing back.
func newDict(m *Meter, c *call) (starlark.Value, error) {
	if len(c.args) > 1 {
		return c.native() // an error
	}
	named, err := starlark.Universe["dict"].(*starlark.Builtin).CallInternal(c.thread, nil, c.kwargs)
	if err != nil {
		return nil, err
	}
	d, updates := c.recv.(*starlark.Dict)
	if !updates {
		d = new(starlark.Dict)
		if err := m.Made(d); err != nil {
			return nil, err
		}
	}
	for _, from := range append(c.args[:len(c.args):len(c.args)], named) {
		if err := m.update(d, from); err != nil {
			return nil, err
		}
	}
	if updates {
		return starlark.None, nil
	}
	return d, nil
}

// Collect makes a dict of a list of pairs.
func (m *Meter) Collect(pairs starlark.Value) (starlark.Value, error) {
	return newDict(m, &call{args: starlark.Tuple{pairs}})
}

// Join is dict |= other.
func (m *Meter) Join(d, other *starlark.Dict) error {
	// No dict can be a key: the error tells whether d may be changed.
	if err := d.SetKey(d, d); !strings.HasPrefix(err.Error(), "unhashable") {
		return applied("|=", err)
	}
	return m.update(d, other)
}

// update puts the entries of a dict, or of a list of pairs, into a dict.
func (m *Meter) update(d *starlark.Dict, from starlark.Value) error {
	pairs, ok := from.(starlark.Iterable)
	if !ok {
		return fmt.Errorf("got %s, want iterable", from.Type())
	}
	if other, ok := from.(starlark.IterableMapping); ok {
		var items []starlark.Value
		for _, item := range other.Items() {
			items = append(items, item)
		}
		pairs = starlark.NewList(items)
	}
	i := 0
	for pair := range starlark.Elements(pairs) {
		of, ok := pair.(starlark.Iterable)
		if !ok || starlark.Len(pair) != 2 {
			return fmt.Errorf("element %d: got %s, want a pair of a key and a value", i, pair.Type())
		}
		var key, value starlark.Value
		it := of.Iterate()
		it.Next(&key)
		it.Next(&value)
		it.Done()
		if err := m.Spend(2); err != nil {
			return err
		}
		if err := m.SetKey(d, key, value); err != nil {
			return err
		}
		i++
	}
	return nil
}

// setOperators are those that methods of sets stand for; the others join sets.
var setOperators = map[string]syntax.Token{
	"intersection": syntax.AMP, "issubset": syntax.AMP, "difference": syntax.MINUS, "symmetric_difference": syntax.CIRCUMFLEX,
}

// newSet is set(values) and the methods of sets that go through other collections.
func newSet(m *Meter, c *call) (starlark.Value, error) {
	name := c.fn.Name()
	joins := name == "union" || name == "update" || name == "set" && len(c.args) == 0
	if len(c.kwargs) > 0 || len(c.args) != 1 && !joins {
		return nil, fmt.Errorf("got %d arguments, want 1", len(c.args)+len(c.kwargs))
	}
	for i, v := range c.args {
		if _, ok := v.(starlark.Iterable); ok {
			continue
		}
		if name == "union" || name == "update" { // Starlark would begin with those before
			return nil, fmt.Errorf("argument #%d is not iterable: %s", i+1, v.Type())
		}
		return c.native() // an error
	}
	s, ok := c.recv.(*starlark.Set)
	if !ok {
		s = new(starlark.Set)
	}
	op := setOperators[name]
	if name == "update" {
		return starlark.None, m.absorb(op, s, s, c.args)
	}
	t, err := m.combined(op, s, c.args)
	if err != nil {
		return nil, err
	}
	if name == "issubset" || name == "issuperset" { // s & others is s, and s | others
		return starlark.Bool(t.Len() == s.Len()), nil
	}
	return t, nil
}

// combined is s op others, where an operator that is none of those above joins.
func (m *Meter) combined(op syntax.Token, s *starlark.Set, others starlark.Tuple) (*starlark.Set, error) {
	t := new(starlark.Set)
	if err := m.Made(t); err != nil {
		return nil, err
	}
	if op != syntax.AMP {
		if err := m.absorb(syntax.PIPE, t, s, starlark.Tuple{s}); err != nil {
			return nil, err
		}
	}
	return t, m.absorb(op, t, s, others)
}

// absorb makes t, which is s or nothing, s op others.
func (m *Meter) absorb(op syntax.Token, t, s *starlark.Set, others starlark.Tuple) error {
	for _, other := range others {
		for v := range starlark.Elements(other.(starlark.Iterable)) {
			if err := m.Spend(2); err != nil {
				return err
			}
			if err := m.Key(v); err != nil {
				return err
			}
			leave, err := false, error(nil)
			switch op {
			case syntax.AMP:
				leave, err = s.Has(v)
				leave = !leave
			case syntax.MINUS, syntax.CIRCUMFLEX:
				leave, err = t.Delete(v)
				leave = leave || op == syntax.MINUS
			}
			if leave || err != nil {
				if err != nil {
					return err
				}
				continue
			}
			if err := m.insert(t, v, func() error { return t.Insert(v) }); err != nil {
				return err
			}
		}
	}
	return nil
}
