package anydice

// A value is a number, a sequence of numbers in order, or a die, which may be
// the empty one. Values never change, and each mention of a die is a fresh
// roll.

type valueKind uint8

const (
	noValue valueKind = iota // of a variable that nothing was assigned to
	numberValue
	sequenceValue
	dieValue
	rollValue // a sequence that is one roll of a pool, of which only some statistics are known
)

type value struct {
	kind valueKind
	n    int
	seq  []int // not to be changed
	die  *die
	roll *roll
}

func number(n int) value       { return value{kind: numberValue, n: n} }
func sequence(seq []int) value { return value{kind: sequenceValue, seq: seq} }
func dice(d *die) value        { return value{kind: dieValue, die: d} }

func truth(b bool) value {
	if b {
		return number(1)
	}
	return number(0)
}

// isSequence says whether a program sees a sequence.
func (v value) isSequence() bool { return v.kind == sequenceValue || v.kind == rollValue }

// describe names the kind of value in a message.
func (v value) describe() string {
	switch {
	case v.kind == numberValue:
		return "a number"
	case v.isSequence():
		return "a sequence"
	case v.die.isEmpty():
		return "the empty die"
	}
	return "a die"
}

// scalar turns a sequence into its sum; numbers and dice stay.
func scalar(v value) (value, error) {
	switch v.kind {
	case sequenceValue:
		n, err := sumOf(v.seq)
		return number(n), err
	case rollValue:
		n, err := v.roll.sum()
		return number(n), err
	}
	return v, nil
}

func sumOf(seq []int) (int, error) {
	sum := 0
	for _, x := range seq {
		var ok bool
		if sum, ok = add(sum, x); !ok {
			return 0, errRange
		}
	}
	return sum, nil
}

// elements returns the elements of what a program sees as a sequence.
func elements(v value) ([]int, error) {
	if v.kind == rollValue {
		return nil, v.roll.wish(everything)
	}
	return v.seq, nil
}

func (e *numberLiteral) eval(r *run) (value, error) {
	if e.digits != "" {
		return value{}, faultf(e.at, "%s is outside of the range -2^63..2^63-1", e.digits)
	}
	return number(e.n), nil
}

func (e *variable) eval(r *run) (value, error) {
	v := r.slots[e.slot].v
	if v.kind == noValue {
		return v, r.unknownVariable(e.at, e.slot)
	}
	return v, nil
}

func (r *run) unknownVariable(at place, slot int) error {
	name := r.program.variables[slot]
	var known []string
	for i, s := range r.slots {
		if s.v.kind != noValue {
			known = append(known, r.program.variables[i])
		}
	}
	if near := nearest(name, known); near != "" {
		return faultf(at, "%s has no value; did you mean %s?", name, near)
	}
	return faultf(at, "%s has no value here", name)
}

func (e *sequenceLiteral) eval(r *run) (value, error) {
	if e.fixed != nil {
		return sequence(e.fixed), nil
	}
	seq := make([]int, 0, len(e.parts))
	for _, q := range e.parts {
		var err error
		if seq, err = q.appendTo(r, seq); err != nil {
			return value{}, err
		}
	}
	return sequence(seq), nil
}

// appendTo appends the elements of a part.
func (q part) appendTo(r *run, seq []int) ([]int, error) {
	if err := r.step(); err != nil {
		return nil, located(q.from.place(), err)
	}
	from, err := q.from.eval(r)
	if err != nil {
		return nil, err
	}
	first := len(seq)
	if q.to != nil {
		to, err := q.to.eval(r)
		if err != nil {
			return nil, err
		}
		if seq, err = r.appendRange(seq, q, from, to); err != nil {
			return nil, located(q.from.place(), err)
		}
	} else if seq, err = r.appendValue(seq, from); err != nil {
		return nil, located(q.from.place(), err)
	}
	if q.times == nil {
		return seq, nil
	}
	times, err := q.times.eval(r)
	if err != nil {
		return nil, err
	}
	k, err := bound(q.times, times, "how often an element is repeated")
	if err != nil {
		return nil, err
	}
	return r.repeat(seq, first, k, q.times.place())
}

func (r *run) appendValue(seq []int, v value) ([]int, error) {
	switch {
	case v.kind == numberValue:
		return append(seq, v.n), nil
	case v.isSequence():
		more, err := elements(v)
		if err != nil {
			return nil, err
		}
		if err := r.holdElements(len(more)); err != nil {
			return nil, err
		}
		return append(seq, more...), nil
	case v.die.isEmpty():
		return seq, nil
	}
	total, err := r.total(v.die)
	if err != nil {
		return nil, err
	}
	if err := r.holdElements(total.Len()); err != nil {
		return nil, err
	}
	return append(seq, total.Outcomes()...), nil
}

func (r *run) appendRange(seq []int, q part, from, to value) ([]int, error) {
	lo, err := bound(q.from, from, "the beginning of a range")
	if err != nil {
		return nil, err
	}
	hi, err := bound(q.to, to, "the end of a range")
	if err != nil || lo > hi {
		return seq, err
	}
	if n := uint(hi) - uint(lo); n >= maxElements {
		return nil, r.holdElements(maxElements + 1 + int(min(n, 1<<62)-maxElements))
	}
	if err := r.holdElements(hi - lo + 1); err != nil {
		return nil, err
	}
	for x := lo; ; x++ {
		seq = append(seq, x)
		if x == hi {
			return seq, nil
		}
	}
}

// repeat makes the elements from first on stand k times.
func (r *run) repeat(seq []int, first, k int, at place) ([]int, error) {
	n := len(seq) - first
	if k <= 0 || n == 0 {
		return seq[:first], nil
	}
	if k > maxElements || n*k > maxElements {
		return nil, located(at, r.holdElements(int(min(uint(k), 1<<30))*n))
	}
	if err := r.holdElements(n * (k - 1)); err != nil {
		return nil, located(at, err)
	}
	part := seq[first:len(seq):len(seq)]
	for range k - 1 {
		seq = append(seq, part...)
	}
	return seq, nil
}

// bound is a number in a sequence literal, where a sequence counts as its sum.
func bound(e expression, v value, what string) (int, error) {
	if v.kind == dieValue {
		return 0, faultf(e.place(), "%s is %s, want a number", what, v.describe())
	}
	s, err := scalar(v)
	if err != nil {
		return 0, located(e.place(), err)
	}
	return s.n, nil
}
