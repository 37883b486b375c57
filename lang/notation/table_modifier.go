package notation

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads what follows dice and groups in the dialects.

// A TableAction is what a modifier of a dialect does.
type TableAction uint8

// The actions. A die that matches Pick ...
const (
	TableReroll      TableAction = iota + 1 // is rolled again, once
	TableRerollAll                          // is rolled again until it does not match
	TableRerollAdd                          // if any does, one die more is rolled and counted
	TableExplode                            // adds a die, which may match too
	TableExplodeOnce                        // adds a die, which adds none
	TableCompound                           // as TableExplode, added to the die itself
	TablePenetrate                          // as TableExplode, each added die counts one less
	TableRaise                              // dice below N count as N
	TableCap                                // dice above N count as N
	TableKeepHigh                           // the highest N are kept
	TableKeepLow                            // the lowest N are kept
	TableDropHigh                           // the highest N are dropped
	TableDropLow                            // the lowest N are dropped
	TableKeepMatch                          // what matches is kept
	TableDropMatch                          // what matches is dropped
	TableCount                              // counts 1, any other die 0
	TableDeduct                             // counts -1
	TableSubtract                           // counts as its face below 0
)

// stage is where an action stands: of each die, added dice, bounds of a face, what is
// kept, what counts.
func (a TableAction) stage() int {
	switch a {
	case TableReroll, TableRerollAll:
		return 0
	case TableExplode, TableExplodeOnce, TableCompound, TablePenetrate, TableRerollAdd:
		return 1
	case TableRaise, TableCap:
		return 2
	case TableKeepHigh, TableKeepLow, TableDropHigh, TableDropLow:
		return 3
	}
	return 4
}

// A Pick says which faces are meant: those of the bands, the even or odd ones, the
// highest or lowest of the die; with Rest, those that have not counted so far.
type Pick struct {
	Bands      []Band
	Even, Odd  bool
	Top, Least bool
	Rest       bool
}

// A TableModifier changes the dice before it.
type TableModifier struct {
	Place
	Text   string
	Action TableAction
	Pick   Pick
	N      int
}

// modifiers reads all modifiers that come next. ofDice is whether they follow dice of
// one kind.
func (p *tableParser) modifiers(dice string, mods []TableModifier, ofDice bool) ([]TableModifier, *Error) {
	for {
		if p.d == Avrae { // a space may stand before an operation
			p.space()
		}
		start := p.i
		mod, err := p.modifier(mods)
		if err != nil {
			return nil, err
		}
		if mod == nil {
			return mods, nil
		}
		mod.Place = p.place(start)
		mod.Text = string(p.text[start:p.i])
		if mod.Action == 0 { // it changes how the roll looks, and no number
			continue
		}
		if err := p.allowed(dice, mods, *mod, ofDice, start); err != nil {
			return nil, err
		}
		if n := len(mods); n > 0 && p.d == Roll20 && mod.Action == mods[n-1].Action && mod.Action.stage() == 0 {
			mods[n-1].Pick.Bands = append(mods[n-1].Pick.Bands, mod.Pick.Bands...)
			continue
		}
		mods = append(mods, *mod)
	}
}

// modifier reads one modifier, or nothing.
func (p *tableParser) modifier(before []TableModifier) (*TableModifier, *Error) {
	switch p.d {
	case Foundry:
		return p.foundry()
	case Roll20:
		return p.roll20(before)
	}
	return p.avrae()
}

