package dist

import (
	"context"
	"encoding/binary"
	"math/big"
	"slices"

	"dicescript/dist/internal/nat"
	"dicescript/dist/internal/work"
	"dicescript/dist/upper"
)

// A lattice draws all ways in which some dice or cards can fall as paths from
// the first level of a graph to its last. It is drawn face by face; a node says
// how many dice or cards are still to be placed on the faces that come, and an
// edge that c of n show the face has the weight C(n, c) w^c, so that the weight
// of a path is the number of ways that it stands for.
//
// Dice that differ only in faces that have been passed are alike from there on
// and are counted together. So a d12 and a d8, seen from the highest face down,
// are one kind of die from the 8 on, and a pool of many sizes has few nodes. A
// path can be walked from either end: the order in which a rule sees the faces
// is not that in which the lattice is drawn.

type lattice struct {
	descending bool
	faces      []int    // in the order in which it is drawn
	layers     []*layer // layers[i] leads over faces[i] from level i to level i+1
	nodes      []int    // how many there are at each level
	live       [][]bool // by level and node: whether a path goes through; nil when one goes through all
	first      []Weight // by node of level 0; every path ends at node 0 of the last level
	labels     [][]int  // what an edge shows: how many of each multiset asked about; after them how many of each show lower faces, if ranked
	nothing    int32    // the label of a face that nothing shows
	total      *big.Int // the weight of all paths
}

// A layer holds the edges over one face, by the node that they leave. Layers
// over faces that do the same are one layer.
type layer struct {
	out   edgeList
	nodes int       // that they come to
	back  *edgeList // the same edges by the node that they come to, nil until they are needed
}

// backward returns the edges by the node that they come to.
func (y *layer) backward() *edgeList {
	if y.back == nil {
		back := y.out.turned(y.nodes)
		y.back = &back
	}
	return y.back
}

// An edgeList holds the edges of node u from start[u] up to start[u+1].
type edgeList struct {
	start  []int32
	to     []int32
	label  []int32
	weight []Weight
}

func (l *edgeList) of(u int) (from, to int) { return int(l.start[u]), int(l.start[u+1]) }

// turned returns the edges the other way round, in a level of n nodes.
func (l *edgeList) turned(n int) edgeList {
	out := edgeList{
		start: make([]int32, n+1), to: make([]int32, len(l.to)),
		label: make([]int32, len(l.to)), weight: make([]Weight, len(l.to)),
	}
	for _, v := range l.to {
		out.start[v+1]++
	}
	for v := range n {
		out.start[v+1] += out.start[v]
	}
	next := slices.Clone(out.start)
	for u := 0; u+1 < len(l.start); u++ {
		for e, end := l.of(u); e < end; e++ {
			at := next[l.to[e]]
			next[l.to[e]]++
			out.to[at], out.label[at], out.weight[at] = int32(u), l.label[e], l.weight[e]
		}
	}
	return out
}

// A facet is what is asked of one member of a lattice: how many of those that are
// its ranks from..to, where the highest has rank 1, show a face. A pool has one
// member, a deal one for each hand.
type facet struct {
	member, from, to int
}

// edgeCells is about how many words an edge takes, both ways.
const edgeCells = 8

// A drawing is a lattice that is being made.
type drawing struct {
	lattice
	ctx    context.Context
	facets []facet
	ranked bool  // whether labels tell places
	sizes  []int // of the members
	index  map[string]int32
	shared map[string]*layer
	edges  edgeList
	paid   int   // edges of the layer that are charged
	drawn  int64 // nodes and edges in all
	failed error // why an edge could not be charged
	merges bool  // whether a node can have two edges of one label to one node
	counts []int
	single []int32 // the labels of small counts plus 1, when a label is one count
	key    []byte
}

// mostSingle is below which counts labels are found by themselves.
const mostSingle = 1 << 10

func newDrawing(ctx context.Context, facets []facet, ranked bool, sizes []int) *drawing {
	d := &drawing{ctx: ctx, facets: facets, ranked: ranked, sizes: sizes, index: map[string]int32{}, shared: map[string]*layer{}}
	d.counts = make([]int, len(facets))
	if ranked {
		d.counts = make([]int, 2*len(facets))
	}
	d.nothing = d.labelOf()
	return d
}

