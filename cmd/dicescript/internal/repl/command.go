package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dicescript/builtins/suggest"
	"dicescript/cmd/dicescript/internal/reference"
	"dicescript/lang"
	"dicescript/lang/notation"
)

// Commands begin with a colon: they are about the session, not about dice.

// A command is something a person can ask of the session.
type command struct {
	name  string
	arg   string // what comes after the name, "" for nothing
	about string
	run   func(l *Loop, arg string) error
}

func commands() []command {
	return []command{
		{"help", "[NAME]", "what can be typed here, or what a name means (also: NAME?)", (*Loop).help},
		{"load", "FILE", "run a recipe or a module here and keep what it defines", (*Loop).load},
		{"reload", "", "run the files of :load again, and their modules, as they are now", (*Loop).reload},
		{"save", "FILE", "write what was typed as a recipe (:save! replaces a file)", (*Loop).save},
		{"reset", "", "forget everything that was defined", (*Loop).reset},
		{"limits", "[NAME VALUE]", "what an input may use, what the last one used; change a limit", (*Loop).limits},
		{"time", "", "tell how long each input takes, or stop telling", (*Loop).time},
		{"quit", "", "leave (also: exit, Ctrl-D)", (*Loop).quit},
	}
}

// command runs what was typed after a colon.
func (l *Loop) command(text string) {
	name, arg, _ := strings.Cut(text, " ")
	arg = strings.TrimSpace(arg)
	c, err := findCommand(strings.TrimSpace(name))
	switch {
	case err != nil:
	case c.arg == "" && arg != "":
		err = fmt.Errorf(":%s stands alone, got %q", c.name, arg)
	case c.arg == "FILE" && arg == "":
		err = fmt.Errorf(":%s: the name of a file is missing", c.name)
	default:
		if strings.HasSuffix(name, "!") {
			arg = "!" + arg
		}
		err = c.run(l, arg)
	}
	if err != nil {
		l.explain(err)
	}
}

// findCommand finds a command by its name or by a beginning that only it has.
func findCommand(name string) (command, error) {
	var names []string
	var found []command
	for _, c := range commands() {
		if name == c.name || name == "save!" && c.name == "save" || name == "exit" && c.name == "quit" || name == "?" && c.name == "help" {
			return c, nil
		}
		if name != "" && strings.HasPrefix(c.name, name) {
			found = append(found, c)
		}
		names = append(names, c.name)
	}
	if len(found) == 1 {
		return found[0], nil
	}
	message := "there is no command :" + name
	switch n := suggest.Among(name, names); {
	case len(found) > 1:
		message = fmt.Sprintf(":%s may be :%s or :%s", name, found[0].name, found[1].name)
	case n != "":
		message += "; did you mean :" + n + "?"
	default:
		message += "; :help lists them"
	}
	return command{}, errors.New(message)
}

// examples of what can be typed, and what they are for.
var examples = [][2]string{
	{"4d6kh3", "the total of four dice without the lowest"},
	{"4d6kh3 >= 15", "the chance of 15 or more"},
	{"attack = 1d20 + 5", "a name for later"},
	{"attack.mean()", "what a roll can be asked"},
	{`roll("3d6!")`, "the notation of virtual tabletops"},
}

// Where what examples and commands are for begins.
const (
	exampleWidth = 24
	commandWidth = 24
)

func (l *Loop) help(arg string) error {
	if arg != "" {
		l.describe(strings.TrimSuffix(arg, "?"))
		return nil
	}
	l.say("Type an expression to see its chances, or any lines of a recipe:\n")
	l.rows(examples, exampleWidth)
	l.say("\n_ is the last result, _1, _2, ... are all of them. NAME? explains a name, Tab completes one. " +
		"An empty line ends a block. Ctrl-C stops, Ctrl-D leaves.\n")
	var rows [][2]string
	for _, c := range commands() {
		rows = append(rows, [2]string{strings.TrimSpace(":" + c.name + " " + c.arg), c.about})
	}
	l.rows(rows, commandWidth)
	return nil
}

// rows writes names and what they are for.
func (l *Loop) rows(rows [][2]string, column int) {
	columns, _ := l.term.Size()
	reference.Layout{Columns: columns}.Rows(l.o.Out, rows, column)
}

func (l *Loop) load(file string) error {
	file = home(file)
	if err := l.run(file); err != nil {
		return err
	}
	for _, f := range l.loaded {
		if f == file {
			return nil
		}
	}
	l.loaded = append(l.loaded, file)
	return nil
}

// run evaluates a file in the session.
func (l *Loop) run(file string) error {
	src, err := l.o.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	result, err := l.interruptible(func(ctx context.Context) (*lang.Result, error) {
		return l.session.EvalFile(ctx, filepath.ToSlash(file), src)
	})
	e := entry{file: file, text: string(src), shown: l.number(result), labels: labelsOf(result)}
	l.show(result)
	l.tellTime()
	if doc := notation.Literate(src); doc != nil && filepath.Ext(file) != ".star" {
		e.text = string(doc.Program)
	}
	if err == nil {
		l.log.loaded(e)
	}
	return err
}

func (l *Loop) reload(string) error {
	if err := l.prompt().Refresh(context.Background()); err != nil {
		return err
	}
	for _, file := range l.loaded {
		if err := l.run(file); err != nil {
			return err
		}
	}
	if len(l.loaded) == 0 {
		l.say("modules are read again; no file has been loaded with :load")
		return nil
	}
	l.say("reloaded %s", strings.Join(l.loaded, ", "))
	return nil
}

func (l *Loop) save(file string) error {
	file, replace := strings.CutPrefix(file, "!")
	if file == "" {
		return errors.New(":save!: the name of a file is missing")
	}
	file = home(file)
	if len(l.log.entries) == 0 {
		return errors.New("there is nothing to save yet")
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if replace {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(file, flags, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; :save! %s replaces it", file, file)
	}
	if err != nil {
		return plainFileError(file, err)
	}
	_, err = io.WriteString(f, l.log.recipe())
	if err = errors.Join(err, f.Close()); err != nil {
		return plainFileError(file, err)
	}
	l.say("saved %d inputs to %s", len(l.log.entries), file)
	return nil
}

func (l *Loop) reset(string) error {
	session, err := l.o.NewSession()
	if err != nil {
		return err
	}
	l.session, l.log, l.loaded = session, journal{}, nil
	l.say("everything is forgotten")
	return nil
}

func (l *Loop) time(string) error {
	l.timing = !l.timing
	if l.timing {
		l.say("times are shown")
	} else {
		l.say("times are not shown")
	}
	return nil
}

func (l *Loop) quit(string) error {
	l.leave = true
	return nil
}

// home puts the home folder in place of a leading ~/.
func home(file string) string {
	rest, ok := strings.CutPrefix(file, "~/")
	if dir, err := os.UserHomeDir(); ok && err == nil {
		return filepath.Join(dir, rest)
	}
	return file
}

func plainFileError(file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", file)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %s", file, err)
}
