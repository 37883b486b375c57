// Results by their titles, as the Go types that a host computes with.

package lang

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"dicescript/builtins/suggest"
	"dicescript/dist"
	"dicescript/lang/internal/given"
)

// Get returns the output with the given title as one of
//
//	*dist.Dist         of a DieRoll
//	*big.Rat           of a Prob or a Number that is exact
//	float64            of a Prob or a Number, correctly rounded
//	int                of a Number that is whole
//	string             of a Text
//	bool               of a truth value
//	Data               of anything
//
// or as the type of [Data] itself: Roll, Prob, Number, Outcomes, ProbTable, Grid,
// Comparison, Plan, Text. A list is any slice and a dict any map, or a struct whose fields
// have the names of its keys, as in [WithValue]: []int, map[string][]*dist.Dist, []Attack.
// As an any they are []any and [Dict].
//
// A title that is missing or stands for several outputs, and an output of another type,
// are errors: a host that does not know the titles, or takes repeated ones, goes through
// the Outputs of the result. A key that a struct has no field for is left out.
//
// The result may be that of a failed run; in a nil one there are no outputs.
func Get[T any](r *Result, title string) (T, error) {
	var out T
	o, err := r.find(title)
	if err != nil {
		return out, err
	}
	if v, ok := o.Data.(T); ok {
		if _, isAny := any(&out).(*any); !isAny {
			return v, nil
		}
	}
	if err := assign(reflect.ValueOf(&out).Elem(), valueOf(o.Data)); err != nil {
		if is, ok := strings.CutPrefix(err.Error(), "it is "); ok {
			return *new(T), fmt.Errorf("output %q is %s", title, is)
		}
		return *new(T), fmt.Errorf("output %q: %w", title, err)
	}
	return out, nil
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
		return Output{}, fmt.Errorf("there is no output %q%s", title, suggest.DidYouMean(suggest.Among(title, titles)))
	case 1:
		return found[0], nil
	}
	return Output{}, fmt.Errorf("there are %d outputs %q", len(found), title)
}

// valueOf is what an output is of, as data of Go.
func valueOf(d Data) any {
	if t, ok := d.(Text); ok {
		if t.Value != nil {
			return t.Value
		}
		return t.Text
	}
	return d
}

// assign sets to from data of Go.
func assign(to reflect.Value, from any) error {
	if from != nil && reflect.TypeOf(from).AssignableTo(to.Type()) {
		to.Set(reflect.ValueOf(from))
		return nil
	}
	switch to.Interface().(type) {
	case *dist.Dist:
		if d, ok := from.(Roll); ok {
			to.Set(reflect.ValueOf(d.Dist))
			return nil
		}
		return mismatch(from, to)
	case *big.Rat:
		x, bound, ok := exactValue(from)
		if !ok {
			return mismatch(from, to)
		}
		if bound > 0 {
			return fmt.Errorf("it is known to within %g only: get it as a float64, a Prob or a Number", bound)
		}
		to.Set(reflect.ValueOf(new(big.Rat).Set(x)))
		return nil
	case *big.Int:
		x, bound, ok := exactValue(from)
		if !ok || !x.IsInt() || bound > 0 {
			return mismatch(from, to)
		}
		to.Set(reflect.ValueOf(new(big.Int).Set(x.Num())))
		return nil
	}
	if x, bound, ok := exactValue(from); ok {
		return assignNumber(to, x, bound)
	}
	return assignKind(to, from)
}

// exactValue is the value of a chance or a number, with its error.
func exactValue(from any) (x *big.Rat, bound float64, ok bool) {
	switch d := from.(type) {
	case Prob:
		return d.Value, d.Bound, d.Value != nil
	case Number:
		return d.Value, d.Bound, d.Value != nil
	case int:
		return new(big.Rat).SetInt64(int64(d)), 0, true
	case *big.Int:
		return new(big.Rat).SetInt(d), 0, true
	case float64:
		x := new(big.Rat).SetFloat64(d) // nil when it is none
		return x, 0, x != nil
	}
	return nil, 0, false
}

