// What is said at the end of a message about what was probably meant.

package wording

import (
	"errors"

	"dicescript/builtins"
	"dicescript/builtins/meter"
	"dicescript/builtins/suggest"
)

// otherWord tells what a roll calls what other people call otherwise, when the message is
// that a roll has no such attribute.
func otherWord(message string, cause error) string {
	var missing *meter.NoAttribute
	if !errors.As(cause, &missing) || missing.Near != "" || message != missing.Error() {
		return ""
	}
	if missing.Type != "DieRoll" && missing.Type != "DicePool" {
		return ""
	}
	other := suggest.OtherWord(missing.Name)
	for _, e := range builtins.Table() {
		if e.Name == other && e.Receiver == "DieRoll" {
			return "; it is called " + e.Signature
		}
	}
	return ""
}