// allowed refuses what the documents do not say.
func (p *tableParser) allowed(dice string, before []TableModifier, mod TableModifier, ofDice bool, at int) *Error {
	stage := mod.Action.stage()
	if !ofDice && stage < 2 {
		return p.errorf(at, "%s is about dice, and these are totals: write it after the dice in the group", mod.Text)
	}
	for _, b := range before {
		switch was := b.Action.stage(); {
		case was > stage:
			return p.errorf(at, "%s acts on dice that %s has chosen from, which is not computed: write it first", mod.Text, b.Text)
		case was == stage && (stage == 1 || stage == 3):
			return p.errorf(at, "%s comes after %s, and one of them is enough", mod.Text, b.Text)
		case was == 0 && stage == 1 && p.d == Roll20:
			return p.errorf(at, "the documents of Roll20 do not say whether added dice are rolled again too: leave %s or %s out", b.Text, mod.Text)
		case was == 2 && stage == 4 && p.d == Foundry:
			return p.errorf(at, "the documents of Foundry do not say whether %s is about faces before or after %s", mod.Text, b.Text)
		case (b.Action == TableExplodeOnce || b.Action == TablePenetrate || b.Action == TableRerollAdd) && stage == 3,
			was == 0 && stage == 3 && hasStage(before, 1):
			return p.errorf(at, "what %s keeps after %s is not computed: write a recipe with map", mod.Text, b.Text)
		}
	}
	return nil
}

func hasStage(mods []TableModifier, stage int) bool {
	for _, m := range mods {
		if m.Action.stage() == stage {
			return true
		}
	}
	return false
}

// foundryNames are the modifiers of Foundry, longer ones first.
var foundryNames = []struct {
	name   string
	action TableAction
}{
	{"even", TableCount}, {"odd", TableCount}, {"min", TableRaise}, {"max", TableCap},
	{"rr", TableRerollAll}, {"r", TableReroll}, {"xo", TableExplodeOnce}, {"x", TableExplode},
	{"kh", TableKeepHigh}, {"kl", TableKeepLow}, {"k", TableKeepHigh},
	{"dh", TableDropHigh}, {"dl", TableDropLow}, {"df", TableDeduct}, {"d", TableDropLow},
	{"cs", TableCount}, {"cf", TableCount}, {"sf", TableSubtract},
}

// foundry reads a modifier of Foundry.
func (p *tableParser) foundry() (*TableModifier, *Error) {
	at := p.i
	for _, f := range foundryNames {
		if !p.acceptFold(f.name) {
			continue
		}
		mod := &TableModifier{Action: f.action}
		switch f.action.stage() {
		case 2:
			return mod, p.numberAfter(f.name, &mod.N, -1)
		case 3:
			return mod, p.numberAfter(f.name, &mod.N, 1)
		}
		switch f.name {
		case "even":
			mod.Pick.Even = true
			return mod, nil
		case "odd":
			mod.Pick.Odd = true
			return mod, nil
		}
		band, found, err := p.condition(f.name, false)
		if err != nil {
			return nil, err
		}
		switch {
		case found:
			mod.Pick.Bands = []Band{*band}
		case f.name == "r" || f.name == "rr":
			mod.Pick.Least = true
		case f.name == "x" || f.name == "xo":
			mod.Pick.Top = true
		case f.name == "df" || f.name == "sf":
			mod.Pick.Rest = true
		default:
			return nil, p.errorf(at, "expected a comparison after %s, as in %s>=5", f.name, f.name)
		}
		if f.name == "r" {
			p.note(p.place(at), "%s rolls again once", string(p.text[at:p.i]))
		}
		return mod, nil
	}
	switch {
	case p.acceptFold("ms"):
		return nil, p.errorf(at, "margins of success are not read: write the difference, as in 1d20 - 12")
	case p.peek(0) == '!':
		return nil, p.errorf(at, "dice explode by x in Foundry: write x for !")
	case isComparison(p.peek(0)):
		return nil, p.errorf(at, "successes are counted by cs in Foundry: write cs%c", p.peek(0))
	}
	return nil, nil
}

