package readings

import (
	"fmt"

	"dicescript/lang/notation"

	"go.starlark.net/syntax"
)

// What a method of several dice is about may be the dice or their total: keep, remove and
// their like look at each die. Where their spec is a number that may be meant otherwise, a
// function, or nothing that a die can show, a note says which reading a recipe has, and how
// the other is written.

// eachDie are the methods that look at each die of a pool, with what they do to it.
var eachDie = map[string]string{
	"keep":    "each die is kept on condition that it %s",
	"remove":  "each die is thrown on condition that it does not %s",
	"reroll":  "each die is rerolled that %s",
	"convert": "each die is changed that %s",
	"ignore":  "each die counts as 0 that %s",
}

// pools notes the methods of pools in a file. Those on a number are noted where it is asked
// for, in what was typed, and where a number of dice is likely meant.
func (r *reader) pools(f *syntax.File, typed bool) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			r.ofEachDie(call, typed)
		}
		return true
	})
}

// ofEachDie notes one call of such a method.
func (r *reader) ofEachDie(call *syntax.CallExpr, typed bool) {
	dot, ok := call.Fn.(*syntax.DotExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	method := dot.Name.Name
	p, ok := r.pool(dot.X, 0)
	if !ok || eachDie[method] == "" {
		return
	}
	spec := call.Args[0]
	if named, ok := spec.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
		spec = named.Y
	}
	total := fmt.Sprintf("of the total it is sum(%s).%s(...)", p.text, method)
	s, known := r.specOf(spec)
	switch {
	case known && p.sides > 0 && (s.Lo != nil && *s.Lo > p.sides || s.Hi != nil && *s.Hi < 1):
		r.notef(dot.Name.NamePos, "no die of these shows %s: %s looks at each die; %s", words(s), method, total)
	case known && method == "keep" && isNumber(spec):
		n := *s.Lo
		r.notef(dot.Name.NamePos, "each die is kept on condition that it shows a %d; the %s is (%s).keep_highest(%d), and %s", n, highest(n), p.text, n, total)
	case known && typed && isNumber(spec):
		r.notef(dot.Name.NamePos, eachDie[method]+"; %s", verb(method, fmt.Sprintf("a %d", *s.Lo)), total)
	case r.isFunction(spec):
		r.notef(dot.Name.NamePos, "the function is asked about each die; %s", total)
	}
}

// verb is what such a die does.
func verb(method, what string) string {
	if method == "remove" {
		return "show " + what
	}
	return "shows " + what
}

// highest are so many of the highest dice.
func highest(n int) string {
	if n == 1 {
		return "highest die"
	}
	return fmt.Sprintf("total of the %d highest dice", n)
}

// words are a spec in words.
func words(s notation.Band) string {
	if s.Lo != nil && s.Hi != nil && *s.Lo == *s.Hi {
		return fmt.Sprintf("a %d", *s.Lo)
	}
	return s.Words()
}

// A several is a pool of several dice: how it is written, and how many sides each die has, 0
// when that is not known.
type several struct {
	text  string
	sides int
}

// deepest is how far a name is followed to what it stands for.
const deepest = 20

// pool reports what is known of x when it is a pool of several dice.
func (r *reader) pool(x syntax.Expr, depth int) (several, bool) {
	if depth > deepest {
		return several{}, false
	}
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return r.pool(x.X, depth+1)
	case *syntax.Ident:
		if l, ok := r.literals[x.Name]; ok {
			sides := l.Dice.Sides
			if l.Dice.Fate {
				sides = 0
			}
			return several{l.Text, sides}, l.Range == nil && l.Dice.Count > 1 && l.Dice.Select == notation.KeepAll
		}
		if value := r.values[x.Name]; value != nil {
			p, ok := r.pool(value, depth+1)
			return several{x.Name, p.sides}, ok
		}
	case *syntax.BinaryExpr:
		_, one := r.pool(x.X, depth+1)
		_, other := r.pool(x.Y, depth+1)
		return several{"pool", 0}, x.Op == syntax.PLUS && one && other
	case *syntax.CallExpr:
		return r.madePool(x, depth)
	}
	return several{}, false
}

// madePool reports what is known of the pool that a call makes.
func (r *reader) madePool(x *syntax.CallExpr, depth int) (several, bool) {
	if dot, ok := x.Fn.(*syntax.DotExpr); ok {
		_, several := r.pool(dot.X, depth+1)
		_, each := eachDie[dot.Name.Name]
		return unknownPool, several && (each || dot.Name.Name == "explode")
	}
	switch {
	case r.calls(x, "dice_pool") && len(x.Args) == 2:
		n, ok := number(x.Args[0])
		sides, _ := number(x.Args[1])
		return several{fmt.Sprintf("dice_pool(%d, %d)", n, sides), sides}, ok && n > 1 && sides > 0
	case r.calls(x, "pool"):
		return unknownPool, len(x.Args) > 1
	case (r.calls(x, "explode") || r.calls(x, "reroll")) && len(x.Args) > 0:
		_, ok := r.pool(x.Args[0], depth+1)
		return unknownPool, ok
	}
	return several{}, false
}

var unknownPool = several{"pool", 0}

// specOf is a spec that is written out: a number or a range.
func (r *reader) specOf(x syntax.Expr) (notation.Band, bool) {
	if n, ok := number(x); ok {
		return notation.Band{Lo: &n, Hi: &n}, true
	}
	if id, ok := x.(*syntax.Ident); ok {
		if l, ok := r.literals[id.Name]; ok && l.Range != nil {
			return *l.Range, true
		}
	}
	return notation.Band{}, false
}

// isFunction reports whether x is a function: a lambda, or a name that only a def binds.
func (r *reader) isFunction(x syntax.Expr) bool {
	_, lambda := x.(*syntax.LambdaExpr)
	return lambda
}

func isNumber(x syntax.Expr) bool {
	_, ok := number(x)
	return ok
}

// number is a whole number that is written out.
func number(x syntax.Expr) (int, bool) {
	l, ok := x.(*syntax.Literal)
	if !ok || l.Token != syntax.INT {
		return 0, false
	}
	n, ok := l.Value.(int64)
	return int(n), ok
}
