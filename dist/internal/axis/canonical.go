package axis

import "dicescript/dist/internal/nat"

// Canonical returns the weights with the axis that they have in canonical form, and
// how many of them are positive: zero weights are cut off both ends, and what is left
// stands on the widest step that reaches it or, where that would waste much room, on
// a listed axis. Some weight must be positive.
func Canonical(ax Axis, w nat.Vec) (Axis, nat.Vec, int) {
	ax, w, size := cutZeros(ax, w)
	ax, w = restep(ax, w, size)
	return ax, w, size
}

// cutZeros takes the zero weights off both ends and counts the positive ones.
func cutZeros(ax Axis, w nat.Vec) (Axis, nat.Vec, int) {
	n := ax.Len()
	from, to, size := n, 0, 0
	for i := 0; i < n; i++ {
		if nat.IsZero(w.At(i)) {
			continue
		}
		size++
		from = min(from, i)
		to = i + 1
	}
	if from == 0 && to == n {
		return ax, w, size
	}
	w = w.Slice(from, to)
	if ax.List != nil {
		return Axis{List: ax.List[from:to]}, w, size
	}
	return Axis{Lo: ax.At(from), Step: ax.Step, N: to - from}, w, size
}

// restep chooses the canonical axis for the positive weights: the widest step
// that reaches them all, unless more than half of the places would be empty.
func restep(ax Axis, w nat.Vec, size int) (Axis, nat.Vec) {
	lo, hi := ax.At(0), ax.Last()
	if size == 1 {
		return Axis{Lo: lo, Step: 1, N: 1}, w
	}
	step := commonStep(ax, w)
	last := Span(lo, hi) / step
	if last >= 2*uint(size)+16 || step > MaxStep {
		return Listed(ax, w, size)
	}
	places := last + 1
	if ax.List == nil && uint(ax.Step) == step {
		return ax, w
	}
	out := nat.NewVec(int(places), w.Words)
	for i, n := 0, ax.Len(); i < n; i++ {
		if x := w.At(i); !nat.IsZero(x) {
			copy(out.At(int(Span(lo, ax.At(i))/step)), x)
		}
	}
	return Axis{Lo: lo, Step: int(step), N: int(places)}, out
}

// commonStep is the greatest common divisor of the distances between outcomes.
func commonStep(ax Axis, w nat.Vec) uint {
	if ax.List == nil && ax.N > 1 && !nat.IsZero(w.At(1)) {
		return uint(ax.Step)
	}
	lo, g := ax.At(0), uint(0)
	for i, n := 1, ax.Len(); i < n; i++ {
		if nat.IsZero(w.At(i)) {
			continue
		}
		g = nat.GCD(g, Span(lo, ax.At(i)))
		if g == 1 || (ax.List == nil && g == uint(ax.Step)) {
			return g
		}
	}
	return g
}

// Listed returns the positive weights under a listed axis.
func Listed(ax Axis, w nat.Vec, size int) (Axis, nat.Vec) {
	if ax.List != nil && size == len(ax.List) {
		return ax, w
	}
	out := nat.NewVec(size, w.Words)
	list := make([]int, 0, size)
	for i, n := 0, ax.Len(); i < n; i++ {
		if x := w.At(i); !nat.IsZero(x) {
			copy(out.At(len(list)), x)
			list = append(list, ax.At(i))
		}
	}
	return Axis{List: list}, out
}
