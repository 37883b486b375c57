package meter

import (
	"reflect"

	"dicescript/dist/upper"
)

// Memory in a size that a recipe chooses is taken here, or from the budget of the engine:
// it is charged before it is allocated.

// Slice returns n zero elements, as make does.
func Slice[T any](m *Meter, n int) ([]T, error) {
	if err := m.Make(sliceBytes[T](n)); err != nil {
		return nil, err
	}
	return make([]T, n), nil
}

// Row pays for a list or tuple of n elements that is made of what is paid for already.
func (m *Meter) Row(n int) error { return m.Make(headBytes + elementBytes*int64(n)) }

// sliceBytes is what a slice of n elements takes.
func sliceBytes[T any](n int) int64 {
	return upper.AddSat(headBytes, upper.MulSat(int64(n), int64(reflect.TypeFor[T]().Size())))
}
