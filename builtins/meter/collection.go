package meter

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"go.starlark.net/starlark"

	"dicescript/dist/upper"
)

// Lists, dicts and sets are bounded when they have grown. What makes a dict or set
// of many keys at once gets them as a dict or set that has grown key by key, with a
// look at the context between: it takes long where keys collide.

// grown pays for what a list, dict or set holds more than before, and refuses one
// that holds too much.
func (m *Meter) grown(v starlark.Value, before int) error {
	n := starlark.Len(v)
	if n <= before {
		return nil
	}
	if _, isList := v.(*starlark.List); isList {
		if err := m.fits(Elements, int64(n)); err != nil {
			return err
		}
		return m.Make(2 * elementBytes * int64(n-before)) // it moves to a larger place now and then
	}
	if err := m.fits(Entries, int64(n)); err != nil {
		return err
	}
	if bits.Len(uint(n/leastDoubled)) != bits.Len(uint(before/leastDoubled)) {
		if err := m.collisions(v); err != nil {
			return err
		}
	}
	return m.Make(entryBytes * int64(n-before))
}

const (
	// manyEntries is how many entries a dict has before every few new ones are worth
	// a look at the context.
	manyEntries = 4096

	// leastDoubled is the number of entries from which on the keys of a table are
	// looked at before it is built anew: Starlark doubles one of 2^k buckets when it
	// holds 6.5 * 2^k entries.
	leastDoubled = 208

	// fullBucket is how many keys of a bucket, which has room for eight, are none too
	// many.
	fullBucket = 8
)

// collisions refuses dicts or sets that would take too long to be built anew as one:
// each key passes those that are in its bucket before it, and is compared with
// those that have its hash.
func (m *Meter) collisions(tables ...starlark.Value) error {
	n := 0
	for _, t := range tables {
		n += starlark.Len(t)
	}
	if err := m.Spend(int64(n) / 4); err != nil {
		return err
	}
	buckets := make([]int32, 1<<bits.Len(uint(n/13)))
	passed := int64(0)
	for _, t := range tables {
		for key := range starlark.Elements(t.(starlark.Iterable)) {
			hash, err := key.Hash()
			if err != nil {
				return err
			}
			bucket := &buckets[hash&uint32(len(buckets)-1)]
			if *bucket++; *bucket > fullBucket { // which it is by chance now and then: nothing is spent
				passed += int64(*bucket) * SizeOf(key).Elements
			}
		}
	}
	return Check(Collisions, passed, mostCollisions)
}

// joined pays for what is made of two dicts or sets at once, by looking up the keys
// of one among those of the other.
func (m *Meter) joined(x, y starlark.Value) error {
	for _, v := range []starlark.Value{x, y} {
		if d, ok := v.(*starlark.Dict); ok {
			v = starlark.Tuple(d.Keys()) // what they stand for is moved
		}
		if err := m.Key(v); err != nil {
			return err
		}
	}
	return m.collide(x, y)
}

// collide refuses two dicts or sets of which the keys collide when there are too many
// of them to be joined at once.
func (m *Meter) collide(x, y starlark.Value) error {
	if starlark.Len(y) < leastDoubled {
		return nil
	}
	return m.collisions(x, y)
}

// key pays for looking up a key in a dict or set. It is compared with each key of
// the same hash, however many there are.
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

// Key pays for looking up a key in a dict or set.
func (m *Meter) Key(v starlark.Value) error {
	_, err := m.key(v)
	return err
}

// Name pays for a look at a label, a state or a new key, which may not be too
// long.
func (m *Meter) Name(v starlark.Value) error {
	if isSmall(v) {
		return nil
	}
	size, err := m.key(v)
	if err != nil {
		return err
	}
	return m.fits(NameBytes, upper.AddSat(size.Bytes, upper.MulSat(8, size.Cells)))
}

