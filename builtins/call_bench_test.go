package builtins

import (
	"context"
	"testing"

	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A callback may call methods a hundred thousand times, so looking one up and
// binding its arguments must cost little next to the call itself.
func BenchmarkMethodCall(b *testing.B) {
	thread := &starlark.Thread{}
	runenv.Set(thread, &runenv.Env{Context: dist.WithBudget(context.Background(), dist.NewBudget(dist.Limits{}))})
	args := starlark.Tuple{starlark.MakeInt(4)}
	roll := NewRoll(dist.Must(dist.Die(6)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := roll.Attr("p_ge")
		if err != nil {
			b.Fatal(err)
		}
		p, err := starlark.Call(thread, f, args, nil)
		if err != nil {
			b.Fatal(err)
		}
		if p.(*value.Prob).Rat().Num().Int64() != 1 {
			b.Fatal(p)
		}
	}
}
