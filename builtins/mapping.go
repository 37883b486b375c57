package builtins

import (
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// Mapping shows the faces of independent dice to a function of the recipe, every
// combination once, and makes one value of all its answers. It is how a rule is
// told that looks at the same faces twice.

// mapSources returns what the answers of cb for all combinations are.
func mapSources(c call, cb *callback, sources []source) (starlark.Value, error) {
	a := &answers{cb: cb}
	for _, s := range sources {
		a.bound = addUp(a.bound, s.dist.ErrorBound())
	}
	if err := eachFaces(c, cb, sources, a.add); err != nil {
		return nil, err
	}
	return a.value()
}

const answerDoc = "It may return a whole number or a roll (the result is a roll), a label or Outcomes (Outcomes), " +
	"or a truth value or a chance (a chance)."

const answerErrors = "a function that returns nothing, a fraction, or now one kind of answer and now another"

func mappingBuiltins() []builtin {
	fn := Param{Name: "fn", Doc: "a function of one result of each roll"}
	return []builtin{
		{
			name: "map", free: true,
			params:  []Param{fn, {Name: "rolls", Variadic: true, Doc: "independent rolls, pools for their totals, or Outcomes for their labels"}},
			doc:     "What a function makes of the results of independent rolls, looked at together. " + answerDoc,
			errors:  answerErrors,
			example: `map(lambda attack, defence: max(attack - defence, 0), d(6), d(4)).pmf(0).fraction`,
			result:  "5/12",
			run:     mapRolls,
		},
		{
			name: "map", on: []string{"DieRoll"},
			params:  []Param{{Name: "fn", Doc: "a function of one result of the roll"}},
			doc:     "What a function makes of each result of the roll. " + answerDoc,
			errors:  answerErrors,
			example: `d(6).map(lambda face: "high" if face >= 5 else "low")`,
			result:  "Outcomes(low: 0.6666666666666666, high: 0.3333333333333333)",
			run: func(c call) (starlark.Value, error) {
				cb, err := newRollCallback(c, 0, 1)
				if err != nil {
					return nil, err
				}
				return mapSources(c, cb, []source{{dist: c.recv.(*Roll).dist}})
			},
		},
		{
			name: "map", on: onOutcomes,
			params:  []Param{{Name: "fn", Doc: "a function of a label, or a dict with an answer for every label that can happen"}},
			doc:     "What each label leads to: damage for a hit, 0 for a miss. " + answerDoc,
			errors:  "a label that can happen and is missing in the dict; otherwise as for map of a roll",
			example: `d(20).map(lambda x: "hit" if x >= 11 else "miss").map({"hit": d(6), "miss": 0}).mean()`,
			result:  "1.75",
			run:     mapOutcomes,
		},
		{
			name: "pool_map", free: true,
			params: []Param{
				{Name: "pool", Doc: "the dice"},
				{Name: "fn", Doc: "a function of the list of faces, in the order of the dice"},
			},
			doc:     "What a function makes of the faces of a pool, seen together. " + answerDoc,
			errors:  answerErrors,
			example: `pool_map(dice_pool(3, 6), lambda faces: faces[0] == faces[2]).fraction`,
			result:  "1/6",
			run:     func(c call) (starlark.Value, error) { return mapPool(c, c.value(0), 1) },
		},
		{
			name: "map", on: onPools,
			params:  []Param{{Name: "fn", Doc: "a function of the list of faces, in the order of the dice"}},
			doc:     "What a function makes of the faces of the pool, seen together. " + answerDoc,
			errors:  answerErrors,
			example: `dice_pool(2, 6).map(lambda faces: faces[0] * 10 + faces[1]).max()`,
			result:  "66",
			run:     func(c call) (starlark.Value, error) { return mapPool(c, c.recv, 0) },
		},
		{
			name: "map_sorted", free: true,
			params: []Param{
				{Name: "fn", Doc: "a function of one list of faces for each pool, sorted from low to high"},
				{Name: "pools", Variadic: true, Doc: "independent pools"},
			},
			doc: "What a function makes of the sorted faces of pools; for a rule that does not care which die shows what " +
				"it calls the function far less often than pool_map does. " + answerDoc,
			errors:  answerErrors,
			example: `map_sorted(lambda attack, defence: attack[-1] > defence[-1], dice_pool(3, 6), dice_pool(2, 6)).fraction`,
			result:  "3667/7776",
			run:     mapSorted,
		},
		{
			name: "map_sorted", on: onPools,
			params:  []Param{{Name: "fn", Doc: "a function of the list of faces, sorted from low to high"}},
			doc:     "What a function makes of the sorted faces of the pool. " + answerDoc,
			errors:  answerErrors,
			example: `dice_pool(5, 6).map_sorted(lambda faces: faces[0] == faces[4]).fraction`,
			result:  "1/1296",
			run: func(c call) (starlark.Value, error) {
				return mapSortedPools(c, []starlark.Value{c.recv}, 0)
			},
		},
	}
}

func mapRolls(c call) (starlark.Value, error) {
	rolls := c.rest(1)
	if len(rolls) == 0 {
		return nil, argError("rolls", "missing; write at least one roll after the function, as in map(fn, d(6))")
	}
	if _, isFunction := c.value(0).(starlark.Callable); !isFunction {
		if _, swapped := rolls[0].(starlark.Callable); swapped {
			return nil, argError("fn", "the function comes first, as in map(fn, roll)")
		}
	}
	cb, err := newRollCallback(c, 0, len(rolls))
	if err != nil {
		return nil, err
	}
	sources := make([]source, len(rolls))
	for i, v := range rolls {
		s, ok, err := c.sourceOf(v)
		if !ok {
			return nil, argError("rolls", "%s", notRoll(v))
		}
		if err != nil {
			return nil, err
		}
		sources[i] = s
	}
	return mapSources(c, cb, sources)
}

// mapOutcomes asks a function or a dict about every label that can happen.
func mapOutcomes(c call) (starlark.Value, error) {
	o := c.recv.(*Outcomes)
	answer, cb, err := c.labelAnswers()
	if err != nil {
		return nil, err
	}
	a := &answers{cb: cb, bound: o.Error()}
	worth := map[int]int{}
	for at, weight := range o.over.All() {
		if weight.Sign() == 0 && o.Error() == 0 {
			continue
		}
		cb.args[0] = o.labels[at]
		v, err := answer(o.labels[at])
		if err != nil {
			return nil, err
		}
		if n, ok := wholeNumber(v); ok {
			worth[at] = n
		}
		w, err := dist.NewWeight(weight)
		if err != nil {
			return nil, err
		}
		if err := a.add(v, w); err != nil {
			return nil, err
		}
	}
	if a.kind == numberAnswers && len(a.later.values) == 0 {
		// The labels are all there are, which bounds the moments of what an
		// unlimited roll left out.
		d, err := o.over.Values(c.ctx(), func(at int) (int, error) { return worth[at], nil })
		if err != nil {
			return nil, err
		}
		return NewRoll(d), nil
	}
	return a.value()
}

// labelAnswers returns what answers for a label: a function, or a dict.
func (c call) labelAnswers() (func(starlark.Value) (starlark.Value, error), *callback, error) {
	dict, isDict := c.value(0).(*starlark.Dict)
	if !isDict {
		if _, ok := c.value(0).(starlark.Callable); !ok {
			return nil, nil, c.want(0, "a function or a dict such as {\"hit\": d(6), \"miss\": 0}")
		}
		cb, err := newCallback(c, 0, 1, "a label")
		if err != nil {
			return nil, nil, err
		}
		return func(starlark.Value) (starlark.Value, error) { return cb.call() }, cb, nil
	}
	o := c.recv.(*Outcomes)
	for _, key := range dict.Keys() {
		if _, ok := o.find(key); !ok {
			return nil, nil, c.wrong(0, "%v", o.unknown(key))
		}
	}
	cb := &callback{thread: c.thread, param: c.param(0), args: make(starlark.Tuple, 1)}
	return func(label starlark.Value) (starlark.Value, error) {
		v, found, err := dict.Get(label)
		if err == nil && !found {
			err = c.wrong(0, "the dict has no answer for the label %s", label)
		}
		return v, err
	}, cb, nil
}

// mapPool shows the list of faces of a pool to argument i of c.
func mapPool(c call, pool starlark.Value, i int) (starlark.Value, error) {
	p, err := diceOf(pool)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, argError("pool", "got %s, want a pool, like 3d6", describe(pool))
	}
	dice := p.Dice()
	cb, err := newCallback(c, i, 1, "the list of faces")
	if err != nil {
		return nil, err
	}
	a := &answers{cb: cb}
	calls := int64(1)
	for _, d := range dice {
		a.bound = addUp(a.bound, d.ErrorBound())
		calls = product(calls, int64(d.Len()))
	}
	if err := cb.chargeCalls(calls); err != nil {
		return nil, err
	}
	err = dist.Tuples(c.ctx(), dice, func(faces []int, w dist.Weight) error {
		cb.args[0] = faceList(faces)
		v, err := cb.call()
		if err != nil {
			return err
		}
		return a.add(v, w)
	})
	if err != nil {
		return nil, err
	}
	return a.value()
}

