package lang_test

import (
	"context"
	"slices"
	"testing"

	"dicescript/lang"
)

// An input that could be read in two ways is answered with how it was read.
func TestReadings(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	const counts = "count looks at each die with all that it has added; to count every extra die too, write count(5d10, 8.., again=10)"
	for _, c := range []struct {
		input string
		notes []string
	}{
		{"5d10 >= 7", []string{`the chance that the total is 7 or more; roll("5d10>=7") counts the dice that show it`}},
		{"(5d10 == 7)", []string{`the chance that the total is 7; roll("5d10=7") counts the dice that show it`}},
		{"4d6kh3 > 15", []string{"the chance that the total is more than 15"}},
		{"2d6 + 1 <= 5", []string{"the chance that the total is 5 or less"}},
		{"1d20 + 5 >= 15", nil},
		{"3d6.p_ge(4)", nil},
		{`roll("5d10>=7")`, []string{"how many dice of 5 at 7 or more"}},
		{`roll("5d10!>=9>=7")`, []string{"how many dice at 7 or more"}},
		{`roll("5d10")`, nil},
		{"explode(4d6)", []string{"a die explodes at most 2 times; with max_depth=None, as with ! at the tables, there is no end"}},
		{"explode(4d6, on=5..)", []string{"a die explodes at most 2 times; with max_depth=None, as with ! at the tables, there is no end"}},
		{"(4d6).explode(max_depth=1)", []string{"a die explodes at most 1 time; with max_depth=None, as with ! at the tables, there is no end"}},
		{"explode(4d6, None)", nil},
		{"explode(4d6, max_depth=None)", nil},
		{"count(explode(5d10, None), 8..)", []string{counts}},
		{"x = (5d10).explode(None).count(8..)", []string{counts}},
		{"count(5d10, 8.., again=10)", nil},
		{"count(explode(5d10, None), 8.., 10)", nil},
		{"4d6k3", []string{"4d6k3 keeps the highest, as 4d6kh3"}},
		{`roll("4d6k3 + 2")`, []string{"k3 keeps the highest, as kh3"}},
		{"(4d6).keep(3)", []string{"each die is kept on condition that it shows a 3; the total of the 3 highest dice is (4d6).keep_highest(3), and of the total it is sum(4d6).keep(...)"}},
		{"(2d6).remove(7)", []string{"no die of these shows a 7: remove looks at each die; of the total it is sum(2d6).remove(...)"}},
		{"(2d6).reroll(7..)", []string{"no die of these shows 7 or more: reroll looks at each die; of the total it is sum(2d6).reroll(...)"}},
		{"(3d6).keep(lambda x: x % 2 == 0).mean()", []string{"the function is asked about each die; of the total it is sum(3d6).keep(...)"}},
		{"(3d6).reroll(1)", []string{"each die is rerolled that shows a 1; of the total it is sum(3d6).reroll(...)"}},
		{"(3d6).remove(1)", []string{"each die is thrown on condition that it does not show a 1; of the total it is sum(3d6).remove(...)"}},
		{"(3d6 + 2d8).convert(spec=6, to=0)", []string{"each die is changed that shows a 6; of the total it is sum(pool).convert(...)"}},
		{"explode(3d6).ignore(lambda x: x < 3)", []string{"the function is asked about each die; of the total it is sum(pool).ignore(...)"}},
		{"x = dice_pool(2, 6)\ny = x.remove(9)", []string{"no die of these shows a 9: remove looks at each die; of the total it is sum(x).remove(...)"}},
		{"(3d6).keep(5..6)", nil},
		{"(3d6).remove([1, 2])", nil},
		{"d6.remove(1)", nil},
		{"sum(3d6).remove(lambda x: x > 9)", nil},
	} {
		result, err := host.NewSession().Eval(context.Background(), c.input)
		if err != nil && len(c.notes) > 0 {
			t.Errorf("%s: %v", c.input, err)
		}
		if !slices.Equal(result.Notes, c.notes) {
			t.Errorf("%s: got %q, want %q", c.input, result.Notes, c.notes)
		}
	}
	quiet, err := host.Compile(context.Background(), "x.star", []byte("output((3d6).reroll(1))\noutput((3d6).remove(5..6))"))
	if err != nil || len(quiet.Notes()) > 0 {
		t.Errorf("a face that the dice have needs no note in a recipe: got %v, %v", quiet.Notes(), err)
	}
	p, err := host.Compile(context.Background(), "x.star", []byte("n = 3\noutput(\"x\", count(explode(5d10, None), 8..))"))
	if err != nil {
		t.Fatal(err)
	}
	if notes := p.Notes(); len(notes) != 1 || notes[0] != (lang.Note{Position: lang.Position{File: "x.star", Line: 2, Column: 13}, Message: counts}) {
		t.Errorf("got %v", notes)
	}
	r, err := p.Run(context.Background())
	if err != nil || !slices.Equal(r.Notes, []string{"line 2: " + counts}) {
		t.Errorf("got %q, %v", r.Notes, err)
	}
}

// A recipe without output shows the value that it ends in.
func TestLastValueIsShown(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		recipe string
		titles []string
	}{
		{"3d6", []string{"3d6"}},
		{"x = 2\n3d6 * x", []string{"3d6 * x"}},
		{"3d6\nx = 2", nil},
		{"print(3)", nil},
		{"\"what this is about\"", nil},
		{"output(\"a\", 1)\n3d6", []string{"a"}},
		{"def f(n: int) -> int:\n    return n\nbonus: int = 2\nf(bonus) + d6", []string{"f(bonus) + d6"}},
	} {
		p, err := host.Compile(context.Background(), "x.star", []byte(c.recipe))
		if err != nil {
			t.Errorf("%s: %v", c.recipe, err)
			continue
		}
		r, err := p.Run(context.Background())
		var titles []string
		for _, o := range r.Outputs {
			titles = append(titles, o.Title)
		}
		if err != nil || !slices.Equal(titles, c.titles) {
			t.Errorf("%s: got %q, %v, want %q", c.recipe, titles, err, c.titles)
		}
	}
}

// The caption of dice that explode to some depth says so; without end, or when
// something has been done to the total, there is nothing to say.
func TestExtraRolls(t *testing.T) {
	for src, want := range map[string]int{
		"explode(4d6)": 2, "explode(d6, 1)": 1, "d6.explode(3)": 3, "explode(4d6, None)": 0, `roll("4d6!")`: 0,
		"explode(4d6) + 1": 0, "explode(4d6).highest(3)": 0, "explode(d6, 0)": 0, "open_ended_d100(8)": 0,
	} {
		host, err := lang.New()
		if err != nil {
			t.Fatal(err)
		}
		r, err := host.NewSession().Eval(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Outputs[0].Data.(lang.Roll).ExtraRolls; got != want {
			t.Errorf("%s: got %d, want %d", src, got, want)
		}
	}
}
