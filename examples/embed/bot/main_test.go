package main

import (
	"context"
	"strings"
	"sync"
	"testing"
)

func TestAnswers(t *testing.T) {
	b, err := newBot()
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"good morning":                       "",
		"!help":                              help,
		"!odds":                              help,
		"!odds 4d6kh3 >= 15":                 "25/108",
		"  !odds 2d6":                        "7 ",
		"!odds d(6).p_gte(3)":                "did you mean .p_ge?",
		"!odds 2 d6":                         "write the number of dice and the die together: 2d6",
		"!odds 1000000d1000000":              "would need 1 000 000 outcomes",
		"!odds [i for i in range(10000000)]": "Sorry: ",
		"!odds load('/etc/passwd', 'x')":     "Sorry: ",
		"!odds x = 3":                        "There is nothing to show",
	} {
		got := b.answer(context.Background(), line)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q is answered %q, want %q", line, got, want)
		}
		if strings.HasPrefix(got, "Sorry") && strings.Contains(got, "\n") {
			t.Errorf("%q is answered with several lines: %q", line, got)
		}
	}
}

// TestManyAtOnce asks from many goroutines: every question gets its own answer.
func TestManyAtOnce(t *testing.T) {
	b, err := newBot()
	if err != nil {
		t.Fatal(err)
	}
	chances := []string{"1", "5/6", "2/3", "1/2", "1/3", "1/6"}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			face := i % 6
			got := b.answer(context.Background(), "!odds d(6) >= "+string(rune('1'+face)))
			if face > 0 && !strings.Contains(got, chances[face]) {
				t.Errorf("at least %d: %q", face+1, got)
			}
		})
	}
	all.Wait()
}
