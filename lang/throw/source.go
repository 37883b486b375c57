package throw

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"strconv"

	"dicescript/builtins/throwing"
	"dicescript/dist"
)

// A Source decides what dice show. It belongs to one goroutine.
type Source = throwing.Source

// Bits returns a source that draws with the bits of src.
func Bits(src rand.Source) Source { return throwing.Bits(src) }

// A Reader is a source that draws with the bits of an [io.Reader]. When that has no more, or
// fails, the throw fails with its error.
type Reader = throwing.Reader

// NewReader returns a source of the bits of r, eight bytes at a time, lowest first.
func NewReader(r io.Reader) *Reader { return throwing.NewReader(r) }

// A Seeded is a source that a text gives: the same text gives the same throws on every
// machine and in every version.
type Seeded struct {
	Source
	text string
}

// Seed returns the source of a text. That of a whole number such as "42" is
// [dist.SeededSource] of the number, and that of any other text is ChaCha8 whose key is the
// SHA-256 of the text.
func Seed(text string) *Seeded {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return &Seeded{Bits(dist.SeededSource(n)), text}
	}
	return &Seeded{Bits(rand.NewChaCha8(sha256.Sum256([]byte(text)))), text}
}

// Text is the seed.
func (s *Seeded) Text() string { return s.text }

// Enumerate calls throw once for each way in which chance can decide, and then visit with the
// exact chance of that way: the results of the throws with these weights are the
// distribution of what is thrown. Ways whose chance is below least are given up, and rest is
// what they have together; least is nil to go through all. It is an error when there are more
// than most ways.
func Enumerate(most int, least *big.Rat, throw func(Source) error, visit func(chance *big.Rat)) (rest *big.Rat, err error) {
	return throwing.Enumerate(most, least, throw, visit)
}

// ErrTooManyWays is the error of [Enumerate] where chance can decide in more ways.
var ErrTooManyWays = throwing.ErrTooManyWays

// SeedText returns the text of a seed that JSON has: a whole number or a text that is not
// empty.
func SeedText(v any) (text string, err error) {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return strconv.FormatInt(n, 10), nil
		}
	case float64:
		if v == float64(int64(v)) {
			return strconv.FormatInt(int64(v), 10), nil
		}
	case string:
		if v != "" {
			return v, nil
		}
	}
	return "", fmt.Errorf("seed: got %v, want a whole number or a text", v)
}

// NumberSeed returns the seed that a random number gives: a whole number that every reader of
// JSON holds.
func NumberSeed(random uint64) string { return strconv.FormatUint(random>>11, 10) }
