package answer

import (
	"context"
	"math"
	"math/big"
	"strconv"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"
)

// A View is an output as a chart needs it. Floats are for drawing; texts are
// for reading, and printed from exact values.
type View struct {
	Title  string   `json:"title"`
	Kind   string   `json:"kind"`
	Line   int      `json:"line,omitempty"`
	Series []Series `json:"series,omitempty"` // one of a roll, several of a comparison
	Bars   []Bar    `json:"bars,omitempty"`   // of chances with labels
	Whole  bool     `json:"whole,omitempty"`  // the bars are the outcomes of one thing, in order
	Heat   *Heat    `json:"heat,omitempty"`   // of a grid
}

// A Series is the chances of the outcomes of a roll, in rising order. Where
// there are very many, a point stands for a run of neighbours.
type Series struct {
	Name    string     `json:"name,omitempty"`
	Mean    string     `json:"mean,omitempty"`
	MeanAt  *float64   `json:"meanAt,omitempty"`
	SD      string     `json:"sd,omitempty"`
	Five    []int      `json:"five,omitempty"` // least, lower quartile, median, upper quartile, greatest
	Low     []int      `json:"low"`            // first outcome of each point
	High    []int      `json:"high,omitempty"` // last outcome of each; absent when points are single outcomes
	Exactly []float64  `json:"exactly"`
	AtLeast []float64  `json:"atLeast"`
	AtMost  []float64  `json:"atMost"`
	Words   [][]Chance `json:"words,omitempty"` // exactly, at least and at most of each point, when these are few
}

// A Bar is one chance with a label.
type Bar struct {
	Label   string  `json:"label"`
	Share   float64 `json:"share"`
	Exactly Chance  `json:"exactly"`
	AtLeast *Chance `json:"atLeast,omitempty"` // this or a later one
	AtMost  *Chance `json:"atMost,omitempty"`
}

// A Chance is an exact chance in words.
type Chance struct {
	Percent  string  `json:"percent"`         // without the sign
	Fraction string  `json:"fraction"`        // as tables print it
	Exact    string  `json:"exact,omitempty"` // the whole fraction, unless it is very long
	Value    float64 `json:"value"`
}

// A Heat is the cells of a grid.
type Heat struct {
	Corner string      `json:"corner,omitempty"`
	Rows   []string    `json:"rows"`
	Cols   []string    `json:"cols"`
	Values [][]float64 `json:"values"`
	Cells  [][]Chance  `json:"cells,omitempty"` // the values in words, when they are few: others are probed
	Prob   bool        `json:"prob"`            // the cells are chances
}

const (
	mostPoints = 6000 // of a series
	mostWorded = 300  // points whose chances are sent in words at once
	mostDigits = 120  // characters of an exact fraction
	mostBars   = 400
	mostCells  = 4000 // of a grid that are sent in words at once
)

func view(out lang.Output) View {
	v := View{Title: out.Title, Kind: out.Kind(), Line: out.Line}
	switch data := out.Data.(type) {
	case lang.Roll:
		if data.Dist != nil {
			v.Series = []Series{series("", data.Dist)}
		}
	case lang.Comparison:
		for _, r := range data.Rolls {
			if r.Dist != nil {
				v.Series = append(v.Series, series(r.Name, r.Dist))
			}
		}
	case lang.Outcomes:
		v.Bars, v.Whole = labelBars(data), true
	case lang.Prob:
		v.Bars = []Bar{bar(out.Title, data.Value, data.Bound)}
	case lang.ProbTable:
		for _, row := range data.Rows[:min(len(data.Rows), mostBars)] {
			v.Bars = append(v.Bars, bar(row.Label.String(), row.Value, row.Bound))
		}
	case lang.Grid:
		v.Heat = heat(data)
	}
	return v
}

// chance puts a chance or a number into words.
func chance(x *big.Rat, bound float64) Chance {
	c := Chance{Percent: report.Percent(x, bound), Fraction: report.Fraction(x, bound), Value: float(x)}
	if bound > 0 {
		return c
	}
	if exact := x.RatString(); len(exact) <= mostDigits {
		c.Exact = exact
	}
	return c
}

