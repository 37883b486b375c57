package notation

import (
	"fmt"
	"strings"
	"testing"
)

// show writes a tree with every part in brackets.
func show(e Expr) string {
	mods := func(list []Modifier) string {
		s := ""
		for _, m := range list {
			s += " " + m.show()
		}
		return s
	}
	switch e := e.(type) {
	case *Number:
		return fmt.Sprint(e.Value)
	case *Dice:
		return "{" + e.Literal.describe() + mods(e.Modifiers) + "}"
	case *Range:
		return "{" + e.Band.describe() + "}"
	case *Group:
		return "(" + show(e.X) + ")" + mods(e.Modifiers)
	case *Negate:
		return "[-" + show(e.X) + "]"
	case *Binary:
		return "[" + show(e.X) + " " + e.Op + " " + show(e.Y) + "]"
	}
	panic("unknown node")
}

func (m Modifier) show() string {
	when := "top"
	if m.When != nil {
		when = m.When.describe()
	}
	switch m.Action {
	case Explode:
		return "explode on " + when
	case Compound:
		return "compound on " + when
	case RerollOnce:
		return "reroll once " + when
	case RerollUntil:
		return "reroll until not " + when
	case RaiseTo:
		return fmt.Sprint("at least ", m.N)
	case CapAt:
		return fmt.Sprint("at most ", m.N)
	case KeepDrop:
		return fmt.Sprintf("%s%d", m.Select, m.N)
	}
	return "count " + when
}

func TestParseRoll(t *testing.T) {
	for src, want := range map[string]string{
		"2d6":            "{2 x 6}",
		"d6":             "{one 6}",
		"d%":             "{one 100}",
		"dF + 4dF":       "[{one fate} + {4 x fate}]",
		"2d6+3":          "[{2 x 6} + 3]",
		"2d6 - 1d4*2//3": "[{2 x 6} - [[{one 4} * 2] // 3]]",
		"-(2d6 + -3)":    "[-([{2 x 6} + [-3]])]",
		"4d6kh3 + 2":     "[{4 x 6 kh3} + 2]",
		"4D6 KH 3":       "{4 x 6 kh3}",
		"4d6!":           "{4 x 6 explode on top}",
		"4d6!>=5":        "{4 x 6 explode on 5 to open}",
		"4d6!<=2":        "{4 x 6 explode on open to 2}",
		"4d6!=6":         "{4 x 6 explode on 6 to 6}",
		"4d6!5..6":       "{4 x 6 explode on 5 to 6}",
		"4d6!!":          "{4 x 6 compound on top}",
		"4d6!!>=5kh2":    "{4 x 6 compound on 5 to open kh2}",
		"5d10! kh3 >= 8": "{5 x 10 explode on top kh3 count 8 to open}",
		"5d10!=10>=8":    "{5 x 10 explode on 10 to 10 count 8 to open}",
		"2d20kh":         "{2 x 20 kh1}",
		"4d6dl + 1":      "[{4 x 6 dl1} + 1]",
		"0d6":            "{0 x 6}",
		"3d6dl3":         "{3 x 6 dl3}",
		"4d6ro1":         "{4 x 6 reroll once 1 to 1}",
		"4d6ro<=2rr1":    "{4 x 6 reroll once open to 2 reroll until not 1 to 1}",
		"4d6rr<=2":       "{4 x 6 reroll until not open to 2}",
		"4d6mi2ma5kh3":   "{4 x 6 at least 2 at most 5 kh3}",
		"5d10>=8":        "{5 x 10 count 8 to open}",
		"5d10 >= 8 + 2":  "[{5 x 10 count 8 to open} + 2]",
		"5d10<=3":        "{5 x 10 count open to 3}",
		"5d10=7":         "{5 x 10 count 7 to 7}",
		"4dF>=-1":        "{4 x fate count -1 to open}",
		"6d10!>=9kh4>=7": "{6 x 10 explode on 9 to open kh4 count 7 to open}",
		"4d6dl1dh1":      "{4 x 6 dl1 dh1}",
		"(2d6+1d8)kh2":   "([{2 x 6} + {one 8}]) kh2",
		"5..6":           "{5 to 6}",
		"-3..":           "{-3 to open}",
		" ( 7 ) ":        "(7)",
		"2d6\n+ 1":       "[{2 x 6} + 1]",
	} {
		e, err := ParseRoll(src)
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if got := show(e); got != want {
			t.Errorf("%q is %s, want %s", src, got, want)
		}
	}
}

