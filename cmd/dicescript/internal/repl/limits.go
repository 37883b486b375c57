package repl

import (
	"errors"
	"strings"

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
	l.say("what an input may use, and what the last one used:")
	var rows [][2]string
	for _, m := range limits.All() {
		text := m.Text(*m.Of(&now))
		if m.Used != nil {
			text += ", used " + meter.Grouped(m.Used(l.usage))
		}
		rows = append(rows, [2]string{m.Name, text + ": " + m.About})
	}
	l.rows(rows, limitWidth)
	return nil
}

// limitWidth is where the values of limits begin.
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
	l.session.SetLimits(now.Run)
	l.report = now.Report
	l.say("%s: %s", m.Name, m.Text(n))
	return nil
}