// newKey pays for a key that is put among so many: it is compared with all that it
// collides with.
func (m *Meter) newKey(key starlark.Value, among int) error {
	if err := m.Name(key); err != nil || among < manyEntries {
		return err
	}
	return m.pass(lookEvery / 8)
}

// adds pays for what a method looks at that adds one key.
func adds(m *Meter, c *call) error {
	for _, key := range c.args {
		return m.newKey(key, starlark.Len(c.recv))
	}
	return nil
}

// SetKey is dict[key] = value.
func (m *Meter) SetKey(d *starlark.Dict, key, value starlark.Value) error {
	n := d.Len()
	if err := m.newKey(key, n); err != nil {
		return err
	}
	key = KeyOf(key)
	if err := d.SetKey(key, value); err != nil || d.Len() == n {
		return err
	}
	return m.grown(d, n)
}

// Collect makes a dict of pairs, key by key.
func (m *Meter) Collect(pairs starlark.Value) (starlark.Value, error) {
	d := new(starlark.Dict)
	if err := m.Made(d); err != nil {
		return nil, err
	}
	at := 0
	for pair := range starlark.Elements(pairs.(starlark.Iterable)) {
		of, err := pairOf(pair, at)
		if err == nil {
			err = m.SetKey(d, of[0], of[1])
		}
		if err != nil {
			return nil, err
		}
		at++
	}
	return d, nil
}

// pairOf is a key and a value, with Starlark's errors.
func pairOf(v starlark.Value, at int) (pair [2]starlark.Value, err error) {
	of, ok := v.(starlark.Iterable)
	if !ok {
		return pair, fmt.Errorf("dictionary update sequence element #%d is not iterable (%s)", at, v.Type())
	}
	switch n := starlark.Len(v); {
	case n < 0:
		return pair, fmt.Errorf("dictionary update sequence element #%d has unknown length (%s)", at, v.Type())
	case n != 2:
		return pair, fmt.Errorf("dictionary update sequence element #%d has length %d, want 2", at, n)
	}
	if t, ok := v.(starlark.Tuple); ok {
		return [2]starlark.Value(t), nil
	}
	part := of.Iterate()
	defer part.Done()
	part.Next(&pair[0])
	part.Next(&pair[1])
	return pair, nil
}

