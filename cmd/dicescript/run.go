package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dicescript/cmd/dicescript/internal/source"
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
	case o.dialect != "":
		return t.misused("--dialect is for eval and roll; a recipe writes roll(\"4d6kh3\", dialect=%q)", o.dialect)
	case o.watch && (o.isolate || o.memory != "" || o.cpu > 0):
		return t.misused("--watch and --isolate do not go together")
	case (o.isolate || o.memory != "" || o.cpu > 0) && !t.child:
		return t.isolated(o, args)
	case o.watch:
		return t.watch(o, file)
	}
	return t.runOnce(o, file)
}

// runOnce runs a recipe and prints its results, within its time. Nobody can type
// a recipe in that time, so it begins when it has been typed.
func (t *tool) runOnce(o *options, file string) int {
	if standardInput(file) && isTerminal(t.stdin) {
		var typed []byte
		code := t.within(&patience{limits: o.limits}, func(t *tool) int {
			_, src, err := t.read(file)
			if err != nil {
				return t.unreadable(file, err)
			}
			typed = src
			return exitOK
		})
		if code != exitOK {
			return code
		}
		t.stdin = bytes.NewReader(typed)
	}
	return t.within(o.patience, func(t *tool) int { return t.runNow(o, file) })
}

func (t *tool) runNow(o *options, file string) int {
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
	program, err := host.Compile(t.ctx, name, src)
	if err != nil {
		ready()
		return t.finish(o, document{name, src}, &lang.Result{}, err)
	}
	inputs, err := o.inputs(program)
	if err != nil {
		return t.misused("--set %s", err)
	}
	result, err := program.Run(t.ctx, lang.WithInputs(inputs))
	ready()
	return t.finish(o, document{name, src}, result, err)
}

// recipeFile is the name of a recipe where an expression was wanted.
var recipeFile = regexp.MustCompile(`^[^\s"'()]+\.(star|dice|md|anydice)$`)

// eval is dicescript eval.
func (t *tool) eval(args []string) int {
	o, text, code := t.argument(args, "an expression in quotes: dicescript eval '4d6kh3 >= 15'")
	if o == nil {
		return code
	}
	switch {
	case recipeFile.MatchString(text):
		return t.misused("eval takes an expression; a recipe is run by dicescript run %s", text)
	case len(o.sets) > 0 && o.dialect == "":
		return t.misused("--set is for recipes, and for names such as @mod with --dialect: an expression has no inputs")
	case o.watch || o.isolate || o.memory != "" || o.cpu > 0:
		return t.misused("--watch, --isolate, --memory and --cpu are for run")
	}
	return t.within(o.patience, func(t *tool) int { return t.evalNow(o, text) })
}

func (t *tool) evalNow(o *options, text string) int {
	host, done, err := t.host(o, ".")
	if err != nil {
		return t.misused("%s", err)
	}
	defer done()
	asked, err := inDialect(o.dialect, text, o.sets)
	if err != nil {
		return t.misused("%s", err)
	}
	ready := t.waiting("computing")
	result, err := host.NewSession().Eval(t.ctx, asked)
	ready()
	if asked != text && len(result.Outputs) == 1 {
		result.Outputs[0].Title = text
	}
	if s, ok := plainText(text, result); ok && err == nil && o.format == "text" && o.file == "" {
		return t.say(s)
	}
	return t.finish(o, document{name: "dicescript"}, result, err)
}

