package main

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

func testBot(t *testing.T) *bot {
	t.Helper()
	b, err := newBot(rand.NewPCG(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnswers(t *testing.T) {
	b := testBot(t)
	for line, want := range map[string]string{
		"good morning":                       "",
		"!dance":                             "",
		"!help":                              help,
		"!odds":                              help,
		"!odds 4d6kh3 >= 15":                 "4d6kh3 >= 15: 23.1 % (25/108)",
		"  !odds 2d6":                        "2d6: mean 7.000, sd 2.42, 2 to 12",
		"!table 2d6":                         "7 ",
		"!odds d(6).p_gte(3)":                "did you mean .p_ge?",
		"!odds 2 d6":                         "write the number of dice and the die together: 2d6",
		"!odds 1000000d1000000":              "would need 1 000 000 outcomes",
		"!odds [i for i in range(10000000)]": "Sorry: ",
		"!odds load('/etc/passwd', 'x')":     "Sorry: ",
		"!odds x = 3":                        "Sorry: there is nothing to show",
		"!roll [1]":                          "Sorry: there is nothing to throw",
		"!let l = list(range(500000))":       "Sorry: this is too much to keep",
		"!chart 7":                           "7: 7",
	} {
		got := b.answer(context.Background(), "ann", line).text
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q is answered %q, want %q", line, got, want)
		}
		if strings.HasPrefix(got, "Sorry") && strings.Contains(got, "\n") {
			t.Errorf("%q is answered with several lines: %q", line, got)
		}
	}
}

// A roll shows its dice, adds up, and says how good it is.
func TestRollsShowTheirDice(t *testing.T) {
	b := testBot(t)
	for range 50 {
		got := b.answer(context.Background(), "ann", "!roll 2d6 + 3").text
		var x, y, sum, total int
		if _, err := fmt.Sscanf(got, "2d6 → [%d, %d] %d + 3 = %d", &x, &y, &sum, &total); err != nil || x+y != sum || sum+3 != total || !strings.Contains(got, " %") {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	b.answer(context.Background(), "ann", "!let hit = 1d20 + 7 >= 15")
	if got := b.answer(context.Background(), "ann", "!roll hit").text; !strings.HasPrefix(got, "hit: 1d20 → ") || !strings.Contains(got, ": yes (") && !strings.Contains(got, ": no (") {
		t.Errorf("got %q", got)
	}
}

// A chart is a picture that chats show, with the line that says what it is.
func TestChart(t *testing.T) {
	a := testBot(t).answer(context.Background(), "ann", "!chart 3d6")
	if a.text != "3d6: mean 10.500, sd 2.96, 3 to 18" {
		t.Errorf("got %q", a.text)
	}
	picture, err := png.Decode(bytes.NewReader(a.picture))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[color.Color]int{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			colours[picture.At(x, y)]++
		}
	}
	if len(colours) < 4 || picture.Bounds().Dx() < 400 {
		t.Errorf("a picture of %v with %d colours", picture.Bounds(), len(colours))
	}
}

// What one says is not what another knows.
func TestSpeakersAreApart(t *testing.T) {
	b := testBot(t)
	b.answer(context.Background(), "ann", "!let x = 5")
	if got := b.answer(context.Background(), "ann", "!odds x").text; got != "x: 5" {
		t.Errorf("ann is told %q", got)
	}
	if got := b.answer(context.Background(), "bo", "!odds x").text; !strings.HasPrefix(got, "Sorry: undefined: x") {
		t.Errorf("bo is told %q", got)
	}
	b.answer(context.Background(), "ann", "!forget")
	if got := b.answer(context.Background(), "ann", "!odds x").text; !strings.HasPrefix(got, "Sorry") {
		t.Errorf("ann is told %q", got)
	}
	for i := range mostSpeakers + 20 {
		b.speaker(fmt.Sprint(i))
	}
	if len(b.speakers) > mostSpeakers {
		t.Errorf("%d sessions are kept", len(b.speakers))
	}
}

// Many ask at once, and every question gets its own answer.
func TestManyAtOnce(t *testing.T) {
	b := testBot(t)
	chances := []string{"1", "5/6", "2/3", "1/2", "1/3", "1/6"}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			face := i % 6
			got := b.answer(context.Background(), fmt.Sprint(i%7), "!odds d(6) >= "+string(rune('1'+face))).text
			if face > 0 && !strings.Contains(got, chances[face]) {
				t.Errorf("at least %d: %q", face+1, got)
			}
			b.answer(context.Background(), fmt.Sprint(i%7), "!roll 3d6")
		})
	}
	all.Wait()
}
