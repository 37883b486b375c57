package exact

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// What is read as a small fraction is what is read as a big one.
func TestParseSmallIsParseRat(t *testing.T) {
	read := 0
	check := func(t rapid.TB, text string) {
		num, den, ok := ParseSmall(text)
		if !ok {
			return
		}
		read++
		want, isNumber := ParseRat(text)
		if !isNumber || den == 0 || big.NewRat(int64(num), int64(den)).Cmp(want) != 0 {
			t.Errorf("%q: got %d/%d, want %v", text, num, den, want)
		}
	}
	for _, text := range []string{
		"1/3", "0.25", "30%", "0", "1", "0/1", "1/0", "", "%", "/", ".", "1.", ".5", "01/3", "1/03", "010/20", "0.30%", "12.5%",
		"1/2%", "9999/9999", "9999.9999%", "10000/3", "1/3/5", "1.2.3", "1.5/2", "+1/3", "-1/3", " 1/3", "1e3", "0x1", "1_0",
	} {
		check(t, text)
	}
	if read < 10 {
		t.Errorf("%d of them are read", read)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.StringMatching(`[0-9]{0,5}[./]?[0-9]{0,5}%?`).Draw(t, "text")) })
}
