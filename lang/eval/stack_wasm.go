package eval

// The stack of a browser is small, and nobody catches it when it is full.
const stackLevels = 1 << 13
