// What is said at the end of a message about what was probably meant.

package wording

import (
	"regexp"
	"sync"

	"dicescript/builtins"
	"dicescript/builtins/suggest"
)

var noArgument = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\w+): there is no argument (\w+)$`) })

// nearParameter suggests a parameter when a call of a recipe's function names
// one that it does not have.
func nearParameter(message string, parameters func(string) []string) string {
	m := noArgument().FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	return suggest.DidYouMean(suggest.Among(m[2], parameters(m[1])))
}

var noAttribute = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(DieRoll|DicePool) has no \.(\w+)$`) })

// facesMeant is what is said where a list of faces was taken for their total.
var facesMeant = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(//|%|-|/|\+) has no meaning between a list and a (whole )?number$|^a list can't be compared with a (whole )?number`)
})

// otherWord tells what a roll calls what other people call otherwise.
func otherWord(message string) string {
	if facesMeant().MatchString(message) {
		return "; a function of a pool sees the list of its faces: sum(faces) adds them up, and pool.sum().map(fn) looks at totals"
	}
	m := noAttribute().FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	other := suggest.OtherWord(m[2])
	for _, e := range builtins.Table() {
		if e.Name == other && e.Receiver == "DieRoll" {
			return "; it is called " + e.Signature
		}
	}
	return ""
}
