// What values are called.

package native

import "strings"

// inWords says what values of a type are called, where that is not the type's own
// name.
var inWords = map[string]string{
	"int": "a whole number", "float": "a number", "string": "a text", "bool": "a truth value", "NoneType": "None",
	"function": "a function", "builtin_function_or_method": "a function", "callable": "a function",
	"DieRoll": "a roll", "DicePool": "a dice pool", "IntBand": "a band", "Prob": "a chance", "Number": "a number",
	"Outcomes": "Outcomes", "read_only_list": "a read-only list", "read_only_dict": "a read-only dict",
}

// TypeInWords is what values of a type are called, given its name: "a roll" for DieRoll.
func TypeInWords(name string) string {
	switch words := inWords[name]; {
	case name == "" || words != "":
		return words
	case strings.ContainsRune("aeiouAEIOU", rune(name[0])):
		return "an " + name
	}
	return "a " + name
}
