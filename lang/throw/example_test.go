package throw_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"dicescript/lang/notation"
	"dicescript/lang/throw"
)

// ones is a source that makes every die show its lowest face.
type ones struct{}

func (ones) Uint64() uint64 { return 0 }

var _ rand.Source = ones{}

// A host that shows dice rolls notation once, with the randomness that it chooses: with
// that of rand.NewPCG the dice are fair.
func ExampleOnce() {
	roll, err := notation.ParseRoll("4d6kh3 + 2")
	if err != nil {
		log.Fatal(err)
	}
	t, err := throw.Once(roll, ones{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Total, t.Shown)
	// Output: 5 [1 1 1 (1)] + 2
}
