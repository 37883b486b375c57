// Lists and dicts back from json: in their order, with keys of any kind.

package lang

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// value is what the text of an output is of, or nil where it is but a text.
func (in resultReader) value(o jsonOutput) (any, error) {
	read, text := in.structured, o.Value
	if len(o.Typed) > 0 {
		read, text = in.typed, o.Typed
	}
	if len(text) == 0 {
		return nil, nil
	}
	v, err := newDecoder(text).value()
	if err != nil {
		return nil, err
	}
	return read(v)
}

// An object is one of json: its members in order, and its text.
type object struct {
	members []member
	text    []byte
}

type member struct {
	name  string
	value any
}

// of is the value of a member, if there is one.
func (o *object) of(name string) (v any, ok bool) {
	for _, m := range o.members {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// A decoder reads json with the order of its members, which package json forgets. It gives
// an *object, an []any, or what package json gives.
type decoder struct {
	*json.Decoder
	text []byte
}

func newDecoder(text []byte) *decoder {
	p := &decoder{json.NewDecoder(bytes.NewReader(text)), text}
	p.UseNumber()
	return p
}

func (p *decoder) value() (any, error) {
	t, err := p.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		return p.list()
	case json.Delim('{'):
		return p.object(p.InputOffset() - 1)
	}
	return t, nil
}

func (p *decoder) list() (any, error) {
	list := []any{}
	for p.More() {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := p.Token()
	return list, err
}

func (p *decoder) object(start int64) (any, error) {
	o := &object{}
	for p.More() {
		name, err := p.Token()
		if err != nil {
			return nil, err
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		o.members = append(o.members, member{name.(string), v})
	}
	_, err := p.Token()
	o.text = p.text[start:p.InputOffset()]
	return o, err
}

// structured is the data of a list or dict that is not ambiguous.
func (in resultReader) structured(v any) (any, error) {
	if err := in.ctx.Err(); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case json.Number:
		return scalar(v, strings.ContainsAny(v.String(), ".eE")), nil
	case []any:
		return each(v, in.structured)
	case *object:
		if v.looksLikeData() {
			if data, err := in.dataIn(v); err == nil {
				return data, nil
			}
		}
		dict := make(Dict, len(v.members))
		for i, m := range v.members {
			x, err := in.structured(m.value)
			if err != nil {
				return nil, err
			}
			dict[i] = Entry{Key: m.name, Value: x}
		}
		return dict, nil
	}
	return v, nil
}

// looksLikeData reports whether an object has the members by which data of a kind is told.
func (o *object) looksLikeData() bool {
	named, _ := o.of("kind")
	kind, _ := named.(string)
	_, looks := o.of(memberOf[kind])
	return looks
}

// memberOf are the members by which data of each kind differs from a dict that has a key
// "kind".
var memberOf = map[string]string{
	"DieRoll": "pmf", "Prob": "value", "Number": "value", "Outcomes": "pmf", "ProbTable": "rows", "Grid": "cells",
	"Comparison": "rolls", "Plan": "decisions", "Text": "text",
}

func each(list []any, read func(any) (any, error)) (any, error) {
	out := make([]any, len(list))
	for i, x := range list {
		var err error
		if out[i], err = read(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dataIn is the data that an object is.
func (in resultReader) dataIn(v *object) (Data, error) {
	var o jsonOutput
	if err := decodeJSON(v.text, &o); err != nil {
		return nil, err
	}
	return in.data(o)
}

// typed is the data of a list or dict that says the types of what is ambiguous.
func (in resultReader) typed(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return scalar(v, false), nil
	case []any:
		return each(v, in.typed)
	case *object:
		if len(v.members) != 1 {
			return nil, errors.New("typed: an object of one member says what it is")
		}
		return in.called(v.members[0])
	}
	return v, nil
}

// called is what the only member of an object says that it is.
func (in resultReader) called(m member) (any, error) {
	switch v := m.value.(type) {
	case string:
		if x, err := strconv.ParseFloat(v, 64); m.name == "float" && err == nil {
			return x, nil
		}
	case *object:
		if m.name == "data" {
			return in.dataIn(v)
		}
	case []any:
		if m.name == "dict" {
			return in.pairs(v)
		}
	}
	return nil, fmt.Errorf("typed: there is no such %.40q", m.name)
}

// pairs is a dict as its pairs of keys and values.
func (in resultReader) pairs(list []any) (any, error) {
	dict := make(Dict, len(list))
	for i, x := range list {
		pair, ok := x.([]any)
		if !ok || len(pair) != 2 {
			return nil, errors.New("typed: an entry of a dict is no pair")
		}
		key, err := in.typed(pair[0])
		if err != nil {
			return nil, err
		}
		value, err := in.typed(pair[1])
		if err != nil {
			return nil, err
		}
		dict[i] = Entry{Key: key, Value: value}
	}
	return dict, nil
}
