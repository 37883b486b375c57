package main

import (
	"bytes"
	"context"
	"math/big"
	"strings"
	"testing"

	"dicescript/lang"
)

func TestReport(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"goblin · DieRoll · mean 7.000", "a fireball fells an ogre · Prob"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestAtOnce holds the function against the language's own comparison.
func TestAtOnce(t *testing.T) {
	host, err := newHost()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	program, err := host.Compile(ctx, "test.star", []byte(`output("ours", at_once(monster("goblin"), 1d8 + 2))
output("theirs", 1d8 + 2 >= 2d6)
`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := program.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ours, err1 := lang.Get[*big.Rat](result, "ours")
	theirs, err2 := lang.Get[*big.Rat](result, "theirs")
	if err1 != nil || err2 != nil || ours.Cmp(theirs) != 0 {
		t.Errorf("got %v (%v), want %v (%v)", ours, err1, theirs, err2)
	}
}

func TestMistakes(t *testing.T) {
	host, err := newHost()
	if err != nil {
		t.Fatal(err)
	}
	for recipe, want := range map[string]string{
		`monster("unicorn")`:            `there is no monster "unicorn"`,
		`at_once("many", 1d6)`:          `at_once: hits: got "many", want a roll`,
		`load("house/spels.star", "x")`: "did you mean house/spells.star?",
		`load("house/../main.go", "x")`: "there is no module",
		`at_once(99999d99999, 1d6)`:     "the limit is",
	} {
		ctx := context.Background()
		program, err := host.Compile(ctx, "test.star", []byte(recipe))
		if err == nil {
			_, err = program.Run(ctx)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", recipe, err, want)
		}
	}
}
