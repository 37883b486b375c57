package builtins

import (
	"errors"
	"slices"

	"dicescript/builtins/play"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// The plan of a play names its decisions by where they are made: the line, where choices
// are made at several, and the variables that are read after it, where they differ.

var errToldPlan = errors.New("the states of a play have no names; .table() lists its decisions")

// decisionsOfPlay returns the decisions by line, then by their variables.
func (p *Plan) decisionsOfPlay() []Decision {
	all := p.told.Decisions()
	slices.SortStableFunc(all, func(a, b play.Decision) int { return a.Line - b.Line })
	lines := map[int][]play.Decision{}
	for _, d := range all {
		lines[d.Line] = append(lines[d.Line], d)
	}
	rows := make([]Decision, 0, len(all))
	for _, d := range all {
		var state starlark.Tuple
		if len(lines) > 1 {
			state = append(state, starlark.String("line "+starlark.MakeInt(d.Line).String()))
		}
		for i, v := range d.Variables {
			if differs(lines[d.Line], i) {
				state = append(state, v.Value)
			}
		}
		row := Decision{State: state, Move: d.Move, Value: d.Value}
		switch len(state) {
		case 0:
			row.State = starlark.String("line " + starlark.MakeInt(d.Line).String())
		case 1:
			row.State = state[0]
		}
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b Decision) int { return value.ComparePlaces(a.State, b.State) })
	return rows
}

// differs reports whether variable i is not the same in all decisions of a line.
func differs(all []play.Decision, i int) bool {
	for _, d := range all {
		if i >= len(d.Variables) || d.Variables[i].Value.String() != all[0].Variables[i].Value.String() {
			return true
		}
	}
	return false
}

// tableOfPlay is the list of (line, {variable: its value}, choice, {option: what it is worth}).
func (p *Plan) tableOfPlay() *starlark.List {
	var rows []starlark.Value
	for _, d := range p.told.Decisions() {
		worth := starlark.NewDict(len(d.Options))
		for _, o := range d.Options {
			worth.SetKey(o.Move, p.number(o.Value))
		}
		where := starlark.NewDict(len(d.Variables))
		for _, v := range d.Variables {
			where.SetKey(starlark.String(v.Name), v.Value)
		}
		rows = append(rows, starlark.Tuple{starlark.MakeInt(d.Line), where, d.Move, worth})
	}
	return starlark.NewList(rows)
}
