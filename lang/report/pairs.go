// Outcomes whose labels are pairs are a table in two directions: the first places
// are its rows, the second ones its columns.

package report

import (
	"cmp"
	"math/big"
	"slices"

	"dicescript/lang"
)

// How many rows and columns pairs may have to be laid out so.
const (
	mostPairRows = 64
	mostPairCols = 24
)

// pairs lays out the chances of pairs, unless every row is asked for.
func (s *sheet) pairs(o lang.Outcomes) (lang.Grid, bool) {
	if s.o.AllRows {
		return lang.Grid{}, false
	}
	return pairGrid(o)
}

// pairGrid lays out the chances of pairs; ok is false for other labels, and where
// one direction has a single place or more than fit.
func pairGrid(o lang.Outcomes) (g lang.Grid, ok bool) {
	rows, cols := places{}, places{}
	for _, e := range o.Entries {
		pair, isTuple := e.Label.Items()
		if !isTuple || len(pair) != 2 || e.Value == nil {
			return g, false
		}
		rows.add(pair[0])
		cols.add(pair[1])
		if len(rows.labels) > mostPairRows || len(cols.labels) > mostPairCols {
			return g, false
		}
	}
	if len(rows.labels) < 2 || len(cols.labels) < 2 {
		return g, false
	}
	rows.sort()
	cols.sort()
	g = lang.Grid{Rows: rows.labels, Cols: cols.labels, Digits: 2, Cells: make([][]lang.Cell, len(rows.labels))}
	for i := range g.Cells {
		g.Cells[i] = make([]lang.Cell, len(g.Cols))
		for j := range g.Cells[i] {
			g.Cells[i][j] = lang.Cell{Bound: o.Bound, Prob: true}
		}
	}
	for _, e := range o.Entries {
		pair, _ := e.Label.Items()
		cell := &g.Cells[rows.at[pair[0].String()]][cols.at[pair[1].String()]]
		if cell.Value != nil {
			return g, false // two labels that read alike, such as 1 and "1"
		}
		cell.Value = e.Value
	}
	for _, row := range g.Cells {
		for j := range row {
			if row[j].Value == nil {
				row[j].Value = new(big.Rat)
			}
		}
	}
	return g, true
}

// Places are the distinct labels of one direction.
type places struct {
	labels []lang.Label
	at     map[string]int
}

func (p *places) add(l lang.Label) {
	if p.at == nil {
		p.at = map[string]int{}
	}
	if _, known := p.at[l.String()]; !known {
		p.at[l.String()] = len(p.labels)
		p.labels = append(p.labels, l)
	}
}

// sort brings places that are all numbers into their order.
func (p *places) sort() {
	for _, l := range p.labels {
		if _, number := l.Int(); !number {
			return
		}
	}
	slices.SortFunc(p.labels, func(a, b lang.Label) int {
		x, _ := a.Int()
		y, _ := b.Int()
		return cmp.Compare(x, y)
	})
	for i, l := range p.labels {
		p.at[l.String()] = i
	}
}
