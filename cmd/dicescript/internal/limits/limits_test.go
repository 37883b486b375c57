package limits

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"dicescript/builtins/meter"
	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"
)

// Every limit of a run has a name here, and each name another limit.
func TestEveryLimitHasAName(t *testing.T) {
	var s Settings
	names := map[string]bool{}
	for i, l := range All() {
		if names[l.Name] || l.About == "" || l.Name != strings.ToLower(l.Name) {
			t.Errorf("%q stands for two, or is not explained", l.Name)
		}
		names[l.Name] = true
		*l.Of(&s) = int64(i + 1)
	}
	fields := reflect.ValueOf(s.Run)
	for i := range fields.NumField() {
		if fields.Field(i).Int() == 0 {
			t.Errorf("no name sets %s", fields.Type().Field(i).Name)
		}
	}
	for i, l := range All() {
		if *l.Of(&s) != int64(i+1) {
			t.Errorf("%s is set by another name, too", l.Name)
		}
	}
}

func TestSet(t *testing.T) {
	for text, want := range map[string]Settings{
		"steps=2G":          {Run: lang.Limits{Steps: 2_000_000_000}},
		"steps=1_000":       {Run: lang.Limits{Steps: 1000}},
		"work=5k":           {Run: lang.Limits{Work: 5000}},
		"output-bytes=5K":   {Run: lang.Limits{OutputBytes: 5 << 10}},
		"report=64M":        {Report: 64 << 20},
		"outcomes=none":     {Run: lang.Limits{Outcomes: lang.Unlimited}},
		"loads=1":           {Run: lang.Limits{Loads: 1}},
		"source-bytes=none": {Run: lang.Limits{SourceBytes: lang.Unlimited}},
	} {
		var s Settings
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%s sets %+v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"":                   "want a limit and its value",
		"steps":              "want a limit and its value",
		"stepps=1":           "did you mean steps?",
		"x=1":                "want one of steps, work",
		"steps=":             "want a whole number",
		"steps=-1":           "want a whole number",
		"steps=1.5G":         "want a whole number",
		"steps=2T":           "want a whole number",
		"steps=10000000000G": "want a whole number",
	} {
		var s Settings
		if err := s.Set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var all Settings
	if err := all.Set("none"); err != nil {
		t.Fatal(err)
	}
	for _, l := range All() {
		if *l.Of(&all) != lang.Unlimited {
			t.Errorf("none leaves %s", l.Name)
		}
	}
}

// What Short writes, Parse reads as no less.
func TestShortIsRead(t *testing.T) {
	for _, l := range All() {
		for _, n := range []int64{1, 999, 1000, 1001, 1024, 1025, 50_000_000, 1 << 20, 1<<30 + 1, 2_000_000_001} {
			got, err := l.Parse(l.Short(n))
			if err != nil || got < n || got > 3*n {
				t.Errorf("%s: %d is written %s and read %d, %v", l.Name, n, l.Short(n), got, err)
			}
		}
	}
}

// An error names the flag that would have let the same go further, unless there is
// none.
func TestRaise(t *testing.T) {
	now := Settings{Run: lang.Limits{Steps: 1000, Outcomes: 10, Work: lang.Unlimited, Depth: 1000}}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&dist.LimitError{Resource: meter.Steps, Need: 1001, Limit: 1000}, "steps=2K"},
		{&dist.LimitError{Resource: meter.Steps, Need: 70_000, Limit: 1000}, "steps=70K"},
		{fmt.Errorf("output: %w", &dist.LimitError{Resource: meter.Outcomes, Need: 16, Limit: 10}), "outcomes=20"},
		{&dist.LimitError{Resource: meter.Calls, Need: 1001, Limit: 1000}, "depth=2K"},
		{&report.LimitError{Limit: 16 << 20}, "report=32M"},
		{&dist.LimitError{Resource: meter.Outcomes, Need: 1 << 40, Limit: 1 << 30}, ""},       // a limit of the engine, not of the run
		{&dist.LimitError{Resource: meter.Steps, Need: math.MaxInt64, Limit: 1000}, "steps="}, // more than any number
		{&dist.LimitError{Resource: meter.Work, Need: 5, Limit: 4}, ""},
		{&dist.LimitError{Resource: meter.Words, Need: 5, Limit: 4}, ""},
		{errors.New("something else"), ""},
	} {
		got := ""
		if l, value, ok := Raise(c.err, now); ok {
			got = l.Name + "=" + value
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
