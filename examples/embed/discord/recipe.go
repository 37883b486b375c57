package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"dicescript/lang"
	"dicescript/lang/report"
)

// What is asked, and its answer as a message.

// odds is the table of an expression.
func (a *app) odds(ctx context.Context, expression string) *post {
	if strings.TrimSpace(expression) == "" {
		return say("Ask for an expression, such as `4d6kh3 >= 15`.")
	}
	result, err := a.host.NewSession().Eval(ctx, expression)
	return say(a.shown(ctx, result, err))
}

// recipe is the result of a recipe of the folder, with a menu for each of its inputs.
func (a *app) recipe(ctx context.Context, name string, inputs url.Values) *post {
	src, err := fs.ReadFile(a.recipes, name+".star")
	if err != nil {
		return say(fmt.Sprintf("There is no recipe %s.", plain(name)))
	}
	program, err := a.host.Compile(ctx, name+".star", src)
	if err != nil {
		return say(a.shown(ctx, nil, err))
	}
	var opts []lang.RunOption
	for _, p := range program.Params() {
		if !inputs.Has(p.Name) {
			continue
		}
		v, err := p.Parse(inputs.Get(p.Name))
		if err != nil {
			return say(a.shown(ctx, nil, err))
		}
		opts = append(opts, lang.WithInput(p.Name, v))
	}
	result, err := program.Run(ctx, opts...)
	answer := say(a.shown(ctx, result, err))
	answer.Components = menus(name, result.Params)
	return answer
}

// shown is a result, or what is wrong, as the text of a message.
func (a *app) shown(ctx context.Context, r *lang.Result, err error) string {
	var text strings.Builder
	if r != nil && len(r.Outputs) > 0 {
		const rows, columns = 12, 56
		if bad := report.Brief(ctx, &text, r, report.Options{Width: columns}, rows); bad != nil && err == nil {
			err = bad
		}
	}
	var e *lang.Error
	switch {
	case errors.As(err, &e):
		fmt.Fprintf(&text, "%s\n", e)
	case err != nil:
		fmt.Fprintf(&text, "%v\n", err)
	case text.Len() == 0:
		text.WriteString("There is nothing to show.\n")
	}
	shown := []rune(strings.TrimRight(plain(text.String()), "\n"))
	if most := mostContent - len("```\n\n```…"); len(shown) > most {
		shown = append(shown[:most], '…')
	}
	return "```\n" + string(shown) + "\n```"
}

// plain is a text that does not end a block of code.
func plain(text string) string { return strings.ReplaceAll(text, "`", "'") }

// A row of components has one menu here.
type row struct {
	Type       int    `json:"type"` // 1
	Components []menu `json:"components"`
}

type menu struct {
	Type        int      `json:"type"` // 3, of texts
	CustomID    string   `json:"custom_id"`
	Placeholder string   `json:"placeholder"`
	Options     []choice `json:"options"`
}

type choice struct {
	Label   string `json:"label"`
	Value   string `json:"value"`
	Default bool   `json:"default"`
}

// Bounds of Discord.
const (
	mostRows    = 5
	mostChoices = 25
	mostID      = 100 // characters of the name of a component
)

// menus are those of the inputs that can be chosen: of few values. The name of a menu
// holds its input, the recipe and where all inputs stand.
func menus(recipe string, params []lang.ParamValue) []row {
	rows := []row{}
	now := url.Values{}
	for _, p := range params {
		if p.Value != p.Default {
			now.Set(p.Name, fmt.Sprint(p.Value))
		}
	}
	for _, p := range params {
		id := p.Name + "|" + recipe + "|" + now.Encode()
		choices := choicesOf(p)
		if len(choices) == 0 || len(rows) == mostRows || len(id) > mostID {
			continue
		}
		rows = append(rows, row{1, []menu{{3, id, p.Name, choices}}})
	}
	return rows
}

// choicesOf are the values that an input can have, none when they are too many.
func choicesOf(p lang.ParamValue) []choice {
	values := p.Choices
	lo, bounded := p.Min.(int)
	hi, both := p.Max.(int)
	switch {
	case p.Type == "bool":
		values = []any{true, false}
	case len(values) == 0 && bounded && both && hi-lo < mostChoices:
		for n := lo; n <= hi; n++ {
			values = append(values, n)
		}
	}
	if len(values) > mostChoices {
		return nil
	}
	var all []choice
	for _, v := range values {
		text := fmt.Sprint(v)
		all = append(all, choice{p.Name + " " + text, text, v == p.Value})
	}
	return all
}

// chosen is what a menu asks for: the recipe with one input changed.
func (a *app) chosen(i *interaction) (func(context.Context) *post, error) {
	parts := strings.SplitN(i.Data.CustomID, "|", 3)
	if len(parts) != 3 || len(i.Data.Values) != 1 {
		return nil, errors.New("This menu is not of a recipe.")
	}
	inputs, err := url.ParseQuery(parts[2])
	if err != nil {
		return nil, errors.New("This menu is not of a recipe.")
	}
	inputs.Set(parts[0], i.Data.Values[0])
	return func(ctx context.Context) *post { return a.recipe(ctx, parts[1], inputs) }, nil
}
