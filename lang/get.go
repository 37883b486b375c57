// Results by their titles, as the Go types that a host computes with.

package lang

import (
	"fmt"
	"math/big"

	"dicescript/dist"
)

// Get returns the output with the given title as one of
//
//	*dist.Dist         of a DieRoll
//	*big.Rat           of a Prob or a Number that is exact
//	float64            of a Prob or a Number, correctly rounded
//	int                of a Number that is whole
//	string             of a Text
//	Data               of anything
//
// or as the type of [Data] itself: Roll, Prob, Number, Outcomes, ProbTable, Grid,
// Comparison, Plan, Text. A truth value, a list and a dict are put out as the Text that
// str makes of them. A title that is missing or stands for several outputs, and an
// output of another type, are errors: a host that does not know the titles, or
// takes repeated ones, goes through the Outputs of the result.
//
// The result may be that of a failed run; in a nil one there are no outputs.
func Get[T any](r *Result, title string) (T, error) {
	var out T
	o, err := r.find(title)
	if err != nil {
		return out, err
	}
	if v, ok := o.Data.(T); ok {
		return v, nil
	}
	var v any
	switch any(&out).(type) {
	case **dist.Dist:
		v, err = asDist(o)
	case **big.Rat:
		v, err = asRat(o)
	case *float64:
		v, err = asFloat(o)
	case *int:
		v, err = asInt(o)
	case *string:
		v, err = asText(o)
	default:
		err = mismatch(o, fmt.Sprintf("%T", out))
	}
	if err != nil {
		return out, err
	}
	return v.(T), nil
}

func (r *Result) find(title string) (Output, error) {
	var found []Output
	var titles []string
	if r == nil {
		r = &Result{}
	}
	for _, o := range r.Outputs {
		if o.Title == title {
			found = append(found, o)
		}
		titles = append(titles, o.Title)
	}
	switch len(found) {
	case 0:
		return Output{}, fmt.Errorf("there is no output %q%s", title, didYouMean(title, titles, ""))
	case 1:
		return found[0], nil
	}
	return Output{}, fmt.Errorf("there are %d outputs %q", len(found), title)
}

func mismatch(o Output, want string) error {
	return fmt.Errorf("output %q is a %s, which is no %s", o.Title, o.Kind(), want)
}

func asDist(o Output) (*dist.Dist, error) {
	if d, ok := o.Data.(Roll); ok {
		return d.Dist, nil
	}
	return nil, mismatch(o, "*dist.Dist")
}

// exactValue is the value of a chance or a number, with its error.
func exactValue(o Output, want string) (*big.Rat, float64, error) {
	switch d := o.Data.(type) {
	case Prob:
		return d.Value, d.Error, nil
	case Number:
		return d.Value, d.Error, nil
	}
	return nil, 0, mismatch(o, want)
}

func asRat(o Output) (*big.Rat, error) {
	v, bound, err := exactValue(o, "*big.Rat")
	if err == nil && bound > 0 {
		err = fmt.Errorf("output %q is known to within %g only: get it as a float64, a Chance or a Number", o.Title, bound)
	}
	if err != nil {
		return nil, err
	}
	return new(big.Rat).Set(v), nil
}

func asFloat(o Output) (float64, error) {
	v, _, err := exactValue(o, "float64")
	if err != nil {
		return 0, err
	}
	f, _ := v.Float64()
	return f, nil
}

func asInt(o Output) (int, error) {
	v, bound, err := exactValue(o, "int")
	if err != nil {
		return 0, err
	}
	if !v.IsInt() || !v.Num().IsInt64() || bound > 0 {
		return 0, fmt.Errorf("output %q is %s, which is no int", o.Title, v.RatString())
	}
	return int(v.Num().Int64()), nil
}

func asText(o Output) (string, error) {
	if d, ok := o.Data.(Text); ok {
		return d.Text, nil
	}
	return "", mismatch(o, "string")
}
