package anydice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"testing"

	"dicescript/dist"
)

// The programs of testdata/anydice/cases.json go through the rules of the
// language one by one; their results were worked out apart from this package.

type fixedCase struct {
	Name, Program, Error string
	Outputs              []struct {
		Title string
		Pmf   [][2]any
	}
	Warning bool
}

func fixedCases(t testing.TB) []fixedCase {
	t.Helper()
	data, err := os.ReadFile("../../testdata/anydice/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []fixedCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 300 {
		t.Fatalf("got only %d cases", len(file.Cases))
	}
	return file.Cases
}

// runProgram compiles and runs a program.
func runProgram(text string) (*Result, error) {
	p, err := Compile("", text)
	if err != nil {
		return nil, err
	}
	return p.Run(context.Background(), Options{})
}

// pmf writes a distribution as "1:1/2 2:1/2".
func pmf(d *dist.Dist) string {
	if d == nil {
		return ""
	}
	s, total := "", d.Total()
	for x, w := range d.All() {
		p := new(big.Rat).SetFrac(w, total)
		s += fmt.Sprintf(" %d:%s/%s", x, p.Num(), p.Denom())
	}
	return s[1:]
}

func TestCases(t *testing.T) {
	for _, c := range fixedCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			got, err := runProgram(c.Program)
			if c.Error != "" {
				var e *Error
				if !errors.As(err, &e) || string(e.Kind) != c.Error {
					t.Fatalf("got error %v, want one of kind %s\n%s", err, c.Error, c.Program)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, c.Program)
			}
			if got.DepthExceeded != c.Warning {
				t.Errorf("got warning %v, want %v\n%s", got.DepthExceeded, c.Warning, c.Program)
			}
			if len(got.Outputs) != len(c.Outputs) {
				t.Fatalf("got %d outputs, want %d\n%s", len(got.Outputs), len(c.Outputs), c.Program)
			}
			for i, want := range c.Outputs {
				text := ""
				for _, entry := range want.Pmf {
					text += fmt.Sprintf(" %d:%v", int(entry[0].(float64)), entry[1])
				}
				if text != "" {
					text = text[1:]
				}
				if o := got.Outputs[i]; o.Title != want.Title || pmf(o.Roll) != text {
					t.Errorf("output %d: got %q %s\nwant %q %s\n%s", i+1, o.Title, pmf(o.Roll), want.Title, text, c.Program)
				}
			}
		})
	}
}
