// How literals, notation and operators make values of dice that are thrown later: as what
// package throwing throws.

package lang

import (
	"dicescript/builtins/runenv"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"
	"dicescript/lang/internal/dice"
	"dicescript/lang/notation"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// levels say how strongly operators bind.
var levels = map[syntax.Token]int{
	syntax.EQL: 1, syntax.NEQ: 1, syntax.LT: 1, syntax.LE: 1, syntax.GT: 1, syntax.GE: 1, syntax.IN: 1, syntax.NOT_IN: 1,
	syntax.PIPE: 2, syntax.AMP: 4, syntax.PLUS: 5, syntax.MINUS: 5,
	syntax.STAR: 6, syntax.SLASH: 6, syntax.SLASHSLASH: 6, syntax.PERCENT: 6,
}

// levelOfUnary is that of -x.
const levelOfUnary = 7

// isThrown reports whether values of the run remember how they were made.
func (r *run) isThrown() bool { return r.env != nil && r.env.Thrown }

// operated returns the result of an operator as one that remembers it.
func (r *run) operated(v starlark.Value, op syntax.Token, x, y starlark.Value, again func(x, y starlark.Value) (starlark.Value, error)) starlark.Value {
	if v == nil {
		return v
	}
	thread := r.thread
	return throwing.Noted(thread, v, func() *throwing.Derivation {
		level := levels[op]
		return &throwing.Derivation{
			Level: level, Op: op.String(),
			Write: func() string {
				return throwing.Within(x, level) + " " + op.String() + " " + throwing.Within(y, level+1)
			},
			Throw: func(t *throwing.Thrower) (starlark.Value, error) { return throwOperator(t, v, op, x, y, again) },
		}
	})
}

// throwOperator throws both operands and applies the operator to what shows. Of two chances
// the operator says which of them have to come true.
func throwOperator(t *throwing.Thrower, result starlark.Value, op syntax.Token, x, y starlark.Value, again func(x, y starlark.Value) (starlark.Value, error)) (starlark.Value, error) {
	_, chance := result.(*value.Prob)
	if chance && value.IsProbability(x) && value.IsProbability(y) {
		return throwChances(t, result, op, x, y)
	}
	if _, ok := result.(*value.Pool); ok {
		return throwing.Joined(t, value.MethodsOf(result), []starlark.Value{x, y})
	}
	thrown, err := t.Values([]starlark.Value{x, y})
	if err != nil {
		return nil, err
	}
	v, err := again(thrown[0], thrown[1])
	if err != nil {
		return nil, err
	}
	return t.Answer(result, v)
}

// throwChances throws chances that are joined by an operator; those that come from other
// arithmetic on chances are drawn, for there are no events to be seen.
func throwChances(t *throwing.Thrower, result starlark.Value, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	m := value.MethodsOf(result)
	switch {
	case op == syntax.MINUS && isOne(x):
		yes, err := t.Happens(y)
		return throwing.Prob(m, !yes), err
	case op == syntax.AMP, op == syntax.STAR:
		yes, err := t.Happens(x)
		if err == nil && yes {
			yes, err = t.Happens(y)
		}
		return throwing.Prob(m, yes), err
	case op == syntax.PIPE:
		yes, err := t.Happens(x)
		if err == nil && !yes {
			yes, err = t.Happens(y)
		}
		return throwing.Prob(m, yes), err
	}
	return t.Draw(result)
}

func isOne(v starlark.Value) bool {
	n, ok := value.Int(v)
	return ok && n == 1
}

// negated returns the result of -x or ~x as one that remembers it.
func (r *run) negated(v starlark.Value, op syntax.Token, x starlark.Value) starlark.Value {
	if v == nil {
		return v
	}
	thread := r.thread
	return throwing.Noted(thread, v, func() *throwing.Derivation {
		return &throwing.Derivation{
			Level: levelOfUnary, Op: op.String(),
			Write: func() string { return op.String() + throwing.Within(x, levelOfUnary) },
			Throw: func(t *throwing.Thrower) (starlark.Value, error) {
				thrown, err := t.Value(x)
				if err != nil {
					return nil, err
				}
				again, err := value.Unary(t.Thread, op, thrown)
				if err != nil {
					return nil, err
				}
				return t.Answer(v, again)
			},
		}
	})
}

// written returns a value of dice notation as one that remembers it.
func (r *run) written(thread *starlark.Thread, v starlark.Value, text string, x notation.Expr) starlark.Value {
	if env := runenv.Of(thread); env == nil || !env.Thrown || x == nil {
		return v
	}
	return throwing.Noted(thread, v, func() *throwing.Derivation {
		return &throwing.Derivation{
			Level: dice.Level(x), Op: dice.Operator(x), Anywhere: true,
			Write: func() string { return text },
			Throw: func(t *throwing.Thrower) (starlark.Value, error) { return dice.Throw(t, v, x) },
		}
	})
}
