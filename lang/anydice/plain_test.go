package anydice

import (
	"errors"
	"fmt"
	"math/big"
	"sort"
	"strings"
)

// A slow, plain evaluator of the same trees: a die is a table of chances as
// fractions, a call gets a copy of all variables, rolls are listed die by die,
// and nothing is remembered. It is the measure for everything clever.

type plainValue struct {
	kind valueKind
	n    int
	seq  []int
	base map[int]*big.Rat // of a die
	size int
}

type plainRun struct {
	program *Program
	funcs   map[int]*function
	lowest  bool
	explode int
	most    int
	warned  bool
	work    int
	outputs []string
}

var (
	errPlainTooLong = errors.New("too long for the plain evaluator")
	errPlainWrong   = errors.New("a calculation error")
)

// plainMost keeps plain integers from overflowing.
const plainMost = 1 << 50

type plainVars map[int]plainValue

// runPlainly returns "title pmf" lines of a program, and its warning.
func runPlainly(p *Program) ([]string, bool, error) {
	r := &plainRun{program: p, funcs: map[int]*function{}, explode: 2, most: 10}
	_, _, err := r.block(p.body, plainVars{}, 0)
	return r.outputs, r.warned, err
}

func (r *plainRun) tick(n int) error {
	if r.work += n; r.work > 100_000 {
		return errPlainTooLong
	}
	return nil
}

func plainNumber(n int) plainValue { return plainValue{kind: numberValue, n: n} }
func plainSeq(s []int) plainValue  { return plainValue{kind: sequenceValue, seq: s} }
func plainDie(base map[int]*big.Rat, size int) plainValue {
	return plainValue{kind: dieValue, base: base, size: size}
}
func plainBool(b bool) plainValue {
	if b {
		return plainNumber(1)
	}
	return plainNumber(0)
}

func (v plainValue) nothing() bool { return v.kind == dieValue && len(v.base) == 0 }

func plainSum(seq []int) int {
	sum := 0
	for _, x := range seq {
		sum += x
	}
	return sum
}

func sortedKeys(m map[int]*big.Rat) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	return keys
}

func addChance(m map[int]*big.Rat, x int, p *big.Rat) {
	if m[x] == nil {
		m[x] = new(big.Rat)
	}
	m[x].Add(m[x], p)
}

// total adds up the dice of a pool one after the other.
func (r *plainRun) total(v plainValue) (map[int]*big.Rat, error) {
	sums := map[int]*big.Rat{0: big.NewRat(1, 1)}
	for range v.size {
		next := map[int]*big.Rat{}
		long := 1
		for _, m := range []map[int]*big.Rat{sums, v.base} {
			for _, p := range m {
				long = max(long, p.Denom().BitLen()/64)
			}
		}
		if err := r.tick(len(sums) * len(v.base) * long * long); err != nil {
			return nil, err
		}
		for a, p := range sums {
			for b, q := range v.base {
				if c := a + b; c > plainMost || c < -plainMost {
					return nil, errPlainTooLong
				}
				addChance(next, a+b, new(big.Rat).Mul(p, q))
			}
		}
		sums = next
	}
	return sums, nil
}

func fairFaces(faces []int) map[int]*big.Rat {
	m := map[int]*big.Rat{}
	for _, f := range faces {
		addChance(m, f, big.NewRat(1, int64(len(faces))))
	}
	return m
}

// tuples visits every arrangement of the dice of a pool, highest first or not.
func (r *plainRun) tuples(v plainValue, visit func(sorted []int, p *big.Rat)) error {
	n := 1
	for range v.size {
		n *= len(v.base)
		if n > 200_000 {
			return errPlainTooLong
		}
	}
	if err := r.tick(n); err != nil {
		return err
	}
	faces := make([]int, v.size)
	var place func(i int, p *big.Rat)
	place = func(i int, p *big.Rat) {
		if i == len(faces) {
			s := append([]int(nil), faces...)
			sort.Ints(s)
			if !r.lowest {
				for a, b := 0, len(s)-1; a < b; a, b = a+1, b-1 {
					s[a], s[b] = s[b], s[a]
				}
			}
			visit(s, p)
			return
		}
		for _, x := range sortedKeys(v.base) {
			faces[i] = x
			place(i+1, new(big.Rat).Mul(p, v.base[x]))
		}
	}
	place(0, big.NewRat(1, 1))
	return nil
}

