package value

import (
	"fmt"
	"strings"

	"dicescript/builtins/internal/intern"
	"dicescript/builtins/meter"
	"dicescript/builtins/suggest"

	"go.starlark.net/starlark"
)

// Labels are the texts, whole numbers or tuples of these that a rule gives its
// results. A set of labels knows the position of each; on a scale the positions
// run from worst to best.

// A LabelSet is the row of distinct labels that a scale or Outcomes have.
type LabelSet struct {
	labels  []starlark.Value
	ordered bool          // worst to best
	places  *intern.Table // the positions of the labels
	weight  meter.Size    // of all labels
	shown   int64         // bytes of those that a text lists
}

// NewLabelSet returns the values of in as labels; in must not change any more.
func NewLabelSet(in *intern.Table, ordered bool) *LabelSet {
	s := &LabelSet{labels: in.Values, ordered: ordered, places: in, weight: weighed(in.Values...)}
	s.shown = weighed(in.Values[:min(len(in.Values), maxShown)]...).Bytes + 32*maxShown
	return s
}

// Find returns the position of a label.
func (s *LabelSet) Find(label starlark.Value) (int, bool) {
	i, ok, err := s.places.Find(label)
	return i, ok && err == nil
}

// Same reports whether two sets have the same labels in the same order.
func (s *LabelSet) Same(t *LabelSet) bool {
	if s == t {
		return true
	}
	if s.ordered != t.ordered || len(s.labels) != len(t.labels) {
		return false
	}
	for i, label := range s.labels {
		if at, ok := t.Find(label); !ok || at != i {
			return false
		}
	}
	return true
}

// Label returns the label at a position.
func (s *LabelSet) Label(at int) starlark.Value { return s.labels[at] }

// Labels returns the labels in their order. Nobody may change the list.
func (s *LabelSet) Labels() []starlark.Value { return s.labels }

// Ordered reports whether the labels stand from worst to best.
func (s *LabelSet) Ordered() bool { return s.ordered }

// Positions returns 0, 1, ... for all labels.
func (s *LabelSet) Positions() []int {
	order := make([]int, len(s.labels))
	for i := range order {
		order[i] = i
	}
	return order
}

// list lists the labels.
func (s *LabelSet) list() string {
	parts := make([]string, len(s.labels))
	for i, label := range s.labels {
		parts[i] = label.String()
	}
	return strings.Join(parts, ", ")
}

// CheckLabel pays for a look at v and says why it can't be a label.
func CheckLabel(m *meter.Meter, v starlark.Value) error {
	switch label := v.(type) {
	case starlark.String:
		if label == "" {
			return fmt.Errorf("got an empty text, want a name to show")
		}
	case starlark.Int, starlark.Tuple:
	default:
		return fmt.Errorf("got %s, want text, a whole number or a tuple of these", Describe(v))
	}
	if err := m.Name(v); err != nil {
		return err
	}
	tuple, _ := v.(starlark.Tuple)
	return checkItems(tuple)
}

// checkItems says what can't be part of a tuple that is a label.
func checkItems(items starlark.Tuple) error {
	for _, v := range items {
		switch v := v.(type) {
		case starlark.Int:
			if _, ok := v.Int64(); !ok {
				return fmt.Errorf("got %s in a tuple, want whole numbers from -2^63 to 2^63-1 there", Describe(v))
			}
		case starlark.String, starlark.Bool, starlark.NoneType:
		case starlark.Tuple:
			if err := checkItems(v); err != nil {
				return err
			}
		default:
			return fmt.Errorf("got %s in a tuple, want text and whole numbers there", Describe(v))
		}
	}
	return nil
}

// maxShown is how many labels the text of Outcomes lists.
const maxShown = 16

// LabelText writes a label without quotes.
func LabelText(v starlark.Value) string {
	if s, ok := starlark.AsString(v); ok {
		return s
	}
	return v.String()
}

// Place returns the position of a label that must be one of these.
func (s *LabelSet) Place(label starlark.Value) (int, error) {
	if i, ok := s.Find(label); ok {
		return i, nil
	}
	return 0, s.Unknown(label)
}

// Unknown says that there is no such label, and which may have been meant.
func (s *LabelSet) Unknown(label starlark.Value) error {
	got := Describe(label)
	if tuple, ok := label.(starlark.Tuple); ok && len(tuple) < maxShown && checkItems(tuple) == nil {
		got = Shorten(label.String())
	}
	if text, ok := starlark.AsString(label); ok {
		if near := suggest.Among(text, s.texts()); near != "" {
			return fmt.Errorf("there is no label %s; did you mean %q?", got, near)
		}
	}
	return fmt.Errorf("there is no label %s; the labels are %s", got, s.ShortList())
}

// maxNear is how many labels are looked through for one that may have been meant.
const maxNear = 1000

// texts returns those of the first labels that are text.
func (s *LabelSet) texts() []string {
	var texts []string
	for _, label := range s.labels[:min(len(s.labels), maxNear)] {
		if text, ok := starlark.AsString(label); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// ShortList lists the first labels, for an error.
func (s *LabelSet) ShortList() string {
	const most = 200
	list := ""
	for i, label := range s.labels {
		if i > 0 {
			list += ", "
		}
		list += Shorten(label.String())
		if len(list) > most && i < len(s.labels)-1 {
			return list + "..."
		}
	}
	return list
}

// sameLabel reports whether two labels are written alike.
func sameLabel(a, b starlark.Value) bool {
	s, ok1 := a.(starlark.String)
	t, ok2 := b.(starlark.String)
	if ok1 && ok2 {
		return s == t
	}
	return a.String() == b.String()
}

// Holds reports whether all labels of t are among those of s.
func (s *LabelSet) Holds(t *LabelSet) bool {
	for _, label := range t.labels {
		if _, ok := s.Find(label); !ok {
			return false
		}
	}
	return true
}
