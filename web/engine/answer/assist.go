package answer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dicescript/builtins"
	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/notation"
	"dicescript/lang/report"
	"dicescript/stdlib"

	"go.starlark.net/starlark"
)

// This file is what an editor asks: what may stand here, and what does this
// mean. All of what it knows of the language is in the table of builtins, in the
// doc strings of modules and in the tokens of the text.

// An AssistArgs is a place in a text.
type AssistArgs struct {
	Recipe
	Offset int `json:"offset"` // in UTF-16 units, as JavaScript counts
}

// A Completion is what may be written.
type Completion struct {
	From    int      `json:"from"` // where what it replaces begins, in UTF-16 units
	Options []Option `json:"options"`
}

// An Option is one word.
type Option struct {
	Label  string `json:"label"`
	Type   string `json:"type"` // "function", "method", "property", "variable", "keyword", "module"
	Detail string `json:"detail,omitempty"`
	Doc    string `json:"doc,omitempty"`
}

// A Hover explains what is at a place.
type Hover struct {
	From int        `json:"from"` // in UTF-16 units
	To   int        `json:"to"`
	Docs []lang.Doc `json:"docs"`
}

// A spot is a place in the program of a text.
type spot struct {
	program []byte // the text, without the prose of a document
	tokens  []notation.Token
	at      int // byte in program, -1 in prose
	offset  int // UTF-16 units in the text
}

// spotOf finds a place. A document and its program have the same lines.
func spotOf(args AssistArgs) spot {
	units := utf16.Encode([]rune(args.Text))
	offset := min(max(args.Offset, 0), len(units))
	before := string(utf16.Decode(units[:offset]))
	s := spot{program: []byte(args.Text), at: len(before), offset: offset}
	if isDocument(args.Recipe) {
		s.program = notation.Literate([]byte(args.Text)).Program
		s.at = sameLine(args.Text, string(s.program), before)
	}
	s.tokens = notation.Tokens(s.program)
	return s
}

// sameLine is the place in the program that before ends at in the text, -1 when
// its line is no code.
func sameLine(text, program, before string) int {
	n := strings.Count(before, "\n")
	in := before[strings.LastIndex(before, "\n")+1:]
	start := 0
	for range n {
		i := strings.IndexByte(program[start:], '\n')
		if i < 0 {
			return -1
		}
		start += i + 1
	}
	if !strings.HasPrefix(program[start:], in) || strings.TrimSpace(in) == "" && len(program[start:]) > 0 && program[start] == '\n' && in != "" {
		return -1
	}
	return start + len(in)
}

// inside is the token that the place is in or at the end of.
func (s spot) inside() (notation.Token, bool) {
	for _, t := range s.tokens {
		if t.Start < s.at && s.at <= t.End && t.Kind != notation.NewlineToken {
			return t, true
		}
	}
	return notation.Token{}, false
}

func (s spot) text(t notation.Token) string { return string(s.program[t.Start:t.End]) }

var loadOpen = regexp.MustCompile(`load\(\s*"([^"]*)$`)
var loadName = regexp.MustCompile(`load\(\s*"([^"]+)"\s*,[^)]*?"?(\w*)$`)

// complete lists what may stand at a place.
func (e *Engine) complete(ctx context.Context, args AssistArgs) (*Completion, error) {
	s := spotOf(args)
	none := &Completion{From: s.offset, Options: []Option{}}
	if s.at < 0 {
		return none, nil
	}
	line := string(s.program[strings.LastIndexByte(string(s.program[:s.at]), '\n')+1 : s.at])
	if m := loadOpen.FindStringSubmatch(line); m != nil {
		return &Completion{s.offset - width16(m[1]), e.moduleOptions(args)}, nil
	}
	if m := loadName.FindStringSubmatch(line); m != nil {
		return &Completion{s.offset - width16(m[2]), e.exportOptions(ctx, args, m[1])}, nil
	}
	t, ok := s.inside()
	if ok && (t.Kind == notation.StringToken && (t.Unclosed || s.at < t.End) || t.Kind == notation.CommentToken) {
		return none, nil
	}
	word := lastWord(line)
	c := &Completion{From: s.offset - width16(word)}
	head := strings.TrimSuffix(line, word)
	if strings.HasSuffix(head, ".") && !strings.HasSuffix(head, "..") {
		c.Options = memberOptions(lastWord(strings.TrimSuffix(head, ".")))
		return c, nil
	}
	if word == "" || word[0] >= '0' && word[0] <= '9' {
		return none, nil
	}
	c.Options = append(s.ownOptions(word), globalOptions()...)
	return c, nil
}