// argument reads the flags and the one argument of a subcommand. The options
// are nil when there is nothing more to do than to return the code.
func (t *tool) argument(args []string, want string) (*options, string, int) {
	f, o := runFlags()
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

// standardInput reports whether a name is that of standard input.
func standardInput(file string) bool { return file == "-" || file == "/dev/stdin" }

// read returns a recipe and the name under which its errors are reported.
func (t *tool) read(file string) (string, []byte, error) {
	if standardInput(file) {
		src, err := source.ReadAll(t.stdin, t.sourceBytes())
		return "stdin", src, err
	}
	src, err := source.Read(file, t.sourceBytes())
	return filepath.ToSlash(file), src, err
}

// unreadable reports a recipe that could not be read, at its beginning.
func (t *tool) unreadable(file string, err error) int {
	fmt.Fprintf(t.stderr, "%s:1:1: %s\n", report.Visible(filepath.ToSlash(file)), report.Visible(err.Error()))
	return exitFailed
}

func folderOf(file string) string {
	if standardInput(file) {
		return "."
	}
	return filepath.Dir(file)
}

// host is what the recipes of a folder can use: the modules beside them, and
// nothing outside of that folder.
func (t *tool) host(o *options, folder string, more ...lang.Option) (h *lang.Host, done func(), err error) {
	settings := t.limits
	if !t.child {
		settings = settings.Own()
	}
	opts := append([]lang.Option{
		lang.WithLimits(settings.Run),
		lang.WithPrint(func(_ context.Context, text string) {
			t.printed.Store(true)
			fmt.Fprintln(t.stderr, report.Visible(text))
		}),
	}, more...)
	if o.noGuard {
		opts = append(opts, lang.WithoutGuard())
	}
	done = func() {}
	if root, err := os.OpenRoot(folder); err == nil {
		done = func() { root.Close() }
		opts = append(opts, lang.WithModules("./", t.watched(root.FS(), folder)))
	}
	if h, err = lang.New(opts...); err == nil {
		t.inForce = settings
		t.inForce.Run = h.NewSession().Limits()
	}
	return h, done, err
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
	if _, err := fmt.Fprintln(t.stdout, report.Visible(text)); err != nil {
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
		!strings.HasSuffix(d.name, ".star") && !strings.HasSuffix(d.name, ".anydice") && notation.Literate(d.src) != nil
}

// finish prints a result, and on standard error what went wrong. A failed run
// still shows what it recorded before; a file is written by a good one only.
func (t *tool) finish(o *options, d document, r *lang.Result, failure error) int {
	if failure == nil && o.file != "" {
		return t.finishFile(o, d, r)
	}
	if failure != nil {
		t.explain(failure)
	}
	if o.file != "" {
		return exitCode(failure)
	}
	if failure == nil && len(r.Outputs) == 0 && d.src != nil && !t.printed.Load() {
		fmt.Fprintf(t.stderr, "dicescript: %s shows nothing: it has no output(...), and does not end in an expression with a value\n", report.Visible(d.name))
	}
	if failure == nil || len(r.Outputs) > 0 || o.format == "json" {
		failure = t.show(o, d, r, failure)
	}
	return exitCode(failure)
}

// finishFile writes a result to the file of -o.
func (t *tool) finishFile(o *options, d document, r *lang.Result) int {
	ctx, opts, done := t.rendering(o, d, nil)
	defer done()
	err := t.writeFile(o.file, func(w io.Writer) error { return render(ctx, w, o, d, r, opts) })
	if err == nil {
		return exitOK
	}
	if e := reportError(d, err); e != nil {
		t.explain(e)
		return exitFailed
	}
	return t.misused("-o: %s", err)
}

// reportError is why a report of a document ended before it was whole; nil where it
// could not be written.
func reportError(d document, err error) *lang.Error {
	var e *lang.Error
	switch {
	case errors.As(err, new(*report.LimitError)):
		e = lang.NewError(lang.KindLimit, err.Error(), err)
	case errors.Is(err, context.DeadlineExceeded):
		e = lang.NewError(lang.KindDeadline, "the time is used up before the results are written; --timeout gives it more", err)
	case errors.Is(err, context.Canceled):
		e = lang.NewError(lang.KindCancelled, "the report was stopped", err)
	default:
		return nil
	}
	e.Position.File = d.name
	return e
}

// show prints a result on standard output, and returns what failed in the end. A
// report that can't be whole is not begun, unless its length is not limited: then
// all that is left to print is why.
func (t *tool) show(o *options, d document, r *lang.Result, failure error) error {
	ctx, opts, done := t.rendering(o, d, failure)
	defer done()
	opts.Width, opts.Color = t.window()
	if opts.Limit < 0 {
		return cmp.Or(failure, t.written(d, render(ctx, t.stdout, o, d, r, opts)))
	}
	var b bytes.Buffer
	if err := t.written(d, render(ctx, &b, o, d, r, opts)); err != nil {
		failure = cmp.Or(failure, err)
		b.Reset()
		if o.format == "json" {
			opts.Failure, opts.Limit = t.failureOf(failure), lang.Unlimited
			render(context.WithoutCancel(ctx), &b, o, d, nil, opts)
		}
	}
	_, err := t.stdout.Write(b.Bytes())
	return cmp.Or(failure, t.written(d, err))
}

// written tells about a report that could not be finished or written, and returns why.
func (t *tool) written(d document, err error) error {
	if err == nil {
		return nil
	}
	if e := reportError(d, err); e != nil {
		t.explain(e)
		return e
	}
	t.tell("dicescript: " + err.Error())
	return err
}

// rendering are the options of a report.
func (t *tool) rendering(o *options, d document, failure error) (context.Context, report.Options, context.CancelFunc) {
	ctx, done := t.ctx, context.CancelFunc(func() {})
	if failure != nil {
		ctx, done = t.lastly()
	}
	return ctx, report.Options{
		Style: report.Style(o.style), Show: report.Show(o.show), AllRows: o.rows == "all", Title: filepath.Base(d.name),
		Limit: t.limits.Report, Failure: t.failureOf(failure), Fractions: report.Fractions(o.frac),
	}, done
}

// failureOf is an error, of the run or of its report, as reports show it: it says which
// limit to raise.
func (t *tool) failureOf(failure error) error {
	all := lang.Errors(failure)
	if len(all) == 0 {
		return nil
	}
	first := *all[0]
	first.Message += t.raise(failure)
	return append(lang.ErrorList{&first}, all[1:]...)
}

// render writes a report.
func render(ctx context.Context, w io.Writer, o *options, d document, r *lang.Result, opts report.Options) error {
	if o.woven(d) {
		return report.Weave(ctx, w, o.format, d.src, r, opts)
	}
	return report.Render(ctx, w, o.format, r, opts)
}

// exitCode tells a recipe that failed from one that was given wrong inputs.
func exitCode(failure error) int {
	if failure == nil {
		return exitOK
	}
	for _, e := range lang.Errors(failure) {
		if e.Kind == lang.KindInput {
			return exitUsage
		}
	}
	return exitFailed
}