func (r *plainRun) block(list []statement, vars plainVars, depth int) (plainValue, bool, error) {
	for _, s := range list {
		if err := r.tick(1); err != nil {
			return plainValue{}, false, err
		}
		v, ended, err := r.statement(s, vars, depth)
		if ended || err != nil {
			return v, ended, err
		}
	}
	return plainValue{}, false, nil
}

func (r *plainRun) statement(s statement, vars plainVars, depth int) (plainValue, bool, error) {
	none := plainValue{}
	switch s := s.(type) {
	case *assignment:
		v, err := r.eval(s.x, vars, depth)
		vars[s.slot] = v
		return none, false, err
	case *result:
		v, err := r.eval(s.x, vars, depth)
		return v, true, err
	case *condition:
		v, err := r.eval(s.x, vars, depth)
		if err != nil {
			return none, false, err
		}
		if v.kind != numberValue {
			return none, false, errPlainWrong
		}
		if v.n != 0 {
			return r.block(s.then, vars, depth)
		}
		return r.block(s.els, vars, depth)
	case *loop:
		v, err := r.eval(s.over, vars, depth)
		if err != nil {
			return none, false, err
		}
		if v.kind != sequenceValue {
			return none, false, errPlainWrong
		}
		for _, x := range v.seq {
			vars[s.slot] = plainNumber(x)
			if v, ended, err := r.block(s.body, vars, depth); ended || err != nil {
				return v, ended, err
			}
		}
	case *definition:
		r.funcs[s.f.shape] = s.f
	case *setting:
		switch {
		case s.name == "position order":
			r.lowest = s.text == "lowest first"
		default:
			v, err := r.eval(s.x, vars, depth)
			if err != nil || v.kind != numberValue || v.n < 1 {
				return none, false, errPlainWrong
			}
			if s.name == "explode depth" {
				r.explode = v.n
			} else {
				r.most = v.n
			}
		}
	case *output:
		return none, false, r.output(s, vars, depth)
	}
	return none, false, nil
}

func (r *plainRun) output(s *output, vars plainVars, depth int) error {
	v, err := r.eval(s.x, vars, depth)
	if err != nil {
		return err
	}
	var m map[int]*big.Rat
	switch v.kind {
	case numberValue:
		m = fairFaces([]int{v.n})
	case sequenceValue:
		m = fairFaces(v.seq)
	default:
		if m, err = r.total(v); err != nil {
			return err
		}
		if v.nothing() {
			m = nil
		}
	}
	line := fmt.Sprintf("output %d", len(r.outputs)+1)
	for _, x := range sortedKeys(m) {
		line += fmt.Sprintf(" %d:%s", x, m[x])
	}
	r.outputs = append(r.outputs, line)
	return nil
}

func (r *plainRun) eval(e expression, vars plainVars, depth int) (plainValue, error) {
	none := plainValue{}
	if err := r.tick(1); err != nil {
		return none, err
	}
	switch e := e.(type) {
	case *numberLiteral:
		return plainNumber(e.n), nil
	case *variable:
		v, ok := vars[e.slot]
		if !ok {
			return none, errPlainWrong
		}
		return v, nil
	case *sequenceLiteral:
		return r.sequence(e, vars, depth)
	case *prefixed:
		x, err := r.eval(e.x, vars, depth)
		if err != nil {
			return none, err
		}
		return r.prefix(e.op, x)
	case *infix:
		x, err := r.eval(e.x, vars, depth)
		if err != nil {
			return none, err
		}
		y, err := r.eval(e.y, vars, depth)
		if err != nil {
			return none, err
		}
		switch e.op {
		case opDice:
			return r.roll(x, y)
		case opAt:
			return r.position(x, y)
		}
		return r.infix(e.op, x, y)
	case *call:
		var args []plainValue
		for _, x := range e.args {
			v, err := r.eval(x, vars, depth)
			if err != nil {
				return none, err
			}
			args = append(args, v)
		}
		return r.call(e, args, vars, depth)
	}
	panic("an unknown expression")
}

