// Tool is a program with its own words for recipes: a builtin that knows its
// monsters, and a folder of modules that its recipes can load.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dicescript/builtins"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"

	"go.starlark.net/starlark"
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
		lang.WithBuiltins(starlark.StringDict{
			"monster": starlark.NewBuiltin("monster", monster),
			"at_once": starlark.NewBuiltin("at_once", atOnce),
		}),
	)
}

// hitDice are the hit dice of the monsters: how many dice of how many sides.
var hitDice = map[string][2]int{"goblin": {2, 6}, "ogre": {7, 10}, "troll": {8, 10}}

// monster(name) is the hit points of a monster, as a pool of its hit dice.
func monster(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &name); err != nil {
		return nil, err
	}
	dice, ok := hitDice[name]
	if !ok {
		return nil, fmt.Errorf("monster: name: there is no monster %q", name)
	}
	die, err := dist.Die(dice[1])
	if err != nil {
		return nil, err
	}
	pool, err := dist.Repeat(die, dice[0])
	if err != nil {
		return nil, err
	}
	return builtins.NewPool(pool), nil
}

// at_once(hits, damage) is the chance that the damage takes all hit points. It
// takes whatever stands for a roll, and its work is charged to the run.
func atOnce(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var hits, damage starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "hits", &hits, "damage", &damage); err != nil {
		return nil, err
	}
	need, ok, err := value.AsRoll(thread, hits)
	if err != nil || !ok {
		return nil, orWant(err, "at_once: hits: want a roll")
	}
	dealt, ok, err := value.AsRoll(thread, damage)
	if err != nil || !ok {
		return nil, orWant(err, "at_once: damage: want a roll")
	}
	c, err := dist.Compare(runenv.Of(thread).Context, dealt, need)
	if err != nil {
		return nil, err
	}
	return builtins.NewProb(c.Greater.Add(c.Greater, c.Equal), c.Bound)
}

// orWant is err, or what was wanted when there is none.
func orWant(err error, want string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s", want)
}
