package builtins

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"dicescript/builtins/define"
	"dicescript/builtins/internal/exact"
	"dicescript/builtins/runenv"
	"dicescript/builtins/value"

	"go.starlark.net/starlark"
)

// A parameter is an input of a recipe: a skill, a number of dice, a variant of
// the rule. It has a default, and its type is that of the default. The host may
// set another value, which must have the type and be in the range.

// A Parameter is what a recipe declares with param(...).
type Parameter struct {
	Name     string
	Default  starlark.Value // a bool, an int, a float or a string
	Help     string
	Min, Max starlark.Value   // nil where there is no limit
	Choices  []starlark.Value // nil when every value will do
}

func paramBuiltins() []define.Builtin {
	return []define.Builtin{{
		Name: "param", Free: true,
		Params: []define.Param{
			{Name: "name", Doc: "the name that the host knows it by"},
			{Name: "default", Doc: "the value when the host sets none; a whole number, a fraction, text, or True or False"},
			{Name: "help", Default: `""`, Doc: "what it means, for whoever sets it"},
			{Name: "min", Default: "None", Doc: "the smallest number allowed"},
			{Name: "max", Default: "None", Doc: "the largest number allowed"},
			{Name: "choices", Default: "None", Doc: "the list of values allowed"},
		},
		Doc:     "An input of the recipe: the value that the host sets, or else the default.",
		Errors:  "a value of another type than the default, or out of range",
		Example: `param("skill", 45, help="skill in percent", min=0, max=100)`,
		Result:  "45",
		Run:     param,
	}}
}

func param(c define.Call) (starlark.Value, error) {
	if err := notInPlay(c, "inputs stand at the top of the recipe"); err != nil {
		return nil, err
	}
	p, err := readParameter(c)
	if err != nil {
		return nil, err
	}
	env := runenv.Of(c.Thread)
	if env == nil || env.Host == nil {
		return p.Default, nil
	}
	v, set := env.Host.Param(p.Name)
	if !set {
		return p.Default, nil
	}
	return p.Check(v)
}

// ParameterOf returns what a call of param with these arguments declares, for a
// host that reads the parameters before it runs a recipe.
func ParameterOf(args starlark.Tuple, kwargs []starlark.Tuple) (*Parameter, error) {
	def := &paramBuiltins()[0]
	c, err := def.Bind(args, kwargs)
	if err != nil {
		return nil, value.InFunction(def.Name, err)
	}
	p, err := readParameter(c)
	return p, value.InFunction(def.Name, err)
}

// readParameter reads the arguments of param and checks that they agree.
func readParameter(c define.Call) (*Parameter, error) {
	name, err := c.Text(0)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(name) == "" {
		return nil, c.Wrong(0, "got an empty name, want one to set it by")
	}
	p := &Parameter{Name: name, Default: c.Value(1)}
	if p.kind() == "" {
		return nil, c.Wrong(1, "got %s, want a whole number, a fraction, text, or True or False", value.Describe(p.Default))
	}
	if p.Help, err = c.TextOr(2, ""); err != nil {
		return nil, err
	}
	if p.Min, err = limitOf(c, p, 3); err != nil {
		return nil, err
	}
	if p.Max, err = limitOf(c, p, 4); err != nil {
		return nil, err
	}
	if p.Choices, err = choicesOf(c, p); err != nil {
		return nil, err
	}
	if err := p.allows(p.Default); err != nil {
		return nil, define.ArgError(p.Name, "default: %v", err)
	}
	return p, nil
}

// limitOf returns argument i as the smallest or largest value of p.
func limitOf(c define.Call, p *Parameter, i int) (starlark.Value, error) {
	if !c.Given(i) {
		return nil, nil
	}
	if kind := p.kind(); kind != "int" && kind != "float" {
		return nil, c.Wrong(i, "only a number has one, but the default is %s", value.Describe(p.Default))
	}
	v, ok := p.typed(c.Value(i))
	if !ok {
		return nil, c.Want(i, p.wanted())
	}
	return v, nil
}

func choicesOf(c define.Call, p *Parameter) ([]starlark.Value, error) {
	if !c.Given(5) {
		return nil, nil
	}
	values, err := c.List(5)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, c.Wrong(5, "got an empty list, want at least one value")
	}
	choices := make([]starlark.Value, len(values))
	for i, v := range values {
		choice, ok := p.typed(v)
		if !ok {
			return nil, c.Wrong(5, "item %d: got %s, want %s like the default", i+1, value.Describe(v), p.wanted())
		}
		choices[i] = choice
	}
	return choices, nil
}

