package notation

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func (p Pool) describe() string {
	s := fmt.Sprintf("%d x %d", p.Count, p.Sides)
	if p.Fate {
		s = fmt.Sprintf("%d x fate", p.Count)
	}
	if p.Single {
		s = strings.Replace(s, "1 x", "one", 1)
	}
	if p.Select != KeepAll {
		s += fmt.Sprintf(" %s%d", p.Select, p.N)
	}
	return s
}

func (b Band) describe() string {
	end := func(p *int) string {
		if p == nil {
			return "open"
		}
		return fmt.Sprint(*p)
	}
	return end(b.Lo) + " to " + end(b.Hi)
}

func (l Literal) describe() string {
	if l.Range != nil {
		return l.Range.describe()
	}
	return l.Dice.describe()
}

// TestLiterals checks what is a literal and what it means; the text is given
// back with every literal in angle brackets.
func TestLiterals(t *testing.T) {
	for _, test := range []struct{ src, marked, meaning string }{
		{"x = 4d6", "x = <4d6>", "4 x 6"},
		{"1d6 + d6 + D20", "<1d6> + <d6> + <D20>", "one 6, one 6, one 20"},
		{"4d6kh3, 2d20KL1, 3d6dl1, 3D6DH2", "<4d6kh3>, <2d20KL1>, <3d6dl1>, <3D6DH2>", "4 x 6 kh3, 2 x 20 kl1, 3 x 6 dl1, 3 x 6 dh2"},
		{"2d20kh, 4d6DL, 0d6, 3d6dl3, d20kl", "<2d20kh>, <4d6DL>, <0d6>, <3d6dl3>, <d20kl>", "2 x 20 kh1, 4 x 6 dl1, 0 x 6, 3 x 6 dl3, 1 x 20 kl1"},
		{"d20kh1", "<d20kh1>", "1 x 20 kh1"},
		{"1d% + 2d%kl1 + 4dF + 1dF", "<1d%> + <2d%kl1> + <4dF> + <1dF>", "one 100, 2 x 100 kl1, 4 x fate, one fate"},
		{"f(1d6)", "f(<1d6>)", "one 6"},
		{"d6.mean() + 3d6.highest(2)", "<d6>.mean() + <3d6>.highest(2)", "one 6, 3 x 6"},
		{"foo.d6 + foo . d6 + x.d6()", "foo.d6 + foo . d6 + x.d6()", ""},
		{"0xd6 + 0XD6 + 0x1d6", "0xd6 + 0XD6 + 0x1d6", ""},
		{"d6_damage = d6x + xd6 + add6 + d + dF + d_6 + x1d6", "d6_damage = d6x + xd6 + add6 + d + dF + d_6 + x1d6", ""},
		{"d % 2 + x1d % y + d%2", "d % 2 + x1d % y + d%2", ""},
		{"1d% % 2", "<1d%> % 2", "one 100"},
		{"1d%%2", "<1d%>%2", "one 100"},
		{"4d6 != 3 or 4d6!=3", "<4d6> != 3 or <4d6>!=3", "4 x 6"},
		{"'4d6' + \"1..2\" # 4d6 1..2", "'4d6' + \"1..2\" # 4d6 1..2", ""},
		{`'''4d6 ' '' \''' 1d6''' + r"\" 4d6" + rb'4d6\' 1d6' + b"d6"`, `'''4d6 ' '' \''' 1d6''' + r"\" 4d6" + rb'4d6\' 1d6' + b"d6"`, ""},
		{"'a\\\nd6' + d6", "'a\\\nd6' + <d6>", "one 6"},
		{"br'x' + d6", "br'x' + <d6>", "one 6"},
		{"5..6", "<5..6>", "5 to 6"},
		{"x[5..] + x[..6]", "x[<5..>] + x[<..6>]", "5 to open, open to 6"},
		{"1..10", "<1..10>", "1 to 10"},
		{"x in -3..5", "x in <-3..5>", "-3 to 5"},
		{"return -3..-1", "return <-3..-1>", "-3 to -1"},
		{"x -3..5", "x -<3..5>", "3 to 5"},
		{"x--3..5", "x-<-3..5>", "-3 to 5"},
		{"f(x)-3..5", "f(x)-<3..5>", "3 to 5"},
		{"- 3..5", "- <3..5>", "3 to 5"},
		{"[-3.., ..-3]", "[<-3..>, <..-3>]", "-3 to open, open to -3"},
		{"for n in 1..10: pass", "for n in <1..10>: pass", "1 to 10"},
		{"1.5 + 5. + .5 + 1e5 + 1.e5 + 1.5.x", "1.5 + 5. + .5 + 1e5 + 1.e5 + 1.5.x", ""},
		{"0..6", "<0..6>", "0 to 6"},
		{"5.. if x else ..6", "<5..> if x else <..6>", "5 to open, open to 6"},
		{"a = [\n4d6,\r\n1d8,\r5..]", "a = [\n<4d6>,\r\n<1d8>,\r<5..>]", "4 x 6, one 8, 5 to open"},
		{"é4d6 + é", "é4d6 + é", ""},
		{"4d6kh3 + 4d6kh3", "<4d6kh3> + <4d6kh3>", "4 x 6 kh3"},
		{"9223372036854775807..", "<9223372036854775807..>", "9223372036854775807 to open"},
	} {
		out, literals, errs := Scan([]byte(test.src))
		if len(errs) > 0 {
			t.Errorf("%q: %v", test.src, errs[0])
			continue
		}
		marked := restore(out, literals, "<", ">")
		var meanings []string
		for _, l := range literals {
			meanings = append(meanings, l.describe())
		}
		if marked != test.marked {
			t.Errorf("%q: literals are %q, want %q", test.src, marked, test.marked)
		}
		if got := strings.Join(meanings, ", "); got != test.meaning {
			t.Errorf("%q: means %q, want %q", test.src, got, test.meaning)
		}
	}
}

