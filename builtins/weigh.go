package builtins

import (
	"context"
	"fmt"

	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Labels and states may be tuples of tuples, and one tuple may stand in another
// many times: to look at all of it takes far longer than to make it. So a tuple
// is weighed before it is looked up.

// maxParts is how many parts a label or a state may have, counting those of
// tuples in it.
const maxParts = 10_000

// chargeLabel charges what it takes to look up a label or a state, and refuses
// one of too many parts. It returns the words that keeping it takes besides.
func chargeLabel(ctx context.Context, v starlark.Value) (words int64, err error) {
	t, ok := v.(starlark.Tuple)
	if !ok {
		return 0, nil
	}
	n := partsOf(t)
	if n > maxParts {
		return 0, fmt.Errorf("got a tuple of more than %s parts", grouped(maxParts))
	}
	const partWork, partWords = 64, 4
	return partWords * n, dist.ChargeWork(ctx, partWork*n)
}

// partsOf counts the parts of a tuple up to one more than maxParts. It does not
// recurse, however deep the tuple is.
func partsOf(t starlark.Tuple) int64 {
	n := int64(0)
	for stack := []starlark.Tuple{t}; len(stack) > 0 && n <= maxParts; {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n += int64(len(t)) + 1
		if n > maxParts {
			break
		}
		for _, v := range t {
			if inner, ok := v.(starlark.Tuple); ok {
				stack = append(stack, inner)
			}
		}
	}
	return n
}

// ChargeAttribute charges what it takes to look at an attribute of v: the parts
// of a long number are made anew, and so is the list of many labels.
func ChargeAttribute(thread *starlark.Thread, v starlark.Value) error {
	if o, ok := v.(*Outcomes); ok {
		return dist.ChargeWork(EnvOf(thread).context(), 4*int64(len(o.labels)))
	}
	return chargeNumbers(thread, v)
}

// ChargeText charges what it takes to write v as text: the mean of a roll has to
// be found for it, and a scale and Outcomes name their labels.
func ChargeText(thread *starlark.Thread, v starlark.Value) error {
	const textWork = 2000
	n := int64(textWork)
	switch v := v.(type) {
	case *Outcomes:
		// Its first chances are brought into lowest terms; as a key it names all
		// of its labels.
		n += 8*textWork + 16*int64(len(v.labels)) + maxShown*reduceCost(2*int64(v.over.Total().BitLen()))
	case *Roll:
		n += 4 * int64(v.dist.Len()) * int64(v.dist.Words()+lookWork)
	case *Pool:
		// As a key it is compared die by die.
		for die := range v.dice.Blocks() {
			n += textWork/8 + 4*int64(die.Len())*int64(die.Words())
		}
	case *Scale:
		n += textWork * int64(len(v.steps))
	case *Prob, *Number:
		return chargeNumbers(thread, v)
	}
	return dist.ChargeWork(EnvOf(thread).context(), n)
}
