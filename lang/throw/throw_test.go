package throw

import (
	"fmt"
	"testing"

	"dicescript/dist"
	"dicescript/lang/notation"
)

// faces is a source that makes dice show given faces, first to last.
type faces []int

func (f *faces) Uint64() uint64 {
	if len(*f) == 0 {
		panic("more dice were rolled than expected")
	}
	v := (*f)[0]
	*f = (*f)[1:]
	return uint64(v - 1)
}

func TestThrowShowsItsDice(t *testing.T) {
	for _, test := range []struct {
		text  string
		dice  faces
		total int
		shown string
	}{
		{"d20", faces{17}, 17, "[17]"},
		{"4d6kh3 + 2", faces{5, 1, 4, 3}, 14, "[5 (1) 4 3] + 2"},
		{"4d6kl1", faces{5, 1, 4, 1}, 1, "[(5) 1 (4) (1)]"},
		{"4d6dl1", faces{1, 1, 4, 3}, 8, "[1 (1) 4 3]"},
		{"3d6dh2", faces{6, 2, 6}, 2, "[(6) 2 (6)]"},
		{"2d6dh2", faces{6, 2}, 2, "[(6) 2]"},
		{"2d20kh", faces{6, 12}, 12, "[(6) 12]"},
		{"0d6", nil, 0, "[]"},
		{"2d10!=10>=8", faces{10, 10, 3, 8}, 3, "[10!* 10!* 3 8*]"},
		{"2d6!kh2", faces{6, 5, 2}, 11, "[6! 5 (2)]"},
		{"2d6!mi2kh2", faces{6, 1, 1}, 8, "[6! 1↑2 (1↑2)]"},
		{"1d6!mi2", faces{6, 1}, 8, "[6!+1↑2]"},
		{"2d6!!kh1", faces{6, 5, 2}, 11, "[6!+5 (2)]"},
		{"2d6!", faces{6, 6, 3, 2}, 17, "[6!+6!+3 2]"},
		{"1d10!>=9", faces{9, 10, 1}, 20, "[9!+10!+1]"},
		{"2d6ro1", faces{1, 1, 4}, 5, "[1→1 4]"},
		{"2d6rr<=2", faces{1, 2, 3, 4}, 7, "[1→2→3 4]"},
		{"2d6mi2", faces{1, 5}, 7, "[1↑2 5]"},
		{"2d6ma4", faces{3, 6}, 7, "[3 6↓4]"},
		{"5d10>=8", faces{8, 7, 10, 1, 9}, 3, "[8* 7 10* 1 9*]"},
		{"3d10kh2>=8", faces{8, 9, 10}, 2, "[(8) 9* 10*]"},
		{"4dF", faces{1, 2, 3, 3}, 1, "[-1 0 1 1]"},
		{"2d6 * 10", faces{3, 4}, 70, "[3 4] * 10"},
		{"(2d6 - 15) // 2", faces{1, 1}, -7, "([1 1] - 15) // 2"},
		{"-(2d6)", faces{1, 2}, -3, "-([1 2])"},
		{"(2d6 + 1d8)kh2", faces{1, 5, 8}, 13, "[(1) 5 8]"},
		{"(1d8 + 1d6!!)kh1", faces{7, 6, 2}, 8, "[(7) 6!+2]"},
		{"(2d6 + 3)!", faces{6, 6, 1, 1}, 20, "[[6 6] + 3!+[1 1] + 3]"},
		{"2d6rr6!", faces{5, 6, 2, 1}, 8, "[5!+6→2 1]"}, // without its 6, the die explodes on 5
		{"3 + 4", nil, 7, "3 + 4"},
	} {
		x, err := notation.ParseRoll(test.text)
		if err != nil {
			t.Fatalf("%s: %v", test.text, err)
		}
		dice := test.dice
		got, err := Once(x, &dice)
		if err != nil || got != (Throw{test.total, test.shown}) {
			t.Errorf("%s: got %+v, %v; want %d, %s", test.text, got, err, test.total, test.shown)
		}
		if len(dice) > 0 {
			t.Errorf("%s: %d dice were not rolled", test.text, len(dice))
		}
	}
}

// Over many throws every face of a die turns up about equally often, whatever
// the number of sides is. The bound is six standard deviations.
func TestThrowIsFair(t *testing.T) {
	src := dist.SeededSource(1)
	for _, sides := range []int{2, 3, 6, 7, 100} {
		x, err := notation.ParseRoll(fmt.Sprintf("1d%d", sides))
		if err != nil {
			t.Fatal(err)
		}
		const each = 2500
		count := make([]int, sides+1)
		for range each * sides {
			r, err := Once(x, src)
			if err != nil {
				t.Fatal(err)
			}
			count[r.Total]++
		}
		for face, n := range count[1:] {
			if n < each-300 || n > each+300 {
				t.Errorf("d%d: %d shows %d times, want about %d", sides, face+1, n, each)
			}
		}
	}
}

func TestThrowRefuses(t *testing.T) {
	for _, text := range []string{"5..6", "(3)kh1", "2d6 // 0"} {
		x, err := notation.ParseRoll(text)
		if err != nil {
			continue // refused even earlier
		}
		if got, err := Once(x, dist.SeededSource(1)); err == nil {
			t.Errorf("%s: got %+v, want an error", text, got)
		}
	}
}
