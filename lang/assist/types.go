package assist

import (
	"slices"

	"dicescript/builtins"
	"dicescript/lang"
	"dicescript/lang/notation"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The types that an expression may have, as far as the text alone tells: those
// of literals, of what builtins give, of variables by what is assigned to them,
// of functions by what they return. Where anything is possible there are none.

const (
	roll     = "DieRoll"
	dicePool = "DicePool"
	outcomes = "Outcomes"
	prob     = "Prob"
	number   = "Number"

	// same stands for the type of the receiver, or of the first argument.
	same = "same"
)

// givesTypes is what calls and attributes give, where that is always the same
// type: functions by their names, methods with the type they belong to.
var givesTypes = compileTypes(map[string][]string{
	roll: {
		"d", "die_faces", "constant", "uniform", "coin", "keep_highest", "keep_lowest", "drop_highest", "drop_lowest",
		"open_ended_d100", "open_ended", "success_pool", "shift", "middle_of", "order_stat", "count",
		"DieRoll.explode", "DieRoll.reroll", "DieRoll.keep", "DieRoll.remove", "DieRoll.convert", "DieRoll.ignore",
		"DieRoll.clamp", "DieRoll.shift", "DieRoll.sum", "DicePool.clamp", "DicePool.shift", "DicePool.sum",
		"DicePool.highest", "DicePool.lowest", "DicePool.drop_highest", "DicePool.drop_lowest", "DicePool.middle_of",
		"DicePool.order_stat", "DicePool.count", "DicePool.largest_set", "DicePool.sets", "DicePool.longest_run",
		"DicePool.unique", "DicePool.pairs",
		"Hand.count", "Hand.largest_set", "Hand.sets", "Hand.longest_run", "Hand.unique", "Hand.pairs", "Hand.sum",
		"Hand.highest", "Hand.lowest", "Hand.order_stat",
		"KeptDice.count", "KeptDice.largest_set", "KeptDice.sets", "KeptDice.longest_run", "KeptDice.unique",
		"KeptDice.pairs", "KeptDice.sum", "KeptDice.highest", "KeptDice.lowest", "KeptDice.order_stat",
	},
	dicePool: {
		"dice_pool", "pool", "DicePool.explode", "DicePool.reroll", "DicePool.keep", "DicePool.remove",
		"DicePool.convert", "DicePool.ignore",
	},
	same:     {"explode", "reroll"},
	outcomes: {"bucket", "DieRoll.bucket", "DicePool.bucket", "classify", "joint_classify", "versus"},
	prob: {
		"pmf", "cdf", "p_ge", "p_gt", "p_le", "p_lt", "p_eq", "p_in",
		"DieRoll.pmf", "DieRoll.cdf", "DieRoll.p_ge", "DieRoll.p_gt", "DieRoll.p_le", "DieRoll.p_lt", "DieRoll.p_eq", "DieRoll.p_in",
		"DicePool.pmf", "DicePool.cdf", "DicePool.p_ge", "DicePool.p_gt", "DicePool.p_le", "DicePool.p_lt", "DicePool.p_eq", "DicePool.p_in",
		"DicePool.p_any", "DicePool.p_none", "DicePool.p_at_least", "Hand.p_any", "Hand.p_none", "Hand.p_at_least",
		"KeptDice.p_any", "KeptDice.p_none", "KeptDice.p_at_least",
		"Outcomes.pmf", "Outcomes.p_at_least", "Outcomes.p_at_most", "Outcomes.p_in",
	},
	number:      {"DieRoll.mean", "DieRoll.variance", "DicePool.mean", "DicePool.variance"},
	"IntBand":   {"through", "at_least", "at_most"},
	"Scale":     {"scale", "Scale.step"},
	"Deck":      {"deck"},
	"KeptDice":  {"DicePool.keep_dice"},
	"ProbTable": {"prob_table"},
	"Grid":      {"grid"},
	"Plan":      {"best_play"},
	"list":      {"list", "DieRoll.support", "DicePool.support", "DieRoll.mode", "DicePool.mode", "Outcomes.labels", "Scale.labels", "DicePool.dice", "DieRoll.sample", "DicePool.sample", "sorted"},
	"string":    {"str", "percent", "repr", "type", "Prob.fraction", "Number.fraction"},
	"int":       {"len", "int", "DicePool.size", "Deck.size", "Hand.size", "Prob.numerator", "Number.numerator", "Prob.denominator", "Number.denominator"},
	"dict":      {"dict"},
	"set":       {"set"},
	"bool":      {"bool", "same"},
})

func compileTypes(byType map[string][]string) map[string]string {
	gives := map[string]string{}
	for t, names := range byType {
		for _, name := range names {
			gives[name] = t
		}
	}
	return gives
}

// maxTypeDepth is how far types are followed through variables and functions.
const maxTypeDepth = 12

// A typer finds types at one place of a document.
type typer struct {
	d       *Document
	visible map[string]*syntax.Ident
	literal map[string]notation.Literal
	depth   int
}

// typesBefore are the types of what ends just before a token, a dot.
func (d *Document) typesBefore(dot int) []string {
	x, literals := d.operandBefore(dot)
	if x == nil {
		return nil
	}
	t := d.tokens[dot]
	return (&typer{d: d, visible: d.visible(d.at(t.Line, t.Col)), literal: literals}).of(x)
}

// operandBefore reads the operand that ends just before a token.
func (d *Document) operandBefore(end int) (syntax.Expr, map[string]notation.Literal) {
	start := d.operandStart(end - 1)
	if start < 0 {
		return nil, nil
	}
	// Brackets let it go over several lines.
	tree, _ := dicesyntax.Parse("", []byte("("+string(d.program[d.tokens[start].Start:d.tokens[end].Start])+")"))
	if tree == nil || len(tree.File.Stmts) != 1 {
		return nil, nil
	}
	s, ok := tree.File.Stmts[0].(*syntax.ExprStmt)
	if !ok {
		return nil, nil
	}
	literals := map[string]notation.Literal{}
	for _, l := range tree.Literals {
		literals[l.Ident] = l
	}
	return s.X, literals
}

// operandStart is the first token of the operand that ends at a token, or -1.
func (d *Document) operandStart(i int) int {
	for i >= 0 {
		switch d.tokens[i].Kind {
		case notation.CloseToken:
			open := d.openBracket(i)
			if open < 0 {
				return -1
			}
			if open > 0 && d.endsOperand(open-1) {
				i = open - 1
				continue
			}
			i = open
		case notation.NameToken, notation.StringToken, notation.DiceToken, notation.RangeToken, notation.NumberToken:
		default:
			return -1
		}
		if i < 2 || d.text(d.tokens[i-1]) != "." {
			return i
		}
		i -= 2
	}
	return -1
}

func (d *Document) endsOperand(i int) bool {
	switch d.tokens[i].Kind {
	case notation.NameToken, notation.CloseToken, notation.StringToken, notation.DiceToken:
		return true
	}
	return false
}

// of are the types of an expression.
func (t *typer) of(x syntax.Expr) []string {
	if t.depth > maxTypeDepth {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return t.of(x.X)
	case *syntax.Literal:
		return literalTypes(x)
	case *syntax.ListExpr:
		return []string{"list"}
	case *syntax.TupleExpr:
		return []string{"tuple"}
	case *syntax.DictExpr:
		return []string{"dict"}
	case *syntax.Comprehension:
		if x.Curly {
			return []string{"dict"}
		}
		return []string{"list"}
	case *syntax.CondExpr:
		return either(t.of(x.True), t.of(x.False))
	case *syntax.UnaryExpr:
		return t.unary(x)
	case *syntax.BinaryExpr:
		return t.binary(x.Op, t.of(x.X), t.of(x.Y))
	case *syntax.Ident:
		return t.name(x)
	case *syntax.DotExpr:
		return t.member(x, false)
	case *syntax.CallExpr:
		return t.call(x)
	}
	return nil
}

func literalTypes(x *syntax.Literal) []string {
	switch x.Token {
	case syntax.STRING:
		return []string{"string"}
	case syntax.BYTES:
		return []string{"bytes"}
	case syntax.FLOAT:
		return []string{"float"}
	}
	return []string{"int"}
}

// either are the types of two possibilities; unknown when one of them is.
func either(a, b []string) []string {
	if a == nil || b == nil {
		return nil
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func is(types []string, want ...string) bool {
	for _, t := range types {
		if !slices.Contains(want, t) {
			return false
		}
	}
	return len(types) > 0
}

func (t *typer) unary(x *syntax.UnaryExpr) []string {
	types := t.of(x.X)
	switch {
	case x.Op == syntax.NOT:
		return []string{"bool"}
	case is(types, roll, dicePool):
		return []string{roll}
	case is(types, "int"), x.Op == syntax.TILDE && is(types, prob):
		return types
	}
	return nil
}

func (t *typer) binary(op syntax.Token, a, b []string) []string {
	dice := func(types []string) bool { return is(types, roll, dicePool) }
	switch op {
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.EQL, syntax.NEQ, syntax.IN:
		if dice(a) || op != syntax.IN && dice(b) {
			return []string{prob}
		}
		return nil
	case syntax.AND, syntax.OR:
		return either(a, b)
	}
	switch {
	case op == syntax.PLUS && (is(a, dicePool) && dice(b) || dice(a) && is(b, dicePool)):
		return []string{dicePool}
	case (dice(a) && (dice(b) || is(b, "int")) || is(a, "int") && dice(b)) && slices.Contains(rollOperators, op):
		return []string{roll}
	case is(a, "int") && is(b, "int") && op != syntax.SLASH:
		return []string{"int"}
	case is(a, "string") && op == syntax.PERCENT, is(a, "string") && is(b, "string") && op == syntax.PLUS:
		return []string{"string"}
	case is(a, outcomes) && is(b, outcomes) && op == syntax.PLUS:
		return []string{outcomes}
	case is(a, "int") && is(b, "int"):
		return []string{number}
	case is(a, prob, number, "int") && is(b, prob, number, "int"):
		return []string{number, prob}
	}
	return nil
}

var rollOperators = []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASHSLASH, syntax.PERCENT}

// name are the types of a variable.
func (t *typer) name(id *syntax.Ident) []string {
	if l, ok := t.literal[id.Name]; ok {
		return diceTypes(l)
	}
	if l, ok := t.d.literals[id.Name]; ok {
		return diceTypes(l)
	}
	by := t.binding(id)
	if by == nil {
		if kind := t.d.prompt().TypeOf(id.Name); kind != "" && !isFunctionType(kind) {
			return []string{kind}
		}
		return nil
	}
	b := t.d.names.defined[by]
	if b.opaque || len(b.values) == 0 {
		return nil
	}
	var types []string
	for i, v := range b.values {
		found := t.of(v)
		if found == nil {
			return nil
		}
		if i == 0 {
			types = found
		} else {
			types = either(types, found)
		}
	}
	return types
}

// binding is the place that binds a name: of the tree by the resolver, of a piece
// by what is visible.
func (t *typer) binding(id *syntax.Ident) *syntax.Ident {
	if id.Binding != nil {
		return first(id)
	}
	return t.visible[id.Name]
}

func isFunctionType(kind string) bool {
	return kind == "function" || kind == "builtin_function_or_method"
}

func diceTypes(l notation.Literal) []string {
	switch {
	case l.Range != nil:
		return []string{"IntBand"}
	case l.Dice.Single || l.Dice.Select != notation.KeepAll:
		return []string{roll}
	}
	return []string{dicePool}
}

// call are the types of what a call gives.
func (t *typer) call(x *syntax.CallExpr) []string {
	switch fn := x.Fn.(type) {
	case *syntax.DotExpr:
		return t.member(fn, true)
	case *syntax.Ident:
		if dicesyntax.IsRange(fn.Name) {
			return []string{"IntBand"}
		}
		if by := t.binding(fn); by != nil {
			return t.returned(t.d.names.defined[by])
		}
		if t.d.prompt().TypeOf(fn.Name) == "function" { // of the session
			return nil
		}
		gives := givesTypes[fn.Name]
		switch {
		case gives == "":
			return nil
		case gives == same && len(x.Args) > 0:
			if types := t.of(x.Args[0]); is(types, roll, dicePool) {
				return types
			}
			return nil
		case gives == same:
			return nil
		}
		return []string{gives}
	}
	return nil
}

// returned are the types of what a function of the text returns.
func (t *typer) returned(b binder) []string {
	if b.def == nil || b.opaque {
		return nil
	}
	var types []string
	known, some := true, false
	syntax.Walk(b.def, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.ReturnStmt); ok && known {
			var found []string
			if r.Result != nil {
				found = t.of(r.Result)
			}
			if known = found != nil; known && some {
				found = either(types, found)
			}
			types, some = found, true
		}
		inner, isDef := n.(*syntax.DefStmt)
		return !isDef || inner == b.def
	})
	if !known {
		return nil
	}
	return types
}