// labelOf returns the number of the label that stands in counts.
func (d *drawing) labelOf() int32 {
	if len(d.counts) == 1 && d.counts[0] < mostSingle {
		c := d.counts[0]
		for c >= len(d.single) {
			d.single = append(d.single, 0)
		}
		if d.single[c] == 0 {
			d.single[c] = d.newLabel() + 1
		}
		return d.single[c] - 1
	}
	d.key = d.key[:0]
	for _, c := range d.counts {
		d.key = binary.AppendUvarint(d.key, uint64(c))
	}
	i, ok := d.index[string(d.key)]
	if !ok {
		i = d.newLabel()
		d.index[string(d.key)] = i
	}
	return i
}

func (d *drawing) newLabel() int32 {
	d.labels = append(d.labels, slices.Clone(d.counts))
	return int32(len(d.labels) - 1)
}

// begin begins a layer that leaves so many nodes by so many edges. When their
// number is not known beforehand it is 0, and they are charged as they come.
func (d *drawing) begin(nodes, edges int64) error {
	if err := d.pay(upper.AddSat(nodes, edges)); err != nil {
		return err
	}
	d.paid = int(edges)
	room := min(edges, edgesAtOnce)
	d.edges = edgeList{
		start: make([]int32, 1, nodes+1),
		to:    make([]int32, 0, room), label: make([]int32, 0, room), weight: make([]Weight, 0, room),
	}
	return nil
}

// edgesAtOnce is how many edges are charged together as they come.
const edgesAtOnce = 1 << 10

// pay charges nodes and edges before they are drawn.
func (d *drawing) pay(n int64) error {
	d.drawn = upper.AddSat(d.drawn, n)
	if err := indexable(d.ctx, upper.MulSat(d.drawn, 2)); err != nil {
		return err
	}
	if err := chargeRoom(d.ctx, n, edgeCells); err != nil {
		return err
	}
	return ChargeWork(d.ctx, upper.MulSat(n, 64))
}

// edge adds an edge of the node that is being drawn. left is how many of each
// member are to be placed before it, and shows how many of them show the face.
func (d *drawing) edge(to int, left, shows []int, w Weight) {
	for i, v := range d.facets {
		c := shows[v.member]
		above := d.sizes[v.member] - left[v.member]
		if !d.descending {
			above = left[v.member] - c
		}
		d.counts[i] = max(0, min(above+c, v.to)-max(above, v.from-1))
		if d.ranked {
			d.counts[len(d.facets)+i] = max(0, v.to-max(above+c, v.from-1))
		}
	}
	label := d.labelOf()
	e := &d.edges
	for i := int(e.start[len(e.start)-1]); d.merges && i < len(e.to); i++ {
		if e.to[i] == int32(to) && e.label[i] == label {
			e.weight[i] = e.weight[i].Plus(w)
			return
		}
	}
	if len(e.to) == d.paid {
		if d.failed == nil {
			d.failed = d.pay(edgesAtOnce)
		}
		d.paid += edgesAtOnce
	}
	e.to = append(e.to, int32(to))
	e.label = append(e.label, label)
	e.weight = append(e.weight, w)
}

// endNode ends the edges of a node.
func (d *drawing) endNode() error {
	d.edges.start = append(d.edges.start, int32(len(d.edges.to)))
	return d.failed
}

// endLayer ends a layer that comes to so many nodes.
func (d *drawing) endLayer(nodes int) *layer {
	return &layer{out: d.edges, nodes: nodes}
}

// finish finds the nodes that paths go through.
func (d *drawing) finish() *lattice {
	l := &d.lattice
	l.live = make([][]bool, len(l.nodes))
	for i, n := range l.nodes {
		l.live[i] = make([]bool, n)
	}
	last := len(l.layers)
	ends := make([][]bool, len(l.nodes))
	ends[last] = make([]bool, l.nodes[last])
	ends[last][0] = true
	for i := last - 1; i >= 0; i-- {
		ends[i] = l.layers[i].backward().reached(ends[i+1], l.nodes[i])
	}
	for u, w := range l.first {
		l.live[0][u] = !w.IsZero() && ends[0][u]
	}
	for i, y := range l.layers {
		l.live[i+1] = y.out.reached(l.live[i], l.nodes[i+1])
		for v := range l.live[i+1] {
			l.live[i+1][v] = l.live[i+1][v] && ends[i+1][v]
		}
	}
	return l
}