// assignNumber sets to from an exact number.
func assignNumber(to reflect.Value, x *big.Rat, bound float64) error {
	whole := x.IsInt() && bound == 0
	switch {
	case to.CanFloat():
		f, _ := x.Float64()
		to.SetFloat(f)
		return nil
	case to.CanInt() && whole && x.Num().IsInt64() && !to.OverflowInt(x.Num().Int64()):
		to.SetInt(x.Num().Int64())
		return nil
	case to.CanUint() && whole && x.Num().IsUint64() && !to.OverflowUint(x.Num().Uint64()):
		to.SetUint(x.Num().Uint64())
		return nil
	case to.CanInt() || to.CanUint():
		return fmt.Errorf("it is %s, which is no %s", x.RatString(), to.Type())
	case to.Kind() == reflect.Pointer:
		return assignPointer(to, Number{x, bound})
	}
	return mismatch(Number{x, bound}, to)
}

// assignPointer sets a pointer to something new.
func assignPointer(to reflect.Value, from any) error {
	p := reflect.New(to.Type().Elem())
	if err := assign(p.Elem(), from); err != nil {
		return err
	}
	to.Set(p)
	return nil
}

// assignKind sets to from what is no number.
func assignKind(to reflect.Value, from any) error {
	switch from := from.(type) {
	case nil:
		switch to.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			to.SetZero()
			return nil
		}
		return mismatch(from, to)
	case string:
		if to.Kind() == reflect.String {
			to.SetString(from)
			return nil
		}
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(from)
			return nil
		}
	case []any:
		if to.Kind() == reflect.Slice || to.Kind() == reflect.Array {
			return assignList(to, from)
		}
	case Dict:
		switch to.Kind() {
		case reflect.Map:
			return assignMap(to, from)
		case reflect.Struct:
			return assignStruct(to, from)
		}
	}
	if to.Kind() == reflect.Pointer {
		return assignPointer(to, from)
	}
	return mismatch(from, to)
}

func assignList(to reflect.Value, from []any) error {
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), len(from), len(from)))
	} else if to.Len() != len(from) {
		return fmt.Errorf("it is a list of %d, want %d elements", len(from), to.Len())
	}
	for i, x := range from {
		if err := assign(to.Index(i), x); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func assignMap(to reflect.Value, from Dict) error {
	m := reflect.MakeMapWithSize(to.Type(), len(from))
	for _, e := range from {
		key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if err := assign(key, e.Key); err != nil {
			return fmt.Errorf("key %v: %w", e.Key, err)
		}
		if err := assign(value, e.Value); err != nil {
			return fmt.Errorf("%v: %w", e.Key, err)
		}
		if !key.Comparable() {
			return fmt.Errorf("key %v: it can't be the key of a map", e.Key)
		}
		m.SetMapIndex(key, value)
	}
	to.Set(m)
	return nil
}

func assignStruct(to reflect.Value, from Dict) error {
	fields := given.Fields(to.Type())
	for _, e := range from {
		name, _ := e.Key.(string)
		index, ok := fields[name]
		if !ok {
			continue
		}
		f, err := to.FieldByIndexErr(index)
		if err != nil {
			continue // of a struct that is embedded by a nil pointer
		}
		if err := assign(f, e.Value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// mismatch says what there is instead of what is wanted.
func mismatch(from any, to reflect.Value) error {
	got := ""
	switch from := from.(type) {
	case Data:
		got = from.Kind()
	case nil:
		got = "None"
	case string:
		got = "Text"
	case []any:
		got = "list"
	case Dict:
		got = "dict"
	default:
		got = fmt.Sprintf("%T", from)
	}
	return fmt.Errorf("it is a %s, which is no %s", got, to.Type())
}