// width16 is the length of a text in UTF-16 units.
func width16(s string) int { return len(utf16.Encode([]rune(s))) }

var wordEnd = regexp.MustCompile(`[\pL_][\pL\pN_]*$`)

// lastWord is the name that a text ends in.
func lastWord(s string) string { return wordEnd.FindString(s) }

// memberOptions are the methods and attributes that values have. One of a module
// of the language, such as math, has its functions.
func memberOptions(of string) []Option {
	if m, ok := builtins.Globals()[of].(starlark.HasAttrs); ok && !strings.Contains(m.Type(), "builtin") {
		var options []Option
		for _, name := range m.AttrNames() {
			options = append(options, Option{Label: name, Type: "function", Detail: of + "." + name})
		}
		if len(options) > 0 {
			return options
		}
	}
	seen := map[string]int{}
	options := []Option{}
	for _, entry := range builtins.Table() {
		if entry.Receiver == "" {
			continue
		}
		if i, ok := seen[entry.Name]; ok {
			options[i].Detail += ", " + entry.Receiver
			continue
		}
		seen[entry.Name] = len(options)
		kind := "method"
		if entry.Attribute {
			kind = "property"
		}
		options = append(options, Option{entry.Name, kind, entry.Receiver, entry.Signature + "\n" + entry.Doc})
	}
	return options
}

var keywords = []string{"and", "break", "continue", "def", "elif", "else", "False", "for", "if", "in", "lambda", "load", "None", "not", "or", "pass", "return", "True", "while"}

// globalOptions are the names that every recipe has.
func globalOptions() []Option {
	var options []Option
	known := map[string]bool{}
	for _, entry := range builtins.Table() {
		if entry.Receiver == "" && !known[entry.Name] {
			known[entry.Name] = true
			options = append(options, Option{entry.Name, "function", strings.TrimPrefix(entry.Signature, entry.Name), entry.Doc})
		}
	}
	for name := range starlark.Universe {
		if !known[name] && !slices.Contains(keywords, name) {
			options = append(options, Option{Label: name, Type: "function"})
		}
	}
	for _, word := range keywords {
		options = append(options, Option{Label: word, Type: "keyword"})
	}
	slices.SortFunc(options, func(a, b Option) int { return strings.Compare(a.Label, b.Label) })
	return options
}

// ownOptions are the names that the text itself has, but for the one that is
// being written.
func (s spot) ownOptions(word string) []Option {
	names := map[string]bool{}
	for _, t := range s.tokens {
		if t.Kind == notation.NameToken && t.End != s.at {
			names[s.text(t)] = true
		}
	}
	for name := range builtins.Globals() {
		delete(names, name)
	}
	for name := range starlark.Universe {
		delete(names, name)
	}
	for _, entry := range builtins.Table() {
		delete(names, entry.Name)
	}
	options := []Option{}
	for name := range names {
		options = append(options, Option{Label: name, Type: "variable"})
	}
	slices.SortFunc(options, func(a, b Option) int { return strings.Compare(a.Label, b.Label) })
	return options
}