func TestLiteralErrors(t *testing.T) {
	for src, want := range map[string]string{
		"x = 2 d6":               "1:5: write the number of dice and the die together: 2d6",
		"4d6d1":                  "1:1: d1 is read in two ways: drop the lowest (write 4d6dl1) or drop the highest (write 4d6dh1)",
		"4d6r1":                  `1:1: rerolling is not part of a literal: write (4d6).reroll(1), or roll("4d6ro1")`,
		"4d6rr1":                 `1:1: rerolling is not part of a literal: write (4d6).reroll(1, times=None), or roll("4d6rr1")`,
		"4d6x":                   `1:1: exploding dice are written explode(4d6, None), without end like roll("4d6!"); explode(4d6) adds at most 2 rolls to a die`,
		"4d6!":                   `1:4: exploding dice are written explode(4d6, None), without end like roll("4d6!"); explode(4d6) adds at most 2 rolls to a die`,
		"4d6zz3":                 "1:1: unknown suffix zz after 4d6",
		"4d6Kh3":                 "1:1: a suffix is all small or all capital letters: write 4d6kh3",
		"4d6kh3dl1":              `1:1: a literal has one suffix: write roll("4d6kh3dl1")`,
		"4d6 kh3":                "1:5: write the dice and what is kept of them together: 4d6kh3",
		"4d0":                    "1:1: a die has at least one side, got 4d0",
		"\n  d0":                 "2:3: a die has at least one side, got d0",
		"4d":                     "1:1: 4d does not say which die: write the number of sides after the d, as in 4d6",
		"1d%2":                   "1:1: unexpected 2 after 1d%",
		"99999999999999999999d6": "1:1: the number of dice is at most 1 000 000, got 99999999999999999999",
		"1d99999999999999999999": "1:1: the number of sides is at most 1 000 000 000, got 99999999999999999999",
		"1.5d6":                  "1:1: the number of dice is a whole number, got 1.5",
		"1e5d6":                  "1:1: the number of dice is a whole number, got 1e5",
		"dc ..10":                "1:4: write the ends of a range together: dc..10",
		"5.. dc":                 "1:1: write the ends of a range together: 5..dc",
		"dc.. 7":                 "1:3: write the ends of a range together: ..7",
		"5..-n":                  "1:1: an end of a range that is computed stands in parentheses, as in lo..(-n)",
		"lo..-n":                 "1:3: an end of a range that is computed stands in parentheses, as in lo..(-n)",
		"lo..2d6":                "1:3: the ends of a range are whole numbers, not dice",
		"lo..5..6":               "1:3: a range has two ends, as in 5..6",
		"lo..if":                 "1:3: put a space between the range and if",
		"6..5":                   "1:1: the low end of a range comes first: write 5..6",
		"1...5":                  "1:1: a range has two dots, as in 5..6, got 1...5",
		"1.5..":                  "1:4: the ends of a range are whole numbers, got 1.5..",
		"4d6..":                  "1:4: the ends of a range are whole numbers, not dice",
		"5..4d6":                 "1:1: the ends of a range are whole numbers, got 4d6",
		"x = [..]":               "1:6: a range has at least one end",
		"5 ..6":                  "1:3: write the ends of a range together: 5..6",
		"[5..if x]":              "1:2: put a space between the range and if",
		"x in..6":                "1:5: put a space between in and the range",
		"5.. 6":                  "1:1: write the ends of a range together: 5..6",
		"99999999999999999999..": "1:1: the ends of a range fit in 63 bits",
		"x = \U00012000":         "1:5: these letters can't be part of a name",
		"x\x00y":                 "1:2: a zero byte is not text",
		"é + é + 2 d6":           "1:9: write the number of dice",
	} {
		_, _, errs := Scan([]byte(src))
		if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), want) {
			t.Errorf("%q: got %v, want %s", src, errs, want)
		}
	}
}

