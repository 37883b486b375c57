// Gate lets in the recipes of strangers that are within a bound, and runs them over their
// inputs.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"os"

	"dicescript/lang"
	"dicescript/lang/report"
)

const bound = 50_000_000

func main() {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{
		`bonus = param("bonus", 0, min=0, max=10)` + "\n" + `output("hit", 1d20 + bonus >= 15)`,
		`output("large", 5000d1000)`,
		"while True:\n    pass",
	} {
		program, err := host.Compile(ctx, "stranger.star", []byte(text))
		if err != nil {
			log.Fatal(err)
		}
		usage, known := program.Estimate(ctx)
		if !known || usage.Work > bound {
			fmt.Println("refused:", known)
			continue
		}
		for bonus := 0; bonus <= 10; bonus += 5 {
			result, err := program.Run(ctx, lang.WithInput("bonus", bonus), lang.WithRunLimits(lang.Limits{Work: usage.Work, Steps: usage.Steps}))
			if err != nil {
				log.Fatal(err)
			}
			hit, err := lang.Get[*big.Rat](result, "hit")
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(bonus, hit.RatString())
			if bonus == 10 {
				if err := report.Render(ctx, os.Stdout, "csv", result, report.Options{}); err != nil {
					log.Fatal(err)
				}
			}
		}
	}
}
