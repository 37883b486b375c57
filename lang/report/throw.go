// Real throws for people: each output in a line, with its dice, what became of them, what
// they came to, and how often that happens.

package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"dicescript/lang/throw"
)

// Throw writes a throw, a line for each output:
//
//	attack: max(2d20) → [17, (4)] 17 + 5 = 22; 22 or more: 36.0 %
//
// In brackets are dice. One in parentheses was not kept, 6! has added the one after it, 1→4
// was thrown again, 1↑2 and 6↓5 count as another number, and 8* was counted. Of the options
// only Color matters, with which dice that were not kept are struck out.
func Throw(w io.Writer, r *throw.Record, o Options) error {
	t := throwText{strike: parenthesized}
	if o.Color {
		t.strike = func(s string) string { return "\x1b[2;9m" + s + "\x1b[0m" }
		t.result = func(s string) string { return string(bold) + s + "\x1b[0m" }
	}
	var b strings.Builder
	for i := range r.Outputs {
		b.WriteString(t.output(&r.Outputs[i]) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ThrowLine writes a throw in one line for a chat, with a stroke through each die that was
// not kept:
//
//	attack: 2d20kh1 → [17, 4̶] 17 + 5 = 22; 22 or more: 36.0 % · damage: 1d8 → 6 + 3 = 9; 9 or more: 37.5 %
func ThrowLine(r *throw.Record) string {
	t := throwText{strike: strokes}
	lines := make([]string, len(r.Outputs))
	for i := range r.Outputs {
		lines[i] = t.output(&r.Outputs[i])
	}
	return strings.Join(lines, " · ")
}

func parenthesized(s string) string { return "(" + s + ")" }

// strokes writes a text with a stroke through each character.
func strokes(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
		b.WriteRune('\u0336')
	}
	return b.String()
}

// A throwText writes throws.
type throwText struct {
	strike func(string) string // of a die that was not kept
	result func(string) string // nil to write results as they are
}

func (t throwText) marked(s string) string {
	if t.result == nil {
		return s
	}
	return t.result(s)
}

// output writes one output.
func (t throwText) output(o *throw.Output) string {
	line, result := t.parts(o)
	switch {
	case line == "":
		line = t.marked(result)
	case line == result:
		line = t.marked(result)
	case strings.HasSuffix(line, " "+result):
		line = strings.TrimSuffix(line, result) + t.marked(result)
	default:
		line += " = " + t.marked(result)
	}
	if title := Visible(o.Title); title != "" && (len(o.Throws) != 1 || o.Throws[0].What != o.Title) {
		line = title + ": " + line
	}
	if chance := chanceText(o, result); chance != "" {
		line += chance
	}
	return line
}

// parts writes the dice of an output, and its result.
func (t throwText) parts(o *throw.Output) (dice, result string) {
	steps, _ := t.steps(o.Throws, true)
	return strings.Join(steps, "; "), valueText(o.Result)
}

// ThrowParts writes one output in parts: its result, how that came about, "" where there was
// nothing to throw, and how often it happens.
func ThrowParts(o *throw.Output) (result, dice, chance string) {
	dice, result = throwText{strike: strokes}.parts(o)
	return result, dice, strings.Trim(chanceText(o, result), "; ()")
}

// chanceText writes how often the result happens.
func chanceText(o *throw.Output, result string) string {
	percent := func(c *throw.Chance) string { return Percent(c.Rat(), c.Error) + " %" }
	c := o.Chance
	_, number := o.Result.(int)
	if !number {
		_, number = o.Result.(float64) // of JSON
	}
	switch {
	case c.Exactly != nil && c.Exactly.Exact == "1" && c.Exactly.Error == 0:
		return " (always)"
	case c.AtLeast != nil && number && c.AtLeast.Exact != "1":
		return "; " + result + " or more: " + percent(c.AtLeast)
	case c.Exactly != nil:
		return " (" + percent(c.Exactly) + ")"
	}
	return ""
}

// steps writes throws that follow on each other; last is what the last of them ends with.
// Whether dice that are not added up are shown with their total depends on what they are for.
func (t throwText) steps(throws []*throw.Throw, totals bool) (steps []string, last string) {
	for _, x := range throws {
		var own []string
		own, last = t.step(x, totals)
		steps = append(steps, own...)
	}
	return steps, last
}

// step writes one throw. What it is made of comes before it; where it is an operation on
// that, the operation follows with what came up in it.
func (t throwText) step(x *throw.Throw, total bool) (steps []string, last string) {
	value := valueOf(x)
	if x.Choice != nil {
		return []string{choiceText(x)}, ""
	}
	if len(x.Throws) == 0 || len(x.Dice) > 0 {
		steps = append(steps, t.leaf(x, total))
	}
	if len(x.Throws) == 0 {
		return steps, value
	}
	before := len(steps)
	more, last := t.steps(x.Throws, x.Op != "")
	steps = append(steps, more...)
	filled := ""
	if x.Op != "" {
		filled = filledIn(x)
	}
	is := " = "
	if _, truth := x.Value.(bool); truth {
		is = ": "
	}
	switch {
	case filled == value:
	case filled != "" && is == " = " && before == 0 && len(steps) == 1 && strings.HasPrefix(filled, last+" ") && !strings.Contains(steps[0], " = "):
		steps[0] += strings.TrimPrefix(filled, last) + is + value
	case filled != "":
		steps = append(steps, filled+is+value)
	case last != value:
		steps[len(steps)-1] += " ⇒ " + value
	}
	return steps, value
}

// filledIn writes an operation with what came up in the place of what was thrown for it, ""
// where that can't be told from its text.
func filledIn(x *throw.Throw) string {
	rest := x.What
	var b strings.Builder
	for _, part := range x.Throws {
		before, after, found := strings.Cut(rest, part.What)
		if !found || part.What == "" {
			return ""
		}
		if strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")") {
			before, after = before[:len(before)-1], after[1:]
		}
		b.WriteString(before + valueOf(part))
		rest = after
	}
	return Visible(b.String() + rest)
}

// leaf writes dice: 2d20kh1 → [17, (3)] 17.
func (t throwText) leaf(x *throw.Throw, total bool) string {
	value := valueOf(x)
	if len(x.Throws) > 0 {
		value = "" // it comes after them
	} else if _, list := x.Value.([]any); list && len(x.Dice) > 0 && !(total && x.Total != nil) {
		value = ""
	}
	what := shortWhat(x.What) + " → "
	if len(x.Dice) == 0 {
		return what + value
	}
	dice := t.dice(x.Dice)
	if len(x.Dice) == 1 && (dice == value || value == "" || x.Dice[0].Face != "") {
		return what + dice
	}
	return strings.TrimSuffix(what+"["+dice+"] "+value, " ")
}

// longestWhat is how long the name of dice gets.
const longestWhat = 48

func shortWhat(what string) string {
	if r := []rune(what); len(r) > longestWhat {
		what = string(r[:longestWhat-3]) + "..."
	}
	return Visible(what)
}

// mostDice is how many dice are shown one by one.
const mostDice = 60

func (t throwText) dice(dice []*throw.Die) string {
	adds := map[int]bool{}
	for _, d := range dice {
		adds[d.Exploded] = d.Exploded > 0
	}
	var b strings.Builder
	for i, d := range dice {
		if i == mostDice {
			fmt.Fprintf(&b, ", ... %d dice", len(dice))
			break
		}
		if i > 0 && dice[i-1].Rerolled != i+1 {
			b.WriteString(", ")
		}
		face := strconv.Itoa(d.Value)
		if d.Face != "" {
			face = Visible(d.Face)
		}
		if c := d.Counts; c != nil && *c > d.Value {
			face += "↑" + strconv.Itoa(*c)
		} else if c != nil {
			face += "↓" + strconv.Itoa(*c)
		}
		if adds[i+1] {
			face += "!"
		}
		if d.Counted {
			face += "*"
		}
		if d.Dropped {
			face = t.strike(face)
		}
		b.WriteString(face)
		if d.Rerolled == i+2 {
			b.WriteString("→")
		}
	}
	return b.String()
}

func choiceText(x *throw.Throw) string {
	others := slices.DeleteFunc(slices.Clone(x.Choice.Options), func(o any) bool { return valueText(o) == valueText(x.Choice.Chosen) })
	texts := make([]string, len(others))
	for i, o := range others {
		texts[i] = valueText(o)
	}
	who := ""
	if x.Choice.Who != "" {
		who = Visible(x.Choice.Who) + ": "
	}
	return who + valueText(x.Choice.Chosen) + ", not " + strings.Join(texts, " or ")
}

// valueOf writes what a throw came to: of dice that are not added up their total.
func valueOf(x *throw.Throw) string {
	if x.Total != nil {
		return strconv.Itoa(*x.Total)
	}
	return valueText(x.Value)
}

// valueText writes plain data as a table does.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return Visible(v)
	case []any:
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = valueText(x)
		}
		return "(" + strings.Join(texts, ", ") + ")"
	}
	return fmt.Sprint(v)
}
