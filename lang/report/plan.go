// A plan is printed as a table for whoever plays: states that follow one another,
// differ in their last number only, and in which the same is to be done, are one
// row.

package report

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"dicescript/lang"
	"dicescript/lang/internal/numeral"
)

func (s *sheet) fillPlan(t *table, p lang.Plan) {
	t.kind = columns
	t.notes = append(t.notes, "value "+worth(p.Value, p.Bound))
	t.head = []string{"state", "move", "worth"}
	rows := s.spells(p)
	if most := s.most(); !s.o.AllRows && len(rows) > most {
		t.notes = append(t.notes, fmt.Sprintf("the first %d of %d rows", most, len(rows)))
		rows = rows[:most]
	}
	t.rows = func(yield func(row) bool) {
		for _, sp := range rows {
			_, numeric := sp.first.State.Int()
			cell := worth(sp.least, p.Bound)
			if most := worth(sp.most, p.Bound); most != cell {
				cell += ".." + most
			}
			if !yield(row{label: visible(sp.label()), numeric: numeric, cells: []string{visible(sp.first.Move.String()), cell}}) {
				return
			}
		}
	}
}

// worth prints a value of a plan.
func worth(x *big.Rat, bound float64) string {
	if x == nil {
		return unknown
	}
	return marked(bound, numeral.Number(x))
}

// A spell is a row of states that follow one another, with one move.
type spell struct {
	first       lang.Decision
	last        int // the last number of the last state, where states have one
	least, most *big.Rat
}

// spells returns the decisions of a plan, those of a spell together unless every
// row is asked for.
func (s *sheet) spells(p lang.Plan) []*spell {
	var rows []*spell
	for i, d := range p.Decisions {
		if i%1024 == 0 {
			s.o.look()
		}
		n, number := lastNumber(d.State)
		if len(rows) > 0 && number && !s.o.AllRows {
			if r := rows[len(rows)-1]; r.goesOn(d, n) {
				r.last = n
				if d.Value.Cmp(r.least) < 0 {
					r.least = d.Value
				}
				if d.Value.Cmp(r.most) > 0 {
					r.most = d.Value
				}
				continue
			}
		}
		rows = append(rows, &spell{first: d, last: n, least: d.Value, most: d.Value})
	}
	return rows
}

// goesOn reports whether d, whose last number is n, comes next with the same move.
func (r *spell) goesOn(d lang.Decision, n int) bool {
	_, number := lastNumber(r.first.State)
	return number && n > r.last && d.Value != nil && r.first.Value != nil && d.Move.String() == r.first.Move.String() && before(d.State) == before(r.first.State)
}

// lastNumber returns a state that is a number, or the number that ends a tuple.
func lastNumber(l lang.Label) (n int, ok bool) {
	if items, tuple := l.Items(); tuple && len(items) > 0 {
		return items[len(items)-1].Int()
	}
	return l.Int()
}

// before is the text of a state before its last number.
func before(l lang.Label) string {
	items, _ := l.Items()
	var b strings.Builder
	for _, item := range items[:max(0, len(items)-1)] {
		b.WriteString(item.String() + ", ")
	}
	return b.String()
}

// label writes the states of the spell: "7..9", "(A, 0, 0..19)".
func (r *spell) label() string {
	n, number := lastNumber(r.first.State)
	if !number || n == r.last {
		return r.first.State.String()
	}
	band := strconv.Itoa(n) + ".." + strconv.Itoa(r.last)
	if _, tuple := r.first.State.Items(); tuple {
		return "(" + before(r.first.State) + band + ")"
	}
	return band
}