// kind is the type of the parameter: "bool", "int", "float", "string", or ""
// when its default has none of these.
func (p *Parameter) kind() string {
	switch p.Default.(type) {
	case starlark.Bool, starlark.Int, starlark.Float, starlark.String:
		return p.Default.Type()
	}
	return ""
}

// wanted names the type of the parameter in words.
func (p *Parameter) wanted() string {
	switch p.kind() {
	case "bool":
		return "True or False"
	case "int":
		return "a whole number"
	case "float":
		return "a number"
	}
	return "text"
}

// typed returns v with the type of the parameter, which is that of its default:
// where a fraction is wanted, a whole number will do.
func (p *Parameter) typed(v starlark.Value) (starlark.Value, bool) {
	if n, ok := v.(starlark.Int); ok && p.kind() == "float" {
		return n.Float(), true
	}
	return v, v.Type() == p.kind()
}

// Check returns v, which the host has set, as a value of the parameter: of its
// type, in its range and among its choices. A whole float will do for a whole
// number, since a host that reads JSON has no other numbers.
func (p *Parameter) Check(v starlark.Value) (starlark.Value, error) {
	if f, ok := v.(starlark.Float); ok && p.kind() == "int" {
		v = wholeOr(f)
	}
	typed, ok := p.typed(v)
	if f, isFloat := typed.(starlark.Float); !ok || isFloat && !isFinite(f) {
		return nil, define.ArgError(p.Name, "got %s, want %s", value.Describe(v), p.wanted())
	}
	if err := p.allows(typed); err != nil {
		return nil, define.ArgError(p.Name, "%v", err)
	}
	return typed, nil
}

// mostWhole is the largest float up to which every whole number is a float.
const mostWhole = 1 << 53

// wholeOr returns f as a whole number, or f itself when it is none for certain.
func wholeOr(f starlark.Float) starlark.Value {
	if x := float64(f); x == math.Trunc(x) && math.Abs(x) <= mostWhole {
		return starlark.MakeInt64(int64(x))
	}
	return f
}

// isFinite tells numbers from infinity and NaN, which no bound would hold back.
func isFinite(f starlark.Float) bool {
	return !math.IsInf(float64(f), 0) && !math.IsNaN(float64(f))
}

// Parse reads a value of the parameter from text, as a command line gives it.
func (p *Parameter) Parse(text string) (starlark.Value, error) {
	v := p.read(text)
	if v == nil {
		return nil, define.ArgError(p.Name, "got %s, want %s", value.Shorten(strconv.Quote(text)), strings.Replace(p.wanted(), "True or False", "true or false", 1))
	}
	return p.Check(v)
}

// read returns text as a value of the type of p, nil when it is none.
func (p *Parameter) read(text string) starlark.Value {
	trimmed := strings.TrimSpace(text)
	switch p.kind() {
	case "bool":
		switch strings.ToLower(trimmed) {
		case "true":
			return starlark.True
		case "false":
			return starlark.False
		}
		return nil
	case "int":
		if n, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
			return starlark.MakeInt64(n)
		}
		return nil
	case "float":
		if r, ok := exact.ParseRat(trimmed); ok {
			f, _ := r.Float64()
			return starlark.Float(f)
		}
		return nil
	}
	return starlark.String(text)
}

// allows says why a value of the right type is not allowed.
func (p *Parameter) allows(v starlark.Value) error {
	if p.Min != nil && isLess(v, p.Min) {
		return fmt.Errorf("got %s, want at least %s", v, p.Min)
	}
	if p.Max != nil && isLess(p.Max, v) {
		return fmt.Errorf("got %s, want at most %s", v, p.Max)
	}
	if p.Choices == nil {
		return nil
	}
	words := make([]string, len(p.Choices))
	for i, choice := range p.Choices {
		if same, err := starlark.Equal(v, choice); err == nil && same {
			return nil
		}
		words[i] = choice.String()
	}
	return fmt.Errorf("got %s, want one of %s", value.Describe(v), value.ShortList(strings.Join(words, ", ")))
}

// isLess compares two numbers of the same type.
func isLess(a, b starlark.Value) bool {
	x, _, _ := value.RatOf(a)
	y, _, _ := value.RatOf(b)
	return x != nil && y != nil && x.Cmp(y) < 0
}
