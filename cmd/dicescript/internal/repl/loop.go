package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/internal/held"
	"dicescript/lang"
	"dicescript/lang/assist"
	"dicescript/lang/report"
)

// The loop reads inputs, evaluates them and shows what they give, until the
// person leaves.

// Prompts: of an input, and of a line that goes on with one.
const (
	prompt     = "dice> "
	promptMore = "....> "
)

// Options are what a loop is given by the command.
type Options struct {
	// NewSession makes a session in which nothing has been defined. It can
	// load what stands in the current folder.
	NewSession func() (*lang.Session, error)
	// Explain writes an error for a person, for a window of so many columns. Limits
	// are those of the session.
	Explain func(w io.Writer, err error, now limits.Settings, columns int)
	// Read reads a file.
	Read func(file string) ([]byte, error)
	// Timeout is how long an input may take, and its results again; 0 is forever.
	Timeout time.Duration
	// Report is how many bytes the results of an input may have, see
	// [report.Options].
	Report int64
	// Held is how many bytes the process may hold; 0 is any number.
	Held int64
	// Waiting tells a person who waits what is going on, until the function that
	// it returns is called.
	Waiting func(what string) (stop func())
	// Out takes results; it is the terminal.
	Out io.Writer
	// Color allows colours.
	Color bool
	// Welcome is said first.
	Welcome string
	// History takes what is typed.
	History *History
}

// A Loop is one interactive session.
type Loop struct {
	o       Options
	term    Terminal
	session *lang.Session
	input   collector
	log     journal
	report  int64    // bytes that the results of an input may have
	held    int64    // bytes that the process may hold
	loaded  []string // the files of :load, in order
	timing  bool
	usage   lang.Usage // of the last input
	took    time.Duration
	leave   bool
}

// New returns a loop. The terminal comes later, with [Loop.Run], because it
// completes words with the loop's help.
func New(o Options) (*Loop, error) {
	session, err := o.NewSession()
	if err != nil {
		return nil, err
	}
	return &Loop{o: o, session: session, report: cmp.Or(o.Report, report.DefaultLimit), held: o.Held}, nil
}

// Run talks to a person until the person leaves. What has been typed for an
// unfinished input when the terminal ends is still evaluated.
func (l *Loop) Run(term Terminal) error {
	l.term = term
	l.say("%s", l.o.Welcome)
	for !l.leave {
		p := prompt
		if !l.input.empty() {
			p = promptMore
		}
		line, err := term.ReadLine(p, l.input.indent())
		switch {
		case errors.Is(err, ErrInterrupted):
			l.remember(l.input.text())
			l.input.drop()
		case errors.Is(err, io.EOF) && l.input.empty():
			return nil
		case errors.Is(err, io.EOF):
			l.take(l.input.take())
		case err != nil:
			return err
		default:
			l.line(line)
		}
	}
	return nil
}

// say writes a text of the session itself, broken at word ends.
func (l *Loop) say(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		columns, _ := l.term.Size()
		fmt.Fprintln(l.o.Out, report.Fit(report.Visible(text), columns))
	}
}

// line takes one line, or an entry of the history, whose lines are one input.
func (l *Loop) line(line Line) {
	lines := linesOf(line.Text)
	for i, text := range lines {
		l.add(text, line.More || i+1 < len(lines))
	}
	if len(lines) > 1 && !line.More && waits(l.input.text()) == block {
		l.take(l.input.take())
	}
}

func (l *Loop) add(line string, more bool) {
	for {
		if l.input.empty() && l.direct(line) {
			l.remember(line)
			return
		}
		input, done, again := l.input.add(line, more)
		if done {
			l.take(input)
		}
		if !again {
			return
		}
	}
}

// take takes an input that is whole.
func (l *Loop) take(input string) {
	l.remember(input)
	l.evaluate(input)
}

func (l *Loop) remember(input string) {
	for _, entry := range entriesOf(input) {
		if strings.TrimSpace(entry) != "" {
			l.term.Remember(entry)
			l.o.History.Add(entry)
		}
	}
}