func mapSorted(c call) (starlark.Value, error) {
	pools := c.rest(1)
	if len(pools) == 0 {
		return nil, argError("pools", "missing; write at least one pool after the function, as in map_sorted(fn, 3d6)")
	}
	return mapSortedPools(c, pools, 0)
}

func mapSortedPools(c call, pools []starlark.Value, i int) (starlark.Value, error) {
	rows := make([]*dist.Pool, len(pools))
	a := &answers{}
	calls := int64(1)
	for i, v := range pools {
		p, err := diceOf(v)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, argError("pools", "got %s, want a pool, like 3d6", describe(v))
		}
		rows[i] = p
		calls = product(calls, p.Multisets())
		for _, d := range p.Dice() {
			a.bound = addUp(a.bound, d.ErrorBound())
		}
	}
	cb, err := newCallback(c, i, len(pools), "the sorted faces of each pool, as a list")
	if err != nil {
		return nil, err
	}
	a.cb = cb
	if err := cb.chargeCalls(calls); err != nil {
		return nil, err
	}
	lists := make([]sharedLists, len(rows))
	err = dist.Sorted(c.ctx(), rows, func(faces [][]int, w dist.Weight) error {
		for i := range faces {
			cb.args[i] = lists[i].list(faces[i])
		}
		v, err := cb.call()
		if err != nil {
			return err
		}
		return a.add(v, w)
	})
	if err != nil {
		return nil, err
	}
	return a.value()
}
