// What is written instead of that which has failed, where the text tells: the remedy that
// fits the place, with an edit that does it.

package lang

import (
	"errors"
	"strings"

	"dicescript/builtins/value"
	"dicescript/lang/internal/advice"
	"dicescript/lang/notation"
)

// advise completes an error of a run by what is written instead. It reports whether the
// message is complete.
func (r *run) advise(e *Error, err error) bool {
	u := r.units[e.Position.File]
	if u == nil || u.code == nil || len(e.Frames) == 0 {
		return false
	}
	var undecided *value.Undecided
	var respelled *value.Respelled
	switch {
	case errors.As(err, &undecided):
		return e.Message == undecided.Error() && u.adviseCondition(e, undecided)
	case errors.As(err, &respelled) && respelled.Old != "":
		e.respell(respelled.Old, respelled.New)
	}
	return false
}

// respell offers to write another text where the error is.
func (e *Error) respell(old, by string) {
	column := e.Position.Column
	if runes := []rune(e.Source); column > len(runes) || !strings.HasPrefix(string(runes[column-1:]), old) {
		return
	}
	e.Fixes = []Fix{{e.Position.Line, column, column + len(old), by}}
}

// adviseCondition says what decides in place of a chance or a roll, and points at the word
// that wanted to know.
func (u *unit) adviseCondition(e *Error, undecided *value.Undecided) bool {
	var calls []advice.Call
	last := len(e.Frames) - 1
	if last > 0 && e.Frames[last-1].File == e.Position.File {
		at := e.Frames[last-1].Position
		calls = append(calls, advice.Call{Function: e.Frames[last].Function, At: advice.Place{Line: at.Line, Col: at.Column}})
	}
	a, ok := advice.Of(u.code.Tree, &u.lines).Condition(advice.Place{Line: e.Position.Line, Col: e.Position.Column}, undecided.Chance, calls)
	if !ok {
		return false
	}
	e.Message = undecided.Brief() + "; " + a.Text
	e.Position.Line, e.Position.Column = a.Line, a.Col
	e.Frames[last].Position = e.Position
	e.Source = u.lines.Line(a.Line)
	e.Fixes = fixesOf(a.Fixes)
	return true
}

// fixesOf are edits as an [Error] has them.
func fixesOf(fixes []notation.Fix) []Fix {
	var all []Fix
	for _, f := range fixes {
		if len(f.Text) <= longestLine {
			all = append(all, Fix{f.Line, f.Col, f.EndCol, f.Text})
		}
	}
	return all
}
