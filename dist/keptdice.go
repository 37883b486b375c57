package dist

// Kept dice are still dice: how many of the three highest of 4d6 show a six is a
// question about the dice that are kept. A die of a lattice knows how many are
// above it, and so whether its rank is among the kept; see lattice.go.

// kept returns the dice or cards of rank from to rank to, where the highest has
// rank 1. No ranks at all, from above to, hold nothing.
func (m *Multiset) kept(from, to int) (*Multiset, error) {
	if from < 1 {
		return nil, badArg("from", "got %d, want at least 1", from)
	}
	if to > m.Size() {
		return nil, badArg("to", "got %d, want at most %d, the size", to, m.Size())
	}
	kept := *m
	kept.from, kept.to = m.from+from-1, m.from+to-1
	kept.to = max(kept.to, kept.from-1)
	return &kept, nil
}

// KeepHighest returns the k highest, all when there are fewer.
func (m *Multiset) KeepHighest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("high", "got %d, want at least 0", k)
	}
	return m.kept(1, min(k, m.Size()))
}

// KeepLowest returns the k lowest, all when there are fewer.
func (m *Multiset) KeepLowest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("low", "got %d, want at least 0", k)
	}
	return m.kept(m.Size()-min(k, m.Size())+1, m.Size())
}

// DropHighest returns what is left without the k highest. At least one, the
// lowest, always stays.
func (m *Multiset) DropHighest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("drop_high", "got %d, want at least 0", k)
	}
	return m.kept(min(k, max(0, m.Size()-1))+1, m.Size())
}

// DropLowest returns what is left without the k lowest. At least one, the
// highest, always stays.
func (m *Multiset) DropLowest(k int) (*Multiset, error) {
	if k < 0 {
		return nil, badArg("drop_low", "got %d, want at least 0", k)
	}
	return m.kept(1, m.Size()-min(k, max(0, m.Size()-1)))
}