func (r *plainRun) sequence(e *sequenceLiteral, vars plainVars, depth int) (plainValue, error) {
	out := []int{}
	for _, q := range e.parts {
		from, err := r.eval(q.from, vars, depth)
		if err != nil {
			return from, err
		}
		var part []int
		if q.to != nil {
			to, err := r.eval(q.to, vars, depth)
			if err != nil {
				return to, err
			}
			a, okA := plainWhole(from)
			b, okB := plainWhole(to)
			if !okA || !okB {
				return to, errPlainWrong
			}
			for x := a; x <= b; x++ {
				if err := r.tick(1); err != nil {
					return to, err
				}
				part = append(part, x)
			}
		} else {
			switch from.kind {
			case numberValue:
				part = []int{from.n}
			case sequenceValue:
				part = from.seq
			default:
				if !from.nothing() {
					m, err := r.total(from)
					if err != nil {
						return from, err
					}
					part = sortedKeys(m)
				}
			}
		}
		times := 1
		if q.times != nil {
			v, err := r.eval(q.times, vars, depth)
			if err != nil {
				return v, err
			}
			k, ok := plainWhole(v)
			if !ok {
				return v, errPlainWrong
			}
			times = k
		}
		for i := 0; i < times; i++ {
			if err := r.tick(1 + len(part)); err != nil {
				return from, err
			}
			out = append(out, part...)
		}
	}
	return plainSeq(out), nil
}

func plainWhole(v plainValue) (int, bool) {
	switch v.kind {
	case numberValue:
		return v.n, true
	case sequenceValue:
		return plainSum(v.seq), true
	}
	return 0, false
}

func (r *plainRun) facesOf(v plainValue) plainValue {
	switch v.kind {
	case dieValue:
		return v
	case sequenceValue:
		return plainDie(fairFaces(v.seq), min(1, len(v.seq)))
	}
	faces := []int{}
	switch {
	case v.n > 0:
		for x := 1; x <= v.n; x++ {
			faces = append(faces, x)
		}
	case v.n == 0:
		faces = []int{0}
	default:
		for x := v.n; x <= -1; x++ {
			faces = append(faces, x)
		}
	}
	return plainDie(fairFaces(faces), 1)
}

func mirrored(m map[int]*big.Rat) map[int]*big.Rat {
	out := map[int]*big.Rat{}
	for x, p := range m {
		out[-x] = p
	}
	return out
}

func (r *plainRun) roll(count, faces plainValue) (plainValue, error) {
	if n, ok := plainWhole(faces); ok && faces.kind == numberValue && (n > 1000 || n < -1000) {
		return faces, errPlainTooLong
	}
	f := r.facesOf(faces)
	if count.kind != dieValue {
		n, _ := plainWhole(count)
		switch {
		case f.nothing():
			return plainDie(nil, 0), nil
		case n == 0:
			return plainDie(fairFaces([]int{0}), 1), nil
		case n == 1:
			return f, nil
		}
		if n > 1000 || n < -1000 {
			return f, errPlainTooLong
		}
		m, err := r.total(f)
		if err != nil {
			return f, err
		}
		if n < 0 {
			return plainDie(mirrored(m), -n), nil
		}
		return plainDie(m, n), nil
	}
	if count.nothing() || f.nothing() {
		return plainDie(nil, 1), nil
	}
	counts, err := r.total(count)
	if err != nil {
		return f, err
	}
	base, err := r.total(f)
	if err != nil {
		return f, err
	}
	out := map[int]*big.Rat{}
	for n, p := range counts {
		if n > 300 || n < -300 {
			return f, errPlainTooLong
		}
		side := base
		if n < 0 {
			side, n = mirrored(base), -n
		}
		sums, err := r.total(plainDie(side, n))
		if err != nil {
			return f, err
		}
		for x, q := range sums {
			addChance(out, x, new(big.Rat).Mul(p, q))
		}
	}
	return plainDie(out, 1), nil
}

