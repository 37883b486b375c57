package play

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/meter"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/dist/upper"

	"go.starlark.net/starlark"
)

// Exploring: each state that can be reached is found once, with the states that follow.

// A Word is what a play pauses for.
type Word int

const (
	None Word = iota
	Throw
	Given
	Draw
	Choose
	Earn
)

// maxStates bounds the states of a play.
const maxStates = 1 << 18

// A node is a state, or an end: what the function has returned, or evidence that fails.
type node struct {
	saved any // of a state that is to be gone on from
	size  int // of what is saved
	value starlark.Value
	line  int // where it was returned, or where the play waits
	ends  bool

	ways   [][]dist.Edge // one, or one for each option of a choice
	bound  float64
	choice *choice // nil where nothing is chosen

	from   int          // the state that it was first reached from
	answer fmt.Stringer // by which answer; nil for none
	near   float64      // a part of the chance to come here
}

// A choice is what a decision is about.
type choice struct {
	options   []starlark.Value
	variables []runenv.Variable // that are read after it
	against   bool              // whether the side chooses that wants the opposite of the goal
}

// A world is all that a play may come to.
type world struct {
	call   define.Call
	player runenv.Player
	word   func(starlark.Value) Word

	nodes  []node
	states map[string]int // by key
	ends   map[endKey]int
	things map[starlark.Value]int
	fails  int // the end where evidence fails, -1 when it never does
	failed int // the line of evidence that may fail
	seen   map[starlark.Value]*answers

	growths map[int]*growth // by line
	round   int             // how often the states have become twice as many

	paths   []path        // room
	weights []dist.Weight // room
	merged  edges         // room

	chooses, earns bool
	other          starlark.Value // who chooses for the other side
	reached        int            // how many nodes have been gone on from; the others are cut off

	from   int          // the node that is gone on from
	answer fmt.Stringer // and the answer that is given there

	plain *dist.Process // of all nodes, without payoffs; nil before all are found
}

// A path is what the play has come to between two pauses.
type path struct {
	to    int
	share *big.Rat   // of the chance that evidence leaves; nil for all of it
	earn  *big.Rat   // nil for nothing
	roll  *dist.Dist // what is earned besides; nil for nothing
}

// explore finds all states of a play.
func explore(c define.Call, player runenv.Player, word func(starlark.Value) Word, fn starlark.Callable, args []starlark.Value) (*world, error) {
	w := &world{
		call: c, player: player, word: word, fails: -1, from: -1,
		states: map[string]int{}, ends: map[endKey]int{}, things: map[starlark.Value]int{}, seen: map[starlark.Value]*answers{}, growths: map[int]*growth{}, round: 1,
	}
	player.Explain(w.explained)
	if err := player.Begin(fn, args); err != nil {
		return nil, err
	}
	// The beginning is a state too, of which one way leads on.
	w.nodes = append(w.nodes, node{from: -1, near: 1})
	first, err := w.goOn(0, nil)
	if err != nil {
		return nil, err
	}
	if err := w.lead(0, []path{first}, []dist.Weight{one}); err != nil {
		return nil, err
	}
	next := 32 // the number of states at which it is looked whether more have to be found
	for i := 1; i < len(w.nodes); i++ {
		w.reached = i
		if w.nodes[i].ends {
			continue
		}
		if len(w.states) > maxStates {
			return nil, w.grows(fmt.Sprintf("the play has more than %s states", upper.Grouped(maxStates)))
		}
		if i >= next {
			next *= 2
			w.round++
			if done, err := w.isEnough(); err != nil || done {
				return w, err
			}
		}
		if err := w.expand(i); err != nil {
			if meter.Ends(err) && len(w.states) > manyStates {
				return nil, &grownError{w.grows(err.Error()), err}
			}
			return nil, err
		}
	}
	w.reached = len(w.nodes)
	return w, nil
}

// goOn runs the play until it waits for chance or for a choice, or ends.
func (w *world) goOn(from int, answer fmt.Stringer) (path, error) {
	var p path
	for {
		paused, err := w.run()
		if err != nil {
			return p, err
		}
		if !paused {
			p.to, err = w.end(w.player.Value(), w.player.Line(), from)
			return p, err
		}
		if err := w.call.Meter().Spend(stepsOfPause); err != nil {
			return p, err
		}
		waits, err := w.meet(&p, from)
		if err != nil {
			return p, w.fail(err)
		}
		if !waits {
			continue
		}
		if p.share == nil || p.share.Sign() > 0 {
			p.to, err = w.state(from, answer)
		}
		return p, err
	}
}