// member are the types of an attribute, or of what a method gives.
func (t *typer) member(x *syntax.DotExpr, called bool) []string {
	receivers := t.of(x.X)
	var types []string
	for i, r := range receivers {
		gives := givesTypes[r+"."+x.Name.Name]
		e, ok := entryOf(r, x.Name.Name)
		if gives == "" || !ok || e.Attribute == called {
			return nil
		}
		if i == 0 {
			types = []string{gives}
		} else {
			types = either(types, []string{gives})
		}
	}
	return types
}

// entryOf is the description of a method or an attribute.
func entryOf(receiver, name string) (builtins.Entry, bool) {
	for _, e := range builtins.Table() {
		if e.Receiver == receiver && e.Name == name {
			return e, true
		}
	}
	return builtins.Entry{}, false
}

// members are the methods and attributes of a type, in the order of their
// documentation.
func members(kind string) []lang.Doc {
	var docs []lang.Doc
	for _, e := range builtins.Table() {
		if e.Receiver == kind {
			docs = append(docs, docOfEntry(e))
		}
	}
	if len(docs) > 0 {
		return docs
	}
	if v, ok := samples[kind]; ok {
		for _, name := range v.AttrNames() {
			docs = append(docs, lang.Doc{Name: name, Receiver: kind, Signature: "." + name + "(...)"})
		}
	}
	return docs
}

// samples are values of Starlark's own types, which know their methods.
var samples = map[string]starlark.HasAttrs{
	"string": starlark.String(""), "bytes": starlark.Bytes(""), "list": starlark.NewList(nil),
	"dict": starlark.NewDict(0), "set": starlark.NewSet(0),
}

func docOfEntry(e builtins.Entry) lang.Doc {
	text := e.Doc
	if e.Errors != "" {
		text += "\n\nErrors: " + e.Errors
	}
	return lang.Doc{Name: e.Name, Receiver: e.Receiver, Signature: e.Signature, Text: text, Example: e.Example, Result: e.Result}
}
