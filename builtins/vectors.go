package builtins

import (
	"context"
	"math/big"
	"slices"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Symbol dice are made, and several copies of one are added up.

// timesVectors adds up as many copies of a symbol die as the first argument says.
func timesVectors(c define.Call, o *value.Outcomes) (starlark.Value, error) {
	one, err := value.VectorsOf(c.Context(), c.Meter(), o)
	if err != nil {
		return nil, c.Label(1, err)
	}
	if n, ok := value.Int(c.Value(0)); ok {
		sum, err := copies(c.Context(), c.Meter(), one, n)
		return value.VectorLabels(c.Context(), c.Meter(), c.Methods(), sum, err)
	}
	count, err := c.Roll(0)
	if err != nil {
		return nil, err
	}
	if count.Bound() > 0 {
		return nil, c.Wrong(0, "got an unlimited roll, want a number of dice that has an end")
	}
	m := value.NewMixture(c.Methods(), &intern.Table{})
	for n, weight := range count.All() {
		sum, err := copies(c.Context(), c.Meter(), one, n)
		v, err := value.VectorLabels(c.Context(), c.Meter(), c.Methods(), sum, err)
		if err != nil {
			return nil, err
		}
		m.Add(new(big.Rat).SetInt(weight), 0, v.(*value.Outcomes))
	}
	return m.Mixed(c.Context(), c.Meter())
}

// copies returns the sum of n copies; below 0 it is the opposite.
func copies(ctx context.Context, m *meter.Meter, v *dist.Vectors, n int) (*dist.Vectors, error) {
	if n >= 0 {
		return v.Times(ctx, n)
	}
	sum, err := v.Times(ctx, -n)
	if err != nil {
		return nil, err
	}
	var points [][]int
	var weights []*big.Int
	if err := m.Keep(int64(sum.Len())); err != nil {
		return nil, err
	}
	for p, weight := range sum.All() {
		for i, x := range p {
			p[i] = -x
		}
		points, weights = append(points, p), append(weights, weight)
	}
	return dist.NewVectors(ctx, points, weights, sum.Bound())
}

// symbolDie makes a die whose faces are tuples of whole numbers.
func symbolDie(c define.Call, faces []starlark.Value, weights []*big.Int) (starlark.Value, error) {
	if err := c.Meter().Keep(int64(len(faces))); err != nil {
		return nil, err
	}
	points := make([][]int, len(faces))
	for i, face := range faces {
		p, ok := value.WholeTuple(face)
		if !ok {
			return nil, c.Wrong(0, "got the face %s beside tuples, want tuples of whole numbers", value.Describe(face))
		}
		if len(p) != len(points[0]) && i > 0 {
			return nil, c.Wrong(0, "got faces of %s and of %d, want tuples of one length", value.Plural(len(points[0]), "place"), len(p))
		}
		points[i] = p
	}
	v, err := dist.NewVectors(c.Context(), points, weights, 0)
	return value.VectorLabels(c.Context(), c.Meter(), c.Methods(), v, err)
}

// hasTuple reports whether some face is a tuple, as those of symbol dice are.
func hasTuple(faces []starlark.Value) bool {
	return slices.ContainsFunc(faces, func(v starlark.Value) bool {
		_, ok := v.(starlark.Tuple)
		return ok
	})
}

// sumOutcomes adds up symbol dice.
func sumOutcomes(c define.Call, values []starlark.Value) (starlark.Value, error) {
	total := values[0]
	for _, v := range values[1:] {
		var err error
		if total, err = value.Binary(c.Thread, syntax.PLUS, total, v); err != nil {
			return nil, err
		}
	}
	return total, nil
}

func isOutcomes(v starlark.Value) bool {
	_, ok := v.(*value.Outcomes)
	return ok
}
