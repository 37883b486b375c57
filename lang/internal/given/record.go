// Structs as recipes see them.

package given

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Record is a struct of the host.
type Record struct {
	giver  *Giver
	of     reflect.Value
	fields map[string][]int
}

var _ starlark.HasAttrs = (*Record)(nil)

func (r *Record) String() string        { return "record(" + strings.Join(r.AttrNames(), ", ") + ")" }
func (r *Record) Type() string          { return "record" }
func (r *Record) Freeze()               {}
func (r *Record) Truth() starlark.Bool  { return true }
func (r *Record) Hash() (uint32, error) { return 0, errors.New("unhashable: record") }

// AttrNames are the names of the fields.
func (r *Record) AttrNames() []string {
	names := make([]string, 0, len(r.fields))
	for name := range r.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Attr returns a field. One of a struct that is embedded by a nil pointer is None.
func (r *Record) Attr(name string) (starlark.Value, error) {
	index, ok := r.fields[name]
	if !ok {
		return nil, nil
	}
	f, err := r.of.FieldByIndexErr(index)
	if err != nil {
		return starlark.None, nil
	}
	return r.giver.Value(f.Interface())
}

// CompareSameType says that values of the host are not compared: it would take a look at
// all that they hold.
func (r *Record) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return false, fmt.Errorf("records are not compared; compare their fields")
}

// attributes are the fields of a struct by the names that recipes say, once found.
func (g *Giver) attributes(t reflect.Type) map[string][]int {
	fields, ok := g.fields[t]
	if !ok {
		fields = Fields(t)
		g.fields[t] = fields
	}
	return fields
}

// Fields are the fields of a struct by the names that recipes say.
func Fields(t reflect.Type) map[string][]int {
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		if name := attributeName(f); name != "" {
			fields[name] = f.Index
		}
	}
	return fields
}

// attributeName is what recipes call a field, "" when they can't see it.
func attributeName(f reflect.StructField) string {
	tag := f.Tag.Get("dice")
	switch {
	case !f.IsExported() || tag == "-" || f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
		return ""
	case tag != "":
		return tag
	}
	return snakeCase(f.Name)
}

// snakeCase writes HitDice as hit_dice, and HPMax as hp_max.
func snakeCase(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		begins := unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) && runes[i-1] != '_' || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