// fail is an error of the word that the player waits for.
func (w *world) fail(err error) error {
	name, _ := w.player.Word()
	return w.player.Fail(value.InFunction(name.(*starlark.Builtin).Name(), err))
}

// explained says of an error which answers led to it.
func (w *world) explained(err error) error {
	if meter.Ends(err) || w.from < 0 {
		return err
	}
	var words []string
	if w.answer != nil {
		words = append(words, value.Shorten(w.answer.String()))
	}
	for i := w.from; i >= 0; i = w.nodes[i].from {
		if a := w.nodes[i].answer; a != nil {
			words = append(words, value.Shorten(a.String()))
		}
	}
	if len(words) == 0 {
		return err
	}
	slices.Reverse(words)
	if len(words) > mostShown {
		words = append([]string{"..."}, words[len(words)-mostShown:]...)
	}
	return &pathError{err, strings.Join(words, ", ")}
}

// A pathError is an error of the function with the answers that led to it.
type pathError struct {
	error
	path string
}

func (e *pathError) Unwrap() error { return e.error }

// Path is what was answered before the error.
func (e *pathError) Path() string { return e.path }

// mostShown is how many answers an error shows, and manyStates how many states a play has
// to have before a limit is said to be met because they are many.
const (
	mostShown  = 8
	manyStates = 10_000
)

// run lets the player go on, while builtins know that something is played.
func (w *world) run() (paused bool, err error) {
	env := runenv.Of(w.call.Thread)
	env.Playing++
	defer func() { env.Playing-- }()
	return w.player.Run()
}

// meet answers the word that the player waits for, where its answer is certain; it reports
// whether the play waits.
func (w *world) meet(p *path, from int) (waits bool, err error) {
	name, n := w.player.Word()
	word := w.word(name)
	x, err := w.operand(word, n)
	if err != nil {
		return false, err
	}
	switch word {
	case Given:
		return w.given(p, x, from)
	case Earn:
		if err := w.earn(p, x); err != nil {
			return false, err
		}
		w.player.Answer(starlark.None)
		return false, nil
	case Throw:
		switch x.(type) {
		case starlark.Int, starlark.Bool:
			w.player.Answer(x)
			return false, nil
		}
		return true, throwable(x)
	case Draw:
		list, ok := x.(*starlark.List)
		if !ok {
			return false, define.ArgError("list", "got %s, want a list of the play's own", value.Describe(x))
		}
		if list.Len() == 0 {
			return false, define.ArgError("list", "it is empty: there is nothing left to draw")
		}
		return true, nil
	}
	options, err := optionsOf(x)
	if err != nil {
		return false, err
	}
	if err := w.side(); err != nil {
		return false, err
	}
	if len(options) == 1 {
		w.player.Answer(options[0])
		return false, nil
	}
	w.chooses = true
	return true, nil
}

// given weighs a branch by evidence.
func (w *world) given(p *path, x starlark.Value, from int) (waits bool, err error) {
	weight, err := evidenceOf(x)
	if err != nil {
		return false, err
	}
	if !weight.IsInt() || weight.Sign() == 0 {
		w.failed = w.player.Line()
		if p.share == nil {
			p.share = big.NewRat(1, 1)
		}
		p.share = new(big.Rat).Mul(p.share, weight)
		if err := w.payFor(p.share); err != nil {
			return false, err
		}
	}
	if weight.Sign() == 0 {
		p.to = w.failure(from)
		return true, nil
	}
	w.player.Answer(starlark.None)
	return false, nil
}

// earn adds to what is earned on a path.
func (w *world) earn(p *path, x starlark.Value) error {
	w.earns = true
	switch x.(type) {
	case starlark.Int, *value.Number:
		r, bound, problem := value.RatOf(x)
		if problem != "" || bound > 0 {
			return define.ArgError("n", "got %s, want a number that is exact", value.Describe(x))
		}
		if p.earn == nil {
			p.earn = new(big.Rat)
		}
		p.earn = new(big.Rat).Add(p.earn, r)
		return w.payFor(p.earn)
	case *value.Roll, *value.Pool:
		d, _, err := value.AsRoll(w.call.Thread, x)
		if err != nil {
			return err
		}
		if p.roll == nil {
			p.roll = d
			return nil
		}
		p.roll, err = p.roll.Add(w.call.Context(), d)
		return err
	}
	return define.ArgError("n", "got %s, want a whole number, a Number, or a roll that nobody looks at", value.Describe(x))
}