func TestParseRollErrors(t *testing.T) {
	for src, want := range map[string]string{
		"":                          "1:1: expected dice or a number, got the end",
		"2d6 +":                     "1:6: expected dice or a number, got the end",
		"2d6 + )":                   "1:7: nothing is open",
		"(2d6":                      "1:1: this parenthesis is never closed",
		"2d6 / 2":                   "1:5: division rounds down and is written //",
		"2 d6":                      "1:1: write the number of dice and the die together: 2d6",
		"4d6r1":                     "1:4: r1 is read in two ways: reroll once (write 4d6ro1) or reroll until it does not show (write 4d6rr1)",
		"4d6!5":                     "1:4: !5 is read in two ways: explode on exactly 5 (write 4d6!=5) or on 5 and more (write 4d6!>=5)",
		"5d10>7":                    "1:5: >7 is read in two ways: 7 or more (write 5d10>=7) or more than 7 (write 5d10>=8)",
		"5d10<3":                    "1:5: <3 is read in two ways: 3 or less (write 5d10<=3) or less than 3 (write 5d10<=2)",
		"4d6ro<3":                   "1:6: <3 is read in two ways: 3 or less (write 4d6ro<=3) or less than 3 (write 4d6ro<=2)",
		"4d6!>5":                    "1:5: >5 is read in two ways: 5 or more (write 4d6!>=5) or more than 5 (write 4d6!>=6)",
		"4d6d1":                     "1:4: d1 is read in two ways: drop the lowest",
		"5d10! >= 9":                "1:5: ! >=9 is read in two ways: explode on >=9 (write 5d10!>=9) or explode on the highest face and count >=9 (write 5d10!=10>=9)",
		"5d10!! =9":                 "1:5: !! =9 is read in two ways: explode on =9 (write 5d10!!=9) or explode on the highest face and count =9 (write 5d10!!=10=9)",
		"4d6!!5":                    "1:4: !!5 is read in two ways: explode on exactly 5 (write 4d6!!=5) or on 5 and more (write 4d6!!>=5)",
		"4d6!ro1":                   "1:5: ro1 comes after dice have been added: write it before the !",
		"4d6!p":                     "1:4: penetrating dice",
		"4d6Kh3":                    "1:4: a modifier is all small or all capital letters: write kh",
		"4d6kh3!":                   "1:7: ! acts on each die before kh3 does: write it first, as in 4d6!kh3",
		"4d6>=3kh2":                 "1:7: kh2 acts on each die before >=3 does",
		"4d6>=3<=5":                 "1:7: successes are counted once, by >=3",
		"4d6kh3mi2":                 "1:7: mi2 acts on each die before kh3 does",
		"4d6zz":                     "1:4: unknown modifier zz",
		"3 + 4d0":                   "1:5: a die has at least one side",
		"6..5":                      "1:1: the low end of a range comes first: write 5..6",
		"99999999999999999999":      "1:1: the number is too large",
		"99999999999999999999d6":    "1:1: the number of dice is at most",
		"4d6>=99999999999999999999": "1:6: the number after >= is at most",
		"hello":                     "1:1: unexpected \"hello\"",
		"4d6 >= ":                   "1:8: expected a number after >=",
		"2d6\n+ x":                  "2:3: unexpected \"x\"",
		"7 >= 3":                    "1:3: > belongs after dice",
		strings.Repeat("(", 5000):   "1:1: the notation is longer than",
		strings.Repeat("(", 3000):   "1:101: nested too deeply",
		strings.Repeat("-", 3000):   "1:101: nested too deeply",
	} {
		_, err := ParseRoll(src)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s", src, err, want)
		}
	}
}

func FuzzParseRoll(f *testing.F) {
	for _, s := range []string{"4d6kh3!>=5+(2d8)//-3", "5d10>=8", "rr<=..", "4d6!5..", "d%dF1..", "((((", "4d6 ro"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := ParseRoll(s)
		if err != nil {
			if place := err.(*Error); place.Line < 1 || place.Col < 1 || place.Msg == "" {
				t.Fatalf("%q: no place in %#v", s, err)
			}
			return
		}
		show(e)
	})
}
