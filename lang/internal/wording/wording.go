// Package wording puts what the interpreter alone says of a failure into the words of people
// who write recipes.
//
// A message goes in with its cause and the place that it is about. It is told by its
// pattern, says what it says of types in words, and gets a hint at its end where what was
// probably meant is known. What no pattern knows stays as it is, and what a recipe fails
// with itself too. Operators, attributes and elements that are assigned to have the words
// where they are applied: builtins/native, builtins/meter, lang/eval.
package wording

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"dicescript/builtins/native"
	"dicescript/builtins/suggest"
)

// A Place is what stands where a message is about.
type Place struct {
	// Attribute is the name, when it follows a dot.
	Attribute string
	// Parameters are those of the recipe's functions with a name.
	Parameters func(function string) []string
}

// Of is a message in the words of recipes. It lets no internal name through.
func Of(message string, cause error, at Place) string {
	if at.Attribute != "" && strings.HasPrefix(message, "invalid call of non-function") {
		return "." + at.Attribute + " is a value: write it without parentheses"
	}
	return plain(message, at) + otherWord(message, cause)
}

// A phrase is a pattern with the words for it. A word in angle brackets stands for a type
// and becomes what values of that type are called.
type phrase struct {
	pattern *regexp.Regexp
	words   string
}

// A told message says what its parts mean together.
type told struct {
	pattern *regexp.Regexp
	tell    func(parts []string, at Place) string
}

var tellings = sync.OnceValue(func() []told {
	return []told{
		{regexp.MustCompile(`^(\w+: )?(\w+) value is not iterable$`), goneThroughMessage},
		{regexp.MustCompile(`^(\w+): for parameter (\w+): got (\w+), want (\w+)$`), otherTypeMessage},
		{regexp.MustCompile(`^function (\w+) got an unexpected keyword argument "?(\w+)"?$`), noArgumentMessage},
		{regexp.MustCompile(`^function (\w+) accepts (no|(?:at \w+ )?\d+) (?:positional )?arguments? \((\d+) given\)$`), argumentsMessage},
	}
})

const endlessBand = "a range that is open at one end, or very long, can't be gone through; write both ends, as in 1..10"

// goneThroughMessage is about a value of which a loop or a function wants elements.
func goneThroughMessage(parts []string, _ Place) string {
	function, v := parts[1], parts[2]
	switch {
	case v == "IntBand":
		return function + endlessBand
	case v == "DieRoll" || v == "DicePool":
		return function + native.TypeInWords(v) + " has no elements to go through; map(fn, roll) looks at each result"
	case v == "int" && function == "":
		return "a whole number has no elements to go through; for n in 1..10 counts"
	}
	return function + native.TypeInWords(v) + " has no elements to go through"
}

// otherTypeMessage is about an argument of another type than a function of Starlark's wants.
// Parameters without a name have a number.
func otherTypeMessage(parts []string, _ Place) string {
	function, parameter, v, want := parts[1]+": ", parts[2], parts[3], parts[4]
	switch {
	case want == "iterable" && v == "IntBand":
		return function + endlessBand
	case want == "iterable" && (v == "DieRoll" || v == "DicePool"):
		return function + native.TypeInWords(v) + " has no elements to go through; roll.support() lists the results, pool.dice the dice"
	case want == "iterable":
		return fmt.Sprintf("%sgot %s, want a list or something else with elements", function, native.TypeInWords(v))
	case parameter[0] > '9':
		function += parameter + ": "
	}
	if v == "Number" && want == "int" {
		want = "a whole number: // divides without a remainder, int(x) drops the fraction"
		return fmt.Sprintf("%sgot %s, want %s", function, native.TypeInWords(v), want)
	}
	return fmt.Sprintf("%sgot %s, want %s", function, native.TypeInWords(v), native.TypeInWords(want))
}

// noArgumentMessage is about an argument by a name that a recipe's function has no
// parameter of.
func noArgumentMessage(parts []string, at Place) string {
	function, name := parts[1], parts[2]
	return function + ": there is no argument " + name + suggest.DidYouMean(suggest.Among(name, at.Parameters(function)))
}

// argumentsMessage is about how many arguments a function was called with.
func argumentsMessage(parts []string, _ Place) string {
	want := parts[2]
	if want == "no" {
		want = "none"
	}
	return fmt.Sprintf("%s: got %s arguments, want %s", parts[1], parts[3], want)
}

// phrases are compiled when the first message needs them.
var phrases = sync.OnceValue(func() []phrase { return compilePhrases(wordings) })

