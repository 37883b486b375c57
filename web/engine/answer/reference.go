package answer

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"dicescript/builtins"
	"dicescript/lang/report"
	"dicescript/stdlib"
)

// This file is what there is to read: the reference of everything that has a
// name, the bundled modules, and what the engine is.

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
