package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dicescript/lang"
	"dicescript/lang/isolate"
)

// command is the path of the command, which is built once.
var command = sync.OnceValues(func() (string, error) {
	path := filepath.Join(isolate.Temporary(), "dicescript")
	out, err := exec.Command("go", "build", "-o", path, "dicescript/cmd/dicescript").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func child(t *testing.T, recipe string) isolate.Child {
	t.Helper()
	path, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return isolate.Child{Command: path, Stdin: strings.NewReader(recipe)}
}

// What a child finds out is a result, and its mistakes are errors of a recipe.
func TestResult(t *testing.T) {
	r, err := isolate.Result(t.Context(), child(t, "bonus = param('bonus', 1)\noutput('hit', 1d20 + bonus >= 15)\noutput('rows', [1, 'a'])"), isolate.Limits{}, "--set", "bonus=5", "-")
	if err != nil {
		t.Fatal(err)
	}
	if hit, err := lang.Get[*big.Rat](r, "hit"); err != nil || hit.Cmp(big.NewRat(11, 20)) != 0 {
		t.Errorf("got %v, %v", hit, err)
	}
	if r.Usage.Steps == 0 || len(r.Params) != 1 || r.Params[0].Value != 5 {
		t.Errorf("got %+v", r)
	}
	for recipe, kind := range map[string]lang.Kind{
		"output(1)\nfail('no')": lang.KindRuntime, "a\nb": lang.KindName, "output(1": lang.KindSyntax, "while True:\n    pass": lang.KindLimit,
	} {
		r, err := isolate.Result(t.Context(), child(t, recipe), isolate.Limits{}, "--limit", "steps=1M", "-")
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != kind || e.Position.Line == 0 || r == nil {
			t.Errorf("%s: got %v", recipe, err)
		}
		if kind == lang.KindName && len(lang.Errors(err)) != 2 {
			t.Errorf("got %v, want both", err)
		}
	}
}

// A deadline is one, wherever it falls: before the process has started, too, and then
// nothing has been recorded, so that the next one is later.
func TestResultDeadline(t *testing.T) {
	for wait := 10 * time.Millisecond; ; wait *= 3 {
		c := child(t, "output('first', 1)\nwhile True:\n    pass")
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		r, err := isolate.Result(ctx, c, isolate.Limits{CPU: 10 * time.Minute}, "--limit", "none", "-")
		cancel()
		var e *lang.Error
		if !errors.As(err, &e) || e.Kind != lang.KindDeadline || !errors.Is(err, context.DeadlineExceeded) || r == nil {
			t.Fatalf("after %s: got %v", wait, err)
		}
		if len(r.Outputs) == 1 {
			return
		}
		if wait > time.Minute {
			t.Fatal("what was recorded before the deadline is lost")
		}
	}
}

func TestResultMisused(t *testing.T) {
	if _, err := isolate.Result(t.Context(), isolate.Child{Command: "/no/such/command"}, isolate.Limits{}, "-"); err == nil || errors.As(err, new(*lang.Error)) {
		t.Errorf("no command: %v", err)
	}
	if _, err := isolate.Result(t.Context(), isolate.Child{Command: "/bin/true"}, isolate.Limits{}, "-"); err == nil {
		t.Error("another command: no error")
	}
	r, err := isolate.Result(t.Context(), child(t, "output(1)"), isolate.Limits{}, "--nonsense", "-")
	if err == nil || !strings.Contains(err.Error(), "nonsense") || r == nil {
		t.Errorf("a wrong flag: %v", err)
	}
}
