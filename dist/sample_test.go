package dist

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
)

// script is a source that returns given words, then counts up.
type script struct {
	words []uint64
	next  int
}

func (s *script) Uint64() uint64 {
	s.next++
	if s.next <= len(s.words) {
		return s.words[s.next-1]
	}
	return uint64(s.next)
}

func sampler(t *testing.T, d *Dist) *Sampler {
	t.Helper()
	s, err := d.Sampler(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every natural below the total must be as likely as any other, so that going
// through all of them gives each outcome exactly as often as its weight says.
func TestSampleFollowsTheWeights(t *testing.T) {
	ctx := context.Background()
	pool, err := Must(Die(6)).Times(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Dist{
		Must(Die(6)), Constant(7), pool, Must(Faces(-5, 0, 0, 1000)),
		Must(Weighted(ctx, []int{1, 2, 9}, []*big.Int{big.NewInt(5), big.NewInt(1), big.NewInt(250)})),
	} {
		s := sampler(t, d)
		count := map[int]int64{}
		total := d.Total().Int64()
		for u := range total {
			count[s.Draw(&script{words: []uint64{uint64(u)}})]++
		}
		for x, w := range d.All() {
			if count[x] != w.Int64() {
				t.Errorf("total %d: outcome %d is drawn by %d of the naturals below it, want %d", total, x, count[x], w)
			}
		}
	}
}

// A number that is not below the total is thrown away, not folded back:
// folding would favour the low faces.
func TestSampleRejects(t *testing.T) {
	s := sampler(t, Must(Die(6)))
	src := &script{words: []uint64{6, 7, 1<<3 | 6, 2}}
	if got := s.Draw(src); got != 3 || src.next != 4 {
		t.Errorf("got %d after %d words, want 3 after 4", got, src.next)
	}
}

// The slow way to the same draw: one big number, and a walk along the weights.
func TestSampleOfManyWords(t *testing.T) {
	d, err := Must(Die(6)).Times(context.Background(), 100)
	if err != nil {
		t.Fatal(err)
	}
	s := sampler(t, d)
	for seed := range int64(200) {
		if got, want := s.Draw(SeededSource(seed)), walk(d, SeededSource(seed)); got != want {
			t.Fatalf("seed %d: got %d, want %d", seed, got, want)
		}
	}
}

func walk(d *Dist, src rand.Source) int {
	total := d.Total()
	bits := new(big.Int).Sub(total, big.NewInt(1)).BitLen()
	mask := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	u := new(big.Int).Set(total)
	for u.Cmp(total) >= 0 {
		u.SetInt64(0)
		for at := 0; at < bits; at += 64 {
			x := new(big.Int).SetUint64(src.Uint64())
			u.Or(u, x.Lsh(x, uint(at)))
		}
		u.Mod(u, mask)
	}
	for x, w := range d.All() {
		if u.Cmp(w) < 0 {
			return x
		}
		u.Sub(u, w)
	}
	panic("beyond the last outcome")
}

// The numbers that belong to a seed are a promise to those who noted it.
func TestSeedIsForever(t *testing.T) {
	s := sampler(t, Must(Die(20)))
	src := SeededSource(42)
	var got [12]int
	for i := range got {
		got[i] = s.Draw(src)
	}
	if want := [12]int{3, 17, 4, 14, 17, 16, 20, 17, 3, 11, 14, 3}; got != want {
		t.Errorf("seed 42: got %v, want %v", got, want)
	}
}

func TestSamplerIsCharged(t *testing.T) {
	ctx := WithBudget(context.Background(), NewBudget(Limits{Outcomes: 5}))
	var limit *LimitError
	if _, err := Must(Die(6)).Sampler(ctx); !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit error", err)
	}
}
