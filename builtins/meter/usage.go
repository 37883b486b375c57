package meter

// Most is how large the largest of the values was that a run has made, in the
// units of the limits of the same names.
type Most struct {
	TextBytes, Elements, Entries, NameBytes, IntBits int64
}

// A Usage is what a run has spent.
type Usage struct {
	Steps, Work, Cells, Bytes int64
	Outcomes                  int64 // of the largest table
	Most
}

// fits refuses a value that is larger than one may be, and notes how large it is
// otherwise.
func (m *Meter) fits(r Resource, n int64) error {
	bound, most := m.one(r)
	if err := Check(r, n, *bound); err != nil {
		return err
	}
	*most = max(*most, n)
	return nil
}

// allows refuses a value that would be larger than one may be, at most so large.
func (m *Meter) allows(r Resource, n int64) error {
	bound, _ := m.one(r)
	return Check(r, n, *bound)
}

// one is the limit of the size of one value, and the largest so far.
func (m *Meter) one(r Resource) (bound, most *int64) {
	if m == nil {
		m = &Meter{Limits: defaults}
	}
	switch r {
	case TextBytes:
		return &m.Limits.TextBytes, &m.most.TextBytes
	case Elements:
		return &m.Limits.Elements, &m.most.Elements
	case Entries:
		return &m.Limits.Entries, &m.most.Entries
	case NameBytes:
		return &m.Limits.NameBytes, &m.most.NameBytes
	case IntBits:
		return &m.Limits.IntBits, &m.most.IntBits
	}
	panic("meter: " + string(r) + " is not the size of one value")
}