func (r *plainRun) prefix(op operator, x plainValue) (plainValue, error) {
	switch op {
	case opPlus:
		return x, nil
	case opDice:
		if x.kind == dieValue {
			return x, nil
		}
		return r.roll(plainNumber(1), x)
	case opLength:
		switch x.kind {
		case numberValue:
			return plainNumber(len(strings.TrimPrefix(fmt.Sprint(x.n), "-"))), nil
		case sequenceValue:
			return plainNumber(len(x.seq)), nil
		}
		return plainNumber(x.size), nil
	}
	if n, ok := plainWhole(x); ok {
		if op == opNot {
			return plainBool(n == 0), nil
		}
		return plainNumber(-n), nil
	}
	if x.nothing() {
		return x, nil
	}
	if op == opMinus {
		return plainDie(mirrored(x.base), x.size), nil
	}
	m, err := r.total(x)
	out := map[int]*big.Rat{}
	for a, p := range m {
		addChance(out, plainBool(a == 0).n, p)
	}
	return plainDie(out, 1), err
}

func plainOp(op operator, a, b int) (int, error) {
	bigA, bigB := big.NewInt(int64(a)), big.NewInt(int64(b))
	out := new(big.Int)
	switch op {
	case opPlus:
		out.Add(bigA, bigB)
	case opMinus:
		out.Sub(bigA, bigB)
	case opTimes:
		out.Mul(bigA, bigB)
	case opDivide:
		if b != 0 {
			out.Quo(bigA, bigB)
		}
	case opPower:
		switch {
		case b >= 0 && b < 200:
			out.Exp(bigA, bigB, nil)
		case b >= 200 && a != 0 && a != 1 && a != -1:
			return 0, errPlainWrong
		case a == -1 && b%2 == 0, a == 1:
			out.SetInt64(1)
		case a == -1:
			out.SetInt64(-1)
		case a == 0 && b < 0:
			out.SetInt64(-1 << 63)
		}
	case opAnd:
		return plainBool(a != 0 && b != 0).n, nil
	case opOr:
		return plainBool(a != 0 || b != 0).n, nil
	default:
		cmp := map[operator]bool{opEqual: a == b, opUnequal: a != b, opLess: a < b, opGreater: a > b, opAtMost: a <= b, opAtLeast: a >= b}
		return plainBool(cmp[op]).n, nil
	}
	if !out.IsInt64() {
		return 0, errPlainWrong
	}
	if out.BitLen() > 50 && op != opPower {
		return 0, errPlainTooLong
	}
	return int(out.Int64()), nil
}

func (r *plainRun) infix(op operator, x, y plainValue) (plainValue, error) {
	compare := op >= opEqual && op <= opAtLeast
	switch {
	case compare && x.kind == sequenceValue && y.kind == sequenceValue:
		word := func(s []int) string {
			b := ""
			for _, n := range s {
				b += fmt.Sprintf("%020d,", uint64(n)+1<<63)
			}
			return b
		}
		n, err := plainOp(op, strings.Compare(word(x.seq), word(y.seq)), 0)
		return plainNumber(n), err
	case compare && x.kind == sequenceValue && y.kind == numberValue,
		compare && y.kind == sequenceValue && x.kind == numberValue:
		count := 0
		for _, e := range append(append([]int(nil), x.seq...), y.seq...) {
			a, b := e, y.n
			if y.kind == sequenceValue {
				a, b = x.n, e
			}
			n, _ := plainOp(op, a, b)
			count += n
		}
		return plainNumber(count), nil
	}
	a, okA := plainWhole(x)
	b, okB := plainWhole(y)
	if okA && okB {
		n, err := plainOp(op, a, b)
		return plainNumber(n), err
	}
	if okA {
		x = plainNumber(a)
	}
	if okB {
		y = plainNumber(b)
	}
	switch {
	case x.nothing() && y.nothing():
		return plainDie(nil, 0), nil
	case x.nothing() || y.nothing():
		other := x
		if x.nothing() {
			other = y
		}
		switch {
		case op == opPlus:
			return other, nil
		case op == opMinus && x.nothing():
			v, err := r.prefix(opMinus, other)
			if err == nil && v.kind == dieValue {
				var m map[int]*big.Rat
				m, err = r.total(v)
				v = plainDie(m, 1)
			}
			return v, err
		case op == opMinus:
			return other, nil
		case op == opOr && other.kind == numberValue:
			return plainBool(other.n != 0), nil
		case op == opOr:
			return other, nil
		}
		return plainDie(nil, 0), nil
	}
	table := func(v plainValue) (map[int]*big.Rat, error) {
		if v.kind == numberValue {
			return fairFaces([]int{v.n}), nil
		}
		return r.total(v)
	}
	m, err := table(x)
	if err != nil {
		return x, err
	}
	k, err := table(y)
	if err != nil {
		return x, err
	}
	if err := r.tick(len(m) * len(k)); err != nil {
		return x, err
	}
	out := map[int]*big.Rat{}
	for a, p := range m {
		for b, q := range k {
			n, err := plainOp(op, a, b)
			if err != nil {
				return x, err
			}
			addChance(out, n, new(big.Rat).Mul(p, q))
		}
	}
	return plainDie(out, 1), nil
}

