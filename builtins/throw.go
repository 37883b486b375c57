package builtins

import (
	"dicescript/builtins/define"
	"dicescript/builtins/throwing"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// How the results of builtins are thrown. Most builtins look at what dice show and at nothing
// else: their result is thrown by throwing the dice and asking the same builtin about those
// that are certain. The others throw dice again, choose what to throw, or throw on condition.

// A throwing is how results of a builtin are thrown.
type howThrown = func(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error)

// throws says how by name, for all receivers. The results of a builtin that is not named are
// drawn from their distribution: those that are single dice, and the share of time of a chain.
func throws() map[string]howThrown {
	return map[string]howThrown{
		"d": oneDie, "die_faces": oneDie, "uniform": oneDie,
		"coin": throwCoin, "pool": throwPool,
		"keep_highest": keptDice(highestFirst, false), "keep_lowest": keptDice(lowestFirst, false),
		"drop_highest": keptDice(highestFirst, true), "drop_lowest": keptDice(lowestFirst, true),
		"highest": keptDice(highestFirst, false), "lowest": keptDice(lowestFirst, false),
		"middle_of": throwMiddle, "order_stat": throwRank, "max": throwExtreme("max"), "min": throwExtreme("min"),
		"keep_dice": throwKeptDice, "count": throwCount,
		"explode": throwExploded, "reroll": throwRerolled, "open_ended": throwOpenEnded, "open_ended_d100": throwOpenEnded,
		"keep": throwGiven, "remove": throwGiven, "convert": throwConverted, "ignore": throwConverted,
		"times": throwTimes, "mixture": throwMixture, "either": throwEither,
		"map": throwMap, "pool_map": throwMap, "map_sorted": throwSorted, "evaluate": throwEvaluate,
		"success_pool": throwSuccesses,
		"power":        throwPower, "iterate": throwIterate, "first_time": throwFirstTime,

		"sum": throwSum, "abs": byFaces, "clamp": byFaces, "shift": byFaces,
		"largest_set": byFaces, "sets": byFaces, "longest_run": byFaces, "unique": byFaces, "pairs": byFaces,
		"p_any": byFaces, "p_none": byFaces, "p_at_least": byFaces, "p_at_most": byFaces, "p_in": byFaces,
		"pmf": byFaces, "cdf": byFaces, "p_ge": byFaces, "p_gt": byFaces, "p_le": byFaces, "p_lt": byFaces, "p_eq": byFaces,
		"versus": byFaces, "compare_sorted": byFaces, "item": byFaces,
		"bucket": byFaces, "classify": byFaces, "joint_classify": byFaces,
	}
}

// thrownArguments throws the receiver and the arguments of a call.
func thrownArguments(c define.Call, t *throwing.Thrower) (starlark.Value, []starlark.Value, error) {
	all := append([]starlark.Value{c.Receiver}, c.Arguments()...)
	thrown, err := t.Values(all)
	if err != nil {
		return nil, nil, err
	}
	return thrown[0], thrown[1:], nil
}

// byFaces throws what a call was given and makes the call for what shows.
func byFaces(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	recv, args, err := thrownArguments(c, t)
	if err != nil {
		return nil, err
	}
	v, err := c.Again(recv, args)
	if err != nil {
		return nil, err
	}
	return t.Answer(result, v)
}

// throwSum adds what shows. Chances that are added up are of events that exclude each other,
// which nothing says who throws them one by one: their sum is drawn.
func throwSum(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	if _, ok := result.(*value.Prob); ok {
		return t.Draw(result)
	}
	return byFaces(c, t, result)
}

// oneDie throws a single die.
func oneDie(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	roll, ok := result.(*value.Roll)
	if !ok {
		return t.Symbol(result.(*value.Outcomes))
	}
	die, err := t.Die(roll.Dist())
	if err != nil {
		return nil, err
	}
	return throwing.Roll(c.Methods(), die.Value), nil
}

func throwCoin(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	if _, ok := c.Value(0).(*value.Prob); !ok {
		return t.Draw(result)
	}
	yes, err := t.Happens(c.Value(0))
	if err != nil || !yes {
		return throwing.Roll(c.Methods(), 0), err
	}
	return throwing.Roll(c.Methods(), 1), nil
}

// throwPool throws the dice of pool(a, b, ...).
func throwPool(c define.Call, t *throwing.Thrower, _ starlark.Value) (starlark.Value, error) {
	var list []starlark.Value
	for _, v := range c.Rest(0) {
		if items, ok := v.(*starlark.List); ok {
			more, _ := value.Elements(items)
			list = append(list, more...)
			continue
		}
		list = append(list, v)
	}
	return throwing.Joined(t, c.Methods(), list)
}

// throwMixture picks one of the parts and throws it.
func throwMixture(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	items, err := c.List(0)
	if err != nil {
		return nil, err
	}
	pick := &throwing.Weights{}
	parts := make([]starlark.Value, len(items))
	for i, item := range items {
		pair, _ := value.Elements(item)
		weight, _, _ := value.RatOf(pair[0])
		pick.Add(weight)
		parts[i] = pair[1]
	}
	return t.Answer(result, parts[pick.Pick(t)])
}

func throwEither(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	yes := false
	if _, ok := c.Value(0).(*value.Prob); ok {
		var err error
		if yes, err = t.Happens(c.Value(0)); err != nil {
			return nil, err
		}
	} else {
		p, _, err := c.Chance(0)
		if err != nil {
			return nil, err
		}
		yes = t.Chance(p)
	}
	if yes {
		return t.Answer(result, c.Value(1))
	}
	return t.Answer(result, c.Value(2))
}

// throwTimes throws as often as the first argument shows.
func throwTimes(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	n, err := t.Total(c.Value(0))
	if err != nil {
		return nil, err
	}
	if n == 0 {
		v, err := c.Again(nil, []starlark.Value{starlark.MakeInt(0), c.Value(1)})
		if err != nil {
			return nil, err
		}
		return t.Answer(result, v)
	}
	var sum starlark.Value
	for range max(n, -n) {
		v, _, err := t.Part(c.Value(1))
		if err == nil {
			sum, err = added(c, sum, v)
		}
		if err != nil {
			return nil, err
		}
	}
	if n < 0 {
		if sum, err = value.Unary(c.Thread, syntax.MINUS, sum); err != nil {
			return nil, err
		}
	}
	return t.Answer(result, sum)
}

// added is the sum of two thrown values; the first may be none.
func added(c define.Call, sum, v starlark.Value) (starlark.Value, error) {
	if p, ok := v.(*value.Pool); ok {
		d, err := p.Total(c.Thread)
		if err != nil {
			return nil, err
		}
		v = value.NewRoll(c.Methods(), d)
	}
	if sum == nil {
		return v, nil
	}
	return value.Binary(c.Thread, syntax.PLUS, sum, v)
}

// throwPower throws a chance several times, which has to come true each time.
func throwPower(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	n, err := c.Int(0)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return t.Draw(result)
	}
	for range n {
		if yes, err := t.Happens(c.Receiver); err != nil || !yes {
			return throwing.Prob(c.Methods(), false), err
		}
	}
	return throwing.Prob(c.Methods(), true), nil
}

// throwGiven throws a roll, or each die of a pool, on condition of what it shows.
func throwGiven(c define.Call, t *throwing.Thrower, result starlark.Value) (starlark.Value, error) {
	if pool, ok := result.(*value.Pool); ok {
		return t.Draw(value.NewPool(c.Methods(), pool.Pool()))
	}
	holds := func(v starlark.Value) bool {
		if o, ok := result.(*value.Outcomes); ok {
			at, found := o.Set().Find(throwing.LabelOf(v))
			return found && o.Chance(at).Sign() > 0
		}
		n, err := t.Number(v)
		return err == nil && result.(*value.Roll).Dist().PMF(n).Sign() > 0
	}
	var shown starlark.Value
	err := t.Given(func() error {
		v, err := t.Value(c.Receiver)
		if err == nil && !holds(v) {
			err = throwing.ErrFails()
		}
		shown = v
		return err
	})
	if err != nil {
		return nil, err
	}
	return t.Like(result, shown)
}
