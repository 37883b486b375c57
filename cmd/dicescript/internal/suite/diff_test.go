package suite

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"a\nb\nc", "a\nb\nc", "  a\n  b\n  c\n"},
		{"a\nb\nc", "a\nx\nc", "  a\n- b\n+ x\n  c\n"},
		{"a", "b\na", "+ b\n  a\n"},
		{"", "a", "- \n+ a\n"},
	} {
		if got := diff(test.old, test.new); got != test.want {
			t.Errorf("%q to %q:\n%s\nwant\n%s", test.old, test.new, got, test.want)
		}
	}
}

// A diff without its + lines is the old text, without its - lines the new one.
func TestDiffHoldsBoth(t *testing.T) {
	texts := []string{"a\nb\nc\nd", "b\na\nd\nc", "a\na\nb", "d\nc\nb\na", "x", "",
		// Too long to look for what is common between the ends.
		"a\n" + strings.Repeat("1\n2\n", 1500) + "b", "a\n" + strings.Repeat("2\n3\n", 1500) + "b"}
	for _, old := range texts {
		for _, new := range texts {
			var before, after []string
			for _, l := range strings.Split(strings.TrimSuffix(diff(old, new), "\n"), "\n") {
				if l[0] != '+' {
					before = append(before, l[2:])
				}
				if l[0] != '-' {
					after = append(after, l[2:])
				}
			}
			if strings.Join(before, "\n") != old || strings.Join(after, "\n") != new {
				t.Errorf("%.100q to %.100q: %.100q, %.100q", old, new, before, after)
			}
		}
	}
}