// moduleOptions are the modules that can be loaded.
func (e *Engine) moduleOptions(args AssistArgs) []Option {
	options := []Option{}
	host, err := e.host(args.Recipe, nil)
	if err != nil {
		return options
	}
	for _, name := range host.Modules() {
		options = append(options, Option{Label: name, Type: "module"})
	}
	for name := range args.Files {
		if strings.HasSuffix(name, ".star") && name != args.Name {
			options = append(options, Option{Label: "./" + name, Type: "module"})
		}
	}
	slices.SortFunc(options, func(a, b Option) int { return strings.Compare(a.Label, b.Label) })
	return options
}

// exportOptions are what a module has for others.
func (e *Engine) exportOptions(ctx context.Context, args AssistArgs, module string) []Option {
	options := []Option{}
	host, err := e.host(args.Recipe, nil)
	if err != nil {
		return options
	}
	doc, err := host.ModuleDoc(ctx, module)
	if err != nil {
		return options
	}
	for _, f := range doc.Functions {
		options = append(options, Option{f.Name, "function", strings.TrimPrefix(f.Signature, f.Name), f.Text})
	}
	return options
}

// hover explains what is at a place: a name by its documentation, dice by
// their mean and range. It is nil where there is nothing to explain.
func (e *Engine) hover(ctx context.Context, args AssistArgs) (*Hover, error) {
	s := spotOf(args)
	if s.at < 0 {
		return nil, nil
	}
	for i, t := range s.tokens {
		if s.at < t.Start || s.at > t.End {
			continue
		}
		h := &Hover{From: s.offset - width16(string(s.program[t.Start:s.at])), To: s.offset + width16(string(s.program[s.at:t.End]))}
		switch t.Kind {
		case notation.DiceToken:
			h.Docs = e.describeDice(ctx, s.text(t))
		case notation.NameToken:
			h.Docs = e.describeName(ctx, s, i, args)
		}
		if len(h.Docs) > 0 {
			return h, nil
		}
	}
	return nil, nil
}

// describeDice tells the mean and the range of a literal.
func (e *Engine) describeDice(ctx context.Context, text string) []lang.Doc {
	ctx, cancel := e.deadline(ctx, 200)
	defer cancel()
	host, err := lang.New(lang.WithLimits(lang.Limits{Work: 10_000_000, Outcomes: 10_000}))
	if err != nil {
		return nil
	}
	result, err := host.NewSession().Eval(ctx, text)
	if err != nil || len(result.Outputs) != 1 {
		return nil
	}
	roll, ok := result.Outputs[0].Data.(lang.Roll)
	if !ok || roll.Dist.Len() == 0 {
		return nil
	}
	return []lang.Doc{{Name: text, Signature: text, Text: diceText(roll.Dist)}}
}

func diceText(d *dist.Dist) string {
	text := fmt.Sprintf("from %d to %d", d.Min(), d.Max())
	if m, err := d.Moments(context.Background()); err == nil && m.Mean != nil {
		text = "mean " + m.Mean.FloatString(3) + ", " + text
	}
	if sd, err := d.SD(context.Background()); err == nil {
		text += fmt.Sprintf(", standard deviation %.3f", sd)
	}
	return text + fmt.Sprintf("; %d is rolled or passed in %s %%", d.Max(), report.Percent(d.AtLeast(d.Max()), d.Bound()))
}

// describeName explains a name: a method after a dot, a function of the text or
// of a module that it loads, or a builtin.
func (e *Engine) describeName(ctx context.Context, s spot, i int, args AssistArgs) []lang.Doc {
	name := s.text(s.tokens[i])
	if i > 0 && s.text(s.tokens[i-1]) == "." {
		return tableDocs(func(entry builtins.Entry) bool { return entry.Receiver != "" && entry.Name == name })
	}
	host, err := e.host(args.Recipe, nil)
	if err != nil {
		return nil
	}
	for _, load := range loads.FindAllStringSubmatch(string(s.program), -1) {
		if doc, err := host.ModuleDoc(ctx, load[1]); err == nil {
			for _, f := range doc.Functions {
				if f.Name == name {
					return []lang.Doc{f}
				}
			}
		}
	}
	return tableDocs(func(entry builtins.Entry) bool { return entry.Receiver == "" && entry.Name == name })
}