// reached marks where the edges of the marked nodes lead.
func (l *edgeList) reached(from []bool, n int) []bool {
	to := make([]bool, n)
	for u, ok := range from {
		if !ok {
			continue
		}
		for e, end := l.of(u); e < end; e++ {
			to[l.to[e]] = true
		}
	}
	return to
}

// A kindOfDie is a group of equal dice with its weights by face of a lattice.
type kindOfDie struct {
	count   int
	weights []Weight // by the place of the face
	first   int      // the place of its first face
	last    int      // the place of its last face
}

// A dieClass is kinds of dice that are alike from some face on.
type dieClass struct {
	kinds []int
	count int
	fresh bool // all its dice are still to be placed, since no face of theirs has come yet
}

// radix is how many numbers of dice can be left.
func (c dieClass) radix() int {
	if c.fresh {
		return 1
	}
	return c.count + 1
}

// poolLattice draws the dice of a pool, in the given order where either takes as many
// nodes.
func poolLattice(ctx context.Context, p *Pool, order Order, facets []facet, ranked bool) (*lattice, error) {
	places := int64(0)
	for _, g := range p.groups {
		places = upper.AddSat(places, int64(g.die.size))
	}
	n := int64(len(p.groups))
	if err := ChargeTable(ctx, places, 3*(n+1)); err != nil {
		return nil, err
	}
	if err := ChargeWork(ctx, upper.MulSat(places, 8*n*n+16)); err != nil {
		return nil, err
	}
	faces, groups, err := dieGroups(ctx, p)
	if err != nil {
		return nil, err
	}
	total, err := p.total(ctx)
	if err != nil {
		return nil, err
	}
	best := newPoolDrawing(faces, groups, order == Descending)
	if len(groups) > 1 {
		if other := newPoolDrawing(faces, groups, order != Descending); other.nodes < best.nodes {
			best = other
		}
	}
	d := newDrawing(ctx, facets, ranked, []int{p.size})
	d.total, d.descending, d.faces = total, best.descending, best.faces
	return best.draw(d)
}

// A poolDrawing says which dice are alike at each level.
type poolDrawing struct {
	descending bool
	faces      []int
	kinds      []kindOfDie
	classes    [][]dieClass // by level
	nodes      int64        // of all levels
}

func newPoolDrawing(faces []int, groups []dieGroup, descending bool) *poolDrawing {
	p := &poolDrawing{descending: descending, faces: slices.Clone(faces)}
	if descending {
		slices.Reverse(p.faces)
	}
	for _, g := range groups {
		k := kindOfDie{count: g.count, weights: slices.Clone(g.weights)}
		if descending {
			slices.Reverse(k.weights)
		}
		k.first = len(k.weights)
		for i, w := range k.weights {
			if !w.IsZero() {
				k.first, k.last = min(k.first, i), i
			}
		}
		p.kinds = append(p.kinds, k)
	}
	if len(p.kinds) == 1 {
		p.one()
		return p
	}
	differ := make([][]int, len(p.kinds)) // the last place where two kinds differ
	for g := range p.kinds {
		differ[g] = make([]int, g)
		for h := range g {
			differ[g][h] = lastDifference(p.kinds[g].weights, p.kinds[h].weights)
		}
	}
	for level := 0; level <= len(p.faces); level++ {
		classes := p.alike(differ, level)
		places := int64(1)
		for _, c := range classes {
			places = upper.MulSat(places, int64(c.radix()))
		}
		p.classes = append(p.classes, classes)
		p.nodes = upper.AddSat(p.nodes, places)
	}
	return p
}

// one gives equal dice their levels.
func (p *poolDrawing) one() {
	n := len(p.faces)
	kinds, dice := []int{0}, p.kinds[0].count
	first := []dieClass{{kinds: kinds, count: dice, fresh: true}}
	between := []dieClass{{kinds: kinds, count: dice}}
	p.classes = make([][]dieClass, n+1)
	for level := 1; level < n; level++ {
		p.classes[level] = between
	}
	p.classes[0] = first
	p.nodes = upper.AddSat(2, upper.MulSat(int64(n)-1, int64(dice)+1))
}

// lastDifference returns the last place where two rows differ, or -1.
func lastDifference(a, b []Weight) int {
	for i := len(a) - 1; i >= 0; i-- {
		if !a[i].equal(b[i]) {
			return i
		}
	}
	return -1
}

