package report_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"dicescript/lang"
	"dicescript/lang/report"
	"dicescript/lang/throw"
)

// faces is a source that makes dice show given faces, first to last.
type faces []int

func (f *faces) Below(n uint64) uint64 {
	if len(*f) == 0 {
		panic("more dice were thrown than expected")
	}
	v := (*f)[0]
	*f = (*f)[1:]
	return uint64(v - 1)
}

func (f *faces) Pick(weights []*big.Int, _ *big.Int) int { return int(f.Below(uint64(len(weights)))) }

func host(t *testing.T) *lang.Host {
	t.Helper()
	h, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// What became of each die can be read: kept, added, thrown again, counted as another number.
func TestThrowShowsItsDice(t *testing.T) {
	for _, test := range []struct {
		text  string
		dice  faces
		shown string
	}{
		{"d20", faces{17}, "1d20 → 17"},
		{"4d6kh3 + 2", faces{5, 1, 4, 3}, "4d6kh3 → [5, (1), 4, 3] 12 + 2 = 14"},
		{"4d6kl1", faces{5, 1, 4, 1}, "4d6kl1 → [(5), 1, (4), (1)] 1"},
		{"4d6dl1", faces{1, 1, 4, 3}, "4d6dl1 → [1, (1), 4, 3] 8"},
		{"3d6dh2", faces{6, 2, 6}, "3d6dh2 → [(6), 2, (6)] 2"},
		{"2d6dh2", faces{6, 2}, "2d6dh2 → [(6), 2] 2"},
		{"2d20kh", faces{6, 12}, "2d20kh → [(6), 12] 12"},
		{"2d10!=10>=8", faces{10, 10, 3, 8}, "2d10!=10>=8 → [10!*, 10!*, 3, 8*] 3"},
		{"2d6!kh2", faces{6, 5, 2}, "2d6!kh2 → [6!, 5, (2)] 11"},
		{"2d6!mi2kh2", faces{6, 1, 1}, "2d6!mi2kh2 → [6!, 1↑2, (1↑2)] 8"},
		{"1d6!mi2", faces{6, 1}, "1d6!mi2 → [6!, 1↑2] 8"},
		{"2d6!!kh1", faces{6, 5, 2}, "2d6!!kh1 → [6!, 5, (2)] 11"},
		{"2d6!", faces{6, 6, 3, 2}, "2d6! → [6!, 6!, 3, 2] 17"},
		{"1d10!>=9", faces{9, 10, 1}, "1d10!>=9 → [9!, 10!, 1] 20"},
		{"2d6ro1", faces{1, 1, 4}, "2d6ro1 → [1→1, 4] 5"},
		{"2d6rr<=2", faces{1, 2, 3, 4}, "2d6rr<=2 → [1→2→3, 4] 7"},
		{"2d6mi2", faces{1, 5}, "2d6mi2 → [1↑2, 5] 7"},
		{"2d6ma4", faces{3, 6}, "2d6ma4 → [3, 6↓4] 7"},
		{"5d10>=8", faces{8, 7, 10, 1, 9}, "5d10>=8 → [8*, 7, 10*, 1, 9*] 3"},
		{"3d10kh2>=8", faces{8, 9, 10}, "3d10kh2>=8 → [(8), 9*, 10*] 2"},
		{"4dF", faces{1, 2, 3, 3}, "4dF → [-1, 0, 1, 1] 1"},
		{"2d6 * 10", faces{3, 4}, "2d6 → [3, 4] 7 * 10 = 70"},
		{"(2d6 - 15) // 2", faces{1, 1}, "2d6 → [1, 1] 2 - 15 = -13; -13 // 2 = -7"},
		{"-(2d6)", faces{1, 2}, "2d6 → [1, 2] 3 = -3"},
		{"(2d6 + 1d8)kh2", faces{1, 5, 8}, "(2d6 + 1d8)kh2 → [(1), 5, 8] 13"},
		{"(1d8 + 1d6!!)kh1", faces{7, 6, 2}, "(1d8 + 1d6!!)kh1 → [(7), 6!, 2] 8"},
		{"2d6rr6!", faces{5, 6, 2, 1}, "2d6rr6! → [5!, 6→2, 1] 8"}, // without its 6, the die explodes on 5
		{"3d6.highest(2) - d4", faces{2, 6, 2, 3}, "3d6.highest(2) → [2, 6, (2)] 8; d4 → 3; 8 - 3 = 5"},
		{"explode(3d6)", faces{6, 6, 6, 2, 1}, "explode(3d6) → [6!, 6!, 6, 2, 1] 21"},
		{"reroll(d20, 1)", faces{1, 12}, "reroll(d20, 1) → [1→12] 12"},
		{"d20 + 5 >= 15", faces{9}, "d20 → 9 + 5 = 14; 14 >= 15: no"},
		{"map(lambda x: 2d6 + 3 if x >= 11 else 0, d20)", faces{14, 3, 4}, "d20 → 14; 2d6 → [3, 4] 7 + 3 = 10"},
		{"either(d20 >= 11, d6, 0)", faces{12, 3}, "d20 → 12; 12 >= 11: yes; d6 → 3"},
		{"times(d4, d6)", faces{2, 3, 5}, "d4 → 2"},
		{`deck(["ace", "king"]).deal(1).count("ace")`, faces{1}, ""},
	} {
		src := test.dice
		r, err := host(t).NewSession().Throw(t.Context(), &src, test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if len(src) > 0 {
			t.Errorf("%s: %d dice were not thrown", test.text, len(src))
		}
		var b bytes.Buffer
		if err := report.Throw(&b, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		got, _, _ := strings.Cut(strings.TrimPrefix(b.String(), test.text+": "), " (")
		if !strings.Contains(b.String(), test.shown) {
			t.Errorf("%s: got %s (%s), want %s", test.text, b.String(), got, test.shown)
		}
	}
}

// A record is the same after it has been data.
func TestThrowOfDataIsTheSame(t *testing.T) {
	h := host(t)
	p, err := h.Compile(t.Context(), "attack.star", []byte(`output("attack", max(2d20) + 5)
output("damage", 1d8 + 3)
output("hit", max(2d20) + 5 >= 15)
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Throw(t.Context(), throw.Seed("42"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again throw.Record
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	const want = "attack: max(2d20) → [3̶, 17] 17 + 5 = 22; 22 or more: 36.0 % · damage: 1d8 → 4 + 3 = 7; 7 or more: 62.5 % · hit: max(2d20) → [1̶4̶, 17] 17 + 5 = 22; 22 >= 15: yes (79.8 %)"
	if got := report.ThrowLine(r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := report.ThrowLine(&again); got != want {
		t.Errorf("from data: got %s", got)
	}
}
