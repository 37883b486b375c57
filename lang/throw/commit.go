package throw

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// A throw that others can check. Before the throw a player shows the commitment, which says
// nothing about the dice; afterwards the record, which has the seed. Whoever has the recipe
// throws it again with that seed, and finds the same dice and the same commitment.

// Commitment returns the hash of a recipe, given by its own hash, with its inputs and a seed:
// the SHA-256 of the line "dicescript throw 1" and of the three, each on a line of its own,
// the inputs as JSON. Of a seed that has a / only what is before it counts: what is after it
// are words that others have added once they had seen the commitment, so that nobody can try
// seeds until one throws well.
func Commitment(recipe string, inputs []Input, seed string) string {
	if inputs == nil {
		inputs = []Input{}
	}
	seed, _, _ = strings.Cut(seed, "/")
	given, err := json.Marshal(inputs)
	if err != nil {
		given = []byte("null") // of values that a recipe can't have
	}
	h := sha256.New()
	for _, line := range []string{"dicescript throw 1", recipe, string(given), seed} {
		h.Write([]byte(line + "\n"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
