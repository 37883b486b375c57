package repl

import "testing"

func TestListed(t *testing.T) {
	words := []string{"at_least", "at_most", "attack", "é", "f", "g"}
	want := "at_least  é\nat_most   f\nattack    g\n"
	if got := listed(words, 20, 24); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want = "at_least\nat_most\nattack\né\n... and 2 more;\ntype a letter\nor two of the\nword first\n"
	if got := listed(words, 15, 8); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCommonBeginning(t *testing.T) {
	for want, words := range map[string][]string{
		"at_": {"at_least", "at_most"}, "": {"a", "b"}, "é": {"éa", "éè"}, "x": {"x", "xy"},
	} {
		if got := commonBeginning(words); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}
