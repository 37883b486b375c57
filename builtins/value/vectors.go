package value

import (
	"context"
	"fmt"
	"math/big"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Symbol dice show several things at once, such as two hits and a shield: their
// faces are tuples of whole numbers, which add place by place. Outcomes whose
// labels are all such tuples, of one length, add as rolls do, independently.

// VectorsOf returns the labels of o as vectors.
func VectorsOf(ctx context.Context, m *meter.Meter, o *Outcomes) (*dist.Vectors, error) {
	if o.vectors != nil {
		return o.vectors, nil
	}
	if err := m.Keep(int64(len(o.set.labels))); err != nil {
		return nil, err
	}
	var points [][]int
	var weights []*big.Int
	for at, weight := range o.over.All() {
		if weight.Sign() == 0 {
			continue
		}
		p, ok := WholeTuple(o.set.labels[at])
		if !ok {
			return nil, fmt.Errorf("got Outcomes with the label %s, want tuples of whole numbers, which add place by place", Shorten(o.set.labels[at].String()))
		}
		if len(points) > 0 && len(p) != len(points[0]) {
			return nil, fmt.Errorf("got Outcomes with the label %s beside one of %s, want tuples of one length",
				Shorten(o.set.labels[at].String()), Plural(len(points[0]), "place"))
		}
		points, weights = append(points, p), append(weights, weight)
	}
	return dist.NewVectors(ctx, points, weights, o.Bound())
}

// WholeTuple returns a label that is a tuple of whole numbers.
func WholeTuple(v starlark.Value) ([]int, bool) {
	tuple, ok := v.(starlark.Tuple)
	if !ok || len(tuple) == 0 {
		return nil, false
	}
	p := make([]int, len(tuple))
	for i, x := range tuple {
		if p[i], ok = Int(x); !ok {
			return nil, false
		}
	}
	return p, true
}

// VectorLabels returns vectors as Outcomes, whose labels stand ascending.
func VectorLabels(ctx context.Context, pays *meter.Meter, m Methods, v *dist.Vectors, err error) (starlark.Value, error) {
	if err != nil {
		return nil, err
	}
	if err := pays.Keep(int64(v.Len())); err != nil {
		return nil, err
	}
	in := &intern.Table{}
	var t dist.Tally[int]
	for p, weight := range v.All() {
		tuple := make(starlark.Tuple, len(p))
		for i, x := range p {
			tuple[i] = starlark.MakeInt(x)
		}
		at, err := in.Index(tuple)
		if err != nil {
			return nil, err
		}
		w, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		t.Add(at, w)
	}
	over, err := dist.TallyOutcomes(ctx, &t, nil, v.Bound())
	if err != nil {
		return nil, err
	}
	return &Outcomes{made: made{methods: m}, set: NewLabelSet(in, false), over: over, vectors: v}, nil
}

// binaryOutcomes adds symbol dice. A tuple stands for a die that always shows it.
func binaryOutcomes(env *runenv.Env, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if op != syntax.PLUS {
		return nil, nil
	}
	var sides [2]*dist.Vectors
	for i, v := range []starlark.Value{x, y} {
		var err error
		switch v := v.(type) {
		case *Outcomes:
			sides[i], err = VectorsOf(env.Engine(), env.Pays(), v)
		case starlark.Tuple:
			p, ok := WholeTuple(v)
			if !ok {
				return nil, InFunction(op.String(), fmt.Errorf("got %s beside Outcomes, want a tuple of whole numbers", Describe(v)))
			}
			sides[i], err = dist.NewVectors(env.Engine(), [][]int{p}, []*big.Int{big.NewInt(1)}, 0)
		default:
			return nil, InFunction(op.String(), fmt.Errorf("got %s beside Outcomes, want Outcomes of tuples of whole numbers; "+
				"map(fn, a, b) looks at two of them together", Describe(v)))
		}
		if err != nil {
			return nil, InFunction(op.String(), err)
		}
	}
	if a, b := sides[0].Places(), sides[1].Places(); a != b {
		return nil, InFunction(op.String(), fmt.Errorf("got tuples of %s and of %d, want all of one length", Plural(a, "place"), b))
	}
	sum, err := sides[0].Add(env.Engine(), sides[1])
	v, err := VectorLabels(env.Engine(), env.Pays(), methodsOf(x, y), sum, err)
	return v, InFunction(op.String(), err)
}