func (w Weight) equal(v Weight) bool {
	if w.wide == nil || v.wide == nil {
		return w == v
	}
	return w.wide.Cmp(v.wide) == 0
}

// alike puts the kinds together that are alike from a level on and can still
// show something.
func (p *poolDrawing) alike(differ [][]int, level int) []dieClass {
	var classes []dieClass
kinds:
	for g, k := range p.kinds {
		if k.last < level {
			continue
		}
		for i, c := range classes {
			if h := c.kinds[0]; differ[g][h] < level {
				classes[i].kinds = append(c.kinds, g)
				classes[i].count += k.count
				classes[i].fresh = c.fresh && k.first >= level
				continue kinds
			}
		}
		classes = append(classes, dieClass{kinds: []int{g}, count: k.count, fresh: k.first >= level})
	}
	return classes
}

func (p *poolDrawing) draw(d *drawing) (*lattice, error) {
	d.first = []Weight{{word: 1}}
	for _, classes := range p.classes {
		places := int64(1)
		for _, c := range classes {
			places = upper.MulSat(places, int64(c.radix()))
			if err := indexable(d.ctx, upper.MulSat(places, edgeCells)); err != nil {
				return nil, err
			}
		}
		d.nodes = append(d.nodes, int(places))
	}
	for level := range p.faces {
		y, err := p.layer(d, level)
		if err != nil {
			return nil, err
		}
		d.layers = append(d.layers, y)
	}
	if len(p.kinds) <= 1 {
		return &d.lattice, nil // equal dice can be left and placed in any number
	}
	return d.finish(), nil
}

// signature appends what is the same for faces over which the edges are the same, and for
// no others: each list after its length.
func (p *poolDrawing) signature(key []byte, level int) []byte {
	key = binary.AppendUvarint(key, uint64(len(p.classes[level])))
	for _, c := range p.classes[level] {
		k := p.kinds[c.kinds[0]]
		key = c.signature(key)
		key = append(key, bit(k.last == level))
		limbs := k.weights[level].shared().Bits()
		key = binary.AppendUvarint(key, uint64(len(limbs)))
		for _, x := range limbs {
			key = binary.AppendUvarint(key, uint64(x))
		}
	}
	key = binary.AppendUvarint(key, uint64(len(p.classes[level+1])))
	for _, c := range p.classes[level+1] {
		key = c.signature(key)
	}
	return key
}