func (r *plainRun) position(p, x plainValue) (plainValue, error) {
	var at []int
	switch p.kind {
	case dieValue:
		return p, errPlainWrong
	case numberValue:
		at = []int{p.n}
	default:
		at = p.seq
	}
	pick := func(list []int) int {
		sum := 0
		for _, i := range at {
			if i >= 1 && i <= len(list) {
				sum += list[i-1]
			}
		}
		return sum
	}
	switch {
	case x.kind == sequenceValue:
		return plainNumber(pick(x.seq)), nil
	case x.kind == numberValue:
		var list []int
		text := fmt.Sprint(x.n)
		sign := 1
		if text[0] == '-' {
			sign, text = -1, text[1:]
		}
		for _, c := range text {
			if r.lowest {
				list = append([]int{sign * int(c-'0')}, list...)
			} else {
				list = append(list, sign*int(c-'0'))
			}
		}
		return plainNumber(pick(list)), nil
	case x.nothing() && x.size == 0:
		return x, nil
	case x.nothing():
		for _, i := range at {
			if i == 1 {
				return plainDie(nil, 0), nil
			}
		}
		return plainDie(fairFaces([]int{0}), 1), nil
	}
	out := map[int]*big.Rat{}
	err := r.tuples(x, func(s []int, p *big.Rat) { addChance(out, pick(s), p) })
	return plainDie(out, 1), err
}

// A plainBuiltin is a built-in function written out in terms of single rolls.
type plainBuiltin struct {
	kinds []paramKind
	body  func(r *plainRun, args []plainValue) (plainValue, error)
}

func plainNumbers(f func(a, b int) int) plainBuiltin {
	return plainBuiltin{[]paramKind{numberParam, numberParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		return plainNumber(f(args[0].n, args[1].n)), nil
	}}
}

// plainKept keeps dice of all pools together; pick chooses from the sorted
// faces, highest first.
func plainKept(pools int, pick func(n int, s []int) []int) plainBuiltin {
	kinds := []paramKind{numberParam}
	for range pools {
		kinds = append(kinds, dieParam)
	}
	return plainBuiltin{kinds, func(r *plainRun, args []plainValue) (plainValue, error) {
		rolls := map[string]*big.Rat{"": big.NewRat(1, 1)}
		lists := map[string][]int{"": nil}
		any := false
		for _, v := range args[1:] {
			if v.nothing() {
				continue
			}
			any = true
			next, nextLists := map[string]*big.Rat{}, map[string][]int{}
			for key, p := range rolls {
				err := r.tuples(v, func(s []int, q *big.Rat) {
					l := append(append([]int(nil), lists[key]...), s...)
					sort.Sort(sort.Reverse(sort.IntSlice(l)))
					k := fmt.Sprint(l)
					if next[k] == nil {
						next[k] = new(big.Rat)
					}
					next[k].Add(next[k], new(big.Rat).Mul(p, q))
					nextLists[k] = l
				})
				if err != nil {
					return v, err
				}
			}
			rolls, lists = next, nextLists
		}
		if !any {
			return plainDie(nil, 0), nil
		}
		out := map[int]*big.Rat{}
		for key, p := range rolls {
			addChance(out, plainSum(pick(args[0].n, lists[key])), p)
		}
		return plainDie(out, 1), nil
	}}
}

