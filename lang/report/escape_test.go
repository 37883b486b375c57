package report

import (
	"strings"
	"testing"
	"unicode"

	"dicescript/lang/internal/unseen"
)

// What hides is what Unicode says it is.
func TestHidden(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == '\uFEFF' || 0xE0000 <= r && r <= 0xE007F
		if unseen.Rune(r) != want {
			t.Fatalf("%U is hidden: %v", r, !want)
		}
	}
}

// A long text is made visible in pieces, each of whole characters.
func TestVisiblePieces(t *testing.T) {
	for _, s := range []string{"", "a\n", strings.Repeat("é€\n𝔸", 70_000), strings.Repeat("\xff\x80", 200_000)} {
		if got, want := (Options{}).visiblePieces(s, "\n"), visibleBut(s, "\n"); got != want {
			t.Errorf("%d bytes: the pieces are not the whole", len(s))
		}
	}
}

// A rendering whose context ends says so, in every format, wherever it is then:
// it writes no more than a buffer.