// payFor pays for a fraction that grows along a path.
func (w *world) payFor(r *big.Rat) error {
	return w.call.Meter().Fraction(exact.Number{Rat: r}.Bits())
}

// optionsOf are the options of a choice: the elements of a list, or the keys of a dict.
func optionsOf(x starlark.Value) ([]starlark.Value, error) {
	var options []starlark.Value
	switch x := x.(type) {
	case *starlark.List:
		for i := range x.Len() {
			options = append(options, x.Index(i))
		}
	case starlark.Tuple:
		options = x
	case *starlark.Dict:
		options = x.Keys()
	default:
		return nil, define.ArgError("options", "got %s, want a list of what may be chosen, or a dict of {option: what it is}", value.Describe(x))
	}
	if len(options) == 0 {
		return nil, define.ArgError("options", "there is nothing to choose from")
	}
	return options, nil
}

// side finds out who makes the choice that the player waits for.
func (w *world) side() error {
	who := w.player.Argument(1, "who")
	if who == nil || who == starlark.None {
		return nil
	}
	if _, ok := who.(starlark.String); !ok {
		return define.ArgError("who", "got %s, want the name of the other side", value.Describe(who))
	}
	if w.other == nil {
		w.other = who
	}
	if w.other != who {
		return define.ArgError("who", "got %s beside %s, want one other side at most: the side that has the goal has no name", value.Describe(who), value.Describe(w.other))
	}
	return nil
}

// stepsOfPause is what a pause costs besides what the function does.
const stepsOfPause = 4

// operand returns what a word was given.
func (w *world) operand(word Word, n int) (starlark.Value, error) {
	x := w.player.Argument(0, paramOf[word])
	most := 1
	if word == Choose {
		most = 2
	}
	if x == nil || n > most {
		return nil, fmt.Errorf("got %d arguments, want %s", n, paramOf[word])
	}
	return x, nil
}

var paramOf = map[Word]string{Throw: "x", Given: "c", Draw: "list", Choose: "options", Earn: "n"}

// evidenceOf is the share of a branch that evidence leaves.
func evidenceOf(x starlark.Value) (*big.Rat, error) {
	switch x := x.(type) {
	case starlark.Bool:
		if x {
			return big.NewRat(1, 1), nil
		}
		return new(big.Rat), nil
	case *value.Prob:
		if x.Bound() > 0 {
			return nil, define.ArgError("c", "got a chance with an error, want an exact one")
		}
		return x.Exact().Rat, nil
	}
	return nil, define.ArgError("c", "got %s, want what is true or not, as in given(x == 6), or a chance that weighs this branch", value.Describe(x))
}

// answersTo returns what a throw may show.
func (w *world) answersTo(x starlark.Value) (*answers, error) {
	if a := w.seen[x]; a != nil {
		return a, nil
	}
	a, err := thrown(w.call, x)
	if err != nil {
		return nil, err
	}
	w.seen[x] = a
	return a, nil
}

// state returns the number of the state in which the player waits.
func (w *world) state(from int, answer fmt.Stringer) (int, error) {
	key := w.player.Key()
	if err := w.call.Meter().Moved(len(key)); err != nil {
		return 0, err
	}
	if i, ok := w.states[string(key)]; ok {
		return i, nil
	}
	if err := w.call.Meter().Make(bytesOfState + bytesOfKey*int64(len(key))); err != nil {
		return 0, err
	}
	i := len(w.nodes)
	w.states[string(key)] = i
	w.nodes = append(w.nodes, node{saved: w.player.Save(), size: len(key), line: w.player.Line(), from: from, answer: answer})
	return i, nil
}

// What is held of a state: for itself, and for each byte of its key.
const (
	bytesOfState = 512
	bytesOfKey   = 24
)

// An endKey tells ends apart: by where they are, and by what is returned there.
type endKey struct {
	line  int
	kind  string
	small int64
	text  string
}

// keyOfEnd returns the key of an end.
func (w *world) keyOfEnd(v starlark.Value, line int) endKey {
	key := endKey{line: line, kind: v.Type()}
	switch v := v.(type) {
	case starlark.Int:
		small, ok := v.Int64()
		if key.small = small; !ok {
			key.text = v.String()
		}
	case starlark.Bool, starlark.String, starlark.Tuple, starlark.NoneType:
		key.text = v.String()
	default:
		i, ok := w.things[v]
		if !ok {
			i = len(w.things)
			w.things[v] = i
		}
		key.small = int64(i)
	}
	return key
}

