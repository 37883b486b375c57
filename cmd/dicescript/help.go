package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"dicescript/builtins/suggest"
)

// This file is help: what each subcommand does, with examples.

// manual holds what there is to say about each subcommand besides its usage and its
// flags: paragraphs, and indented lines that stay as they are.
func manual() map[string]string {
	return map[string]string{
		"run": `Runs a recipe and prints its results. FILE is a .star file, or a document (.md,
.dice) whose fences of code are the recipe, or an AnyDice program, unchanged, in
a file named .anydice; - is standard input. As html and as
markdown, a document is printed whole, with its results where they arise.

  dicescript run attack.star
  dicescript run --format markdown --set bonus=7 attack.star
  dicescript run -o attack.html --format html attack.star
  dicescript run -o attack.html --format html attack.md
  dicescript run --watch attack.star        # again whenever it is saved
  dicescript run --isolate --memory 256M stranger.star
`,
		"eval": `Prints the value of an expression, or of a few lines of a recipe.

  dicescript eval '4d6kh3'
  dicescript eval '4d6kh3 >= 15'
  dicescript eval --format json 'd(20) + 5'
  dicescript eval --dialect foundry '{1d8, 1d10}kh1 + @mod' --set mod=3
`,
		"roll": `Really throws a recipe, once for each of its outputs, or dice, and shows every die:
(3) was not kept, 6! has added the die after it, 1→4 was thrown again, 1↑2 and 6↓5
count as another number, 8* was counted. A chance is a yes or a no, a play is told
with the best choices. Beside it stands how often that happens in the long run.

  dicescript roll 4d6kh3
  dicescript roll -n 6 4d6dl1
  dicescript roll 'max(2d20) + 5 >= 15'
  dicescript roll --set bonus=7 attack.star
  dicescript roll --seed 42 --json attack.star > record.json

The same seed throws the same, on every machine. So others can check a throw: before
it you show them the line of --commit, and afterwards the record.

  dicescript roll --commit attack.star
  dicescript roll --verify record.json attack.star
`,
		"repl": `An interactive session: type an expression to see its chances. :help tells more.
When standard input is not a terminal, all of it is run as one recipe. The time is
that of each input, and :limits changes limits.
`,
		"doc": `Explains a function or method, or a module and its functions; without a name, it
lists everything. Of a recipe it shows the inputs. Any other word is searched for
in names and texts.

  dicescript doc notation                   # dice literals, ranges, roll("...")
  dicescript doc advantage
  dicescript doc attack.md
  dicescript doc explode
  dicescript doc DicePool.keep
  dicescript doc rolemaster.star
  dicescript doc fate.contest
  dicescript doc --format markdown          # the whole reference as a page
`,
		"check": `Reports all errors of recipes and modules without running them, and what is
likely a mistake. The exit status is 1 when there are errors.

  dicescript check *.star
`,
		"fmt": `Puts recipes and modules in the usual style of Starlark (that of buildifier): four
spaces for a block, one around operators, double quotes. Dice and ranges stay as
they are written, and what stands on several lines stays on several. Of a document
(.md, .dice) only the inside of its fences of code changes. Without flags, the result
is printed; - is standard input. AnyDice programs have no style, and are refused.

A recipe means the same afterwards: what comes out is read again and compared. But
an expression whose value is shown without output has its own text as the title.

  dicescript fmt attack.star
  dicescript fmt -w *.star campaign.md
  dicescript fmt --check *.star
`,
		"test": `Runs the functions test_* of files *_test.star, and compares what programs in
literate recipes put out with the fences labelled result after them. PATH is a
file or a folder with all that is in it; without one, it is the current folder.

In test files there are:

  assert_eq(got, want)         the same, exactly; a chance may be written "1/6"
  assert_true(x)
  assert_fails(fn, pattern)    fn() fails, with a message that matches
`,
		"serve": `Shows the page (editor, live charts, library) over the recipes of a folder, the
current one by default. What is written there is saved to the files, recipes run
natively, and a file that is changed elsewhere changes in the page. Only this
machine is answered, and no file outside the folder is opened.

  dicescript serve
  dicescript serve --addr 127.0.0.1:8080 campaign

The page has to be built once: npm ci && npm run build in web/. It is found beside
the command (page/ or web/page/dist/), in web/page/dist/ of the current folder, or by
--site.
`,
		"lsp": `Speaks the Language Server Protocol 3.17 on standard input and output, for editors:
what is wrong as you type, completion, help, definitions, references, renaming,
formatting, folding, and results above each output. It is for recipes (.star, .dice),
the code in documents (.md), and, with what is wrong alone, AnyDice programs. A
recipe is run only where an editor asks for the results above outputs, for 2 seconds
and under the limits of a host.

An editor starts it by itself: editors/ has an extension for Visual Studio Code, and
some lines for Neovim.
`,
		"rpc": `Computes for programs in any language: JSON-RPC 2.0 on standard input and output, one
message a line. docs/rpc.md lists the calls, and clients/python is a client. The time and
the limits are those of calls that name none. Recipes load bundled modules, and with a
FOLDER those that are in it, as load("./NAME.star", ...).

  echo '{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"4d6kh3"}}' | dicescript rpc
`,
		"mcp": `Serves assistants by the Model Context Protocol, on standard input and output: the tools
odds, run, throw, check and doc, and as resources the reference, the notation, the
cookbook and the bundled modules. An assistant starts it by itself; it is told so as in

  {"mcpServers": {"dicescript": {"command": "dicescript", "args": ["mcp"]}}}

The time and the limits are those of calls that name none. Recipes load bundled modules,
and with a FOLDER those that are in it, as load("./NAME.star", ...).
`,
		"completion": `Prints what makes the Tab key of a shell complete commands, flags and their
values, recipes, the inputs of a recipe after --set, and the names that doc knows.
Each file says in its first lines where to put it. For this session alone:

  source <(dicescript completion bash)
  source <(dicescript completion zsh)
  dicescript completion fish | source
`,
		"version": "Prints the version, the commit and the Go of the build; so does dicescript --version.\n",
		"help": `Explains a command. --man prints the manual of all of them as a page for man.

  dicescript help run
  dicescript help --man | man -l -
`,
	}
}