// restore puts the texts of literals, in brackets, back in place of their
// identifiers.
func restore(out []byte, literals []Literal, open, close string) string {
	texts := map[string]string{}
	for _, l := range literals {
		texts[l.Ident] = open + l.Text + close
	}
	var b strings.Builder
	done := 0
	for _, t := range Tokens(out) {
		if text := texts[string(out[t.Start:t.End])]; text != "" && t.Kind == NameToken {
			b.Write(out[done:t.Start])
			b.WriteString(text)
			done = t.End
		}
	}
	b.Write(out[done:])
	return b.String()
}

// checkScan holds for any text: literals keep their places, and everything
// else its bytes.
func checkScan(t testing.TB, src []byte) {
	out, literals, _ := Scan(src)
	in, got := splitLines(src), splitLines(out)
	if len(in) != len(got) {
		t.Fatalf("%.200q: %d lines become %d", src, len(in), len(got))
	}
	for i := range in {
		if utf8.RuneCountInString(in[i]) != utf8.RuneCountInString(got[i]) {
			t.Fatalf("%.200q: line %d becomes %.200q", src, i+1, got[i])
		}
	}
	if bytes.ContainsFunc(src, func(r rune) bool { return firstSign <= r && r <= lastSign }) {
		return
	}
	if _, _, errs := Scan(src); len(errs) == 0 {
		if back := restore(out, literals, "", ""); back != string(src) {
			t.Fatalf("%.200q comes back as %.200q", src, back)
		}
	}
	seen := map[string]bool{}
	for _, l := range literals {
		if seen[l.Ident] || seen[l.Text] {
			t.Fatalf("%q: two literals share %q", src, l.Text)
		}
		seen[l.Ident], seen[l.Text] = true, true
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"x = 4d6kh3 + 1d%\nif x in -3..5: pass", "'a\\", "\"\"\"d6", "1...5d6..", "r'\\", "\r\r\n\xff\x00d6", "dc..5 2 d6 1d%2",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkScan(t, src) })
}

// TestManyLiterals checks that a program can hold more different literals than
// there are letters.
func TestManyLiterals(t *testing.T) {
	var b strings.Builder
	for i := 1; i <= 3000; i++ {
		fmt.Fprintf(&b, "x = d%d\n", i)
	}
	_, literals, errs := Scan([]byte(b.String()))
	if len(literals) != 3000 || len(errs) > 0 {
		t.Errorf("%d literals, %v", len(literals), errs)
	}
	checkScan(t, []byte(b.String()))
}
