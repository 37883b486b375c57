package lang_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"dicescript/builtins/value"
	"dicescript/dist"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// The assertions of testdata/lang compare exactly: a chance or number with a
// fraction in text or a number, a roll or outcomes with a dict of their
// weights, lists element by element.

var errSame = errors.New("they are the same")

func opposite(err error) error {
	if err == nil {
		return errSame
	}
	return nil
}

func differ(got, want starlark.Value) error {
	return fmt.Errorf("got %s, want %s", exactText(got), exactText(want))
}

// exactText shows chances as fractions.
func exactText(v starlark.Value) string {
	switch v := v.(type) {
	case *value.Prob:
		return v.Rat().RatString()
	case *value.Number:
		return v.Rat().RatString()
	case *value.Outcomes:
		return outputText(lang.Output{Data: labelsOf(v)})
	}
	return v.String()
}

func labelsOf(o *value.Outcomes) lang.Outcomes {
	var data lang.Outcomes
	for i, l := range o.Labels() {
		text, ok := starlark.AsString(l)
		if !ok {
			text = l.String()
		}
		data.Entries = append(data.Entries, lang.Outcome{Label: lang.TextLabel(text), Value: o.Chance(i)})
	}
	return data
}

// showsAs compares str(got) with a text.
func showsAs(_ *starlark.Thread, got, want starlark.Value) error {
	text, ok := starlark.AsString(got)
	if !ok {
		text = got.String()
	}
	if s, ok := starlark.AsString(want); !ok || s != text {
		return fmt.Errorf("got %q, want %s", text, want)
	}
	return nil
}

func equalValues(thread *starlark.Thread, got, want starlark.Value) error {
	switch got := got.(type) {
	case *value.Prob:
		return equalRat(got, got.Rat(), got.Bound(), want)
	case *value.Number:
		return equalRat(got, got.Rat(), got.Bound(), want)
	case *value.Roll, *value.Pool:
		return equalRolls(thread, got, want)
	case *value.Outcomes:
		return equalOutcomes(got, want)
	case starlark.Tuple:
		if want, ok := want.(starlark.Tuple); ok {
			return equalAll(thread, got, want)
		}
	case *starlark.List:
		if want, ok := want.(*starlark.List); ok {
			return equalAll(thread, got, want)
		}
	}
	if same, err := starlark.Equal(got, want); err != nil || !same || got.Type() != want.Type() {
		return differ(got, want)
	}
	return nil
}