// direct answers a line that is no recipe: a command, a question for help, or a
// word with which one leaves other programs, where it means nothing else.
func (l *Loop) direct(line string) bool {
	text := strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(text, ":"); ok {
		l.command(rest)
		return true
	}
	if name, ok := question(text); ok {
		l.describe(name)
		return true
	}
	word, arg, _ := strings.Cut(strings.NewReplacer("(", " ", ")", " ").Replace(text), " ")
	arg = strings.TrimSpace(arg)
	switch {
	case text == "?":
		l.command("help")
	case word == "help" && l.isFree(word) && isName(arg):
		l.command("help " + arg)
	case (word == "exit" || word == "quit") && l.isFree(word) && arg == "":
		l.leave = true
	default:
		return false
	}
	return true
}

func (l *Loop) prompt() assist.Prompt { return assist.PromptOf(l.session) }

// isFree reports whether a name means nothing in the session.
func (l *Loop) isFree(name string) bool { return l.prompt().TypeOf(name) == "" }

// evaluate runs an input and shows what it gives.
func (l *Loop) evaluate(input string) {
	if strings.TrimSpace(input) == "" {
		return
	}
	result, err := l.interruptible(func(ctx context.Context) (*lang.Result, error) {
		return l.session.Eval(ctx, input)
	})
	e := entry{text: input, shown: l.number(result), labels: labelsOf(result)}
	l.show(result)
	if err != nil {
		l.explain(err)
		e.text = ""
	}
	l.tellTime()
	l.log.add(e)
}

// number gives the values that an input showed their names, _1 and so on, and
// _ to the last. It puts the names in the place of the titles.
func (l *Loop) number(r *lang.Result) []int {
	var numbers []int
	for i, v := range l.prompt().Shown() {
		n := l.log.results + i + 1
		name := resultName(n)
		if l.prompt().Name(name, v) != nil || l.prompt().Name("_", v) != nil {
			continue
		}
		r.Outputs[v.Output].Title = name
		numbers = append(numbers, n)
	}
	return numbers
}

// labelsOf are the texts that label outcomes of a result.
func labelsOf(r *lang.Result) []string {
	var labels []string
	if r == nil {
		return nil
	}
	for _, o := range r.Outputs {
		data, ok := o.Data.(lang.Outcomes)
		if !ok {
			continue
		}
		for _, e := range data.Entries {
			if s, ok := e.Label.Text(); ok {
				labels = append(labels, s)
			}
		}
	}
	return labels
}

func (l *Loop) explain(err error) {
	columns, _ := l.term.Size()
	l.o.Explain(l.o.Out, err, l.limitsNow(), columns)
}

// attention is the context for what a person waits for: Ctrl-C ends it, and the
// time and the memory of the process do.
func (l *Loop) attention() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, leave := held.Watch(ctx, l.held)
	if l.o.Timeout == 0 {
		return ctx, func() { leave(); stop() }
	}
	ctx, cancel := context.WithTimeout(ctx, l.o.Timeout)
	return ctx, func() { cancel(); leave(); stop() }
}

// interruptible runs something that Ctrl-C stops.
func (l *Loop) interruptible(run func(context.Context) (*lang.Result, error)) (*lang.Result, error) {
	ctx, stop := l.attention()
	defer stop()
	start := time.Now()
	quiet := l.o.Waiting("computing")
	result, err := run(ctx)
	quiet()
	if result != nil {
		l.usage = result.Usage
	}
	l.took = time.Since(start)
	return result, err
}

// rounded is a time as a person reads it.
func rounded(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	case d > time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Microsecond)
}

// show prints the outputs of a result.
func (l *Loop) show(r *lang.Result) {
	if r == nil || len(r.Outputs) == 0 && len(r.Notes) == 0 {
		return
	}
	columns, rows := l.term.Size()
	ctx, stop := l.attention()
	defer stop()
	o := report.Options{Width: columns, Color: l.o.Color, Limit: l.report}
	if err := report.Brief(ctx, l.o.Out, r, o, rows); err != nil {
		fmt.Fprintln(l.o.Out)
		l.explain(err)
	}
}

// tellTime is the last thing of an input, when it is wanted.
func (l *Loop) tellTime() {
	if l.timing {
		l.say("took %s", rounded(l.took))
	}
}
