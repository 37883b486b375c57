package main

import (
	"os"
	"strings"
	"testing"
	"unicode"
)

// What a file says about itself reaches the terminal as plain text, whether the file has
// characters that control a terminal or writes them as escapes.
func TestDocShowsNothingThatATerminalObeys(t *testing.T) {
	t.Chdir(t.TempDir())
	const recipe = `"""What it does.

ESCand more.
"""
_ = 1
a = param("a", "bESC", help="HelpESC", choices=["bESC", "ESC"])
def f(x="ESC"):
    """Does f.

    ESCAnd more."""
    return x
output("x", 1)
`
	for _, escape := range []string{"\x1b[2J", `\x1b[2J`, "\u202e", `\u202e`, "\a", `\a`, "\u0085", "\u2028"} {
		if err := os.WriteFile("r.star", []byte(strings.ReplaceAll(recipe, "ESC", escape)), 0o644); err != nil {
			t.Fatal(err)
		}
		got := dicescript(t, "", "doc", "r.star")
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 || !strings.Contains(got, "Does f.") {
			t.Errorf("%q is shown as %q", escape, got)
		}
	}
}
