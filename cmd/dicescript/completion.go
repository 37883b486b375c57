package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dicescript/cmd/dicescript/internal/reference"
	"dicescript/lang"
	"dicescript/lang/report"
)

// This file is completion: what a shell offers when Tab is pressed. The scripts of
// the shells ask the command itself, with the words so far, so that they know what
// this command knows.

// completionQuery is the first argument of such a question. The words of the line
// follow, the last of which is the one to be completed.
const completionQuery = "complete-words"

//go:embed shells
var shells embed.FS

// shellNames are the shells that have completion.
func shellNames() []string { return []string{"bash", "zsh", "fish"} }

// completion prints the script of a shell.
func (t *tool) completion(args []string) int {
	if len(args) != 1 || !slices.Contains(shellNames(), args[0]) {
		return t.misused("want one of the shells %s: dicescript completion bash", strings.Join(shellNames(), ", "))
	}
	script, err := shells.ReadFile("shells/dicescript." + args[0])
	if err != nil {
		return t.misused("%s", err)
	}
	if _, err := t.stdout.Write(script); err != nil {
		return exitFailed
	}
	return exitOK
}

// A word is one that may stand where the line is completed, and what it means. A
// word that ends in = wants to be gone on with. One that begins with a colon stands
// for what the shell knows better: :files with endings, :folders.
type word struct{ text, about string }

// recipeEndings are those of files that run.
const recipeEndings = "star dice md anydice"

// complete answers the question of a shell: a word in a line, a tab, what it means.
func (t *tool) complete(words []string) int {
	if len(words) == 0 {
		return t.misused("%s is for shells: see dicescript help completion", completionQuery)
	}
	ctx, cancel := context.WithTimeout(t.ctx, completionTime)
	defer cancel()
	t.ctx = ctx
	begun := words[len(words)-1]
	var b strings.Builder
	for _, w := range t.candidates(words) {
		if strings.HasPrefix(w.text, begun) || strings.HasPrefix(w.text, ":") {
			fmt.Fprintf(&b, "%s\t%s\n", report.Visible(w.text), oneLine(w.about))
		}
	}
	if _, err := io.WriteString(t.stdout, b.String()); err != nil {
		return exitFailed
	}
	return exitOK
}

// completionTime is how long whoever has pressed Tab waits.
const completionTime = 2 * time.Second

func oneLine(text string) string { return strings.Join(strings.Fields(report.Visible(text)), " ") }

// candidates are the words for the last place of a line.
func (t *tool) candidates(words []string) []word {
	before, begun := words[:len(words)-1], words[len(words)-1]
	command, ok := subcommand{}, false
	if len(before) > 0 {
		command, ok = find(before[0])
	}
	switch {
	case len(before) == 0:
		return firstWords(begun)
	case ok:
		before = before[1:]
	default:
		command, _ = find("run") // dicescript FILE
	}
	flags := flagsOf(command)
	if name, _, ok := strings.Cut(begun, "="); ok && strings.HasPrefix(begun, "-") {
		return prefixed(name+"=", t.values(flags, name, before))
	}
	if n := len(before); n > 0 && !slices.Contains(before, "--") && wantsValue(flags, before[n-1]) {
		return t.values(flags, before[n-1], before)
	}
	if strings.HasPrefix(begun, "-") && !slices.Contains(before, "--") {
		return flagWords(command, flags)
	}
	return t.arguments(command, before, begun)
}

// firstWords are those that a line may begin with.
func firstWords(begun string) []word {
	if strings.HasPrefix(begun, "-") {
		return []word{{"--help", "what the command can do"}, {"--version", "print the version"}}
	}
	all := []word{{":files", recipeEndings}}
	for _, c := range subcommands() {
		all = append(all, word{c.name, c.about})
	}
	return all
}

func flagWords(c subcommand, flags []described) []word {
	all := []word{{"--help", "explain " + c.name}}
	for _, f := range flags {
		all = append(all, word{dashes(f.name), f.about})
	}
	if c.takes == aCommand {
		all = append(all, word{"--man", "the manual as a page for man"})
	}
	return all
}

func findFlag(flags []described, name string) (described, bool) {
	i := slices.IndexFunc(flags, func(f described) bool { return f.name == strings.TrimLeft(name, "-") })
	if i < 0 || !strings.HasPrefix(name, "-") {
		return described{}, false
	}
	return flags[i], true
}

func wantsValue(flags []described, name string) bool {
	f, ok := findFlag(flags, name)
	return ok && f.value != ""
}

// values are those that a flag can have.
func (t *tool) values(flags []described, name string, before []string) []word {
	f, ok := findFlag(flags, name)
	switch {
	case !ok:
		return nil
	case f.value == "FILE":
		return []word{{":files", ""}}
	case f.value == "DIR":
		return []word{{":folders", ""}}
	case f.name == "set":
		return t.inputWords(before)
	}
	var all []word
	for _, w := range f.words {
		all = append(all, word{text: w})
	}
	return all
}

// inputWords are the inputs of the recipe that is on the line, with the values of
// those that have few.
func (t *tool) inputWords(line []string) []word {
	file := ""
	for _, w := range line {
		if info, err := os.Stat(w); err == nil && info.Mode().IsRegular() && isRecipeName(w) {
			file = w
		}
	}
	if file == "" {
		return nil
	}
	program, done, err := t.programOf(file)
	if err != nil {
		return nil
	}
	defer done()
	var all []word
	for _, p := range program.Params() {
		choices := p.Choices
		if p.Type == "bool" {
			choices = []any{true, false}
		}
		if len(choices) == 0 {
			all = append(all, word{p.Name + "=", p.Help})
		}
		for _, c := range choices {
			all = append(all, word{fmt.Sprintf("%s=%v", p.Name, c), p.Help})
		}
	}
	return all
}

// programOf compiles a file.
func (t *tool) programOf(file string) (*lang.Program, func(), error) {
	name, src, err := t.read(file)
	if err != nil {
		return nil, nil, err
	}
	host, done, err := t.host(&options{}, folderOf(file))
	if err != nil {
		return nil, nil, err
	}
	program, err := host.Compile(t.ctx, name, src)
	if err != nil {
		done()
		return nil, nil, err
	}
	return program, done, nil
}

func isRecipeName(name string) bool {
	ending := strings.TrimPrefix(filepath.Ext(name), ".")
	return ending != "" && slices.Contains(strings.Fields(recipeEndings), ending)
}

// arguments are the words that a subcommand takes besides its flags.
func (t *tool) arguments(c subcommand, before []string, begun string) []word {
	var all []word
	switch c.takes {
	case aRecipe, recipes:
		return []word{{":files", recipeEndings}}
	case aFolder:
		return []word{{":folders", ""}}
	case aName:
		for _, n := range reference.Beginning(begun) {
			all = append(all, word{n.Name, n.About})
		}
		return append(all, word{":files", recipeEndings})
	case aShell:
		for _, s := range shellNames() {
			all = append(all, word{text: s})
		}
	case aCommand:
		for _, c := range subcommands() {
			all = append(all, word{c.name, c.about})
		}
	}
	if len(before) > 0 {
		return nil // one is all that it takes
	}
	return all
}

func prefixed(prefix string, words []word) []word {
	for i, w := range words {
		if !strings.HasPrefix(w.text, ":") {
			words[i].text = prefix + w.text
		}
	}
	return words
}
