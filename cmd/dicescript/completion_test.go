package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// offered are the words that a line may be completed with.
func offered(t *testing.T, line ...string) []string {
	t.Helper()
	var words []string
	for l := range strings.Lines(dicescript(t, "", append([]string{completionQuery}, line...)...)) {
		w, _, ok := strings.Cut(l, "\t")
		if !ok {
			t.Fatalf("%q: a line without a tab: %q", line, l)
		}
		words = append(words, w)
	}
	return words
}

// Every command, flag and word of a flag is offered.
func TestCompletionHasAllThatHelpHas(t *testing.T) {
	for _, c := range subcommands() {
		if !slices.Contains(offered(t, c.name[:2]), c.name) {
			t.Errorf("%s is not offered", c.name)
		}
		for _, f := range flagsOf(c) {
			if !slices.Contains(offered(t, c.name, "-"), dashes(f.name)) {
				t.Errorf("%s: %s is not offered", c.name, dashes(f.name))
			}
			if got := offered(t, c.name, dashes(f.name), ""); f.words != nil && !slices.Equal(got, f.words) {
				t.Errorf("%s: %s offers %q, want %q", c.name, dashes(f.name), got, f.words)
			}
		}
	}
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	recipe := "bonus = param('bonus', 5, help='to hit')\nweapon = param('weapon', 'axe', choices=['axe', 'sword'])\nsure = param('sure', False)\n"
	if err := os.WriteFile("attack.star", []byte(recipe), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"run --format ma":               "markdown",
		"run --format=ma":               "--format=markdown",
		"--format ma":                   "markdown",
		"attack.star --format ma":       "markdown",
		"run ":                          ":files",
		"run -o ":                       ":files",
		"run -- --":                     ":files",
		"run attack.star --set ":        "bonus= weapon=axe weapon=sword sure=true sure=false",
		"run attack.star --set weapon=": "weapon=axe weapon=sword",
		"run --set=b attack.star":       ":files",
		"run missing.star --set ":       "",
		"serve ":                        ":folders",
		"serve --site ":                 ":folders",
		"doc expl":                      "explode :files",
		"doc fate.c":                    "fate.contest :files",
		"doc DicePool.keep_":            "DicePool.keep_dice DicePool.keep_highest DicePool.keep_lowest :files",
		"completion ":                   "bash zsh fish",
		"help vers":                     "version",
		"help run ":                     "",
		"eval 4d":                       "",
		"--v":                           "--version",
		"help --m":                      "--man",
		"run --limit repo":              "report=",
		"check --time":                  "--timeout",
		"nonsense --nonsense=":          "",
	} {
		if got := strings.Join(offered(t, strings.Split(line, " ")...), " "); got != want {
			t.Errorf("%q offers %q, want %q", line, got, want)
		}
	}
}

// What a recipe says reaches the terminal of whoever presses Tab as plain text.
func TestCompletionShowsNothingThatATerminalObeys(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("bad.star", []byte(`param("a", 1, help="\x1b[2J\n:files\tx")`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := dicescript(t, "", completionQuery, "run", "bad.star", "--set", ""); got != "a=\t\\x1b[2J :files x\n" {
		t.Errorf("got %q", got)
	}
}
