package lang

// Interpreted makes a host that runs all callbacks in the interpreter, for
// comparison.
func Interpreted() Option {
	return func(h *Host) error {
		h.interpreted = true
		return nil
	}
}
