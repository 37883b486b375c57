package markov

import (
	"cmp"
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A state that is only passed through can be taken out of a process without
// changing where the process ends: whoever went to k goes instead, in
// proportion, to where k goes. In integers, with S the sum of row k without its
// own entry,
//
//	w'_ij = S w_ij + w_ik w_kj
//
// and staying put is left out, since it only costs time. Nothing is subtracted,
// so nothing can cancel (Grassmann, Taksar and Heyman, "Regenerative analysis
// and steady state distributions for Markov chains", 1985). Each row is divided
// by what its weights have in common, so weights stay as short as the answer
// needs.

// An elimination takes all states out but the first and the absorbing ones.
type elimination struct {
	meter work.Meter
	rows  []freeRow          // empty for absorbing states and for those taken out
	from  []map[int]struct{} // the rows that lead to a state
}

// A freeRow is a row of a process without its own entry.
type freeRow struct {
	to  []int // ascending
	w   []*big.Int
	sum *big.Int
	err float64 // the error collected until the row is left
}

// An Absorption says where a process is absorbed: in state To[k] with the weight W[k].
type Absorption struct {
	To  []int
	W   []*big.Int
	Err float64 // the sum over all states of their expected visits times the error of their row
}

// Absorb takes all states out of a process but the first and the absorbing ones,
// of which one must be reached from everywhere and the first is none.
func Absorb(meter work.Meter, rows []Row) (Absorption, error) {
	e, err := newElimination(meter, rows)
	if err != nil {
		return Absorption{}, err
	}
	if err := e.run(); err != nil {
		return Absorption{}, err
	}
	return Absorption{To: e.rows[0].to, W: e.rows[0].w, Err: e.rows[0].err}, nil
}

func newElimination(meter work.Meter, rows []Row) (*elimination, error) {
	e := &elimination{meter: meter, rows: make([]freeRow, len(rows)), from: make([]map[int]struct{}, len(rows))}
	for i := range e.from {
		e.from[i] = map[int]struct{}{}
	}
	for i, r := range rows {
		if r.Absorbing {
			continue
		}
		if err := meter.Weights(int64(len(r.To)), int64(r.W.Words)); err != nil {
			return nil, err
		}
		order := make([]int, len(r.To))
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.To[a], r.To[b]) })
		free := freeRow{err: r.Err}
		for _, k := range order {
			free.to = append(free.to, r.To[k])
			free.w = append(free.w, nat.Natural(r.W.At(k)))
		}
		e.put(i, free)
	}
	return e, nil
}

// put makes free the row of state i: its own entry is dropped and the common
// divisor taken out.
func (e *elimination) put(i int, free freeRow) {
	if k, ok := slices.BinarySearch(free.to, i); ok {
		all := sumOf(free.w)
		free.to = slices.Delete(free.to, k, k+1)
		free.w = slices.Delete(free.w, k, k+1)
		if free.err > 0 {
			// Each visit is repeated all / sum times on average.
			free.err = upper.Mul(free.err, upper.Abs(new(big.Rat).SetFrac(all, sumOf(free.w))))
		}
	}
	g := new(big.Int)
	for _, w := range free.w {
		if g.GCD(nil, nil, g, w); g.IsInt64() && g.Int64() == 1 {
			break
		}
	}
	if !g.IsInt64() || g.Int64() != 1 {
		for _, w := range free.w {
			w.Quo(w, g)
		}
	}
	free.sum = sumOf(free.w)
	for _, j := range free.to {
		e.from[j][i] = struct{}{}
	}
	e.rows[i] = free
}

func sumOf(ws []*big.Int) *big.Int {
	sum := new(big.Int)
	for _, w := range ws {
		sum.Add(sum, w)
	}
	return sum
}

// run takes out the states, one with the least traffic at a time.
func (e *elimination) run() error {
	var left []int
	for i := 1; i < len(e.rows); i++ {
		if len(e.rows[i].to) > 0 {
			left = append(left, i)
		}
	}
	for len(left) > 0 {
		if err := e.meter.Work(int64(len(left))); err != nil {
			return err
		}
		best := 0
		for at, k := range left {
			if e.traffic(k) < e.traffic(left[best]) {
				best = at
			}
		}
		k := left[best]
		left = slices.Delete(left, best, best+1)
		if err := e.remove(k); err != nil {
			return err
		}
	}
	return nil
}

func (e *elimination) traffic(k int) int { return len(e.from[k]) * len(e.rows[k].to) }

// remove takes out state k.
func (e *elimination) remove(k int) error {
	through := e.rows[k]
	before := make([]int, 0, len(e.from[k]))
	for i := range e.from[k] {
		before = append(before, i)
	}
	slices.Sort(before)
	for _, j := range through.to {
		delete(e.from[j], k)
	}
	for _, i := range before {
		merged, err := e.merge(e.rows[i], k, through)
		if err != nil {
			return err
		}
		e.put(i, merged)
	}
	e.rows[k] = freeRow{}
	return nil
}

// merge sends what row goes to k on to where k goes.
func (e *elimination) merge(row freeRow, k int, through freeRow) (freeRow, error) {
	at, _ := slices.BinarySearch(row.to, k)
	toK := row.w[at]
	g := new(big.Int).GCD(nil, nil, toK, through.sum)
	stay, pass := new(big.Int).Quo(through.sum, g), new(big.Int).Quo(toK, g)
	out := freeRow{err: row.err}
	if through.err > 0 {
		out.err = upper.Add(out.err, upper.Mul(through.err, upper.Abs(new(big.Rat).SetFrac(toK, row.sum))))
	}
	n := len(row.to) + len(through.to)
	words := int64(nat.WordsFor(row.sum)) * int64(nat.WordsFor(through.sum))
	if err := e.meter.Work(upper.MulSat(int64(n), upper.AddSat(upper.MulSat(words, 4), work.Visit))); err != nil {
		return out, err
	}
	if err := e.meter.Weights(int64(n), int64(nat.WordsFor(row.sum)+nat.WordsFor(through.sum))); err != nil {
		return out, err
	}
	out.to, out.w = make([]int, 0, n), make([]*big.Int, 0, n)
	product := new(big.Int)
	for a, b := 0, 0; a < len(row.to) || b < len(through.to); {
		switch {
		case a < len(row.to) && row.to[a] == k:
			a++
		case b == len(through.to) || a < len(row.to) && row.to[a] < through.to[b]:
			out.to = append(out.to, row.to[a])
			out.w = append(out.w, new(big.Int).Mul(row.w[a], stay))
			a++
		case a == len(row.to) || through.to[b] < row.to[a]:
			out.to = append(out.to, through.to[b])
			out.w = append(out.w, new(big.Int).Mul(through.w[b], pass))
			b++
		default:
			w := new(big.Int).Mul(row.w[a], stay)
			out.to = append(out.to, row.to[a])
			out.w = append(out.w, w.Add(w, product.Mul(through.w[b], pass)))
			a, b = a+1, b+1
		}
	}
	return out, nil
}

// Unabsorbed returns a state from which no absorbing one can be reached, or -1.
func Unabsorbed(rows []Row) int {
	from := make([][]int, len(rows))
	reached := make([]bool, len(rows))
	var queue []int
	for i, r := range rows {
		for _, j := range r.To {
			from[j] = append(from[j], i)
		}
		if r.Absorbing {
			reached[i] = true
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		j := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, i := range from[j] {
			if !reached[i] {
				reached[i] = true
				queue = append(queue, i)
			}
		}
	}
	for i := range rows {
		if !reached[i] {
			return i
		}
	}
	return -1
}