// number puts a number that is no chance into words.
func number(x *big.Rat, bound float64) Chance {
	c := Chance{Value: float(x)}
	if exact := x.RatString(); bound == 0 && len(exact) <= mostDigits {
		c.Exact, c.Fraction = exact, exact
	}
	return c
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

func bar(label string, x *big.Rat, bound float64) Bar {
	return Bar{Label: label, Share: float(x), Exactly: chance(x, bound)}
}

// labelBars are the labels of outcomes, with the chances of each and of all
// before and after it.
func labelBars(data lang.Outcomes) []Bar {
	var bars []Bar
	sum := new(big.Rat)
	one := big.NewRat(1, 1)
	ordered := len(data.Entries) <= mostWorded
	for _, e := range data.Entries[:min(len(data.Entries), mostBars)] {
		b := bar(e.Label.String(), e.Value, data.Bound)
		if ordered {
			from := chance(new(big.Rat).Sub(one, sum), data.Bound)
			sum.Add(sum, e.Value)
			to := chance(sum, data.Bound)
			b.AtLeast, b.AtMost = &from, &to
		}
		bars = append(bars, b)
	}
	return bars
}

func heat(g lang.Grid) *Heat {
	h := &Heat{Corner: g.Corner, Rows: labelTexts(g.Rows), Cols: labelTexts(g.Cols), Prob: true}
	worded := len(g.Rows)*len(g.Cols) <= mostCells
	for _, row := range g.Cells {
		values := make([]float64, len(row))
		cells := make([]Chance, len(row))
		for i, c := range row {
			if c.Value == nil {
				continue
			}
			h.Prob = h.Prob && c.Prob
			values[i] = float(c.Value)
			if worded {
				cells[i] = cellWords(c)
			}
		}
		h.Values = append(h.Values, values)
		if worded {
			h.Cells = append(h.Cells, cells)
		}
	}
	return h
}

// cellWords is the value of a cell in words; of an empty one it has none.
func cellWords(c lang.Cell) Chance {
	switch {
	case c.Value == nil:
		return Chance{}
	case c.Prob:
		return chance(c.Value, c.Bound)
	}
	return number(c.Value, c.Bound)
}

func labelTexts(labels []lang.Label) []string {
	texts := make([]string, len(labels))
	for i, l := range labels {
		texts[i] = l.String()
	}
	return texts
}

// series is a roll for a chart.
func series(name string, d *dist.Dist) Series {
	s := Series{Name: name}
	if m, err := d.Moments(context.Background()); err == nil && m.Mean != nil {
		at := float(m.Mean)
		s.MeanAt, s.Mean = &at, report.Decimal(m.Mean, 3)
	}
	if d.Len() == 0 {
		return s
	}
	s.SD, s.Five = spread(d), five(d)
	size := width(d)
	total := new(big.Float).SetPrec(drawn).SetInt(d.Total())
	share := func(w *big.Int) float64 {
		f, _ := new(big.Float).Quo(new(big.Float).SetPrec(drawn).SetInt(w), total).Float64()
		return f
	}
	sum, rest := new(big.Int), d.Total()
	point := new(big.Int)
	low, high := 0, 0
	flush := func() {
		s.Low, s.High = append(s.Low, low), append(s.High, high)
		s.Exactly = append(s.Exactly, share(point))
		s.AtLeast = append(s.AtLeast, share(rest))
		sum.Add(sum, point)
		rest.Sub(rest, point)
		s.AtMost = append(s.AtMost, share(sum))
		point.SetInt64(0)
	}
	for x, w := range d.All() {
		if point.Sign() > 0 && place(x, d.Min(), size) != place(low, d.Min(), size) {
			flush()
		}
		if point.Sign() == 0 {
			low = x
		}
		point.Add(point, w)
		high = x
	}
	if point.Sign() > 0 {
		flush()
	}
	if len(s.Low) <= mostWorded {
		for i := range s.Low {
			s.Words = append(s.Words, words(d, s.Low[i], s.High[i]))
		}
	}
	if size == 1 {
		s.High = nil
	}
	return s
}

// spread is the standard deviation in words; a roll without one has none.
func spread(d *dist.Dist) string {
	m, err := d.Moments(context.Background())
	if err != nil || m.Variance == nil {
		return ""
	}
	variance, _ := m.Variance.Float64()
	return strconv.FormatFloat(math.Sqrt(variance), 'f', 2, 64)
}

// five are the least outcome, the quartiles and the greatest; nil where they are not certain.
func five(d *dist.Dist) []int {
	var at [3]int
	for i := range at {
		q, err := d.Quantile(context.Background(), big.NewRat(int64(i+1), 4))
		if err != nil {
			return nil
		}
		at[i] = q
	}
	return []int{d.Min(), at[0], at[1], at[2], d.Max()}
}

// drawn is how many bits of a chance are computed to find the nearest float: so
// many more than a float has that what follows could not change it.
const drawn = 192

// width is how many neighbours make a point.
func width(d *dist.Dist) uint {
	if d.Len() <= mostPoints {
		return 1
	}
	return (uint(d.Max())-uint(d.Min()))/mostPoints + 1
}

// place is the number of the point that an outcome falls into.
func place(x, low int, size uint) uint { return (uint(x) - uint(low)) / size }

// words are the chances of exactly a point, of it or more, and of it or less.
func words(d *dist.Dist, low, high int) []Chance {
	bound := d.Bound()
	exactly := new(big.Rat).Sub(d.AtMost(high), d.LessThan(low))
	atLeast, atMost := chance(d.AtLeast(low), bound), chance(d.AtMost(high), bound)
	return []Chance{chance(exactly, bound), atLeast, atMost}
}
