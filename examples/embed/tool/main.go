// Tool is a program with its own words for recipes: a function that knows its
// monsters, and a folder of modules that its recipes can load.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"
)

//go:embed house
var files embed.FS

//go:embed encounter.star
var encounter []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs the recipe of the tool and prints its report.
func run(ctx context.Context, w io.Writer) error {
	host, err := newHost()
	if err != nil {
		return err
	}
	program, err := host.Compile(ctx, "encounter.star", encounter)
	if err != nil {
		return err
	}
	result, err := program.Run(ctx)
	if err != nil {
		return err
	}
	return report.Render(ctx, w, "text", result, report.Options{})
}

func newHost() (*lang.Host, error) {
	house, err := fs.Sub(files, "house")
	if err != nil {
		return nil, err
	}
	return lang.New(
		lang.WithModules("house/", house),
		lang.WithFunc("monster", monster, lang.Doc{
			Signature: "monster(name)", Text: "The hit points of a monster, as a pool of its hit dice.",
			Errors: "a name that no monster has",
		}),
		lang.WithFunc("at_once", atOnce, lang.Doc{
			Signature: "at_once(hits, damage)", Text: "The chance that the damage takes all hit points.",
		}),
	)
}

// hitDice are the hit dice of the monsters: how many dice of how many sides.
var hitDice = map[string][2]int{"goblin": {2, 6}, "ogre": {7, 10}, "troll": {8, 10}}

// monster is the hit points of a monster, as a pool of its hit dice.
func monster(name string) (*dist.Pool, error) {
	dice, ok := hitDice[name]
	if !ok {
		return nil, fmt.Errorf("name: there is no monster %q", name)
	}
	die, err := dist.Die(dice[1])
	if err != nil {
		return nil, err
	}
	return dist.Repeat(die, dice[0])
}

// atOnce is the chance that the damage takes all hit points. Its work is charged to the run.
func atOnce(ctx context.Context, hits, damage *dist.Dist) (lang.Prob, error) {
	c, err := dist.Compare(ctx, damage, hits)
	if err != nil {
		return lang.Prob{}, err
	}
	return lang.Prob{Value: c.Greater.Add(c.Greater, c.Equal), Bound: c.Bound}, nil
}
