//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Completion in the shells themselves: what is typed, with Tab, is what the command
// is then given.

// typed are lines as they are typed, and the arguments that come of them.
var typed = []struct {
	keys string
	want []string
}{
	{"run --form\tmark\trec\t", []string{"run", "--format", "markdown", "recipe.star"}},
	{"run --format=mark\trec\t", []string{"run", "--format=markdown", "recipe.star"}},
	{"check sub\tmy\t", []string{"check", "sub/my recipe.dice"}},
	{"doc rolem\t", []string{"doc", "rolemaster.star"}},
	{"doc DicePool.keep_d\t", []string{"doc", "DicePool.keep_dice"}},
	{"run --limit ste\t5", []string{"run", "--limit", "steps=5"}},
	{"run recipe.star --set bo\t7", []string{"run", "recipe.star", "--set", "bonus=7"}},
	{"run --set=bo\t", []string{"run", "--set=bo"}},
	{"serve --site si\t", []string{"serve", "--site", "site/"}},
	{"compl\tz\t", []string{"completion", "zsh"}},
	{"eval 4d", []string{"eval", "4d"}},
}

// recipeFolder is a folder with the files of typed, and the command in bin/.
func recipeFolder(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"recipe.star": "param('bonus', 5)\n", "recipe.txt": "", "sub/my recipe.dice": "", "sub/my notes.txt": "", "site/index.html": "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bin := t.TempDir()
	command, err := filepath.Abs(os.Args[0])
	if err == nil {
		err = os.Symlink(command, filepath.Join(bin, "dicescript"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, bin + string(os.PathListSeparator) + os.Getenv("PATH")
}

func TestCompletionInBash(t *testing.T) {
	inShell(t, "source <(command dicescript completion bash)", "bash", "--norc", "--noprofile", "-i")
}

func TestCompletionInZsh(t *testing.T) {
	inShell(t, "autoload -Uz compinit; compinit -D -u; source <(command dicescript completion zsh)", "zsh", "-f", "-i")
}

// inShell types into a shell where a function of the name of the command shows
// what it is given.
func inShell(t *testing.T, setup, shell string, args ...string) {
	if _, err := exec.LookPath(shell); err != nil {
		t.Skip("there is no ", shell)
	}
	dir, path := recipeFolder(t)
	cmd := exec.Command(shell, args...)
	cmd.Env = []string{"PATH=" + path, "PS1=> ", "PROMPT_COMMAND=", "INPUTRC=/dev/null", "ZDOTDIR=" + dir, "HISTFILE=/dev/null"}
	c := commandOnTerminal(t, "xterm", 80, dir, cmd)
	c.enter(setup + "; dicescript() { printf 'given'; printf '<%s>' \"$@\"; echo .; }; echo re''ady")
	c.see("ready")
	for _, line := range typed {
		c.see("> ")
		c.send("dicescript " + line.keys + "\r")
		// Zsh takes the slash after a folder back where nothing follows.
		c.see("given<" + strings.TrimSuffix(strings.Join(line.want, "><"), "/"))
	}
	c.send("exit\r")
	c.ends(0)
}

// Fish tells by itself what it would offer.
func TestCompletionInFish(t *testing.T) {
	if _, err := exec.LookPath("fish"); err != nil {
		t.Skip("there is no fish")
	}
	dir, path := recipeFolder(t)
	for line, want := range map[string][]string{
		"run --form":                 {"--format"},
		"run --format mark":          {"markdown"},
		"run --format=mark":          {"--format=markdown"},
		"run rec":                    {"recipe.star"},
		"check sub/my":               {"sub/my recipe.dice"},
		"run -o=rec":                 {"-o=recipe.star", "-o=recipe.txt"},
		"doc rolem":                  {"rolemaster.star"},
		"run --limit ste":            {"steps="},
		"run recipe.star --set bo":   {"bonus="},
		"serve --site si":            {"site/"},
		"serve --site=si":            {"--site=site/"},
		"completion ":                {"bash", "fish", "zsh"},
		"run 'sub/my":                {"sub/my recipe.dice"},
		"eval 4d":                    nil,
		"run recipe.star --format h": {"html"},
	} {
		cmd := exec.Command("fish", "--no-config", "-c", "source (command dicescript completion fish | psub); complete -C $argv[1]", "dicescript "+line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+path, commandEnv+"=1", "HOME="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", line, err, out)
		}
		var got []string
		for l := range strings.Lines(string(out)) {
			w, _, _ := strings.Cut(strings.TrimSpace(l), "\t")
			got = append(got, w)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q offers %q, want %q", line, got, want)
		}
	}
}
