package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"
)

// This file is run and eval: a text becomes a result, and a result a report.

// runFile is dicescript run.
func (t *tool) runFile(args []string) int {
	o, file, code := t.argument(args, "a file: dicescript run recipe.star")
	switch {
	case o == nil:
		return code
	case o.watch && (o.isolate || o.memory != "" || o.cpu > 0):
		return t.misused("--watch and --isolate do not go together")
	case (o.isolate || o.memory != "" || o.cpu > 0) && !t.child:
		return t.isolated(o, args)
	case o.watch:
		return t.watch(o, file)
	}
	return t.runOnce(o, file)
}

// runOnce runs a recipe and prints its results.
func (t *tool) runOnce(o *options, file string) int {
	name, src, err := t.read(file)
	if err != nil {
		return t.unreadable(file, err)
	}
	host, done, err := t.host(o, folderOf(file))
	if err != nil {
		return t.misused("%s", err)
	}
	defer done()
	ready := t.waiting("running " + file)
	defer ready()
	ctx, cancel := o.context(t.ctx)
	defer cancel()
	program, err := host.Compile(ctx, name, src)
	if err != nil {
		ready()
		return t.finish(o, document{name, src}, &lang.Result{}, err)
	}
	inputs, err := o.inputs(program)
	if err != nil {
		return t.misused("--set %s", err)
	}
	result, err := program.Run(ctx, lang.WithInputs(inputs))
	ready()
	return t.finish(o, document{name, src}, result, err)
}

// eval is dicescript eval.
func (t *tool) eval(args []string) int {
	o, text, code := t.argument(args, "an expression in quotes: dicescript eval '4d6kh3 >= 15'")
	if o == nil {
		return code
	}
	switch {
	case len(o.sets) > 0:
		return t.misused("--set is for recipes: an expression has no inputs")
	case o.watch || o.isolate || o.memory != "" || o.cpu > 0:
		return t.misused("--watch, --isolate, --memory and --cpu are for run")
	}
	host, done, err := t.host(o, ".")
	if err != nil {
		return t.misused("%s", err)
	}
	defer done()
	ctx, cancel := o.context(t.ctx)
	defer cancel()
	ready := t.waiting("computing")
	result, err := host.NewSession().Eval(ctx, text)
	ready()
	if s, ok := plainText(text, result); ok && err == nil && o.format == "text" && o.file == "" {
		return t.say(s)
	}
	return t.finish(o, document{name: "dicescript"}, result, err)
}

// argument reads the flags and the one argument of a subcommand. The options
// are nil when there is nothing more to do than to return the code.
func (t *tool) argument(args []string, want string) (*options, string, int) {
	f, o := newFlags()
	rest, err := parse(f, args)
	if errors.Is(err, flag.ErrHelp) {
		return nil, "", t.help(nil)
	}
	if err == nil {
		err = o.check()
	}
	switch {
	case err != nil:
		return nil, "", t.misused("%s", err)
	case len(rest) == 0 || rest[0] == "":
		return nil, "", t.misused("want %s", want)
	case len(rest) > 1:
		return nil, "", t.misused("want one argument, got %s as well", strings.Join(rest[1:], " "))
	}
	return o, rest[0], exitOK
}

// maxRead is how much of a file is read: more than a recipe may have.
const maxRead = 1 << 20

