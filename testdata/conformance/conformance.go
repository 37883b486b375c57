// Package conformance holds expressions about dice with their exact answers, which were
// found by plain enumeration: enumerate.py beside it writes cases.json. Every way into
// dicescript is held to the same cases.
package conformance

import (
	_ "embed" // for cases.json
	"encoding/json"
	"fmt"
	"math/big"
)

//go:embed cases.json
var casesJSON []byte

// A Case is an expression with its answer: a number, or the chance of each outcome.
type Case struct {
	Text   string          `json:"text"`
	Answer json.RawMessage `json:"answer"`
}

// Cases returns all cases.
func Cases() []Case {
	var all []Case
	if err := json.Unmarshal(casesJSON, &all); err != nil {
		panic(err) // the file is embedded
	}
	return all
}

// Compare compares the report of a run as JSON, with exact fractions, with the answer.
func (c Case) Compare(report []byte) error {
	var got struct {
		Error   *struct{ Message string }
		Outputs []struct {
			Exact string
			Error float64
			PMF   []struct {
				Outcome any
				Exact   string
			}
		}
	}
	if err := json.Unmarshal(report, &got); err != nil {
		return fmt.Errorf("%s: %w", c.Text, err)
	}
	if got.Error != nil || len(got.Outputs) != 1 || got.Outputs[0].Error != 0 {
		return fmt.Errorf("%s: want one exact output, got %s", c.Text, report)
	}
	out := got.Outputs[0]
	var number string
	if json.Unmarshal(c.Answer, &number) == nil {
		return c.same("", out.Exact, number)
	}
	var want map[string]string
	if err := json.Unmarshal(c.Answer, &want); err != nil {
		return fmt.Errorf("%s: %w", c.Text, err)
	}
	found := 0
	for _, p := range out.PMF {
		name := fmt.Sprint(p.Outcome)
		if _, ok := want[name]; !ok && p.Exact == "0" {
			continue // a label of the scale that can't come up
		}
		if err := c.same(name, p.Exact, want[name]); err != nil {
			return err
		}
		found++
	}
	if found != len(want) {
		return fmt.Errorf("%s: has %d outcomes, want %d", c.Text, found, len(want))
	}
	return nil
}

// same compares two fractions.
func (c Case) same(name, got, want string) error {
	g, ok := new(big.Rat).SetString(got)
	w, known := new(big.Rat).SetString(want)
	if !ok || !known || g.Cmp(w) != 0 {
		return fmt.Errorf("%s: %s: got %q, want %q", c.Text, name, got, want)
	}
	return nil
}
