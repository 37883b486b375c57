package notation_test

import (
	"errors"
	"strings"
	"testing"

	"dicescript/lang/notation"
)

// What a dialect does not have is an error at its place, which says what to write.
func TestTableErrors(t *testing.T) {
	for _, x := range []struct {
		dialect notation.Dialect
		text    string
		col     int
		want    string
	}{
		{notation.Foundry, "", 1, "got the end"},
		{notation.Foundry, "2d6 +", 6, "got the end"},
		{notation.Foundry, "3d6!", 4, "write x for !"},
		{notation.Foundry, "5d10>=7", 5, "write cs>"},
		{notation.Foundry, "1d20ms>10", 5, "1d20 - 12"},
		{notation.Foundry, "4d6kh3r1", 7, "write it first"},
		{notation.Foundry, "4d6kh3kl1", 7, "one of them is enough"},
		{notation.Foundry, "4d6min2cs>=3", 8, "do not say"},
		{notation.Foundry, "4d6xokh3", 6, "is not computed"},
		{notation.Foundry, "4d6cs", 4, "cs>=5"},
		{notation.Foundry, "4d6min", 7, "a number after min"},
		{notation.Foundry, "2d6r<", 6, "a number after r<"},
		{notation.Foundry, "(1d8, 1d10)kh1", 1, "braces"},
		{notation.Foundry, "{1d8, 1d10", 1, "never closed"},
		{notation.Foundry, "{1d8}r1", 6, "these are totals"},
		{notation.Foundry, "@", 1, "a name after @"},
		{notation.Foundry, "@level d6", 8, "unexpected"},
		{notation.Foundry, "sqrt(4)", 1, "no function sqrt"},
		{notation.Foundry, "floor(1, 2)", 1, "got 2 arguments"},
		{notation.Foundry, "2d6 // 2", 6, "unexpected"},
		{notation.Foundry, "2d6 [fire", 5, "never closed"},
		{notation.Foundry, "1d0", 1, "at least one side"},
		{notation.Foundry, "9999999999d6", 1, "at most 1000000 dice"},
		{notation.Foundry, "2d6)", 4, "nothing is open"},
		{notation.Foundry, "d6\n + zz", 4, "unexpected"},
		{notation.Roll20, "5d10>=7", 5, "or more already: write >"},
		{notation.Roll20, "4d6r1!", 6, "do not say"},
		{notation.Roll20, "4d6r", 4, "a number after r"},
		{notation.Roll20, "4d6mt", 4, "not read"},
		{notation.Roll20, "4d6f1", 4, "after > or <"},
		{notation.Roll20, "@mod", 1, "@{name}"},
		{notation.Roll20, "@{mod", 1, "never closed"},
		{notation.Roll20, "?{mod}", 1, "queries"},
		{notation.Roll20, "[[1d6]]", 1, "in parentheses"},
		{notation.Roll20, "{2d6 + 5}k1", 8, "alone in braces"},
		{notation.Roll20, "min(1, 2)", 1, "no function min"},
		{notation.Avrae, "4d6k>=3", 5, ">N, <N, hN, lN or N"},
		{notation.Avrae, "4d6k", 4, "a selector after k"},
		{notation.Avrae, "4d6roh1", 4, "which faces"},
		{notation.Avrae, "3d6!", 4, "by e"},
		{notation.Avrae, "{1d8, 1d10}kh1", 1, "by parentheses"},
		{notation.Avrae, "1d20 + @mod", 8, "no names"},
		{notation.Avrae, "()", 1, "nothing in these parentheses"},
		{notation.Avrae, "floor(1d6)", 1, "no function floor"},
		{notation.Foundry, strings.Repeat("(", 200) + "1", 101, "too deeply"},
		{notation.Foundry, strings.Repeat("1+", 3000) + "1", 1, "longer than"},
	} {
		_, err := notation.ParseTable(x.dialect, x.text)
		var e *notation.Error
		if !errors.As(err, &e) {
			t.Errorf("%s %q: got %v, want an error", x.dialect, x.text, err)
			continue
		}
		line := strings.Count(x.text[:0], "\n") + 1
		if strings.Contains(x.text, "\n") {
			line = 2
		}
		if e.Line != line || e.Col != x.col || !strings.Contains(e.Msg, x.want) {
			t.Errorf("%s %q: got %v, want %d:%d ... %s", x.dialect, x.text, err, line, x.col, x.want)
		}
	}
}

// Where a table reads otherwise than others, a note says how.
func TestTableNotes(t *testing.T) {
	for _, x := range []struct {
		dialect    notation.Dialect
		text, want string
	}{
		{notation.Avrae, "4d6k3", "k3 keeps the dice that show 3; kh3 keeps the highest"},
		{notation.Avrae, "4d6kh3", ""},
		{notation.Avrae, "1d20 > 10", "> compares totals: the result is 1 or 0"},
		{notation.Roll20, "5d10>7", ">7 means 7 or more"},
		{notation.Roll20, "4d6cs>5", ">5 means 5 or more; cs>5 colours dice in Roll20 and changes no total; successes are counted by > and <"},
		{notation.Roll20, "2d8r1", "r1 rolls again until it does not show; ro rolls again once"},
		{notation.Foundry, "2d8r<2", "<2 means less than 2; r<2 rolls again once"},
		{notation.Foundry, "4d6kh3 + @mod", ""},
	} {
		f, err := notation.ParseTable(x.dialect, x.text)
		if err != nil {
			t.Errorf("%q: %v", x.text, err)
			continue
		}
		var got []string
		for _, n := range f.Notes {
			got = append(got, n.Message)
		}
		if s := strings.Join(got, "; "); s != x.want {
			t.Errorf("%s %q: notes %q, want %q", x.dialect, x.text, s, x.want)
		}
	}
}

func FuzzParseTable(f *testing.F) {
	for _, text := range []string{"4d6kh3 + @a.b[fire]", "{1d8, 2d6!p>4}k1", "(1d4, 3)kh1 // 2 >= 3", "floor(-2d6r<2xo/2)", "5d10>7f1cs>3"} {
		for _, d := range notation.Dialects() {
			f.Add(d, text)
		}
	}
	f.Fuzz(func(t *testing.T, dialect, text string) {
		x, err := notation.ParseTable(notation.Dialect(dialect), text)
		if err == nil && x.X == nil {
			t.Error("neither a formula nor an error")
		}
		var e *notation.Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Col < 1 || e.Msg == "") {
			t.Errorf("%v", err)
		}
	})
}
