package repl

import "testing"

func TestRecipe(t *testing.T) {
	var j journal
	for _, e := range []entry{
		{text: "bonus = 3\n"},
		{text: "4d6kh3\n", shown: []int{1}},
		{text: "_ >= 15\n", shown: []int{2}},
		{text: "def f(x):\n    return x\n"},
		{text: "max(1,\n    2)\n", shown: []int{3}},
		{text: "output(\"x\", _1 + bonus)\n"},
		{text: "print(_)\n"},
		{text: "d(6)\n", shown: []int{4}},
	} {
		j.add(e)
	}
	want := `bonus = 3
_1 = 4d6kh3
output("4d6kh3", _1)
output("_1 >= 15", _1 >= 15)
def f(x):
    return x
_3 = max(1,
    2)
output("max(1, 2)", _3)
output("x", _1 + bonus)
print(_3)
output("d(6)", d(6))
`
	if got := j.recipe(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
