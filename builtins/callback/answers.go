package callback

import (
	"fmt"
	"math/big"

	"dicescript/builtins/define"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Answers are what a function has returned, each with its weight and the place that it
// comes from.
type Answers struct {
	Values  []starlark.Value
	Weights []*big.Int
	Places  []string
	Bound   float64
}

// Together returns what answers are together, as for map: param is what the builtin calls
// the function.
func Together(c define.Call, param string, all Answers, scale *value.Scale) (starlark.Value, error) {
	if err := all.alike(param); err != nil {
		return nil, err
	}
	cb := &Func{thread: c.Thread, methods: c.Methods(), param: param, meter: meter.Of(c.Thread)}
	a := &results{cb: cb, scale: scale, bound: all.Bound}
	for i, v := range all.Values {
		w, err := dist.NewWeight(all.Weights[i])
		if err != nil {
			return nil, err
		}
		if err := a.add(v, w); err != nil {
			return nil, err
		}
	}
	return a.value()
}

// alike refuses answers that cannot be mixed, and names where two of them come from.
func (all *Answers) alike(param string) error {
	for i, v := range all.Values {
		kind := kindOf(v)
		if kind == noResult {
			return fmt.Errorf("%s: returned %s at %s, want a whole number, a label, a truth value, a chance, a roll or Outcomes", param, value.Describe(v), all.Places[i])
		}
		if first := all.Values[0]; kind != kindOf(first) {
			return fmt.Errorf("%s: returned %s at %s but %s at %s; want the same kind of answer always: whole numbers and rolls, labels and Outcomes, or truth values and chances",
				param, value.Describe(first), all.Places[0], value.Describe(v), all.Places[i])
		}
	}
	return nil
}

// kindOf is what an answer makes the result, noResult where it is none.
func kindOf(v starlark.Value) resultKind {
	switch v.(type) {
	case starlark.Int, *value.Roll, *value.Pool:
		return numberResults
	case starlark.String, starlark.Tuple, *value.Outcomes:
		return labelResults
	case starlark.Bool, *value.Prob:
		return chanceResults
	}
	return noResult
}