func (c dieClass) signature(key []byte) []byte {
	key = append(binary.AppendUvarint(key, uint64(len(c.kinds))), bit(c.fresh))
	for _, k := range c.kinds {
		key = binary.AppendUvarint(key, uint64(k))
	}
	return key
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// A classStep is what a class does on one face.
type classStep struct {
	count  int
	fresh  bool
	ways   showingWays
	last   bool // all that are left show it
	stride int  // at the level before
	onward int  // at the level after; 0 when the class has ended or not begun
}

// layer draws the edges over the face of a level.
func (p *poolDrawing) layer(d *drawing, level int) (*layer, error) {
	d.key = p.signature(d.key[:0], level)
	key := string(d.key)
	if y := d.shared[key]; y != nil {
		return y, nil
	}
	steps, edges, err := p.steps(d, level)
	if err != nil {
		return nil, err
	}
	nodes := d.nodes[level]
	if err := d.begin(int64(nodes), edges); err != nil {
		return nil, err
	}
	d.merges = len(steps) > 1
	left := make([]int, len(steps)+2)
	left, all, shows := left[:len(steps)], left[len(steps):len(steps)+1], left[len(steps)+1:]
	tick := work.NewTicker(d.ctx)
	for u := range nodes {
		all[0] = 0
		for i, s := range steps {
			left[i] = s.count
			if !s.fresh {
				left[i] = u / s.stride % (s.count + 1)
			}
			all[0] += left[i]
		}
		if err := spreadClasses(steps, left, 0, 0, Weight{word: 1}, func(to, count int, w Weight) error {
			shows[0] = count
			d.edge(to, all, shows, w)
			return tick.Tick(32)
		}); err != nil {
			return nil, err
		}
		if err := d.endNode(); err != nil {
			return nil, err
		}
	}
	y := d.endLayer(d.nodes[level+1])
	d.shared[key] = y
	return y, nil
}

// spreadClasses visits all ways in which the classes from the first of steps on
// can show a face.
func spreadClasses(steps []classStep, left []int, to, count int, w Weight, visit func(to, count int, w Weight) error) error {
	if len(steps) == 0 {
		return visit(to, count, w)
	}
	s, n := steps[0], left[0]
	c := 0
	if s.last {
		c = n
	}
	for ; c <= n; c++ {
		ways := s.ways.of(n, c)
		if ways.IsZero() {
			break
		}
		if err := spreadClasses(steps[1:], left[1:], to+(n-c)*s.onward, count+c, w.Times(ways), visit); err != nil {
			return err
		}
	}
	return nil
}

// steps returns what the classes do at a level, and how many edges that makes.
func (p *poolDrawing) steps(d *drawing, level int) ([]classStep, int64, error) {
	onward := make([]int, len(p.kinds))
	stride := 1
	for _, c := range p.classes[level+1] {
		if c.fresh {
			continue
		}
		for _, g := range c.kinds {
			onward[g] = stride
		}
		stride *= c.radix()
	}
	var steps []classStep
	edges := int64(1)
	stride = 1
	for _, c := range p.classes[level] {
		k := p.kinds[c.kinds[0]]
		s := classStep{count: c.count, fresh: c.fresh, last: k.last == level, stride: stride, onward: onward[c.kinds[0]]}
		stride *= c.radix()
		n := int64(c.count) + 1
		switch {
		case s.last || k.weights[level].IsZero():
			edges = upper.MulSat(edges, int64(c.radix()))
		case c.fresh:
			edges = upper.MulSat(edges, n)
		default:
			edges = upper.MulSat(edges, upper.MulSat(n, n+1)/2)
		}
		var err error
		if s.ways, err = waysToShow(d.ctx, s, k.weights[level]); err != nil {
			return nil, 0, err
		}
		steps = append(steps, s)
	}
	return steps, edges, nil
}

// A showingWays holds in how many ways c of n dice of one kind show a face of weight w:
// C(n, c) w^c for every n up to their number; for the number alone where no face of
// theirs has come, and w^n alone where none comes any more.
type showingWays struct {
	weights []Weight
	rows    bool // whether the rows for all n stand one after the other
}

// of returns the weight of c of n dice.
func (s *showingWays) of(n, c int) Weight {
	if s.rows {
		return s.weights[n*(n+1)/2+c]
	}
	return s.weights[c]
}

// waysToShow returns the ways of a class to show a face of weight w.
func waysToShow(ctx context.Context, s classStep, w Weight) (showingWays, error) {
	n := int64(s.count) + 1
	words := upper.MulSat(n, int64(w.shared().BitLen()+1))/nat.LimbBits + 1
	out := showingWays{rows: !s.fresh && !s.last}
	cells := n
	if out.rows {
		cells = upper.MulSat(n, n+1) / 2
	}
	if err := chargeRoom(ctx, upper.AddSat(cells, 2*n), words); err != nil {
		return out, err
	}
	if err := ChargeWork(ctx, upper.MulSat(cells, 4*words+16)); err != nil {
		return out, err
	}
	tick := work.NewTicker(ctx)
	powers := make([]Weight, n)
	powers[0] = Weight{word: 1}
	for c := 1; c < len(powers); c++ {
		if err := tick.Tick(16 * int(words)); err != nil {
			return out, err
		}
		powers[c] = powers[c-1].Times(w)
	}
	if s.last {
		out.weights = powers
		return out, nil
	}
	if s.fresh {
		out.weights = make([]Weight, n)
		choose := Weight{word: 1}
		for c := range out.weights {
			if err := tick.Tick(16 * int(words)); err != nil {
				return out, err
			}
			out.weights[c] = choose.Times(powers[c])
			choose = choose.Times(Weight{word: nat.Limb(s.count - c)}).over(nat.Limb(c + 1))
		}
		return out, nil
	}
	out.weights = make([]Weight, 0, cells)
	choose := make([]Weight, n)
	for n := range choose {
		choose[n] = Weight{word: 1}
		for k := n - 1; k > 0; k-- {
			choose[k] = choose[k].Plus(choose[k-1])
		}
		if err := tick.Tick(16 * int(words) * (n + 1)); err != nil {
			return out, err
		}
		for c := range n + 1 {
			out.weights = append(out.weights, choose[c].Times(powers[c]))
		}
	}
	return out, nil
}