// quietFlags makes a set of flags that leaves it to the tool to complain.
func quietFlags() *flag.FlagSet {
	f := flag.NewFlagSet("dicescript", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// helpOn prints the help of a subcommand.
func (t *tool) helpOn(name string) int {
	if name == "notation" {
		return t.explainWords([]string{name}, "text")
	}
	c, ok := find(name)
	if !ok {
		if n := suggest.Among(name, commandNames()); n != "" {
			return t.misused("there is no command %q; did you mean %s?", name, n)
		}
		return t.misused("there is no command %q; dicescript help lists them", name)
	}
	if _, err := io.WriteString(t.stdout, helpText(c)); err != nil {
		return exitFailed
	}
	return exitOK
}

// helpText is the help of a subcommand: its usage, what there is to say, its flags.
func helpText(c subcommand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s", usage(c), manual()[c.name])
	flags := flagsOf(c)
	if len(flags) > 0 {
		b.WriteString("\nFlags:\n\n")
	}
	for _, f := range flags {
		fmt.Fprintf(&b, "  %-20s %s\n", f.form, f.about)
	}
	switch {
	case c.name == "run":
		b.WriteString("\n" + limitsHelp())
	case slices.ContainsFunc(flags, func(f described) bool { return f.name == "limit" }):
		b.WriteString("\ndicescript help run lists the limits.\n")
	}
	return b.String()
}

// usage is how a subcommand is called.
func usage(c subcommand) string { return strings.TrimSpace("dicescript " + c.name + " " + c.usage) }

// A described is a flag as help, manual and completion show it.
type described struct {
	name, form, about string // form is --format F
	value             string // F, "" when it takes no value
	words             []string
}

// flagsOf are the flags of a subcommand.
func flagsOf(c subcommand) []described {
	if c.flags == nil {
		return nil
	}
	var all []described
	c.flags().VisitAll(func(g *flag.Flag) {
		value, about := flag.UnquoteUsage(g)
		d := described{name: g.Name, form: strings.TrimSpace(dashes(g.Name) + " " + value), about: about, value: value}
		if w, ok := g.Value.(interface{ Words() []string }); ok {
			d.words = w.Words()
		}
		all = append(all, d)
	})
	return all
}

// help lists what the command can do, or explains one of it.
func (t *tool) help(args []string) int {
	switch {
	case len(args) > 1:
		return t.misused("want one command, got %s as well", strings.Join(args[1:], " "))
	case len(args) == 1 && strings.TrimLeft(args[0], "-") == "man" && args[0] != "man":
		return t.manPage()
	case len(args) == 1 && !isHelp(args[0]):
		return t.helpOn(args[0])
	}
	var b strings.Builder
	b.WriteString("dicescript runs dice recipes and prints exact chances.\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(&b, "  %-42s %s\n", usage(c), c.about)
	}
	b.WriteString("  dicescript FILE                            run a recipe\n  dicescript                                 the interactive session\n")
	b.WriteString("\ndicescript help COMMAND tells more, with examples.\n")
	if _, err := io.WriteString(t.stdout, b.String()); err != nil {
		return exitFailed
	}
	return exitOK
}

// asksForHelp reports whether the arguments of a subcommand ask for its help.
func asksForHelp(args []string) bool {
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	return slices.ContainsFunc(args[:end], isHelp)
}