// read returns a recipe and the name under which its errors are reported.
func (t *tool) read(file string) (string, []byte, error) {
	if file == "-" {
		src, err := io.ReadAll(io.LimitReader(t.stdin, maxRead))
		return "stdin", src, err
	}
	f, err := os.Open(file)
	if err != nil {
		return "", nil, fileError(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return "", nil, errors.New("this is a folder, not a recipe")
	}
	src, err := io.ReadAll(io.LimitReader(f, maxRead))
	if err != nil {
		return "", nil, fileError(err)
	}
	return filepath.ToSlash(file), src, nil
}

// fileError puts an error of the file system into words about this file.
func fileError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such file")
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// unreadable reports a recipe that could not be read, at its beginning.
func (t *tool) unreadable(file string, err error) int {
	fmt.Fprintf(t.stderr, "%s:1:1: %s\n", printable(filepath.ToSlash(file)), printable(err.Error()))
	return exitFailed
}

func folderOf(file string) string {
	if file == "-" {
		return "."
	}
	return filepath.Dir(file)
}

// host is what the recipes of a folder can use: the modules beside them, and
// nothing outside of that folder.
func (t *tool) host(o *options, folder string, more ...lang.Option) (h *lang.Host, done func(), err error) {
	opts := append([]lang.Option{
		lang.WithLimits(lang.Limits{Work: patientWork}),
		lang.WithPrint(func(_ context.Context, text string) { fmt.Fprintln(t.stderr, printable(text)) }),
	}, more...)
	if o.noGuard {
		opts = append(opts, lang.WithoutGuard())
	}
	done = func() {}
	if root, err := os.OpenRoot(folder); err == nil {
		done = func() { root.Close() }
		opts = append(opts, lang.WithModules("./", t.watched(root.FS(), folder)))
	}
	h, err = lang.New(opts...)
	return h, done, err
}

// patientWork is the engine work that a run may do here: some ten seconds. Whoever
// waits for it sees that it runs, and can stop it.
const patientWork = 10_000_000_000

func (o *options) context(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.timeout > 0 {
		return context.WithTimeout(ctx, o.timeout)
	}
	return context.WithCancel(ctx)
}

// inputs reads the values of --set as the recipe's parameters want them. A name
// that is no parameter is left for the run to refuse.
func (o *options) inputs(p *lang.Program) (map[string]any, error) {
	inputs := map[string]any{}
	for _, s := range o.sets {
		name, text, _ := strings.Cut(s, "=")
		inputs[name] = text
		for _, q := range p.Params() {
			if q.Name != name {
				continue
			}
			v, err := q.Parse(text)
			if err != nil {
				return nil, err
			}
			inputs[name] = v
		}
	}
	return inputs, nil
}

// plainText is the text that is the value of an expression, and all that it
// gives.
func plainText(expr string, r *lang.Result) (string, bool) {
	if len(r.Outputs) != 1 || r.Outputs[0].Title != strings.Join(strings.Fields(expr), " ") {
		return "", false
	}
	text, ok := r.Outputs[0].Data.(lang.Text)
	return text.Text, ok
}

// say prints a text of a recipe.
func (t *tool) say(text string) int {
	if _, err := fmt.Fprintln(t.stdout, printable(text)); err != nil {
		return exitFailed
	}
	return exitOK
}

// A document is what was run: its name, and its text when it has one.
type document struct {
	name string
	src  []byte
}

// woven reports whether the results are shown in the document they belong to.
func (o *options) woven(d document) bool {
	return !o.noWeave && (o.format == "html" || o.format == "markdown") &&
		!strings.HasSuffix(d.name, ".star") && notation.Literate(d.src) != nil
}

// finish prints a result, and on standard error what went wrong. A failed run
// still shows what it recorded before; a file is written by a good one only.
func (t *tool) finish(o *options, d document, r *lang.Result, failure error) int {
	opts := report.Options{Style: report.Style(o.style), AllRows: o.rows == "all", Title: filepath.Base(d.name), Context: t.ctx}
	if failure != nil {
		opts.Failure = report.FailureOf(failure)
		opts.Context = nil // what was recorded before an interrupt is still shown
		t.explain(failure)
	}
	render := func(w io.Writer) error {
		if o.woven(d) {
			return report.Weave(w, o.format, d.src, r, opts)
		}
		return report.Render(w, o.format, r, opts)
	}
	switch {
	case o.file != "" && failure != nil:
	case o.file != "":
		if err := writeWhole(o.file, render); err != nil {
			return t.misused("-o: %s", err)
		}
	case failure == nil || len(r.Outputs) > 0 || o.format == "json":
		opts.Width, opts.Color = t.window()
		if err := render(t.stdout); err != nil {
			fmt.Fprintf(t.stderr, "dicescript: %s\n", err)
			return exitFailed
		}
	}
	return exitCode(failure)
}

// exitCode tells a recipe that failed from one that was given wrong inputs.
func exitCode(failure error) int {
	if failure == nil {
		return exitOK
	}
	for _, e := range lang.All(failure) {
		if e.Kind == lang.KindInput {
			return exitUsage
		}
	}
	return exitFailed
}

// writeWhole writes a file so that it is there whole or not at all.
func writeWhole(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".dicescript-*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, fileError(err))
	}
	defer os.Remove(f.Name())
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	if err := errors.Join(f.Chmod(mode), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, fileError(err))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return fmt.Errorf("%s: %w", name, fileError(err))
	}
	return nil
}
