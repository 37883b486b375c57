//go:build !dicecheck

package nat

// Checking is off: what it guards is not compiled; see width.go.
const Checking = false
