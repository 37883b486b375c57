package meter

import (
	"encoding/json"
	"strings"

	starlarkjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"

	"dicescript/dist/upper"
)

// indent is json.indent(text, prefix, indent) and json.encode_indent(v, prefix,
// indent), which encodes v first. Each line of the result may have the prefix and,
// for every level of it, the indentation.
func indent(m *Meter, c *call) (starlark.Value, error) {
	encode, indent := starlarkjson.Module.Members["encode"].(*starlark.Builtin), starlarkjson.Module.Members["indent"].(*starlark.Builtin)
	if c.fn.Name() == "json.encode_indent" {
		s, err := m.pay(m.table.of("json.encode"), &call{thread: c.thread, fn: encode, args: c.args})
		if err != nil {
			return nil, err
		}
		c = &call{thread: c.thread, fn: indent, args: starlark.Tuple{s}, kwargs: c.kwargs}
	}
	if len(c.args) != 1 {
		return c.native() // an error
	}
	width := int64(2)
	for _, kw := range c.kwargs {
		width += LengthOf(kw[1])
	}
	text, _ := starlark.AsString(c.args[0])
	total, level := int64(len(text)), int64(1)
	for _, letter := range []byte(text) {
		switch letter {
		case '[', '{':
			level++
		case ']', '}':
			level--
		case ',':
		default:
			continue
		}
		total = upper.AddSat(total, upper.MulSat(width, max(1, level)))
	}
	if err := m.allows(TextBytes, total); err != nil {
		return nil, err
	}
	if err := m.Spend(total / bytesPerStep); err != nil {
		return nil, err
	}
	v, err := c.native()
	if err != nil {
		return nil, err
	}
	return v, m.Made(v)
}

// Reading a value of json takes some steps, and as many bytes as an entry of a dict.
const valueSteps = 4

// decodes pays for what a text of json holds, before it is read: so many values,
// which nest so deeply, with numbers of so many digits, and keys that may collide.
func decodes(m *Meter, c *call) error {
	for v := range c.values() {
		text, _ := starlark.AsString(v)
		if err := m.decoded(text); err != nil {
			return err
		}
	}
	return nil
}

func (m *Meter) decoded(text string) error {
	keys := new(starlark.Dict)
	values, level, digits := int64(1), int64(0), int64(0)
	for i := 0; i < len(text); i++ {
		if digit := text[i] >= '0' && text[i] <= '9'; digit {
			digits++
			continue
		}
		if err := m.read(digits * 10 / 3); err != nil {
			return err
		}
		digits = 0
		switch text[i] {
		case '[', '{':
			level++
			values++
		case ']', '}':
			level--
		case ',':
			values++
		case '"':
			end := i + quoted(text[i:])
			if strings.HasPrefix(strings.TrimLeft(text[end:], " \t\r\n"), ":") {
				if err := m.SetKey(keys, jsonText(text[i:end]), starlark.None); err != nil {
					return err
				}
			}
			i = end - 1
		}
		if err := Check(Depth, level, m.limits().Depth); err != nil {
			return err
		}
	}
	if err := m.read(digits * 10 / 3); err != nil {
		return err
	}
	if err := m.Spend(valueSteps * values); err != nil {
		return err
	}
	return m.Make(entryBytes * values)
}

// quoted is the length of the quoted text that s begins with.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// jsonText is what a quoted text says; one with a mistake, which nobody reads, is
// left as it is.
func jsonText(quoted string) starlark.String {
	var s string
	if err := json.Unmarshal([]byte(quoted), &s); err != nil {
		return starlark.String(quoted)
	}
	return starlark.String(s)
}
