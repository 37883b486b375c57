package meter

import (
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"dicescript/dist/upper"
)

// Texts that can be much longer than what they are made of are measured before, and
// refused when they would be longer than a text may be.

// Text pays for what str(v) writes, which is not too long.
func (m *Meter) Text(v starlark.Value) error {
	size, err := m.measure(v, written)
	if err != nil {
		return err
	}
	return m.Make(elementBytes + size.Bytes)
}

// A pattern is a text that is made of others, which are added up.
type pattern struct {
	m     *Meter
	form  form
	bytes int64
	err   error
}

// put adds the text of a value, so many times.
func (p *pattern) put(v starlark.Value, times int) {
	if p.err != nil || times == 0 {
		return
	}
	var size Size
	if size, p.err = p.m.measure(v, p.form); p.err == nil {
		p.bytes = upper.AddSat(p.bytes, upper.MulSat(size.Bytes, int64(times)))
		p.err = p.m.allows(TextBytes, p.bytes)
	}
}

// writes refuses the texts of all arguments, with a separator between them, when
// they are too long.
func writes(m *Meter, c *call) error {
	p := pattern{m: m, form: written}
	if c.fn.Name() == "json.encode" {
		p.form = encoded
	}
	for _, kw := range c.kwargs {
		p.put(kw[1], len(c.args))
	}
	for _, v := range c.args {
		p.put(v, 1)
	}
	return p.err
}

// formats does so for s.format(...), which looks for each name among all of them.
func formats(m *Meter, c *call) error {
	s := string(c.recv.(starlark.String))
	if err := m.Spend(int64(len(s)) / bytesPerStep * int64(1+len(c.args)+len(c.kwargs))); err != nil {
		return err
	}
	p := pattern{m: m, form: written, bytes: int64(len(s))}
	uses := func(name string) int { return strings.Count(s, "{"+name+"}") + strings.Count(s, "{"+name+"!") }
	for i, v := range c.args {
		p.put(v, uses(strconv.Itoa(i))+1) // or in turn
	}
	for _, kw := range c.kwargs {
		name, _ := starlark.AsString(kw[0])
		p.put(kw[1], uses(name))
	}
	return p.err
}

// percent does so for format % y.
func (m *Meter) percent(format string, y starlark.Value) error {
	if err := m.Spend(int64(len(format)) / bytesPerStep); err != nil {
		return err
	}
	p := pattern{m: m, form: written, bytes: int64(len(format))}
	of, named := y.(starlark.Mapping)
	if values, ok := y.(starlark.Tuple); ok {
		for _, v := range values {
			p.put(v, 1)
		}
	} else if !named || !strings.Contains(format, "%(") {
		p.put(y, 1)
	} else {
		for _, rest := range strings.Split(format, "%(")[1:] {
			name, _, _ := strings.Cut(rest, ")")
			if v, found, _ := of.Get(starlark.String(name)); found {
				p.put(v, 1)
			}
		}
	}
	return p.err
}

// joins refuses s.join(parts) when the result is too long.
func joins(m *Meter, c *call) error {
	bytes, between := int64(0), int64(len(c.recv.(starlark.String)))
	for _, v := range c.args {
		if parts, ok := v.(starlark.Iterable); ok {
			for part := range starlark.Elements(parts) {
				s, _ := part.(starlark.String)
				bytes = upper.AddSat(bytes, int64(len(s))+between)
			}
		}
	}
	return m.allows(TextBytes, bytes-between)
}

// replaces refuses s.replace(old, new) when the result is too long.
func replaces(m *Meter, c *call) error {
	if len(c.args) < 2 {
		return nil
	}
	s := string(c.recv.(starlark.String))
	before, _ := starlark.AsString(c.args[0])
	after, _ := starlark.AsString(c.args[1])
	n := int64(strings.Count(s, before))
	return m.allows(TextBytes, upper.AddSat(int64(len(s)), upper.MulSat(n, int64(max(0, len(after)-len(before))))))
}

// letters pays for a method of a text that asks of each letter what it is.
func letters(m *Meter, c *call) error { return m.Spend(LengthOf(c.recv) / bytesPerLetter) }

// strips pays for s.strip(letters), which looks for each letter of the text among
// those.
func strips(m *Meter, c *call) error {
	for v := range c.values() {
		if err := m.Spend(upper.MulSat(LengthOf(c.recv), LengthOf(v)) / bytesPerStep); err != nil {
			return err
		}
	}
	return nil
}

// digits refuses a text of more digits than a whole number may have.
func digits(m *Meter, c *call) error {
	const bitsPerDigit = 5.2 // of base 36, the most there is
	for v := range c.values() {
		s, _ := starlark.AsString(v)
		if err := m.read(int64(float64(len(s)) * bitsPerDigit)); err != nil {
			return err
		}
	}
	return nil
}

// read pays for reading a whole number of so many bits, which takes time that grows
// with the square of its length, and refuses one that is too long.
func (m *Meter) read(bits int64) error {
	if err := m.allows(IntBits, bits); err != nil {
		return err
	}
	words := bits / 64
	return m.Spend(words * words / 16)
}
