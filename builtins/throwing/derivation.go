package throwing

import (
	"strconv"
	"strings"

	"dicescript/builtins/runenv"
	"dicescript/builtins/value"
	"dicescript/dist"

	"go.starlark.net/starlark"
)

// How a value was made is noted when it is made, in a run that is thrown.

// A Derivation says how a value was made, and throws it.
type Derivation struct {
	File         string // the module, "" for the recipe itself
	Line, Column int
	Write        func() string                          // as a recipe writes it
	Throw        func(*Thrower) (starlark.Value, error) // a value that is certain; nil to draw it as a whole
	Op           string                                 // the operator that made it, "" for anything else
	Anywhere     bool                                   // whether the value stands wherever the same text does
	Level        int                                    // how strongly the operator binds that made it, 0 for anything else
}

// Text writes the value as a recipe does.
func (d *Derivation) Text() string { return d.Write() }

// Noted returns v as a value that was made so, in a run that is thrown; in any other run it
// returns v.
func Noted(thread *starlark.Thread, v starlark.Value, made func() *Derivation) starlark.Value {
	env := runenv.Of(thread)
	if env == nil || !env.Thrown || v == nil || !Throwable(v) || value.DerivationOf(v) != nil {
		return v
	}
	d := made()
	if !d.Anywhere {
		d.place(thread, env)
	}
	return value.Derived(v, d)
}

// place notes where the recipe has come to.
func (d *Derivation) place(thread *starlark.Thread, env *runenv.Env) {
	for i := range thread.CallStackDepth() {
		if pos := thread.CallFrame(i).Pos; pos.Line > 0 {
			d.Line, d.Column = int(pos.Line), int(pos.Col)
			if file := pos.Filename(); file != env.File {
				d.File = file
			}
			return
		}
	}
}

// TextOf writes a value as a recipe does, as far as that is known.
func TextOf(v starlark.Value) string {
	if from := value.DerivationOf(v); from != nil {
		return from.Text()
	}
	switch v := v.(type) {
	case *value.Roll:
		d := v.Dist()
		switch {
		case d.Len() == 1 && d.Bound() == 0:
			return strconv.Itoa(d.Min())
		case isFair(d):
			return "d" + strconv.Itoa(d.Len())
		}
	case *value.Pool:
		return poolText(v)
	case *value.Outcomes:
		return "outcomes"
	case *value.Prob:
		return "chance of " + v.String()
	case starlark.Callable:
		if name := v.Name(); name != "lambda" {
			return name
		}
		return "..."
	case starlark.Int, starlark.Bool, starlark.NoneType, starlark.String, starlark.Float:
		return value.Shorten(v.String())
	case *starlark.List:
		return "[" + strings.Join(textsOf(v), ", ") + "]"
	case starlark.Tuple:
		return "(" + strings.Join(textsOf(v), ", ") + ")"
	}
	return value.Shorten(v.String())
}

// Dice writes fair dice in notation, "" for anything else.
func Dice(v starlark.Value) string {
	switch v := v.(type) {
	case *value.Roll:
		if isFair(v.Dist()) && v.Dist().Len() > 1 {
			return "d" + strconv.Itoa(v.Dist().Len())
		}
	case *value.Pool:
		for die := range v.Pool().Kinds() {
			if !isFair(die) {
				return ""
			}
		}
		return poolText(v)
	}
	return ""
}

// mostTexts is how many values a text lists.
const mostTexts = 6

func textsOf(v starlark.Value) []string {
	items, _ := value.Elements(v)
	var texts []string
	for i, x := range items {
		if i == mostTexts {
			return append(texts, "...")
		}
		texts = append(texts, TextOf(x))
	}
	return texts
}

// poolText writes 3d6 + d8.
func poolText(p *value.Pool) string {
	var parts []string
	for die, n := range p.Pool().Blocks() {
		if len(parts) == mostTexts {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, diceText(n, die))
	}
	if len(parts) == 0 {
		return "0d6"
	}
	return strings.Join(parts, " + ")
}

func diceText(n int, die *dist.Dist) string {
	sides := "(" + strconv.Itoa(die.Min()) + ".." + strconv.Itoa(die.Max()) + ")"
	if isFair(die) {
		sides = strconv.Itoa(die.Len())
	}
	return strconv.Itoa(n) + "d" + sides
}

// mostText is how long the text of a call gets.
const mostText = 120

// Call writes a call of a builtin.
func Call(name string, recv starlark.Value, args []starlark.Value) string {
	var b strings.Builder
	if recv != nil {
		b.WriteString(Within(recv, levelOfCall))
		b.WriteByte('.')
	}
	b.WriteString(name)
	b.WriteByte('(')
	for i, v := range args {
		if v == nil {
			continue
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > mostText {
			b.WriteString("...")
			break
		}
		b.WriteString(TextOf(v))
	}
	b.WriteByte(')')
	return b.String()
}

// levelOfCall is above the level of every operator.
const levelOfCall = 100

// Within writes an operand of an operator of some level, in parentheses where that is needed.
func Within(v starlark.Value, level int) string {
	text := TextOf(v)
	if d, ok := value.DerivationOf(v).(*Derivation); ok && d.Level > 0 && d.Level < level {
		return "(" + text + ")"
	}
	if p, ok := v.(*value.Pool); ok && value.DerivationOf(v) == nil && level > 1 && strings.Contains(poolText(p), " ") {
		return "(" + text + ")"
	}
	return text
}

// A Deal is hands that were dealt from one deck, which are thrown together.
type Deal struct {
	*Derivation
	Together func(*Thrower) ([]starlark.Value, error)
}

// NewDeal returns a deal in a run that is thrown, nil in any other.
func NewDeal(thread *starlark.Thread, write func() string) *Deal {
	env := runenv.Of(thread)
	if env == nil || !env.Thrown {
		return nil
	}
	d := &Deal{Derivation: &Derivation{Write: write}}
	d.place(thread, env)
	return d
}

// handOf is the derivation of a hand of a deal.
type handOf struct {
	deal *Deal
	i    int
}

func (h *handOf) Text() string { return h.deal.Text() }

// Hand returns a hand as number i of a deal.
func (d *Deal) Hand(hand starlark.Value, i int) starlark.Value {
	return value.Derived(hand, &handOf{d, i})
}

// hand throws a hand, and those of the same deal with it.
func (t *Thrower) hand(h *handOf) (starlark.Value, error) {
	if hands := t.dealt[h.deal]; hands != nil {
		return hands[h.i], nil
	}
	outer := t.node
	t.node = &Throw{What: h.Text(), File: h.deal.File, Line: h.deal.Line, Column: h.deal.Column}
	outer.Throws = append(outer.Throws, t.node)
	defer func() { t.node = outer }()
	hands, err := h.deal.Together(t)
	if err != nil {
		return nil, err
	}
	if t.dealt != nil {
		t.dealt[h.deal] = hands
	}
	var all []any
	for _, hand := range hands {
		all = append(all, Plain(hand))
	}
	t.node.Value = all
	if len(all) == 1 {
		t.node.Value = all[0]
	}
	return hands[h.i], nil
}
