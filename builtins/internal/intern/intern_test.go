package intern

import (
	"math"
	"math/big"
	"testing"

	_ "dicescript/testdata/testseed"

	"go.starlark.net/starlark"

	"pgregory.net/rapid"
)

// Two values have one number exactly when Starlark calls them equal.
func TestInternerIsEquality(t *testing.T) {
	leaves := []starlark.Value{
		starlark.None, starlark.True, starlark.False, starlark.MakeInt(0), starlark.MakeInt(1), starlark.MakeInt(-1),
		starlark.Float(1), starlark.Float(0.5), starlark.Float(math.Copysign(0, -1)), starlark.Float(math.Inf(1)),
		starlark.MakeInt64(1 << 40), starlark.MakeInt64(1 << 41), starlark.MakeBigInt(new(big.Int).Lsh(big.NewInt(1), 70)),
		starlark.Float(1 << 70), starlark.MakeBigInt(new(big.Int).Lsh(big.NewInt(-1), 70)),
		starlark.String(""), starlark.String("s"), starlark.String("n"), starlark.Bytes("s"), starlark.String("1"),
		starlark.Tuple{},
	}
	var value func(depth int) *rapid.Generator[starlark.Value]
	value = func(depth int) *rapid.Generator[starlark.Value] {
		if depth == 0 {
			return rapid.SampledFrom(leaves)
		}
		tuple := rapid.Map(rapid.SliceOfN(value(depth-1), 0, 3), func(vs []starlark.Value) starlark.Value { return starlark.Tuple(vs) })
		return rapid.OneOf(rapid.SampledFrom(leaves), tuple)
	}
	rapid.Check(t, func(t *rapid.T) {
		var in Table
		values := rapid.SliceOfN(value(2), 1, 12).Draw(t, "values")
		numbers := make([]int, len(values))
		for i, v := range values {
			n, err := in.Index(v)
			if err != nil {
				t.Fatal(err)
			}
			numbers[i] = n
			for j, w := range values[:i] {
				equal, err := starlark.Equal(v, w)
				if err != nil || equal != (numbers[i] == numbers[j]) {
					t.Fatalf("%v and %v: equal %v, numbers %d and %d, %v", v, w, equal, numbers[i], numbers[j], err)
				}
			}
		}
	})
	var in Table
	for _, v := range []starlark.Value{starlark.NewList(nil), starlark.Tuple{starlark.MakeInt(1), starlark.NewList(nil)}} {
		if _, err := in.Index(v); err == nil {
			t.Errorf("%v got a number", v)
		}
	}
}
