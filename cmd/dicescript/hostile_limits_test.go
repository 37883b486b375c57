// Recipes that mean harm under small limits, in this process: which limit ends
// each of them, and after how many steps, is the same everywhere.

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"
)

// smallLimits end a recipe in some milliseconds.
var smallLimits = lang.Limits{
	Steps: 100_000, Work: 1_000_000, Cells: 50_000, Outcomes: 10_000, Bytes: 4 << 20, TextBytes: 64 << 10, Elements: 32 << 10, Entries: 1 << 10,
	OutputBytes: 256 << 10, SourceBytes: 32 << 10,
}

// smallReport is how long the report of one may be.
const smallReport = 32 << 10

const (
	// hostileGolden holds a line for each recipe: how it ends, at which limit, after
	// how many steps and how much work. -update writes it. A ? stands where two
	// processes have not counted the same.
	hostileGolden = "testdata/hostile_limits.txt"
	// hostilePrint makes a process print such lines.
	hostilePrint = "DICESCRIPT_HOSTILE_PRINT"
	// hostileMost is when the test is given up.
	hostileMost = 2 * time.Minute
)

// endsUnderLimits runs a recipe under small limits, renders what it recorded in
// every format, and returns its line.
func endsUnderLimits(t *testing.T, h *lang.Host, c hostileCase) string {
	ctx, cancel := context.WithTimeout(t.Context(), hostileMost)
	defer cancel()
	if bytes.Contains(c.src, []byte("host_waits")) {
		ctx = newRest(ctx)
	}
	r := &lang.Result{}
	p, err := h.Compile(ctx, filepath.Base(c.file), c.src)
	if err == nil {
		r, err = p.Run(ctx)
	}
	for _, format := range report.Formats() {
		n := &counter{}
		err := report.Render(t.Context(), n, format, r, report.Options{Limit: smallReport})
		if long := (*report.LimitError)(nil); err != nil && !errors.As(err, &long) || n.bytes > smallReport {
			t.Errorf("%s as %s: %d bytes, %v", filepath.Base(c.file), format, n.bytes, err)
		}
	}
	kind, limit := "ok", "-"
	for _, e := range lang.Errors(err) {
		kind = string(e.Kind)
	}
	if met := (*dist.LimitError)(nil); errors.As(err, &met) {
		limit = cmp.Or(met.Unit, string(met.Resource))
	}
	return fmt.Sprintf("%s: %s, %s, %d steps, %d work", filepath.Base(c.file), kind, limit, r.Usage.Steps, r.Usage.Work)
}

// A rest is a context whose deadline comes when a recipe waits for it, however fast
// the machine is.
type rest struct {
	context.Context
	met  chan struct{}
	meet func()
}

// restKey is the key of the function that ends a rest.
type restKey struct{}

func newRest(ctx context.Context) *rest {
	r := &rest{Context: ctx, met: make(chan struct{})}
	r.meet = sync.OnceFunc(func() { close(r.met) })
	return r
}

func (r *rest) Done() <-chan struct{} { return r.met }

func (r *rest) Err() error {
	select {
	case <-r.met:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func (r *rest) Value(key any) any {
	if key == (restKey{}) {
		return r.meet
	}
	return r.Context.Value(key)
}

// counter counts what is written.
type counter struct{ bytes int }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	return len(p), nil
}

// underLimits runs all recipes and returns their lines.
func underLimits(t *testing.T) []string {
	files := hostileFiles(t)
	h := hostileHost(t, lang.WithLimits(smallLimits))
	lines := make([]string, len(files))
	var mu sync.Mutex
	t.Run("files", func(t *testing.T) {
		for i, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				line := endsUnderLimits(t, h, readHostile(t, file))
				mu.Lock()
				defer mu.Unlock()
				lines[i] = line
			})
		}
	})
	return lines
}

func TestHostileUnderSmallLimits(t *testing.T) {
	got := underLimits(t)
	if os.Getenv(hostilePrint) != "" {
		fmt.Printf("\nLINES\n%s\nEND\n", strings.Join(got, "\n"))
		return
	}
	if *update {
		writeGolden(t, got, inAnotherProcess(t))
		return
	}
	data, err := os.ReadFile(hostileGolden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d recipes, and %d lines in %s: go test ./cmd/dicescript -run UnderSmallLimits -update", len(got), len(want), hostileGolden)
	}
	for i := range want {
		if !sameEnding(got[i], want[i]) {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

// inAnotherProcess gives the lines of a process that has been told nothing by this
// one.
func inAnotherProcess(t *testing.T) []string {
	cmd := exec.Command(os.Args[0], "-test.run=^TestHostileUnderSmallLimits$")
	cmd.Env = append(os.Environ(), hostilePrint+"=1")
	out, err := cmd.CombinedOutput()
	_, text, ok := strings.Cut(string(out), "\nLINES\n")
	text, _, ok2 := strings.Cut(text, "\nEND\n")
	if !ok || !ok2 {
		t.Fatalf("%v: %.3000s", err, out)
	}
	return strings.Split(text, "\n")
}

// writeGolden writes lines, with a ? for what differs between two processes.
func writeGolden(t *testing.T, one, other []string) {
	var b strings.Builder
	for i := range one {
		words, others := strings.Fields(one[i]), strings.Fields(other[i])
		for k := range words {
			if words[k] != others[k] {
				t.Logf("two processes differ: %s and %s", one[i], other[i])
				words[k] = "?"
			}
		}
		b.WriteString(strings.Join(words, " ") + "\n")
	}
	if err := os.WriteFile(hostileGolden, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sameEnding(got, want string) bool {
	words, wanted := strings.Fields(got), strings.Fields(want)
	if len(words) != len(wanted) {
		return false
	}
	for i := range words {
		if wanted[i] != "?" && words[i] != wanted[i] {
			return false
		}
	}
	return true
}

// Reports of recipes that end well under the default limits are as long as a report
// may be, and no longer.
func TestHostileReports(t *testing.T) {
	files, err := filepath.Glob("../../testdata/hostile/render_*.*")
	if err != nil || len(files) != 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	limit, looks := int64(256<<10), 2000
	if allTests() {
		limit, looks = 0, 20_000
	}
	h := hostileHost(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			c := readHostile(t, file)
			p, err := h.Compile(t.Context(), filepath.Base(file), c.src)
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(t.Context())
			if met := (*dist.LimitError)(nil); err != nil && !errors.As(err, &met) {
				t.Fatal(err)
			}
			for _, format := range report.Formats() {
				n := &counter{}
				err := reported(&lookedAt{t.Context(), looks}, n, format, c, r, report.Options{Limit: limit, AllRows: allTests()})
				if long := (*report.LimitError)(nil); err != nil && !errors.As(err, &long) && !errors.Is(err, context.DeadlineExceeded) || n.bytes > report.DefaultLimit || limit > 0 && int64(n.bytes) > limit {
					t.Errorf("%s: %d bytes, %v", format, n.bytes, err)
				}
			}
		})
	}
}

// lookedAt is a context that is done after so many looks.
type lookedAt struct {
	context.Context
	left int
}

func (c *lookedAt) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// reported renders a result, that of a document in it where the format can.
func reported(ctx context.Context, w io.Writer, format string, c hostileCase, r *lang.Result, o report.Options) error {
	if filepath.Ext(c.file) == ".md" && (format == "html" || format == "markdown") {
		return report.Weave(ctx, w, format, c.src, r, o)
	}
	return report.Render(ctx, w, format, r, o)
}
