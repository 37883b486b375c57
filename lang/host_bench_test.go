package lang_test

import (
	"context"
	"strings"
	"testing"

	"dicescript/lang"
)

// What a host pays around the work of a recipe. BenchmarkHost/<name>, each from a program
// that has been compiled but for the compilations.
func BenchmarkHost(b *testing.B) {
	h, err := lang.New()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, src, want string }{
		{"run_empty", "", "nothing"},
		{"run_roll", `output("x", 3d6)`, "21/2"},
		{"run_condition", `output("x", 2d6+3 >= 9)`, "13/18"},
		{"run_either", `output("x", either("1/3", 2, 5))`, "4"},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := compiled(b, h, c.src)
			r, err := p.Run(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			if got := hostValue(b, r); got != c.want {
				b.Fatalf("got %s, want %s", got, c.want)
			}
			for b.Loop() {
				if _, err := p.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("compile_100_lines", func(b *testing.B) {
		src := []byte(hundredLines())
		for b.Loop() {
			if _, err := h.Compile(context.Background(), "recipe.star", src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			if _, err := lang.New(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("session_input", func(b *testing.B) {
		s := h.NewSession()
		for b.Loop() {
			if _, err := s.Eval(context.Background(), "2d6 + 3 >= 9"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// hostValue is the mean of a roll, or a chance.
func hostValue(b *testing.B, r *lang.Result) string {
	b.Helper()
	for _, o := range r.Outputs {
		switch d := o.Data.(type) {
		case lang.Roll:
			return d.Dist.Mean().RatString()
		case lang.Prob:
			return d.Value.RatString()
		}
	}
	return "nothing"
}

// hundredLines is a recipe as people write them.
func hundredLines() string {
	var s strings.Builder
	s.WriteString("bonus = param(\"bonus\", 5, min=0, max=20)\n")
	for i := range 9 {
		n := string(rune('a' + i))
		s.WriteString("# The rule " + n + " of the house.\ndef hit_" + n + "(roll, armor=15):\n    \"\"\"Whether a blow hits.\"\"\"\n    if roll >= 20:\n        return \"critical\"\n" +
			"    total = roll + bonus\n    if total >= armor and total not in [1, 2]:\n        return \"hit\"\n    return \"miss\"\n\noutput(\"rule " + n + "\", map(hit_" + n + ", 1d20))\n")
	}
	return s.String()
}
