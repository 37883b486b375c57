package meter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	starlarkjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
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
		width += lengthOf(kw[1])
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
		total = add(total, mul(width, max(1, level)))
	}
	if err := m.Spend(total / bytesPerStep); err != nil {
		return nil, err
	}
	if err := m.text(total); err != nil {
		return nil, err
	}
	return c.native()
}

// decode is json.decode(text, default=None). The text is read token by token.
func decode(m *Meter, c *call) (starlark.Value, error) {
	var text string
	var otherwise starlark.Value
	if err := starlark.UnpackArgs(c.fn.Name(), c.args, c.kwargs, "x", &text, "default?", &otherwise); err != nil {
		return nil, err
	}
	r := reader{m: m, tokens: json.NewDecoder(strings.NewReader(text))}
	r.tokens.UseNumber()
	v, err := r.value(0)
	if err == nil && !r.ended() {
		err = r.faultf("there is more after the value")
	}
	if err == nil {
		return v, nil
	}
	if r.fault && otherwise != nil {
		return otherwise, nil
	}
	return nil, err
}

// A reader reads a text of json.
type reader struct {
	m      *Meter
	tokens *json.Decoder
	fault  bool // the text is at fault, and no limit
}

func (r *reader) faultf(format string, args ...any) error {
	r.fault = true
	return fmt.Errorf("at offset %d, "+format, append([]any{r.tokens.InputOffset()}, args...)...)
}

func (r *reader) ended() bool {
	_, err := r.tokens.Token()
	return err == io.EOF
}

func (r *reader) next() (json.Token, error) {
	if err := r.m.Spend(4); err != nil {
		return nil, err
	}
	token, err := r.tokens.Token()
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, r.faultf("unexpected end of file")
	case err != nil:
		return nil, r.faultf("%w", err)
	}
	return token, nil
}

// value reads a value that stands in so many others.
func (r *reader) value(depth int64) (starlark.Value, error) {
	token, err := r.next()
	if err != nil {
		return nil, err
	}
	v := starlark.Value(starlark.None)
	switch token := token.(type) {
	case bool:
		v = starlark.Bool(token)
	case string:
		v = starlark.String(token)
	case json.Number:
		if v, err = r.number(string(token)); err != nil {
			return nil, err
		}
	case json.Delim:
		if err := Check(Depth, depth+1, r.m.Limits.Depth); err != nil {
			return nil, err
		}
		if v, err = r.collection(token, depth+1); err != nil {
			return nil, err
		}
		_, err = r.next() // the bracket that closes it
		return v, err
	}
	return v, r.m.Made(v)
}

func (r *reader) number(text string) (starlark.Value, error) {
	if err := Check(IntBits, int64(len(text))*10/3, r.m.Limits.IntBits); err != nil {
		return nil, err
	}
	if n, ok := new(big.Int).SetString(text, 10); ok {
		return starlark.MakeBigInt(n), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, r.faultf("invalid number: %s", text)
	}
	return starlark.Float(x), nil
}

// collection reads what stands in a list or object.
func (r *reader) collection(bracket json.Delim, depth int64) (starlark.Value, error) {
	list, dict := new(starlark.List), new(starlark.Dict)
	if bracket == '{' {
		if err := r.m.Made(dict); err != nil {
			return nil, err
		}
	}
	for r.tokens.More() {
		var key starlark.Value
		if bracket == '{' {
			token, err := r.next()
			if err != nil {
				return nil, err
			}
			text, _ := token.(string) // the decoder lets nothing else be a key
			key = starlark.String(text)
		}
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		if bracket == '{' {
			err = r.m.SetKey(dict, key, v)
		} else if err = r.m.grow(list, 1); err == nil {
			err = list.Append(v)
		}
		if err != nil {
			return nil, err
		}
	}
	if bracket == '{' {
		return dict, nil
	}
	return list, r.m.Make(headBytes)
}
