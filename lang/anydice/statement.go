package anydice

import "fmt"

// Statements run in order, and a result ends the function that it is in, also
// out of loops.

func (r *run) execAll(list []statement) (ended bool, err error) {
	for _, s := range list {
		if err := r.step(); err != nil {
			return false, err
		}
		if ended, err := s.exec(r); ended || err != nil {
			return ended, err
		}
	}
	return false, nil
}

func (s *assignment) exec(r *run) (bool, error) {
	v, err := s.x.eval(r)
	if err != nil {
		return false, err
	}
	r.assign(s.slot, v)
	return false, nil
}

func (s *result) exec(r *run) (bool, error) {
	v, err := s.x.eval(r)
	r.result = v
	return true, err
}

func (s *condition) exec(r *run) (bool, error) {
	v, err := s.x.eval(r)
	if err != nil {
		return false, err
	}
	if v.kind != numberValue {
		return false, faultf(s.x.place(), "if: got %s, want a number; %s", v.describe(), conditionAdvice(v))
	}
	if v.n != 0 {
		return r.execAll(s.then)
	}
	return r.execAll(s.els)
}

func conditionAdvice(v value) string {
	if v.kind == dieValue {
		return "a function with a parameter of type n sees one number of a die at a time"
	}
	return "#S is the length of a sequence, S = 3 how often 3 is in it"
}

func (s *loop) exec(r *run) (bool, error) {
	v, err := s.over.eval(r)
	if err != nil {
		return false, err
	}
	if v.kind == rollValue {
		return false, v.roll.wish(everything)
	}
	if v.kind != sequenceValue {
		return false, faultf(s.over.place(), "loop: got %s, want a sequence, as in loop X over {1..6}", v.describe())
	}
	for _, x := range v.seq {
		if err := r.step(); err != nil {
			return false, err
		}
		r.assign(s.slot, number(x))
		if ended, err := r.execAll(s.body); ended || err != nil {
			return ended, err
		}
	}
	return false, nil
}

func (s *definition) exec(r *run) (bool, error) {
	if r.functions[s.f.shape] != s.f {
		r.functions[s.f.shape] = s.f
		r.forget()
	}
	return false, nil
}

func (s *setting) exec(r *run) (bool, error) {
	var v value
	if s.x != nil {
		var err error
		if v, err = s.x.eval(r); err != nil {
			return false, err
		}
	}
	r.forget()
	switch s.name {
	case "position order":
		switch {
		case s.x == nil && s.text == "highest first":
			r.lowestFirst = false
		case s.x == nil && s.text == "lowest first":
			r.lowestFirst = true
		default:
			return false, faultf(s.at, `set "position order": got %s, want "highest first" or "lowest first"`, s.describe(v))
		}
		return false, nil
	case "explode depth":
		return false, s.depth(v, &r.explodeDepth)
	case "maximum function depth":
		return false, s.depth(v, &r.maxDepth)
	}
	return false, faultf(s.at, `set: there is no setting %q; the settings are "explode depth", "maximum function depth" and "position order"`, s.name)
}

// depth sets a depth, which is a number of at least 1.
func (s *setting) depth(v value, to *int) error {
	if v.kind != numberValue || v.n < 1 {
		return faultf(s.at, "set %q: got %s, want a number of at least 1", s.name, s.describe(v))
	}
	*to = v.n
	return nil
}

func (s *setting) describe(v value) string {
	switch {
	case s.x == nil:
		return fmt.Sprintf("%q", s.text)
	case v.kind == numberValue:
		return fmt.Sprint(v.n)
	}
	return v.describe()
}

func (s *output) exec(r *run) (bool, error) {
	v, err := s.x.eval(r)
	if err != nil {
		return false, err
	}
	d, err := r.outputDie(v)
	if err != nil {
		return false, located(s.at, err)
	}
	title := fmt.Sprintf("output %d", len(r.outputs)+1)
	if s.named {
		if title, err = r.titleOf(s.name); err != nil {
			return false, err
		}
	}
	return false, located(s.at, r.put(s.at, title, d))
}

// outputDie is what an output shows: of a sequence each element with the same
// weight.
func (r *run) outputDie(v value) (*die, error) {
	if v.kind == sequenceValue {
		return r.dieOfFaces(v.seq)
	}
	return r.toDie(v)
}