// end returns the number of an end.
func (w *world) end(v starlark.Value, line, from int) (int, error) {
	key := w.keyOfEnd(v, line)
	if i, ok := w.ends[key]; ok {
		return i, nil
	}
	if err := w.call.Meter().Make(bytesOfState + int64(len(key.text))); err != nil {
		return 0, err
	}
	i := len(w.nodes)
	w.ends[key] = i
	w.nodes = append(w.nodes, node{value: v, line: line, ends: true, from: from})
	return i, nil
}

// failure returns the number of the end where evidence fails.
func (w *world) failure(from int) int {
	if w.fails < 0 {
		w.fails = len(w.nodes)
		w.nodes = append(w.nodes, node{ends: true, from: from})
	}
	return w.fails
}

// expand finds what follows on a state.
func (w *world) expand(i int) error {
	saved, size := w.nodes[i].saved, w.nodes[i].size
	w.player.Load(saved, false)
	w.watch(w.nodes[i].line)
	name, _ := w.player.Word()
	word := w.word(name)
	x := w.player.Argument(0, paramOf[word])
	w.from, w.answer = i, nil
	a, err := w.possible(word, x)
	if err != nil {
		return w.fail(err)
	}
	if word == Choose {
		w.nodes[i].choice = w.decision()
	}
	paths, weights := w.paths[:0], w.weights[:0]
	for k := range a.list {
		if err := w.call.Meter().Moved(size); err != nil {
			return err
		}
		if k > 0 {
			w.player.Load(saved, k == len(a.list)-1)
		}
		v, shown, err := w.answerOf(word, a, k)
		if err != nil {
			return w.fail(err)
		}
		w.answer = shown
		if word == Choose {
			c := w.nodes[i].choice
			c.options = append(c.options, asLabel(v))
		}
		w.player.Answer(v)
		p, err := w.goOn(i, shown)
		if err != nil {
			return err
		}
		paths, weights = append(paths, p), append(weights, a.list[k].weight)
		if word == Choose {
			if err := w.lead(i, paths[k:], weights[k:]); err != nil {
				return err
			}
		}
	}
	w.paths, w.weights = paths, weights
	w.nodes[i].saved = nil
	w.nodes[i].bound = upper.Add(w.nodes[i].bound, a.bound)
	if word == Choose {
		return nil
	}
	return w.lead(i, paths, weights)
}

// decision returns the choice that the player waits for, without its options.
func (w *world) decision() *choice {
	who := w.player.Argument(1, "who")
	c := &choice{variables: w.player.Variables(), against: who != nil && who != starlark.None}
	for k, v := range c.variables {
		c.variables[k].Value = asLabel(v.Value)
	}
	return c
}

// possible are the answers to a word; those of a draw or a choice are found when they are
// given.
func (w *world) possible(word Word, x starlark.Value) (*answers, error) {
	if word == Throw {
		return w.answersTo(x)
	}
	n := starlark.Len(x)
	if err := w.call.Meter().Keep(int64(n)); err != nil {
		return nil, err
	}
	a := &answers{list: make([]answer, n)}
	for k := range a.list {
		a.list[k].weight = one
	}
	if dict, ok := x.(*starlark.Dict); ok && word == Choose {
		for k, key := range dict.Keys() {
			a.list[k].value = key
		}
	}
	return a, nil
}

// answerOf returns answer k to the word that the player waits for, and as it is shown.
func (w *world) answerOf(word Word, a *answers, k int) (v starlark.Value, shown fmt.Stringer, err error) {
	x := w.player.Argument(0, paramOf[word])
	switch word {
	case Draw:
		v, err = w.draw(k)
	case Choose:
		if v = a.list[k].value; v == nil {
			v = x.(starlark.Indexable).Index(k)
		}
	default:
		return a.list[k].handed(), a.list[k].shown(), nil
	}
	if err != nil {
		return nil, nil, err
	}
	return v, asLabel(v), nil
}

