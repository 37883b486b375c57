package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dicescript/lang"
	"dicescript/lang/isolate"
)

// failing is an Asker whose process has ended.
type failing struct{ err error }

func (f failing) Ask(context.Context, string, []byte, time.Duration) ([]byte, error) {
	return nil, f.err
}

// What ends the process of a recipe is told above it.
func TestLensOfAProcessThatEnded(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{isolate.ErrMemory, "memory"}, {isolate.ErrCPU, "processor time"}, {isolate.ErrKilled, "killed"}, {context.DeadlineExceeded, "longer than"},
	} {
		s := &space{asker: failing{c.err}, texts: func(string) map[string]string { return nil }}
		r, err := s.run(t.Context(), "a.star", "output(1)")
		if got := shownAt(r, err, 0, 9); !errors.Is(err, c.err) || !strings.Contains(got, c.want) {
			t.Errorf("%v: shown is %q", err, got)
		}
	}
}

// What comes back from elsewhere has the lines of its outputs, what was recorded before a
// failure, and sees the files beside the recipe as the client has them.
func TestLensRunElsewhere(t *testing.T) {
	folder := filepath.ToSlash(t.TempDir())
	for name, text := range map[string]string{"saved.star": "a = 2", "open.star": "b = 0"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &space{asker: Here{}, folder: folder, texts: func(string) map[string]string {
		return map[string]string{folder + "/open.star": "b = 5"}
	}}
	r, err := s.run(t.Context(), folder+"/r.star", "load('./saved.star', 'a')\nload('./open.star', 'b')\noutput('x', a + b)\n\noutput('y', {2: 1, 1: 2})\nfail('so')\n")
	var e *lang.Error
	if !errors.As(err, &e) || e.Kind != lang.KindRuntime || e.Position.Line != 6 {
		t.Errorf("got %v", err)
	}
	if r == nil || len(r.Outputs) != 2 || r.Outputs[0].Line != 3 || r.Outputs[1].Line != 5 {
		t.Fatalf("got %+v", r)
	}
	if got := shownAt(r, err, 3, 3); !strings.Contains(got, "7") {
		t.Errorf("shown is %q", got)
	}
	if _, err := s.run(t.Context(), "r.star", "output(1"); len(lang.Errors(err)) == 0 || lang.Errors(err)[0].Kind != lang.KindSyntax {
		t.Errorf("got %v", err)
	}
	if answer := AnswerLens(t.Context(), []byte("7")); !json.Valid(answer) || !strings.Contains(string(answer), "error") {
		t.Errorf("got %s", answer)
	}
}
