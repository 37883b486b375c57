package value

import (
	"strings"

	"go.starlark.net/starlark"
)

// A condition must be true or false. A roll and a chance are neither: whether
// 1d20 >= 15 happens is not known until someone rolls. The interpreter can't
// refuse a condition, so a front end asks [Truth] about every one.

var (
	errRollTruth  = &Undecided{message: "a roll is not yes or no; ask for a chance and compare it, as in roll.p_ge(15) > 0.5, or look at each result with map(fn, roll)"}
	errProbTruth  = &Undecided{Chance: true, message: "a chance is not yes or no; compare it, as in p > 0.5, or let it decide with either(p, a, b); of independent events p & q is both, p | q either and ~p not; one of several results is roll in [7, 11]"}
	errLabelTruth = &Undecided{message: `outcomes are not yes or no; ask for a chance and compare it, as in outcomes.pmf("Hit") > 0.5`}
)

// An Undecided is the error of a condition that is neither true nor false.
type Undecided struct {
	Chance  bool // whether it is a chance, not a roll
	message string
}

func (e *Undecided) Error() string { return e.message }

// Brief is the message without what to write instead.
func (e *Undecided) Brief() string {
	what, _, _ := strings.Cut(e.message, ";")
	return what
}

// Truth returns whether v counts as true in a condition. For a roll, a pool, a
// chance and outcomes the error says what to write instead.
func Truth(_ *starlark.Thread, v starlark.Value) (bool, error) {
	switch v := v.(type) {
	case starlark.Bool:
		return bool(v), nil
	case *Roll, *Pool:
		return false, errRollTruth
	case *Prob:
		return false, errProbTruth
	case comparer:
		return false, errLabelTruth
	}
	return bool(v.Truth()), nil
}
