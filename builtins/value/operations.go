package value

import "go.starlark.net/starlark"

// IsLasting reports whether a value of ours never changes, also not in ways that nobody
// notices, so that two goroutines may use it. Runs that have nothing to do with each other
// share such values too.
func IsLasting(v starlark.Value) bool {
	switch v.(type) {
	case *Roll, *Pool, *Outcomes, *Prob, *Number, *Multiset, *Band, *Scale:
		return true
	}
	return false
}
