// What the prompt of the command asks of a session, beside what any host does.

package lang

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dicescript/lang/eval"
	"dicescript/lang/internal/outline"
	"dicescript/lang/internal/prompt"
)

// Prompt is what lang/assist hands to a prompt; it is for no one else.
func (s *Session) Prompt() prompt.Session { return prompted{s} }

// A prompted session answers what a prompt asks.
type prompted struct{ s *Session }

func (p prompted) Shown() []prompt.Shown { return p.s.shown }

func (p prompted) Name(name string, v prompt.Shown) error {
	if !isUsable(name) {
		return fmt.Errorf("%q is not a name that a recipe can use", name)
	}
	if v.Value == nil {
		return fmt.Errorf("%s: got no value, want one of Shown", name)
	}
	if err := p.s.enter(); err != nil {
		return err
	}
	defer p.s.leave()
	p.s.mean(name, meaning{v.Value, true})
	return nil
}

func (p prompted) TypeOf(name string) string {
	if p.s.enter() != nil {
		return ""
	}
	defer p.s.leave()
	v, ok := p.s.globals[name]
	if !ok || eval.Internal(name) {
		return ""
	}
	return v.Type()
}

func (p prompted) Refresh(ctx context.Context) error {
	s := p.s
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	old := maps.Clone(s.run.modules)
	clear(s.run.modules)
	loads := s.loads
	s.loads = nil
	_, err := s.evalInput(ctx, strings.Join(loads, "\n"))
	if err != nil {
		s.loads = loads
		s.run.modules = old
	}
	return err
}

// noteLoads remembers the load statements of an input that has been evaluated.
func (s *Session) noteLoads(loads []outline.Load) {
	for _, l := range loads {
		text := l.Input()
		if i := slices.Index(s.loads, text); i >= 0 {
			s.loads = slices.Delete(s.loads, i, i+1)
		}
		s.loads = append(s.loads, text)
	}
}
