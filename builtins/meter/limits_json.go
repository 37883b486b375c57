// Limits as JSON: an object with the names that limits have in messages, in the counts of
// a run and as flags, {"steps": 5000000, "output-bytes": 65536}. A name that is no limit
// is an error, so that a misspelled one bounds nothing silently.

package meter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"dicescript/builtins/suggest"
)

// MarshalJSON returns the limits that are set.
func (l Limits) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for _, b := range Bounds() {
		n := *b.Of(&l)
		if n == 0 {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(strconv.AppendQuote(text, string(b.Resource)), ':')
		text = strconv.AppendInt(text, n, 10)
	}
	return append(text, '}'), nil
}

// UnmarshalJSON sets the limits that the object names, and leaves the others.
func (l *Limits) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return errors.New("limits: want an object such as {\"steps\": 5000000}")
	}
	set := *l
	for _, name := range slices.Sorted(maps.Keys(values)) {
		b, err := boundNamed(name)
		if err != nil {
			return fmt.Errorf("limits: %w", err)
		}
		n, err := strconv.ParseInt(string(values[name]), 10, 64)
		if err != nil {
			return fmt.Errorf("limits: %s: got %.40s, want a whole number", name, values[name])
		}
		*b.Of(&set) = n
	}
	*l = set
	return nil
}

// boundNamed is the limit of a name.
func boundNamed(name string) (Bound, error) {
	bounds := Bounds()
	names := make([]string, len(bounds))
	for i, b := range bounds {
		if string(b.Resource) == name {
			return b, nil
		}
		names[i] = string(b.Resource)
	}
	return Bound{}, fmt.Errorf("there is no limit %.40q%s", name, suggest.DidYouMean(suggest.Among(name, names)))
}