var wordings = [][2]string{
	{` \(did you mean (\S+)\?\)$`, "; did you mean $1?"},
	{`^invalid call of non-function \((\w+)\)$`, "this is not a function, it is <$1>"},
	{`^global variable (\w+) referenced before assignment$`, "$1 has no value yet"},
	{`^local variable (\w+) referenced before assignment$`, "$1 has no value yet in this function; a name that a function assigns is its own, also where the recipe has one of that name: give the value to the function, and return the new one"},

	{`^(?:floored|floating-point|integer) (?:division|modulo) by zero$`, "division by zero"},

	{`^unhandled index operation (\w+)\[(\w+)\]$`, "<$1> has no elements: [...] is for lists, texts and dicts"},
	{`^(list|tuple|string|read_only_list) index: got (\w+), want int$`, "the place in <$1> is a whole number, got <$2>"},
	{`^(list|tuple|string|read_only_list) index (-?\d+) out of range \[-?\d+:(-?\d+)\]$`, "there is no element $2: the last one is $3, counted from 0"},
	{`^index (-?\d+) out of range: empty (list|tuple|string)$`, "there is no element $1: this is an empty $2"},
	{`^key (.+) not in (?:read_only_)?dict$`, "there is no key $1 in this dict"},
	{`^can't assign to \.(\w+) field of (\w+)$`, "the .$1 of <$2> can't be changed"},
	{`^unhashable(?: type)?: (\w+)$`, "<$1> can't be the key of a dict or an element of a set"},
	{`^(?:\w+: )?cannot .* frozen list$`, "this list belongs to a module that was loaded, and can't be changed; list(x) makes a copy"},
	{`^(?:\w+: )?cannot .* frozen hash table$`, "this dict belongs to a module that was loaded, and can't be changed; dict(x) makes a copy"},
	{`^(?:\w+: )?cannot (.*) (?:list|hash table) during iteration$`, "a list or dict can't be changed while a loop goes through it"},
	{`^got (\w+) in sequence assignment$`, "several names on the left need as many values on the right, got <$1>"},

	{`^%(\w) format requires (?:integer|float).*$`, "%$1 shows a plain number: write round(x) or float(x), or show any value with %s"},
	{`^not enough arguments for format string$`, "the text has more % places than there are values"},
	{`^too many arguments for format string$`, "the text has fewer % places than there are values"},
	{`^format spec features not supported in replacement fields: .*$`, "{} shows a value as it is; round(x, 2) and percent(p) make it shorter before"},
	{`^unknown conversion %(.)$`, "%$1 has no meaning in a text with values: %s shows any value, and %% is a percent sign"},
	{`^join: in list, want string, got (\w+)$`, "join: the list holds <$1>, want only text; str(x) makes a text of any value"},
	{`^int: invalid literal with base 10: (.*)$`, "int: this text is not a whole number: $1"},

	{`^function (\w+) `, "$1: "},
}

func compilePhrases(table [][2]string) []phrase {
	compiled := make([]phrase, len(table))
	for i, p := range table {
		compiled[i] = phrase{regexp.MustCompile(p[0]), p[1]}
	}
	return compiled
}

// typeWord is a part of the pattern that is the name of a type.
var typeWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<\$(\d)>`) })

// expand gives the words for a message that the pattern has matched at m. What
// a recipe has written itself stays as it is, even if it looks like a type.
func (p phrase) expand(message string, m []int) string {
	words := typeWord().ReplaceAllStringFunc(p.words, func(word string) string {
		n := 2 * int(word[2]-'0')
		return strings.ReplaceAll(native.TypeInWords(message[m[n]:m[n+1]]), "$", "$$")
	})
	return string(p.pattern.ExpandString(nil, words, message, m))
}

// longestPhrase is how long a message may be that is put into other words; the
// interpreter's own are short, and longer ones hold texts of the recipe.
const longestPhrase = 2000

// plain is a message in other words.
func plain(message string, at Place) string {
	if strings.HasPrefix(message, "fail: ") || len(message) > longestPhrase {
		return message
	}
	for _, t := range tellings() {
		if parts := t.pattern.FindStringSubmatch(message); parts != nil {
			message = t.tell(parts, at)
		}
	}
	for _, p := range phrases() {
		if m := p.pattern.FindStringSubmatchIndex(message); m != nil {
			message = message[:m[0]] + p.expand(message, m) + message[m[1]:]
		}
	}
	return message
}

// wrongArguments is how the interpreter refuses a call of a recipe's function.
var wrongArguments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^function \S+ (accepts|got|missing) `) })

// WrongArguments reports whether a message of the interpreter says that the arguments of a
// call do not fit.
func WrongArguments(message string) bool { return wrongArguments().MatchString(message) }
