// Comparisons that the front end hands over: rolls know what theirs mean, and
// of collections the interpreter compares only what is of bearable size.

package lang

import (
	"dicescript/builtins"
	"dicescript/lang/rewrite"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// compare is x op y for values of which at least one is no plain number, text,
// truth or None.
func (r *run) compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if err := r.spend(operationSteps); err != nil {
		return nil, err
	}
	if isLeaf(x) || isLeaf(y) {
		return builtins.Compare(r.thread, op, x, y)
	}
	for _, v := range []starlark.Value{x, y} {
		if err := r.chargeComparison(v); err != nil {
			return nil, err
		}
	}
	return rewrite.Native(op, x, y)
}

// maxComparison is how many elements of a collection, with those inside, are
// looked at before a comparison.
const maxComparison = 1 << 20

// chargeComparison charges a step for every element that a comparison may
// visit. A list that holds the same list many times counts it each time.
func (r *run) chargeComparison(v starlark.Value) error {
	n := int64(0)
	stack := []starlark.Value{v}
	for len(stack) > 0 {
		next := stack[len(stack)-1]
		inner := parts(next)
		stack = stack[:len(stack)-1]
		if err := r.hooks.ChargeMembers(next); err != nil {
			return err
		}
		n += int64(len(inner)) + 1
		if n > maxComparison {
			return limitError("elements to compare", n, maxComparison)
		}
		for _, x := range inner {
			if !isLeaf(x) {
				stack = append(stack, x)
			}
		}
	}
	return r.spend(n)
}