func clampTo(n, most int) int { return max(0, min(n, most)) }

func plainTop(n int, s []int) []int    { return s[:clampTo(n, len(s))] }
func plainBottom(n int, s []int) []int { return s[len(s)-clampTo(n, len(s)):] }
func plainMiddle(n int, s []int) []int {
	n = clampTo(n, len(s))
	if n == 0 {
		return nil
	}
	low := (len(s) - n + 1) / 2
	return s[len(s)-low-n : len(s)-low]
}

var plainBuiltins = map[string]plainBuiltin{
	"absolute _": {[]paramKind{numberParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		return plainNumber(max(args[0].n, -args[0].n)), nil
	}},
	"_ contains _": {[]paramKind{sequenceParam, numberParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		for _, x := range args[0].seq {
			if x == args[1].n {
				return plainNumber(1), nil
			}
		}
		return plainNumber(0), nil
	}},
	"count _ in _": {[]paramKind{sequenceParam, sequenceParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		n := 0
		for _, x := range args[1].seq {
			for _, v := range args[0].seq {
				if x == v {
					n++
				}
			}
		}
		return plainNumber(n), nil
	}},
	"highest of _ and _":         plainNumbers(func(a, b int) int { return max(a, b) }),
	"lowest of _ and _":          plainNumbers(func(a, b int) int { return min(a, b) }),
	"highest _ of _":             plainKept(1, plainTop),
	"lowest _ of _":              plainKept(1, plainBottom),
	"middle _ of _":              plainKept(1, plainMiddle),
	"highest _ of _ and _":       plainKept(2, plainTop),
	"lowest _ of _ and _":        plainKept(2, plainBottom),
	"highest _ of _ and _ and _": plainKept(3, plainTop),
	"lowest _ of _ and _ and _":  plainKept(3, plainBottom),
	"maximum of _": {[]paramKind{dieParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		if args[0].nothing() {
			return plainNumber(0), nil
		}
		m, err := r.total(args[0])
		keys := sortedKeys(m)
		if err != nil {
			return args[0], err
		}
		return plainNumber(keys[len(keys)-1]), nil
	}},
	"explode _": {[]paramKind{dieParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		if args[0].nothing() {
			return plainDie(nil, 0), nil
		}
		m, err := r.total(args[0])
		if err != nil {
			return args[0], err
		}
		keys := sortedKeys(m)
		top := keys[len(keys)-1]
		out := m
		for range r.explode {
			next := map[int]*big.Rat{}
			for x, p := range m {
				if x != top {
					addChance(next, x, p)
					continue
				}
				for y, q := range out {
					addChance(next, top+y, new(big.Rat).Mul(p, q))
				}
			}
			out = next
		}
		return plainDie(out, 1), nil
	}},
	"reverse _": {[]paramKind{sequenceParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		out := []int{}
		for _, x := range args[0].seq {
			out = append([]int{x}, out...)
		}
		return plainSeq(out), nil
	}},
	"sort _": {[]paramKind{sequenceParam}, func(r *plainRun, args []plainValue) (plainValue, error) {
		out := append([]int{}, args[0].seq...)
		sort.Ints(out)
		if !r.lowest {
			sort.Sort(sort.Reverse(sort.IntSlice(out)))
		}
		return plainSeq(out), nil
	}},
}

func (r *plainRun) call(e *call, args []plainValue, vars plainVars, depth int) (plainValue, error) {
	if f := r.funcs[e.shape]; f != nil {
		if depth >= r.most {
			r.warned = true
			return plainDie(nil, 0), nil
		}
		copied := plainVars{}
		for k, v := range vars {
			copied[k] = v
		}
		if err := r.tick(len(vars)); err != nil {
			return plainValue{}, err
		}
		var kinds []paramKind
		for _, p := range f.params {
			kinds = append(kinds, p.kind)
		}
		return r.expand(kinds, args, func(now []plainValue) (plainValue, error) {
			for i := len(now) - 1; i >= 0; i-- {
				copied[f.params[i].slot] = now[i]
			}
			v, ended, err := r.block(f.body, copied, depth+1)
			if !ended {
				v = plainDie(nil, 0)
			}
			return v, err
		})
	}
	b, ok := plainBuiltins[r.program.shapes[e.shape].name]
	if !ok {
		return plainValue{}, errPlainWrong
	}
	return r.expand(b.kinds, args, func(now []plainValue) (plainValue, error) { return b.body(r, now) })
}

