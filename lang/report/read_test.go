package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
)

// What has been read back is written as it was, in every format.
func TestReadJSONTurnsBack(t *testing.T) {
	r := everyKind()
	r.Outputs = append(r.Outputs,
		lang.Output{Title: "data", Data: lang.Text{Text: "x", Value: []any{1, "a", nil, true, 2.5, lang.Dict{{Key: "kind", Value: "DieRoll"}, {Key: "z", Value: big.NewInt(7)}}, lang.Roll{Dist: twoD6()}, lang.Prob{Value: big.NewRat(1, 3)}}}},
		lang.Output{Title: "pairs", Data: lang.Text{Text: "y", Value: lang.Dict{{Key: 1, Value: "a"}}}},
		lang.Output{Title: "empty", Data: lang.Text{Text: "[]", Value: []any{}}})
	for _, fractions := range []Fractions{ExactFractions, Weights} {
		text := render(t, "json", r, Options{Fractions: fractions})
		back, err := ReadJSON(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats() {
			o := Options{}
			if format == "json" {
				o.Fractions = fractions
			}
			if got, want := render(t, format, back, o), render(t, format, r, o); got != want {
				t.Errorf("%s by way of %s differs: %s", format, fractions, firstDifference(got, want))
			}
		}
	}
}

func firstDifference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	cut := func(s string) string { return s[max(0, i-40):min(len(s), i+80)] }
	return fmt.Sprintf("\n got %q\nwant %q", cut(got), cut(want))
}

// An unlimited roll comes back with its error and its mean.
func TestReadJSONUnlimited(t *testing.T) {
	d := dist.Must(dist.Must(dist.Die(6)).Explode(t.Context(), dist.Only(6), dist.Unlimited))
	text := render(t, "json", oneOutput("x", lang.Roll{Dist: d}), Options{Fractions: Weights})
	back, err := ReadJSON(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := lang.Get[*dist.Dist](back, "x")
	if err != nil || got.Bound() != d.Bound() || got.Mean().Cmp(big.NewRat(21, 5)) != 0 || got.AtLeast(12).Cmp(d.AtLeast(12)) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestReadJSONFailures(t *testing.T) {
	e := &lang.Error{Kind: lang.KindRuntime, Message: "division by zero", Position: lang.Position{File: "a.star", Line: 2, Column: 3}, Frames: []lang.Frame{{Function: "f"}}}
	late := &lang.Error{Kind: lang.KindDeadline, Message: "late"}
	for _, failure := range []error{e, late, lang.ErrorList{e, late}} {
		text := render(t, "json", oneOutput("x", lang.Text{Text: "so far"}), Options{Failure: failure})
		r, err := ReadJSON(t.Context(), strings.NewReader(text))
		if err == nil || err.Error() != failure.Error() || len(lang.Errors(err)) != len(lang.Errors(failure)) || len(r.Outputs) != 1 {
			t.Errorf("got %v, want %v", err, failure)
		}
		if errors.Is(err, context.DeadlineExceeded) != (failure != error(e)) {
			t.Errorf("%v: deadline or not", err)
		}
	}
}

func TestReadJSONMisused(t *testing.T) {
	const whole = `{"outputs": [%s], "params": [], "usage": {"steps": 1}}`
	for out, want := range map[string]string{
		`{"title": "x", "kind": "Die"}`:                                                                           `no kind "Die"`,
		`{"title": "x", "kind": "Prob", "exact": "1e999999999", "value": 1}`:                                      "no fraction",
		`{"title": "x", "kind": "Prob", "exact": "1/0", "value": 1}`:                                              "no fraction",
		`{"title": "x", "kind": "Prob", "value": 0.5}`:                                                            "not exact",
		`{"title": "x", "kind": "DieRoll", "pmf": [{"outcome": 1, "exact": "1/2"}]}`:                              "do not add up",
		`{"title": "x", "kind": "DieRoll", "total": "0", "pmf": [{"outcome": 1, "weight": "1"}]}`:                 "total",
		`{"title": "x", "kind": "DieRoll", "pmf": [{"outcome": 1}]}`:                                              "has no chance",
		`{"title": "x", "kind": "DieRoll", "pmf": [{"outcome": "a", "exact": "1"}]}`:                              "no whole number",
		`{"title": "x", "kind": "DieRoll", "error": 7, "pmf": [{"outcome": 1, "exact": "1"}]}`:                    "bound",
		`{"title": "x", "kind": "DieRoll", "pmf": [{"outcome": 1, "exact": "2"}, {"outcome": 2, "exact": "-1"}]}`: "at least 0",
		`{"title": "x", "kind": "Grid", "rows": [1], "cols": [1], "cells": []}`:                                   "0 rows for 1",
		`{"title": "x", "kind": "Text"}`:                                                                          "no text",
		`7`:                                                                                                       "json",
	} {
		r, err := ReadJSON(t.Context(), strings.NewReader(fmt.Sprintf(whole, out)))
		if err == nil || !strings.Contains(err.Error(), want) || errors.As(err, new(*lang.Error)) || r == nil {
			t.Errorf("%s: got %v, want %q", out, err, want)
		}
	}
	for _, text := range []string{"", "{}", "[]", "null", `{"outputs": []}`} {
		if r, err := ReadJSON(t.Context(), strings.NewReader(text)); err == nil || r == nil {
			t.Errorf("%q: got %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadJSON(ctx, strings.NewReader(render(t, "json", everyKind(), Options{}))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// All mistakes of a text are in json.
func TestAllErrorsInJSON(t *testing.T) {
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	_, err = host.Compile(t.Context(), "r.star", []byte("x = (1\ny = )\n"))
	_, names := host.Compile(t.Context(), "r.star", []byte("a\nb\nc"))
	for _, failure := range []error{err, names} {
		text := render(t, "json", nil, Options{Failure: failure})
		_, back := ReadJSON(t.Context(), bytes.NewBufferString(text))
		if got, want := len(lang.Errors(back)), len(lang.Errors(failure)); got != want {
			t.Errorf("%d errors, want %d:\n%s", got, want, text)
		}
	}
	if len(lang.Errors(names)) != 3 {
		t.Errorf("got %v", names)
	}
}
