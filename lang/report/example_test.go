package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math/big"
	"os"
	"strings"

	"dicescript/dist"
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
	// damage · DieRoll · mean 5.000 · sd 1.15 · 3..7
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
	_, err = host.Compile(context.Background(), "attack.star", []byte(`output("hit", 1d20 + skill >= 15)`))
	if err := report.Render(context.Background(), os.Stdout, "json", nil, report.Options{Failure: err}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//   "error": {"kind": "name", "message": "undefined: skill", "file": "attack.star", "line": 1, "column": 22, "backtrace": []},
	//   "outputs": [],
	//   "params": [],
	//   "usage": {"steps": 0, "work": 0, "cells": 0, "outcomes": 0, "bytes": 0, "text_bytes": 0, "elements": 0, "entries": 0, "name_bytes": 0, "int_bits": 0, "depth": 0, "outputs": 0, "output_bytes": 0, "title_bytes": 0, "print_bytes": 0, "source_bytes": 0, "loads": 0}
	// }
}

// A result comes back from a file, a queue or another process.
func ExampleReadJSON() {
	text := `{"outputs": [{"title": "2d2", "kind": "DieRoll", "error": 0, "total": "4", "pmf": [
	  {"outcome": 2, "weight": "1"}, {"outcome": 3, "weight": "2"}, {"outcome": 4, "weight": "1"}]}],
	  "params": [], "usage": {"steps": 30}}`
	result, err := report.ReadJSON(context.Background(), strings.NewReader(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	roll, err := lang.Get[*dist.Dist](result, "2d2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(roll.AtLeast(3))
	// Output: 3/4
}

// One line is what a chat has room for.
func ExampleLine() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := host.NewSession().Eval(context.Background(), "4d6kh3; 4d6kh3 >= 15")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Line(context.Background(), result, report.Options{}))
	// Output: 4d6kh3: mean 12.245, sd 2.85, 3 to 18; 4d6kh3 >= 15: 23.1 % (25/108) <nil>
}

// A bot offers a picture where there is one.
func ExampleHasChart() {
	result := &lang.Result{Outputs: []lang.Output{
		{Title: "hit", Data: lang.Prob{Value: big.NewRat(1, 3)}},
		{Title: "note", Data: lang.Text{Text: "good luck"}},
	}}
	for place, out := range result.Outputs {
		has, err := report.HasChart(context.Background(), result, place)
		fmt.Println(out.Title, has, err)
	}
	// Output:
	// hit true <nil>
	// note false <nil>
}

// A picture for a chat.
func ExamplePNG() {
	host, err := lang.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := host.NewSession().Eval(context.Background(), "3d6")
	if err != nil {
		fmt.Println(err)
		return
	}
	var picture bytes.Buffer
	if err := report.PNG(context.Background(), &picture, result, []int{0}, report.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", picture.Bytes()[1:4])
	// Output: "PNG"
}

// A page of the host's own shows one output: the style sheet stands once in its head.
func ExampleFragment() {
	result := &lang.Result{Outputs: []lang.Output{
		{Title: "hit", Data: lang.Prob{Value: big.NewRat(11, 20)}},
		{Title: "damage", Data: lang.Number{Value: big.NewRat(7, 2)}},
	}}
	var page bytes.Buffer
	page.WriteString("<style>" + report.HTMLStyle + "</style>")
	if err := report.Fragment(context.Background(), &page, "html", result, []int{1}, report.Options{}); err != nil {
		log.Fatal(err)
	}
	body := page.String()[strings.Index(page.String(), "</style>"):]
	fmt.Println(strings.Contains(body, "damage"), strings.Contains(body, "hit"))
	// Output: true false
}
