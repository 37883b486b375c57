package report_test

import (
	"context"
	"log"
	"math/big"
	"os"

	"dicescript/lang"
	"dicescript/lang/report"
)

func ExampleRender() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	program, err := host.Compile(ctx, "attack.star", []byte(`
output("hit", 1d20 + 5 >= 15)
output("damage", 2d3 + 1)
`))
	if err != nil {
		log.Fatal(err)
	}
	result, err := program.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Render(context.Background(), os.Stdout, "text", result, report.Options{Width: 50}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// hit · Prob · 55.0 % · 11/20
	//
	// damage · DieRoll · mean 5.000
	// outcome     %  frac  X/9
	//       3  11.1   1/9    1  ████████
	//       4  22.2   2/9    2  ████████████████
	//       5  33.3   1/3    3  ████████████████████████
	//       6  22.2   2/9    2  ████████████████
	//       7  11.1   1/9    1  ████████
}

// Json has what a program needs: exact fractions beside floats, the inputs, and
// what the run used.
func ExampleRender_json() {
	result := &lang.Result{
		Outputs: []lang.Output{{Title: "hit", Data: lang.Prob{Value: big.NewRat(11, 20)}}},
		Params:  []lang.ParamValue{{Name: "bonus", Value: 5}},
		Usage:   lang.Usage{Steps: 99, Work: 200, Cells: 20, Outputs: 1},
	}
	if err := report.Render(context.Background(), os.Stdout, "json", result, report.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//   "outputs": [
	//     {"title": "hit", "kind": "Prob", "exact": "11/20", "value": 0.55, "error": 0}
	//   ],
	//   "params": [
	//     {"name": "bonus", "value": 5}
	//   ],
	//   "usage": {"steps": 99, "work": 200, "cells": 20, "outcomes": 0, "bytes": 0, "text_bytes": 0, "elements": 0, "entries": 0, "name_bytes": 0, "int_bits": 0, "depth": 0, "outputs": 1, "output_bytes": 0, "title_bytes": 0, "print_bytes": 0, "source_bytes": 0, "loads": 0}
	// }
}

// A failed run is rendered with why it failed, beside what it had recorded. When
// the recipe was not even run, there is no result.
func ExampleRender_failure() {
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	_, err = host.Compile(context.Background(), "attack.star", []byte(`output("hit", 1d20 + bonus >= 15)`))
	if err := report.Render(context.Background(), os.Stdout, "json", nil, report.Options{Failure: report.FailureOf(err)}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//   "error": {"kind": "name", "message": "undefined: bonus", "file": "attack.star", "line": 1, "column": 22, "backtrace": []},
	//   "outputs": [],
	//   "params": [],
	//   "usage": {"steps": 0, "work": 0, "cells": 0, "outcomes": 0, "bytes": 0, "text_bytes": 0, "elements": 0, "entries": 0, "name_bytes": 0, "int_bits": 0, "depth": 0, "outputs": 0, "output_bytes": 0, "title_bytes": 0, "print_bytes": 0, "source_bytes": 0, "loads": 0}
	// }
}
