// Bot answers questions about dice in one line, with words of its own for recipes, and
// throws them for real.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"time"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"
	"dicescript/lang/throw"
)

var hitDice = map[string][2]int{"goblin": {2, 6}, "ogre": {7, 10}}

// monster is the hit points of a monster, as its dice.
func monster(name string, level int) (*dist.Pool, error) {
	dice, ok := hitDice[name]
	if !ok {
		return nil, fmt.Errorf("name: %q: %w", name, fs.ErrNotExist)
	}
	die, err := dist.Die(dice[1])
	if err != nil {
		return nil, err
	}
	return dist.Repeat(die, dice[0]*level)
}

func main() {
	host, err := lang.New(
		lang.WithFunc("monster", monster, lang.Doc{Signature: "monster(name, level=1)", Text: "The hit points of a monster."}),
		lang.WithLimits(lang.Limits{Steps: 1_000_000, Work: 100_000_000}),
	)
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{
		`output("dead", 3d6 >= monster("goblin"))`, `output("dead", 8d6 >= monster("goblin", level=2))`,
		`output("dead", 3d6 >= monster("unicorn"))`, "while True:\n    pass",
	} {
		fmt.Println(answer(host, text))
	}
	fmt.Println(roll(host, "4d6kh3 + 2"))
}

// answer is what the bot says about a recipe.
func answer(host *lang.Host, text string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	program, err := host.Compile(ctx, "message.star", []byte(text))
	if err != nil {
		return err.Error()
	}
	result, err := program.Run(ctx)
	switch e := new(lang.Error); {
	case errors.Is(err, fs.ErrNotExist):
		return "never heard of it"
	case errors.As(err, &e) && e.Kind == lang.KindLimit:
		return "that is too much"
	case err != nil:
		return err.Error()
	}
	line, err := report.Line(ctx, result, report.Options{})
	if err != nil {
		return err.Error()
	}
	return line
}

// roll throws dice for real.
func roll(host *lang.Host, text string) string {
	record, err := host.NewSession().Throw(context.Background(), throw.Bits(rand.NewPCG(1, 2)), text)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(record.Outputs[0].Result)
}
