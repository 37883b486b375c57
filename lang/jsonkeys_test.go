package lang

import (
	"encoding/json"
	"slices"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

// The keys of a text of json are those of the values that it was written from.
func TestJSONKeys(t *testing.T) {
	var value func(depth int) *rapid.Generator[any]
	text := rapid.StringOfN(rapid.SampledFrom([]rune("a:\"\\{é, ")), 0, 6, -1)
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Int(), func(n int) any { return n }))
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf,
			rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(text, value(depth-1), 0, 3), func(m map[string]any) any { return m }))
	}
	var keysOf func(v any) []string
	keysOf = func(v any) (keys []string) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				keys = append(keys, keysOf(e)...)
			}
		case map[string]any:
			for k, e := range v {
				keys = append(append(keys, k), keysOf(e)...)
			}
		}
		return keys
	}
	rapid.Check(t, func(t *rapid.T) {
		v := value(3).Draw(t, "value")
		data, err := json.MarshalIndent(v, "", rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for k := range jsonKeys(string(data)) {
			got = append(got, string(k.(starlark.String)))
		}
		want := keysOf(v)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: got %q, want %q", data, got, want)
		}
	})
}
