package suite

import (
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Values in messages: so much of them as a person reads. A list may hold itself,
// or one list ten times that holds another one ten times.

const (
	mostShown   = 500 // bytes of a value
	deepestShow = 20  // lists in lists
)

// shown is a value in a message; a chance as its fraction.
func shown(v starlark.Value) string {
	var p shower
	p.value(v, 0)
	return cut(p.b.String(), mostShown)
}

// cut is the beginning of a text, which says so when there is more.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

type shower struct{ b strings.Builder }

// full reports whether more would not be seen.
func (p *shower) full() bool { return p.b.Len() > mostShown }

func (p *shower) value(v starlark.Value, depth int) {
	if p.full() {
		return
	}
	switch v := v.(type) {
	case starlark.String:
		p.b.WriteString(starlark.String(cut(string(v), mostShown)).String())
	case *starlark.List:
		p.elements("[", v, "]", depth)
	case starlark.Tuple:
		end := ")"
		if len(v) == 1 {
			end = ",)"
		}
		p.elements("(", v, end, depth)
	case *starlark.Set:
		p.elements("set([", v, "])", depth)
	case *starlark.Dict:
		p.entries(v, depth)
	default:
		if x, _, ok := exact(v); ok {
			p.b.WriteString(x.RatString())
			return
		}
		p.b.WriteString(v.String())
	}
}

func (p *shower) elements(open string, list starlark.Iterable, end string, depth int) {
	p.b.WriteString(open)
	defer p.b.WriteString(end)
	if depth == deepestShow {
		p.b.WriteString("...")
		return
	}
	i := 0
	for v := range starlark.Elements(list) {
		if i++; i > 1 {
			p.b.WriteString(", ")
		}
		if p.value(v, depth+1); p.full() {
			return
		}
	}
}

func (p *shower) entries(d *starlark.Dict, depth int) {
	p.b.WriteString("{")
	defer p.b.WriteString("}")
	if depth == deepestShow {
		p.b.WriteString("...")
		return
	}
	i := 0
	for k, v := range starlark.Entries(d) {
		if i++; i > 1 {
			p.b.WriteString(", ")
		}
		p.value(k, depth+1)
		p.b.WriteString(": ")
		if p.value(v, depth+1); p.full() {
			return
		}
	}
}