// roll20 reads a modifier of Roll20, where > and < hold at the number itself too.
func (p *tableParser) roll20(before []TableModifier) (*TableModifier, *Error) {
	at := p.i
	mod := &TableModifier{}
	var err *Error
	switch {
	case p.accept("!!"):
		mod.Action = TableCompound
	case p.acceptFold("!p"):
		mod.Action = TablePenetrate
	case p.accept("!"):
		mod.Action = TableExplode
	case p.acceptFold("ro"):
		mod.Action = TableReroll
	case p.acceptFold("r"):
		mod.Action = TableRerollAll
	case p.acceptFold("kh"), p.acceptFold("kl"), p.acceptFold("k"), p.acceptFold("dh"), p.acceptFold("dl"), p.acceptFold("d"):
		mod.Action = map[string]TableAction{
			"kh": TableKeepHigh, "k": TableKeepHigh, "kl": TableKeepLow, "dl": TableDropLow, "d": TableDropLow, "dh": TableDropHigh,
		}[strings.ToLower(string(p.text[at:p.i]))]
		return mod, p.numberAfter(string(p.text[at:p.i]), &mod.N, 1)
	case p.acceptFold("mt"), p.acceptFold("m"):
		return nil, p.errorf(at, "matching dice are not read: a recipe asks (5d6).pairs() or (5d6).sets(3)")
	case p.acceptFold("sa"), p.acceptFold("sd"), p.acceptFold("s"):
		return mod, nil // sorted dice have the same total
	case p.acceptFold("cs"), p.acceptFold("cf"):
		if _, _, err = p.condition(string(p.text[at:p.i]), true); err == nil {
			p.note(p.place(at), "%s colours dice in Roll20 and changes no total; successes are counted by > and <", string(p.text[at:p.i]))
		}
		return mod, err
	case isComparison(p.peek(0)):
		mod.Action = TableCount
	case p.acceptFold("f"):
		mod.Action = TableDeduct
		if len(before) == 0 || before[len(before)-1].Action != TableCount {
			return nil, p.errorf(at, "failures are taken from successes: write f after > or <, as in 5d10>7f1")
		}
	default:
		return nil, nil
	}
	band, found, err := p.condition(string(p.text[at:p.i]), true)
	switch {
	case err != nil:
		return nil, err
	case found:
		mod.Pick.Bands = []Band{*band}
	case mod.Action.stage() == 1:
		mod.Pick.Top = true
	default:
		return nil, p.errorf(at, "expected a number after %s", string(p.text[at:p.i]))
	}
	if mod.Action == TableRerollAll {
		p.note(p.place(at), "%s rolls again until it does not show; ro rolls again once", string(p.text[at:p.i]))
	}
	return mod, nil
}

// avraeNames are the operations of Avrae, longer ones first.
var avraeNames = []struct {
	name   string
	action TableAction
}{
	{"rr", TableRerollAll}, {"ro", TableReroll}, {"ra", TableRerollAdd}, {"mi", TableRaise}, {"ma", TableCap},
	{"k", TableKeepMatch}, {"p", TableDropMatch}, {"e", TableExplode},
}

// avrae reads an operation of Avrae with its selector.
func (p *tableParser) avrae() (*TableModifier, *Error) {
	at := p.i
	for _, f := range avraeNames {
		if !p.accept(f.name) {
			continue
		}
		mod := &TableModifier{Action: f.action}
		if f.action.stage() == 2 {
			return mod, p.numberAfter(f.name, &mod.N, -1)
		}
		if c := p.peek(0); c == 'h' || c == 'l' {
			p.i++
			action, ok := map[string]TableAction{"kh": TableKeepHigh, "kl": TableKeepLow, "ph": TableDropHigh, "pl": TableDropLow}[f.name+string(c)]
			if !ok {
				return nil, p.errorf(at, "%s of the highest or lowest dice is not computed: write which faces are meant, as in %s<3", f.name, f.name)
			}
			mod.Action = action
			return mod, p.numberAfter(f.name+string(c), &mod.N, -1)
		}
		band, found, err := p.condition(f.name, false)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, p.errorf(at, "expected a selector after %s, as in %s>4 or %s6", f.name, f.name, f.name)
		}
		mod.Pick.Bands = []Band{*band}
		if text := string(p.text[at:p.i]); f.action == TableKeepMatch && band.Lo != nil && band.Hi != nil {
			p.note(p.place(at), "%s keeps the dice that show %d; kh%d keeps the highest", text, *band.Lo, *band.Lo)
		}
		return mod, nil
	}
	if p.peek(0) == '!' && p.peek(1) != '=' {
		return nil, p.errorf(at, "dice explode by e in Avrae, as in 3d6e6")
	}
	return nil, nil
}