// draw takes element k out of the list that is drawn from.
func (w *world) draw(k int) (starlark.Value, error) {
	list := w.player.Argument(0, "list").(*starlark.List)
	rest := make([]starlark.Value, 0, list.Len())
	for j := range list.Len() {
		if j != k {
			rest = append(rest, list.Index(j))
		}
	}
	v := list.Index(k)
	if err := list.Clear(); err != nil {
		return nil, define.ArgError("list", "it can't be changed here: draw takes from a list of the play's own that no loop goes through; give the list to play as an argument, or draw from list(...)")
	}
	for _, x := range rest {
		list.Append(x)
	}
	return v, nil
}

// lead adds a way from state i, on paths with weights. What evidence takes away fails, and
// a roll that is earned parts a path.
func (w *world) lead(i int, paths []path, weights []dist.Weight) error {
	merged := &w.merged
	merged.clear()
	whole := true
	for k, p := range paths {
		whole = whole && p.share == nil && p.roll == nil
		if whole {
			merged.add(p.to, weights[k], p.earn)
		}
	}
	if !whole {
		merged.clear()
		if err := w.part(i, paths, weights); err != nil {
			return err
		}
	}
	list := slices.Clone(merged.list)
	if err := w.call.Meter().Keep(int64(len(list))); err != nil {
		return err
	}
	w.nodes[i].ways = append(w.nodes[i].ways, list)
	w.estimate(i, list)
	return nil
}

// part gathers the edges of paths of which some are taken in part only.
func (w *world) part(i int, paths []path, weights []dist.Weight) error {
	common := big.NewInt(1)
	for _, p := range paths {
		var err error
		if p.share != nil {
			common, err = w.lcm(common, p.share.Denom())
		}
		if p.roll != nil && err == nil {
			common, err = w.lcm(common, new(big.Int).Mul(p.roll.Total(), denomOf(p.share)))
		}
		if err != nil {
			return err
		}
	}
	lost := new(big.Int)
	for k, p := range paths {
		n := new(big.Int).Mul(weights[k].Int(), common)
		if p.share != nil {
			part := new(big.Int).Mul(n, p.share.Num())
			part.Quo(part, p.share.Denom())
			lost.Add(lost, n.Sub(n, part))
			n = part
		}
		if p.roll == nil {
			if err := w.merged.addInt(p.to, n, p.earn); err != nil {
				return err
			}
			continue
		}
		w.nodes[i].bound = upper.Add(w.nodes[i].bound, p.roll.Bound())
		n.Quo(n, p.roll.Total())
		if err := w.call.Meter().Keep(int64(p.roll.Len())); err != nil {
			return err
		}
		for face, weight := range p.roll.All() {
			earn := new(big.Rat).SetInt64(int64(face))
			if p.earn != nil {
				earn.Add(earn, p.earn)
			}
			if err := w.merged.addInt(p.to, new(big.Int).Mul(n, weight), earn); err != nil {
				return err
			}
		}
	}
	return w.merged.addInt(w.failureIf(lost, i), lost, nil)
}

// failureIf returns the end where evidence fails, if something is lost to it.
func (w *world) failureIf(lost *big.Int, from int) int {
	if lost.Sign() == 0 {
		return -1
	}
	return w.failure(from)
}

func denomOf(share *big.Rat) *big.Int {
	if share == nil {
		return big.NewInt(1)
	}
	return share.Denom()
}

// lcm returns the least common multiple of two integers.
func (w *world) lcm(a, b *big.Int) (*big.Int, error) {
	if err := w.call.Meter().Fraction(int64(a.BitLen() + b.BitLen())); err != nil {
		return nil, err
	}
	gcd := new(big.Int).GCD(nil, nil, a, b)
	return new(big.Int).Mul(a, new(big.Int).Quo(b, gcd)), nil
}

// estimate passes the chance to come to a state on to those that follow.
func (w *world) estimate(i int, list []dist.Edge) {
	total := 0.0
	for _, e := range list {
		total += e.Weight.Float64()
	}
	for _, e := range list {
		w.nodes[e.To].near += w.nodes[i].near * e.Weight.Float64() / total
	}
}

// smallest is the chance below which what is left of a play is cut off.
const smallest = 0x1p-80

// isEnough reports whether the chance to come to a state that has not been gone on from is
// so small that the play is cut there.
func (w *world) isEnough() (bool, error) {
	left := 0.0
	for _, n := range w.nodes[w.reached:] {
		if !n.ends {
			left += n.near
		}
	}
	if w.chooses || !(left < smallest) {
		return false, nil
	}
	goes, err := w.endsAt()
	if err != nil {
		return false, err
	}
	return w.leftOver(goes) < smallest, nil
}
