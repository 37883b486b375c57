package value

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/big"
	"strings"

	"dicescript/builtins/internal/exact"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A roll is a distribution over whole numbers. It is not a rolled face: r + r
// adds two independent rolls.

// A Roll is the DieRoll of recipes.
type Roll struct {
	made
	dist  *dist.Dist
	steps *Settling // nil unless it is where a process is absorbed
	extra int       // see [Roll.ExtraRolls]
}

var (
	_ starlark.HasAttrs   = (*Roll)(nil)
	_ starlark.HasBinary  = (*Roll)(nil)
	_ starlark.HasUnary   = (*Roll)(nil)
	_ starlark.Comparable = (*Roll)(nil)
)

// NewRoll returns d as a value with methods.
func NewRoll(m Methods, d *dist.Dist) *Roll { return &Roll{made: made{methods: m}, dist: d} }

// A Settling is how long a process takes until it is absorbed.
type Settling struct {
	Mean *big.Rat // nil when an unlimited roll leaves it open
}

// After returns the roll as what a process is absorbed in after s.
func (r *Roll) After(s *Settling) *Roll { return &Roll{r.made, r.dist, s, 0} }

// Exploded returns the roll as a die that adds at most so many extra rolls.
func (r *Roll) Exploded(extra int) *Roll { return &Roll{r.made, r.dist, r.steps, extra} }

// ExtraRolls is how many extra rolls each of the dice added at most that have just
// exploded; 0 for anything else, and without a limit.
func (r *Roll) ExtraRolls() int { return r.extra }

// Settling returns how long the process took whose rest the roll is, or nil.
func (r *Roll) Settling() *Settling { return r.steps }

// Dist returns the distribution.
func (r *Roll) Dist() *dist.Dist { return r.dist }

// String summarises the roll: "DieRoll 1..6, mean 3.500".
func (r *Roll) String() string {
	d, b := r.dist, new(strings.Builder)
	b.WriteString("DieRoll ")
	b.WriteString(rangeText(d))
	if d.Len() == 1 && d.Bound() == 0 {
		return b.String()
	}
	if num, den, bound, ok := d.MeanQuotient(); ok {
		b.WriteString(", mean ")
		if bound > 0 {
			b.WriteString("≈")
		}
		b.WriteString(exact.FixedQuotient(num, den, 3))
	}
	return b.String()
}

func (r *Roll) Type() string         { return "DieRoll" }
func (r *Roll) Freeze()              {}
func (r *Roll) Truth() starlark.Bool { return true }

// Hash covers the ends and the total, which equal rolls share.
func (r *Roll) Hash() (uint32, error) {
	h := fnv.New32a()
	fmt.Fprint(h, r.dist.Min(), r.dist.Max(), r.dist.Len())
	h.Write(r.dist.Total().Bytes())
	return h.Sum32(), nil
}

func (r *Roll) Attr(name string) (starlark.Value, error) { return r.methods.Attr(r, name) }
func (r *Roll) AttrNames() []string                      { return r.methods.AttrNames(r) }

// CompareSameType is what containers ask: whether two rolls are the same
// distribution. The operators of a recipe ask for chances; see [Compare].
func (r *Roll) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other, ok := y.(*Roll)
	return structurally(op, ok && sameDist(r.dist, other.dist), r)
}

// sameDist compares two distributions where containers ask, which have no context
// to ask with; whoever compares has been charged for the sizes of both.
func sameDist(a, b *dist.Dist) bool {
	same, err := dist.Same(context.Background(), a, b)
	return err == nil && same
}

// structurally answers == and != of values that have no order.
func structurally(op syntax.Token, same bool, v starlark.Value) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, NoOrder(v)
}

// NoOrder says that v can't be sorted.
func NoOrder(v starlark.Value) error {
	return fmt.Errorf("%s has no place in an order; sort by a number, as in sorted(rolls, key = lambda r: r.mean())", Describe(v))
}

// MarshalJSON refuses: json.encode writes single values.
func (r *Roll) MarshalJSON() ([]byte, error) { return nil, errNoJSON }

var errNoJSON = errors.New("a roll has no form in json; write what you ask of it, as in [roll.pmf(x) for x in roll.support()]")