// acceptFold passes a name in small or capital letters.
func (p *tableParser) acceptFold(name string) bool {
	n := len([]rune(name))
	if p.i+n > len(p.text) || !strings.EqualFold(string(p.text[p.i:p.i+n]), name) {
		return false
	}
	p.i += n
	return true
}

// numberAfter reads a number; otherwise is that where none is written, below 0 for an
// error.
func (p *tableParser) numberAfter(name string, n *int, otherwise int) *Error {
	if !isDigitRune(p.peek(0)) {
		*n = otherwise
		if otherwise < 0 {
			return p.errorf(p.i, "expected a number after %s", name)
		}
		return nil
	}
	value, err := p.amountOf(name)
	*n = value
	return err
}

func (p *tableParser) amountOf(name string) (int, *Error) {
	at := p.i
	text := p.digits()
	n, bad := strconv.Atoi(text)
	if bad != nil || n > MaxSides {
		return 0, p.errorf(at, "the number after %s is too large: %s", name, shorten(text))
	}
	return n, nil
}

// condition reads N, =N, >N and the like. Inclusive is whether > and < hold at the
// number itself.
func (p *tableParser) condition(name string, inclusive bool) (*Band, bool, *Error) {
	at, op := p.i, ""
	for _, o := range []string{">=", "<=", ">", "<", "="} {
		if p.accept(o) {
			op = o
			break
		}
	}
	switch {
	case p.d == Avrae && (op == ">=" || op == "<=" || op == "="):
		return nil, false, p.errorf(at, "a selector of Avrae is >N, <N, hN, lN or N, got %s", op)
	case p.d == Roll20 && (op == ">=" || op == "<="):
		return nil, false, p.errorf(at, "in Roll20 %c means %s already: write %c", op[0], map[byte]string{'>': "or more", '<': "or less"}[op[0]], op[0])
	}
	sign := 1
	if (op != "" || p.d == Roll20) && p.peek(0) == '-' && isDigitRune(p.peek(1)) {
		p.i++
		sign = -1
	}
	if !isDigitRune(p.peek(0)) {
		if op != "" {
			return nil, false, p.errorf(p.i, "expected a number after %s", name+op)
		}
		return nil, false, nil
	}
	n, err := p.amountOf(name + op)
	if err != nil {
		return nil, false, err
	}
	n *= sign
	lo, hi := n, n
	switch op {
	case ">":
		if !inclusive {
			lo++
			p.note(p.place(at), "%s%d means more than %d", op, n, n)
		} else {
			p.note(p.place(at), "%s%d means %d or more", op, n, n)
		}
		return &Band{Lo: &lo}, true, nil
	case "<":
		if !inclusive {
			hi--
			p.note(p.place(at), "%s%d means less than %d", op, n, n)
		} else {
			p.note(p.place(at), "%s%d means %d or less", op, n, n)
		}
		return &Band{Hi: &hi}, true, nil
	case ">=":
		return &Band{Lo: &lo}, true, nil
	case "<=":
		return &Band{Hi: &hi}, true, nil
	}
	return &Band{Lo: &lo, Hi: &hi}, true, nil
}

// Holds reports whether a face is meant. Top and least are the ends of the die, counts
// whether the face has counted so far.
func (k Pick) Holds(face, least, top int, counts bool) bool {
	for _, b := range k.Bands {
		if (b.Lo == nil || face >= *b.Lo) && (b.Hi == nil || face <= *b.Hi) {
			return true
		}
	}
	return k.Even && face%2 == 0 || k.Odd && face%2 != 0 || k.Top && face == top || k.Least && face == least || k.Rest && !counts
}

// String is for messages.
func (d Dialect) String() string {
	if name, ok := map[Dialect]string{Foundry: "Foundry", Roll20: "Roll20", Avrae: "Avrae"}[d]; ok {
		return name
	}
	return fmt.Sprintf("%q", string(d))
}
