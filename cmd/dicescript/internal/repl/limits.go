package repl

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/dist/upper"
	"dicescript/lang"
	"dicescript/lang/report"
)

// What an input may use, and what the last one did.

// limitsNow are the limits of the next input.
func (l *Loop) limitsNow() limits.Settings {
	return limits.Settings{Run: l.session.Limits(), Report: l.report, Held: l.held}
}

func (l *Loop) limits(arg string) error {
	if arg != "" {
		return l.setLimit(strings.Fields(arg))
	}
	now := l.limitsNow()
	table := limitTable(now, l.usage)
	if columns, _ := l.term.Size(); widest(table) <= columns {
		fmt.Fprint(l.o.Out, table)
		return nil
	}
	var rows [][2]string
	for _, m := range limits.All() {
		text := m.Text(*m.Of(&now))
		if m.Used != nil {
			text += ", used " + upper.Grouped(m.Used(l.usage))
		}
		rows = append(rows, [2]string{m.Name, text + ": " + m.About})
	}
	l.rows(rows, limitWidth)
	return nil
}

// limitTable lists limits and what the last input used of them.
func limitTable(now limits.Settings, usage lang.Usage) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tlimit\tlast input\t ")
	for _, m := range limits.All() {
		used := ""
		if m.Used != nil {
			used = upper.Grouped(m.Used(usage))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", m.Name, m.Text(*m.Of(&now)), used, m.About)
	}
	w.Flush()
	return b.String()
}

// widest is how many columns the longest line of a text has.
func widest(text string) int {
	most := 0
	for _, line := range strings.Split(text, "\n") {
		most = max(most, report.Columns(line))
	}
	return most
}

// limitWidth is where the values of limits begin in a window that has no room for
// the table.
const limitWidth = 16

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
	l.report, l.held = now.Report, now.Held
	l.say("%s: %s", m.Name, m.Text(n))
	return nil
}
