package eval

import "slices"

// The words of a play are builtins that only mean something where a function is played:
// there the player answers for them.
var playWords = []string{"throw", "given", "choose", "earn", "draw"}

func isWord(name string) bool { return slices.Contains(playWords, name) }
