package main

import (
	"bytes"
	"math"
	"strconv"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/throw"
)

// What is really rolled follows the exact chances: over many throws the mean is
// where it should be, and so is the spread, within six standard deviations of
// either. A rule that was understood in another way would be far off.
func TestThrowsFollowTheChances(t *testing.T) {
	tool := &tool{ctx: t.Context(), stderr: &bytes.Buffer{}}
	host, done, err := tool.host(&options{}, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	const throws = 20_000
	for _, text := range []string{
		"3d6", "4d6kh3 + 2", "4d6dh1", "2d20kl1", "5d10!>=9", "3d6!", "4d6ro<=2", "4d6rr1", "3d8mi3", "3d8ma5",
		"6d10>=7", "5d10kh3>=6", "4dF", "2d6 * 3 - 1d4", "(2d6 + 1d8) // 2", "(1d8 + 1d6!!)kh1", "5d10!=10>=8", "3d6!kh2", "3d6!!kh2", "3d6!mi2", "2d6!dl1", "4d6!kl2>=3", "4d6!=6mi2kh2", "(2d6 + 3)!>=14",
		"2d6rr6!", "-(1d6)", "1d%",
	} {
		x, err := notation.ParseRoll(text)
		if err != nil {
			t.Fatal(err)
		}
		result, err := host.NewSession().Eval(t.Context(), "roll("+strconv.Quote(text)+")")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		d := result.Outputs[0].Data.(lang.Roll).Dist
		src := dist.SeededSource(12345)
		sum, squares := 0.0, 0.0
		for range throws {
			r, err := throw.Once(x, src)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			sum += float64(r.Total)
			squares += float64(r.Total) * float64(r.Total)
		}
		mean, second, fourth := powers(d)
		near(t, text+": mean", sum/throws, mean, math.Sqrt((second-mean*mean)/throws))
		near(t, text+": mean of squares", squares/throws, second, math.Sqrt((fourth-second*second)/throws))
	}
}

// powers are the means of the first, second and fourth powers.
func powers(d *dist.Dist) (first, second, fourth float64) {
	for x := range d.All() {
		p, _ := d.PMF(x).Float64()
		v := float64(x)
		first += p * v
		second += p * v * v
		fourth += p * v * v * v * v
	}
	return first, second, fourth
}

func near(t *testing.T, what string, got, want, deviation float64) {
	t.Helper()
	if math.Abs(got-want) > 6*deviation+1e-9 {
		t.Errorf("%s: got %g, want %g ± %g", what, got, want, deviation)
	}
}
