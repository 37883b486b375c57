package dist

import (
	"context"

	"dicescript/dist/upper"
)

// Dice that add dice, in general: whatever can be asked of a pool can be asked of
// one whose dice add others, as the mixture over how many are added. [Pool.Count]
// has a closed form for them, see [Pool.CountAgain].

// Again tells which faces of a die add one more die of its kind.
type Again func(die *Dist) Set

// AgainOn is the rule that one set of faces adds a die, whatever the die.
func AgainOn(faces Set) Again { return func(*Dist) Set { return faces } }

// AgainOnTop is the rule that the highest face of each die adds one.
func AgainOnTop() Again { return (*Dist).TopFace }

// Added returns the mixture of what of makes of the pools that p may become when
// each die that shows certain faces adds one of its kind, which stands for itself
// and may add one too. The number of added dice is cut where more have a chance
// below 2^-80, and nothing is known of the moments. It is an error when every face
// of a die adds one. Cost: that of the callback for every number of added dice of
// each kind of die.
func (p *Pool) Added(ctx context.Context, again Again, of func(*Pool) (*Dist, error)) (*Dist, error) {
	if p.size == 0 {
		return of(p)
	}
	out, bound, err := p.mixAgain(ctx, again, of)
	if err != nil || bound == 0 {
		return out, err
	}
	return out.withTail(unknownTail(upper.Add(bound, out.Bound()))), nil
}
