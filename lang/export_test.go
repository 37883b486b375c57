package lang

// OneByOne makes a host that makes each call of a callback like any other call, for
// comparison.
func OneByOne() Option {
	return func(h *Host) error {
		h.oneByOne = true
		return nil
	}
}
