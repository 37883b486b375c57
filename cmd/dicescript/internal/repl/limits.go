package repl

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"dicescript/builtins/meter"
	"dicescript/cmd/dicescript/internal/limits"
)

// What an input may use, and what the last one did.

// limitsNow are the limits of the next input.
func (l *Loop) limitsNow() limits.Settings {
	return limits.Settings{Run: l.session.Limits(), Report: l.report}
}

func (l *Loop) limits(arg string) error {
	if arg != "" {
		return l.setLimit(strings.Fields(arg))
	}
	now := l.limitsNow()
	w := tabwriter.NewWriter(l.o.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tlimit\tlast input\t ")
	for _, m := range limits.All() {
		used := ""
		if m.Used != nil {
			used = meter.Grouped(m.Used(l.usage))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", m.Name, m.Text(*m.Of(&now)), used, m.About)
	}
	return w.Flush()
}

// setLimit is :limits NAME VALUE.
func (l *Loop) setLimit(words []string) error {
	if len(words) != 2 {
		return errors.New("want a limit and its value: :limits steps 2G, or none instead of a number")
	}
	m, err := limits.Find(words[0])
	if err != nil {
		return err
	}
	now := l.limitsNow()
	n, err := m.Parse(words[1])
	if err != nil {
		return err
	}
	*m.Of(&now) = n
	if err := l.session.SetLimits(now.Run); err != nil {
		return err
	}
	l.report = now.Report
	fmt.Fprintf(l.o.Out, "%s: %s\n", m.Name, m.Text(n))
	return nil
}
