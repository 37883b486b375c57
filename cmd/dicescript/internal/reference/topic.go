package reference

import (
	"slices"
	"strings"

	"dicescript/builtins"
)

// A topic is one definition of the table: a function and the methods that do
// the same, which the table lists one by one.

type topic struct {
	builtins.Entry          // of the function, or of the first method
	free           bool     // it is a function, too
	on             []string // the types that have it as a method or attribute
	method         string   // how the method is called: ".keep(spec)"
}

// topics are those of the table, in its order.
func topics() []topic {
	var all []topic
	for _, e := range builtins.Table() {
		i := slices.IndexFunc(all, func(t topic) bool {
			return t.Name == e.Name && t.Doc == e.Doc && t.Group == e.Group
		})
		if i < 0 {
			i = len(all)
			all = append(all, topic{Entry: e})
		}
		all[i].add(e)
	}
	return all
}

func (t *topic) add(e builtins.Entry) {
	if e.Receiver != "" {
		t.on = append(t.on, e.Receiver)
		t.method = e.Signature
		return
	}
	t.free = true
	on, method := t.on, t.method
	*t = topic{Entry: e, free: true, on: on, method: method}
}

// title is what the topic is listed under: explode, or .keep for what is a
// method only.
func (t topic) title() string {
	if t.free {
		return t.Name
	}
	return "." + t.Name
}

// of names the types that have it: "DieRoll and DicePool".
func (t topic) of() string {
	n := len(t.on)
	if n < 2 {
		return strings.Join(t.on, "")
	}
	return strings.Join(t.on[:n-1], ", ") + " and " + t.on[n-1]
}

// A group is the topics that belong together.
type group struct {
	name   string
	topics []topic
}

func groups() []group {
	var all []group
	for _, t := range topics() {
		i := slices.IndexFunc(all, func(g group) bool { return g.name == t.Group })
		if i < 0 {
			i = len(all)
			all = append(all, group{name: t.Group})
		}
		all[i].topics = append(all[i].topics, t)
	}
	return all
}

// named are the topics that a name means: explode, .keep, DicePool.keep.
func named(name string) []topic {
	receiver, word, dotted := strings.Cut(name, ".")
	if !dotted {
		receiver, word = "", name
	}
	var found []topic
	for _, t := range topics() {
		switch {
		case t.Name != word:
		case receiver != "" && !slices.Contains(t.on, receiver):
		case dotted && len(t.on) == 0:
		default:
			found = append(found, t)
		}
	}
	return found
}

// summary is the first sentence of a doc.
func summary(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n")
	for _, end := range []string{". ", "; "} {
		if first, _, ok := strings.Cut(doc, end); ok {
			doc = first
		}
	}
	return strings.TrimSuffix(doc, ".")
}
