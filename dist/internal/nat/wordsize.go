package nat

// This file refuses systems of 32 bits when the engine is built: outcomes are ints,
// and the kernels count on their being 64 bits wide.

// A build for such a system ends here, with this name as the reason.
const dicescript_needs_a_64_bit_system = 1 << 62

var _ int = dicescript_needs_a_64_bit_system
