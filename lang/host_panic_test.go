package lang_test

import (
	"errors"
	"strings"
	"testing"

	"dicescript/lang"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A fragile value of a host panics whatever is done with it.
type fragile struct{ starlark.Value }

func (fragile) Type() string        { return "fragile" }
func (fragile) AttrNames() []string { return []string{"crack", "attr"} }
func (f fragile) Attr(name string) (starlark.Value, error) {
	if name == "crack" {
		return starlark.NewBuiltin("crack", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			panic("it cracked")
		}).BindReceiver(f), nil
	}
	panic("it cracked")
}
func (fragile) CompareSameType(_ syntax.Token, _ starlark.Value, _ int) (bool, error) {
	panic("it cracked")
}
func (fragile) Binary(syntax.Token, starlark.Value, starlark.Side) (starlark.Value, error) {
	panic("it cracked")
}
func (fragile) Unary(syntax.Token) (starlark.Value, error) { panic("it cracked") }

// A panic in the host's own code is an error at the place of the recipe.
func TestPanicOfHostHasItsPlace(t *testing.T) {
	h := newHost(t, lang.WithBuiltins(starlark.StringDict{
		"egg": fragile{starlark.None},
		"drop": starlark.NewBuiltin("drop", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
			panic("it cracked")
		}),
	}))
	for _, src := range []string{
		"egg.crack()", "egg.attr", "drop()", "egg == egg", "egg + egg", "-egg", "egg < egg", "[x for x in [1] if egg.crack()]", "map(lambda x: egg.crack(), d(6))",
	} {
		_, err := compiled(t, h, "output(1)\ndef f():\n    return "+src+"\nf()").Run(t.Context())
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindInternal || e.Position.Line != 3 || len(e.Frames) < 2 || !strings.Contains(e.Message, "it cracked") || len(e.Stack) == 0 {
			t.Errorf("%s: got %v of kind %v", src, err, e)
		}
	}
}
