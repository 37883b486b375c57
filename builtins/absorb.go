package builtins

import (
	"context"
	"errors"
	"math/big"

	"dicescript/builtins/callback"
	"dicescript/builtins/define"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// A process that is absorbed knows how long that takes on average: the system
// of equations that says where it ends says that too.

// settled returns the state in which a process is absorbed.
func settled(ctx context.Context, ch *callback.Chain) (starlark.Value, error) {
	rest, err := dist.Settle(ctx, ch.Start, ch.Next)
	if err != nil {
		return nil, err
	}
	took := &value.Settling{}
	if mean, known := rest.MeanSteps(); known {
		took.Mean = mean.Sub(mean, big.NewRat(int64(ch.Uncounted()), 1))
	}
	v, err := ch.Result(rest.Outcomes)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *value.Roll:
		return v.After(took), nil
	case *value.Outcomes:
		return v.After(took), nil
	}
	return v, nil
}

// meanSteps is the attribute of what settled returns.
func meanSteps(c define.Call) (starlark.Value, error) {
	var took *value.Settling
	switch v := c.Receiver.(type) {
	case *value.Roll:
		took = v.Settling()
	case *value.Outcomes:
		took = v.Settling()
	}
	if took == nil {
		return nil, errors.New("it comes from no process that goes on until it is at rest, as iterate(start, step, None) does")
	}
	if took.Mean == nil {
		return nil, errors.New("the steps hold an unlimited roll, which leaves their mean open; give the roll a limit")
	}
	return c.NewNumber(took.Mean, 0), nil
}
