package lang

// OneByOne makes a host that makes each call of a callback like any other call, for
// comparison.
func OneByOne() Option {
	return func(h *Host) error {
		h.oneByOne = true
		return nil
	}
}

// Foresee is what is read off the text alone, without a trial.
func (p *Program) Foresee(opts ...RunOption) (Usage, bool) { return p.foresee(newRunOptions(opts)) }

// SweepBlocks makes a host whose sweeps run in blocks of so many settings.
func SweepBlocks(n int) Option {
	return func(h *Host) error {
		h.inBlocks = n
		return nil
	}
}
