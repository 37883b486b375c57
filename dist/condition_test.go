package dist

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestGivenDividesByTheChanceOfTheCondition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawSmall(t, "d")
		o := DistOutcomes(d)
		set := drawSet(t, "set", d)
		got, err := Given(ctx, o, func(x int) (bool, error) { return set.Contains(x), nil })
		want, ok := chancesOf(d).given(set.Contains)
		if (err == nil) != ok {
			t.Fatalf("error %v", err)
		}
		if err != nil {
			return
		}
		for x, p := range want {
			if q := chanceOf(got, x); q.Cmp(p) != 0 {
				t.Fatalf("P(%d) = %v, want %v", x, q, p)
			}
		}
		if slices.ContainsFunc(got.Labels(), func(x int) bool { return !set.Contains(x) }) {
			t.Fatalf("labels %v", got.Labels())
		}
		conforms(t, got)
	})
}

func TestGivenCarriesTheError(t *testing.T) {
	one := big.NewInt(1)
	o := Must(NewOutcomes(ctx, []string{"a", "b", "c", "d"}, []*big.Int{one, one, one, one}, 1e-6))
	half := Must(Given(ctx, o, func(l string) (bool, error) { return l < "c", nil }))
	if e := half.Bound(); e < 2e-6 || e > 2.1e-6 {
		t.Errorf("error %v", e)
	}
	rare := Must(NewOutcomes(ctx, []string{"a", "b"}, []*big.Int{one, big.NewInt(1 << 30)}, 1e-6))
	if _, err := Given(ctx, rare, func(l string) (bool, error) { return l == "a", nil }); !errors.As(err, new(*ArgError)) {
		t.Errorf("got %v", err)
	}
}