type plainChoice struct {
	v plainValue
	p *big.Rat
}

// expand converts arguments and runs a body for each combination of rolls.
func (r *plainRun) expand(kinds []paramKind, args []plainValue, body func([]plainValue) (plainValue, error)) (plainValue, error) {
	choices := make([][]plainChoice, len(kinds))
	expands := false
	for i, kind := range kinds {
		list, expanded, err := r.choices(kind, args[i])
		if err != nil {
			return plainValue{}, err
		}
		if len(list) == 0 {
			return plainDie(nil, 0), nil
		}
		choices[i] = list
		expands = expands || expanded
	}
	now := make([]plainValue, len(kinds))
	if !expands {
		for i := range kinds {
			now[i] = choices[i][0].v
		}
		return body(now)
	}
	out := map[int]*big.Rat{}
	kept := new(big.Rat)
	var each func(i int, p *big.Rat) error
	each = func(i int, p *big.Rat) error {
		if i >= 0 {
			for _, c := range choices[i] {
				now[i] = c.v
				if err := each(i-1, new(big.Rat).Mul(p, c.p)); err != nil {
					return err
				}
			}
			return nil
		}
		v, err := body(now)
		if err != nil || v.nothing() {
			return err
		}
		kept.Add(kept, p)
		if n, ok := plainWhole(v); ok {
			addChance(out, n, p)
			return nil
		}
		m, err := r.total(v)
		for x, q := range m {
			addChance(out, x, new(big.Rat).Mul(p, q))
		}
		return err
	}
	if err := each(len(kinds)-1, big.NewRat(1, 1)); err != nil {
		return plainValue{}, err
	}
	if len(out) == 0 {
		return plainDie(nil, 0), nil
	}
	for x := range out {
		out[x].Quo(out[x], kept)
	}
	return plainDie(out, 1), nil
}

// choices lists what a parameter is given: one value, or one for each roll.
func (r *plainRun) choices(kind paramKind, v plainValue) (list []plainChoice, expanded bool, err error) {
	whole := big.NewRat(1, 1)
	n, isWhole := plainWhole(v)
	switch {
	case kind == numberParam && isWhole:
		return []plainChoice{{plainNumber(n), whole}}, v.kind == sequenceValue, nil
	case kind == sequenceParam && v.kind == numberValue:
		return []plainChoice{{plainSeq([]int{v.n}), whole}}, false, nil
	case kind == dieParam && isWhole:
		return []plainChoice{{plainDie(fairFaces([]int{n}), 1), whole}}, false, nil
	case kind == anyParam, kind == dieParam, kind == sequenceParam && isWhole:
		return []plainChoice{{v, whole}}, false, nil
	case v.nothing():
		return nil, true, nil
	case kind == numberParam || v.size == 1:
		m, err := r.total(v)
		for _, x := range sortedKeys(m) {
			c := plainChoice{plainNumber(x), m[x]}
			if kind == sequenceParam {
				c.v = plainSeq([]int{x})
			}
			list = append(list, c)
		}
		return list, true, err
	}
	found := map[string]int{}
	err = r.tuples(v, func(s []int, p *big.Rat) {
		key := fmt.Sprint(s)
		i, ok := found[key]
		if !ok {
			i = len(list)
			found[key] = i
			list = append(list, plainChoice{plainSeq(s), new(big.Rat)})
		}
		list[i].p.Add(list[i].p, p)
	})
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].v.seq, list[j].v.seq
		for k := range a {
			if a[k] != b[k] {
				return (a[k] < b[k]) == r.lowest
			}
		}
		return false
	})
	return list, true, err
}
