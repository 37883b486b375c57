package anydice

import (
	"strconv"
	"strings"
)

// The name of an output may mention variables: [N] is the value of N at that
// moment. Brackets round anything but capitals and underscores are plain text.

// A titlePart is plain text or, when it has no text, the variable in a slot.
type titlePart struct {
	text string
	slot int
	at   place
}

// title splits a name into plain text and variables.
func (p *parser) title(t token) []titlePart {
	var parts []titlePart
	plain := 0
	add := func(end int) {
		if end > plain {
			parts = append(parts, titlePart{text: t.text[plain:end]})
		}
	}
	for i := 0; i < len(t.text); i++ {
		name, ok := bracketed(t.text[i:])
		if !ok {
			continue
		}
		add(i)
		parts = append(parts, titlePart{slot: p.slot(name), at: t.at + place(2+i)})
		i += len(name) + 1
		plain = i + 1
	}
	add(len(t.text))
	return parts
}

// bracketed returns the variable in brackets that s begins with.
func bracketed(s string) (name string, ok bool) {
	if s[0] != '[' {
		return "", false
	}
	end := 1
	for end < len(s) && isVariableLetter(s[end]) {
		end++
	}
	return s[1:end], end > 1 && end < len(s) && s[end] == ']'
}

// titleOf puts the values into a name.
func (r *run) titleOf(parts []titlePart) (string, error) {
	var b strings.Builder
	for _, p := range parts {
		if p.text != "" {
			b.WriteString(p.text)
			continue
		}
		v := r.slots[p.slot].v
		if v.kind == noValue {
			return "", r.unknownVariable(p.at, p.slot)
		}
		b.WriteString(r.brief(v))
	}
	return b.String(), nil
}

// brief is a value as a name shows it: a number in decimal, 2d6 for dice with
// the faces 1 to 6, and question marks for what would be too long.
func (r *run) brief(v value) string {
	switch v.kind {
	case numberValue:
		return strconv.Itoa(v.n)
	case dieValue:
		return v.die.brief()
	}
	return "{?}"
}

func (d *die) brief() string {
	count := ""
	if d.count > 1 {
		count = strconv.Itoa(d.count)
	}
	switch {
	case d.isEmpty():
		return "d{}"
	case isFair(d.base):
		return count + "d" + strconv.Itoa(d.base.Max())
	case d.base.Len() == 1 && d.base.Min() == 0:
		return count + "d{0..0}"
	}
	return count + "d{?}"
}
