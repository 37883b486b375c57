package report

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"dicescript/lang"
)

func picture(t *testing.T, r *lang.Result, places ...int) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := PNG(t.Context(), &b, r, places, Options{}); err != nil {
		t.Fatal(err)
	}
	if name := os.Getenv("DICESCRIPT_PICTURE"); name != "" {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bars are how high the columns of bars are, in dots, from left to right.
func bars(p image.Image) (heights []int) {
	bar := color.RGBAModel.Convert(lineColors[0])
	height := func(x int) (n int) {
		for y := range int(dotsPerUnit * (svgMargin + headHeight + 10 + plotHeight + 1)) {
			if color.RGBAModel.Convert(p.At(x, y)) == bar {
				n++
			}
		}
		return n
	}
	last := 0
	for x := range p.Bounds().Dx() {
		h := height(x)
		if h > 0 && last == 0 {
			heights = append(heights, h)
		}
		last = h
	}
	return heights
}

// The bars of two dice are eleven, as high as their chances are to one another.
func TestPNGBars(t *testing.T) {
	got := bars(picture(t, oneOutput("2d6", lang.Roll{Dist: twoD6()}), 0))
	if len(got) != 11 {
		t.Fatalf("%d bars: %v", len(got), got)
	}
	for i, h := range got {
		want := got[5] * (6 - max(i-5, 5-i)) / 6
		if h < want-2 || h > want+2 || got[5] < 150 {
			t.Errorf("bar %d is %d high, want %d of %v", i, h, want, got)
		}
	}
}

// Every kind of chart can be drawn, and something is seen of it.
func TestPNGOfEveryKind(t *testing.T) {
	for _, r := range []*lang.Result{everyKind(), nasty()} {
		var charts []int
		for place, out := range r.Outputs {
			has, err := HasChart(t.Context(), r, place)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			err = PNG(t.Context(), &b, r, []int{place}, Options{})
			if has != (err == nil) || !has && !errors.Is(err, errNoChart) {
				t.Errorf("%s: %v, has a chart: %v", out.Kind(), err, has)
			}
			if has {
				charts = append(charts, place)
			}
		}
		p := picture(t, r, charts...)
		one := picture(t, r, charts[0])
		if p.Bounds().Dy() <= one.Bounds().Dy() {
			t.Errorf("all are %v, the first alone %v", p.Bounds(), one.Bounds())
		}
	}
}

func TestPNGMisused(t *testing.T) {
	roll := oneOutput("x", lang.Roll{Dist: twoD6()})
	for _, places := range [][]int{{1}, {-1}, {}} {
		if err := PNG(t.Context(), new(bytes.Buffer), roll, places, Options{}); err == nil {
			t.Errorf("%v: no error", places)
		}
	}
	if err := PNG(t.Context(), new(bytes.Buffer), nil, []int{0}, Options{}); err == nil {
		t.Error("nil: no error")
	}
	if err := PNG(t.Context(), new(bytes.Buffer), roll, []int{0}, Options{Limit: 100}); !errors.As(err, new(*LimitError)) {
		t.Errorf("got %v", err)
	}
	many := make([]int, 200)
	if err := PNG(t.Context(), new(bytes.Buffer), roll, many, Options{}); err == nil {
		t.Error("200 charts: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := PNG(ctx, new(bytes.Buffer), roll, []int{0}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Every sign has a form of its own.
func TestGlyphs(t *testing.T) {
	seen := map[glyph]rune{}
	for r := ' '; r <= '~'; r++ {
		g := glyphOf(r)
		if other, ok := seen[g]; ok || g == unknownGlyph {
			t.Errorf("%q looks like %q", r, other)
		}
		seen[g] = r
	}
	if glyphOf('é') != unknownGlyph {
		t.Error("é is drawn")
	}
	if glyphOf('L') != (glyph{16, 16, 16, 16, 16, 16, 31}) {
		t.Errorf("L is %v", glyphOf('L'))
	}
}
