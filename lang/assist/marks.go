package assist

import (
	"cmp"
	"slices"

	"dicescript/builtins"
	"dicescript/lang/notation"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// A MarkKind says what a piece of code is, beyond what its letters show.
type MarkKind string

// The kinds of marks.
const (
	DiceMark      MarkKind = "dice"
	RangeMark     MarkKind = "range"
	BuiltinMark   MarkKind = "builtin"   // a function that every recipe has
	FunctionMark  MarkKind = "function"  // of the text or of a module
	MethodMark    MarkKind = "method"    // of a type of recipes
	ParameterMark MarkKind = "parameter" // of a function of the text
)

// A Mark is a piece of code of some kind.
type Mark struct {
	Range Range
	Kind  MarkKind
}

// Marks returns the literals of dice and ranges, and the names whose meaning the
// text alone tells, in its order.
func (d *Document) Marks() []Mark {
	var marks []Mark
	methods := methodNames()
	for i, t := range d.tokens {
		switch {
		case t.Kind == notation.DiceToken:
			marks = append(marks, Mark{d.rangeOf(t), DiceMark})
		case t.Kind == notation.RangeToken, t.Kind == notation.DotsToken:
			marks = append(marks, Mark{d.rangeOf(t), RangeMark})
		case t.Kind == notation.NameToken && i > 0 && d.text(d.tokens[i-1]) == "." && methods[d.text(t)]:
			marks = append(marks, Mark{d.rangeOf(t), MethodMark})
		}
	}
	for _, id := range d.names.all {
		if kind := d.markOf(id); kind != "" {
			marks = append(marks, Mark{d.identRange(id), kind})
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Column, b.Range.Start.Column))
	})
	return marks
}

func (d *Document) markOf(id *syntax.Ident) MarkKind {
	if _, literal := d.literals[id.Name]; literal {
		return ""
	}
	by := first(id)
	if by == nil {
		if b, ok := id.Binding.(*resolve.Binding); ok && b.Scope != resolve.Undefined && d.prompt().TypeOf(id.Name) == "builtin_function_or_method" {
			return BuiltinMark
		}
		return ""
	}
	b := d.names.defined[by]
	switch {
	case b.kind == ParameterKind:
		return ParameterMark
	case b.def != nil:
		return FunctionMark
	case b.module != "":
		// In the load statement it is a part of a text.
		if e, ok := export(d.modules[b.module], b.export); ok && e.Signature != "" && id != by {
			return FunctionMark
		}
	}
	return ""
}

// methodNames are those of all types.
func methodNames() map[string]bool {
	names := map[string]bool{}
	for _, e := range builtins.Table() {
		if e.Receiver != "" {
			names[e.Name] = true
		}
	}
	return names
}
