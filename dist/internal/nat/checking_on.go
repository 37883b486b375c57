//go:build dicecheck

package nat

// Checking makes every kernel check its own bound; see width.go.
const Checking = true