func equalAll(thread *starlark.Thread, got, want starlark.Indexable) error {
	if got.Len() != want.Len() {
		return differ(got, want)
	}
	for i := range got.Len() {
		if err := equalValues(thread, got.Index(i), want.Index(i)); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func equalRat(v starlark.Value, got *big.Rat, bound float64, want starlark.Value) error {
	switch want := want.(type) {
	case starlark.String:
		if r, ok := new(big.Rat).SetString(string(want)); ok && r.Cmp(got) == 0 && bound == 0 {
			return nil
		}
	case starlark.Int:
		if got.Cmp(new(big.Rat).SetInt(want.BigInt())) == 0 && bound == 0 {
			return nil
		}
	case starlark.Float:
		if f, _ := got.Float64(); starlark.Float(f) == want {
			return nil
		}
	case *value.Prob:
		if got.Cmp(want.Rat()) == 0 && v.Type() == want.Type() {
			return nil
		}
	case *value.Number:
		if got.Cmp(want.Rat()) == 0 && v.Type() == want.Type() {
			return nil
		}
	}
	return fmt.Errorf("got %s %s with error %g, want %s", v.Type(), got.RatString(), bound, exactText(want))
}

func equalRolls(thread *starlark.Thread, got, want starlark.Value) error {
	g, _, err := value.AsRoll(thread, got)
	if err != nil {
		return err
	}
	weights, isDict := want.(*starlark.Dict)
	if !isDict {
		w, ok, err := value.AsRoll(thread, want)
		if err == nil && (!ok || want.Type() != got.Type() || !dist.Must(dist.Same(context.Background(), g, w))) {
			err = differ(got, want)
		}
		return err
	}
	total := new(big.Int)
	for _, item := range weights.Items() {
		total.Add(total, item[1].(starlark.Int).BigInt())
	}
	if g.Len() != weights.Len() || g.Bound() != 0 {
		return fmt.Errorf("got %s with %d results: %s", got, g.Len(), rollText(g))
	}
	for _, item := range weights.Items() {
		face, err := starlark.AsInt32(item[0])
		if err != nil {
			return err
		}
		if want := new(big.Rat).SetFrac(item[1].(starlark.Int).BigInt(), total); g.PMF(face).Cmp(want) != 0 {
			return fmt.Errorf("%d has the chance %s, want %s: %s", face, g.PMF(face).RatString(), want.RatString(), rollText(g))
		}
	}
	return nil
}

func equalOutcomes(got *value.Outcomes, want starlark.Value) error {
	if want, ok := want.(*value.Outcomes); ok {
		if exactText(got) != exactText(want) || got.Ordered() != want.Ordered() {
			return differ(got, want)
		}
		return nil
	}
	weights, ok := want.(*starlark.Dict)
	if !ok {
		return differ(got, want)
	}
	total := new(big.Int)
	for _, item := range weights.Items() {
		total.Add(total, item[1].(starlark.Int).BigInt())
	}
	labels := got.Labels()
	if len(labels) != weights.Len() {
		return differ(got, want)
	}
	for i, item := range weights.Items() {
		same, err := starlark.Equal(labels[i], item[0])
		if err != nil || !same || got.Chance(i).Cmp(new(big.Rat).SetFrac(item[1].(starlark.Int).BigInt(), total)) != 0 {
			return differ(got, want)
		}
	}
	return nil
}

func rollText(d *dist.Dist) string {
	var parts []string
	for x := range d.All() {
		parts = append(parts, strconv.Itoa(x)+": "+d.PMF(x).RatString())
		if len(parts) == 20 {
			return strings.Join(append(parts, "..."), ", ")
		}
	}
	return strings.Join(parts, ", ")
}

// outputText is an output in one line: a roll by its mean, all else in full.
func outputText(o lang.Output) string {
	var parts []string
	switch d := o.Data.(type) {
	case lang.Roll:
		mean := "no mean"
		if m := d.Dist.Mean(); m != nil {
			mean = "mean " + m.RatString()
		}
		parts = append(parts, "DieRoll "+mean)
	case lang.Prob:
		parts = append(parts, d.Value.RatString())
	case lang.Number:
		parts = append(parts, "Number "+d.Value.RatString())
	case lang.Text:
		parts = append(parts, strconv.Quote(d.Text))
	case lang.Outcomes:
		for _, e := range d.Entries {
			parts = append(parts, e.Label.String()+" "+e.Value.RatString())
		}
	case lang.ProbTable:
		parts = append(parts, "ProbTable")
		for _, r := range d.Rows {
			parts = append(parts, r.Label.String()+" "+r.Value.RatString())
		}
	case lang.Comparison:
		parts = append(parts, "Comparison")
		for _, r := range d.Rolls {
			parts = append(parts, r.Name+" "+r.Dist.Mean().RatString())
		}
	case lang.Plan:
		parts = append(parts, "Plan "+d.Value.RatString())
		for _, x := range d.Decisions {
			parts = append(parts, x.State.String()+" "+x.Move.String()+" "+x.Value.RatString())
		}
	case lang.Grid:
		parts = append(parts, "Grid "+d.Title+"|"+d.Corner)
		for i, row := range d.Cells {
			cells := d.Rows[i].String()
			for j, c := range row {
				cells += " " + d.Cols[j].String() + "=" + c.Value.RatString()
			}
			parts = append(parts, cells)
		}
	}
	text := strings.Join(parts, ", ")
	if o.Title == "" {
		return text
	}
	return o.Title + ": " + text
}