var loads = regexp.MustCompile(`(?m)^load\(\s*"([^"]+)"`)

func tableDocs(wanted func(builtins.Entry) bool) []lang.Doc {
	var docs []lang.Doc
	for _, entry := range builtins.Table() {
		if wanted(entry) && !slices.ContainsFunc(docs, func(d lang.Doc) bool { return d.Text == entry.Doc }) {
			docs = append(docs, docOf(entry))
		}
	}
	return docs
}

func docOf(entry builtins.Entry) lang.Doc {
	return lang.Doc{
		Name: entry.Name, Receiver: entry.Receiver, Signature: entry.Signature,
		Text: entry.Doc, Example: entry.Example, Result: entry.Result,
	}
}

// A Topic is an entry of the reference.
type Topic struct {
	Name      string   `json:"name"`
	Group     string   `json:"group"`
	Signature string   `json:"signature"`
	Text      string   `json:"text"`
	Errors    string   `json:"errors,omitempty"`
	Example   string   `json:"example,omitempty"`
	Result    string   `json:"result,omitempty"`
	Of        []string `json:"of,omitempty"` // the types whose values have it
	Module    string   `json:"module,omitempty"`
}

// reference lists everything that has a name: the builtins, and the functions of
// the bundled modules.
func (e *Engine) reference(ctx context.Context, _ struct{}) ([]Topic, error) {
	topics := []Topic{}
	for _, entry := range builtins.Table() {
		i := slices.IndexFunc(topics, func(t Topic) bool { return t.Name == entry.Name && t.Text == entry.Doc })
		if i < 0 {
			i = len(topics)
			topics = append(topics, Topic{
				Name: entry.Name, Group: entry.Group, Signature: entry.Signature, Text: entry.Doc,
				Errors: entry.Errors, Example: entry.Example, Result: entry.Result,
			})
		}
		if entry.Receiver != "" {
			topics[i].Of = append(topics[i].Of, entry.Receiver)
		}
	}
	host, err := e.host(Recipe{}, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range host.Modules() {
		doc, err := host.ModuleDoc(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, f := range doc.Functions {
			topics = append(topics, Topic{Name: f.Name, Group: name, Signature: f.Signature, Text: f.Text, Example: f.Example, Result: f.Result, Module: name})
		}
	}
	return topics, nil
}

// A Module is a bundled module.
type Module struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
	Text string `json:"text"`
	Page string `json:"page"` // a document about it, with examples that run
}

// modules are the bundled modules with their texts.
func (e *Engine) modules(ctx context.Context, _ struct{}) ([]Module, error) {
	host, err := e.host(Recipe{}, nil)
	if err != nil {
		return nil, err
	}
	all := []Module{}
	for _, name := range host.Modules() {
		text, err := stdlib.FS.ReadFile(name)
		if err != nil || !utf8.Valid(text) {
			return nil, fmt.Errorf("modules: %s cannot be read", name)
		}
		doc, err := host.ModuleDoc(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, Module{name, doc.Text, string(text), modulePage(doc)})
	}
	return all, nil
}

// About says what the engine is.
type About struct {
	Formats []string `json:"formats"`
	Methods []string `json:"methods"`
	AnyDice bool     `json:"anydice"` // whether it runs programs of AnyDice
}

// about says what the engine is. Whether it runs programs of AnyDice is tried.
func (e *Engine) about(ctx context.Context, _ struct{}) (*About, error) {
	c, err := e.compile(ctx, CompileArgs{Recipe{Name: "try.anydice", Text: "output 3d6"}})
	if err != nil {
		return nil, err
	}
	return &About{report.Formats(), e.Methods(), c.OK}, nil
}
