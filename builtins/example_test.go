package builtins_test

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/builtins"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A host's own builtin takes what stands for a roll, computes with the engine in
// the context of the run, and returns a roll with all its methods.
func Example_ownBuiltin() {
	half := starlark.NewBuiltin("half", func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var v starlark.Value
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "roll", &v); err != nil {
			return nil, err
		}
		roll, ok, err := value.AsRoll(thread, v)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("half: roll: got %s, want a roll", v.Type())
		}
		two := dist.Constant(2)
		d, err := roll.FloorDiv(runenv.Of(thread).Engine(), two)
		if err != nil {
			return nil, err
		}
		return builtins.NewRoll(d), nil
	})
	names := builtins.Globals()
	names["half"] = half
	v, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "recipe", "half(dice_pool(3, 6)).p_ge(5).fraction", names)
	fmt.Println(v, err)
	// Output: "5/8" <nil>
}

// The constructors turn what the engine computed into values of recipes.
func Example_values() {
	d6 := dist.Must(dist.Die(6))
	pool := dist.Must(dist.NewPool(d6, d6))
	fmt.Println(builtins.NewPool(pool))
	chance := dist.Must(builtins.NewProb(big.NewRat(1, 3), 0))
	fmt.Println(chance, builtins.NewNumber(big.NewRat(7, 2), 0).Rat())
	over := dist.Must(dist.Classify(context.Background(), d6, []string{"miss", "hit"}, func(x int) (string, error) {
		if x >= 5 {
			return "hit", nil
		}
		return "miss", nil
	}))
	p, err := value.Compare(&starlark.Thread{}, syntax.GE, builtins.NewOutcomes(over, true), starlark.String("hit"))
	fmt.Println(p, err)
	// Output:
	// DicePool 2d6
	// 0.3333333333333333 7/2
	// 0.3333333333333333 <nil>
}