// unique makes one dict of the elements of several values, key by key: it holds
// them as a set does.
func (m *Meter) unique(of starlark.Tuple) (starlark.Value, error) {
	d := new(starlark.Dict)
	for _, values := range of {
		for v := range starlark.Elements(values.(starlark.Iterable)) {
			if err := m.SetKey(d, v, starlark.None); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// gathers has a function that makes a dict or set of its arguments get those as one
// dict, which is made key by key.
func gathers(m *Meter, c *call) error {
	_, ofDict := c.recv.(*starlark.Dict)
	ofDict = ofDict || c.fn.Name() == "dict"
	if several := ofDict || c.fn.Name() == "set" || c.fn.Name() == "union" || c.fn.Name() == "update"; !several && len(c.args) != 1 {
		return fmt.Errorf("got %d arguments, want 1", len(c.args)+len(c.kwargs)) // with none, Starlark fails
	}
	for _, v := range c.args {
		if _, ok := v.(starlark.Iterable); !ok || ofDict && len(c.args) > 1 {
			return nil // an error
		}
	}
	if len(c.args) == 0 {
		return nil
	}
	all, err := c.args[0], error(nil)
	of, ofHost := all.(starlark.IterableMapping)
	switch {
	case len(c.args) == 1 && isTable(all, ofDict):
	case ofDict && ofHost:
		all, err = m.Collect(pairsOf(of))
	case ofDict:
		all, err = m.Collect(all)
	default:
		all, err = m.unique(c.args)
	}
	if err != nil {
		return err
	}
	c.args = starlark.Tuple{all}
	if c.recv != nil {
		return m.collide(c.recv, all)
	}
	return nil
}

// isTable reports whether v is a dict, or a set and no dict is wanted.
func isTable(v starlark.Value, wantsDict bool) bool {
	switch v.(type) {
	case *starlark.Dict:
		return true
	case *starlark.Set:
		return !wantsDict
	}
	return false
}

// pairsOf is a list of the entries of a mapping.
func pairsOf(m starlark.IterableMapping) *starlark.List {
	var pairs []starlark.Value
	for _, item := range m.Items() {
		pairs = append(pairs, item)
	}
	return starlark.NewList(pairs)
}

// Append pays for one more element of a list.
func (m *Meter) Append(list *starlark.List) error {
	if err := m.fits(Elements, int64(list.Len())+1); err != nil {
		return err
	}
	return m.Make(2 * elementBytes) // as it moves to a larger place now and then
}

// Boxed pays for a whole number that is put into a list, which takes memory of its own where
// it is beyond half a word.
func (m *Meter) Boxed(n int64) error {
	if n == int64(int32(n)) {
		return nil
	}
	return m.Make(headBytes)
}

// Extend is list += values.
func (m *Meter) Extend(list *starlark.List, values starlark.Iterable) error {
	extend, err := list.Attr("extend")
	if err != nil {
		return err
	}
	_, err = m.method(extend.(*starlark.Builtin)).CallInternal(m.thread, starlark.Tuple{values}, nil)
	return applied("+=", err)
}

// Join is dict |= other.
func (m *Meter) Join(d, other *starlark.Dict) error {
	// No dict can be a key: the error tells whether d may be changed.
	if err := d.SetKey(d, d); !strings.HasPrefix(err.Error(), "unhashable") {
		return applied("|=", err)
	}
	for _, item := range other.Items() {
		if err := m.SetKey(d, item[0], item[1]); err != nil {
			return err
		}
	}
	return nil
}

// applied words the error of another change as that of an operator.
func applied(op string, err error) error {
	if err == nil || Ends(err) {
		return err
	}
	to := "cannot apply " + op + " to"
	words := strings.NewReplacer("extend: ", "", "cannot extend", to, "cannot insert into", to)
	return errors.New(words.Replace(err.Error()))
}

// elements refuses a list of all that v holds when it is too long. Letters are made
// when they are asked for.
func (m *Meter) elements(v starlark.Value) error {
	n := LengthOf(v)
	if err := m.allows(Elements, n); err != nil || starlark.Len(v) >= 0 {
		return err
	}
	return m.Make(letterBytes * n)
}

// element pays for an element of a list that is comprehended.
func (m *Meter) element(starlark.Value) error { return m.Make(elementBytes) }

// spread pays for the elements of v, or the entries of a dict, that become
// arguments.
func (m *Meter) spread(v starlark.Value) error {
	n := LengthOf(v)
	if err := m.fits(Elements, n); err != nil {
		return err
	}
	if err := m.Spend(n); err != nil {
		return err
	}
	return m.Make(2 * elementBytes * n)
}

// named refuses a dict of too many arguments by name.
func (m *Meter) named(v starlark.Value) error {
	if n := LengthOf(v); n > MaxParameters {
		return fmt.Errorf("got %d arguments by name, want at most %d", n, MaxParameters)
	}
	return m.spread(v)
}

// Element pays for an element of a list that is comprehended.
func (m *Meter) Element() error { return m.element(nil) }

// Source pays for what a comprehension of nothing but one loop goes through.
func (m *Meter) Source(v starlark.Value) error { return m.elements(v) }

// Spread pays for the elements of v that become arguments, and SpreadNamed for the
// entries of a dict.
func (m *Meter) Spread(v starlark.Value) error      { return m.spread(v) }
func (m *Meter) SpreadNamed(v starlark.Value) error { return m.named(v) }

// room pays for the variables of a function that has very many.
func (m *Meter) room(starlark.Value) error { return m.Spend(roomSteps) }
