// Test files, documents and modules that mean harm to whoever tests or checks them,
// and pipes that nothing comes out of.

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// hostileTimeout is far from what any of this needs, also on a busy machine: that a
// command ends by itself is what is tested.
const hostileTimeout = "5m"

// inFolder writes a recipe into a folder of its own and returns its path.
func inFolder(t *testing.T, c hostileCase) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(c.file))
	if err := os.WriteFile(path, c.src, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// command runs the command and returns what it writes.
func command(ctx context.Context, stdin io.Reader, args ...string) (code int, out string) {
	var b bytes.Buffer
	code = Main(ctx, args, stdin, &b, &b)
	return code, b.String()
}

// What is in testdata/hostile/suite fails as a test with the words that it says.
func TestHostileSuites(t *testing.T) {
	files, err := filepath.Glob("../../testdata/hostile/suite/*")
	if err != nil || len(files) != 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			c := readHostile(t, file)
			code, out := command(t.Context(), strings.NewReader(""), "test", "--timeout", hostileTimeout, "--limit", "steps=3M", inFolder(t, c))
			if want := strings.Join(c.ends, " | "); code != exitFailed || !regexp.MustCompile(want).MatchString(out) || !strings.Contains(out, "FAIL") {
				t.Errorf("%s: exit code %d, want a failure with %q in\n%.2000s", c.tries, code, want, out)
			}
		})
	}
}

// What is in testdata/hostile/check has errors, or warnings, and they are told.
func TestHostileChecks(t *testing.T) {
	files, err := filepath.Glob("../../testdata/hostile/check/*")
	if err != nil || len(files) != 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			c := readHostile(t, file)
			code, out := command(t.Context(), strings.NewReader(""), "check", "--timeout", hostileTimeout, inFolder(t, c))
			want := map[string]int{"error": exitFailed, "warning": exitOK}[c.ends[0]]
			if code != want || strings.Contains(out, "--timeout") || out == "" {
				t.Errorf("%s: exit code %d, want %d\n%.2000s", c.tries, code, want, out)
			}
			if len(out) > 256<<10 {
				t.Errorf("%s: %d bytes of errors", c.tries, len(out))
			}
		})
	}
}

// silent never gives anything, and never ends.
type silent struct{ until chan struct{} }

func (s silent) Read([]byte) (int, error) {
	<-s.until
	return 0, io.EOF
}

// endless gives the same for ever.
type endless struct {
	text string
	at   *int
}

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[*e.at%len(e.text)]
		*e.at++
	}
	return len(p), nil
}

// stalledWriter takes nothing.
type stalledWriter struct{ until chan struct{} }

func (d stalledWriter) Write([]byte) (int, error) {
	<-d.until
	return 0, io.ErrClosedPipe
}

// Standard input that does not end, or ends in nothing, and output that nobody reads:
// the command ends, by itself or because its time is up.
func TestHostileStreams(t *testing.T) {
	until := make(chan struct{})
	t.Cleanup(func() { close(until) })
	for _, c := range []struct {
		name  string
		args  []string
		stdin io.Reader
		want  string
	}{
		{"a session of nothing", []string{}, silent{until}, "time is used up"},
		{"repl of nothing", []string{"repl"}, silent{until}, "time is used up"},
		{"run of nothing", []string{"run", "-"}, silent{until}, "time is used up"},
		{"run of standard input by its name", []string{"run", "/dev/stdin"}, silent{until}, "time is used up"},
		{"check of nothing", []string{"check", "-"}, silent{until}, "time is used up"},
		{"repl of lines without end", []string{"repl"}, endless{"output(d(6))\n", new(int)}, "bytes of source"},
		{"run of one line without end", []string{"run", "-"}, endless{"1 + ", new(int)}, "bytes of source"},
		{"check of zeros", []string{"check", "-"}, endless{"\x00", new(int)}, "bytes of source"},
		{"run of empty lines", []string{"run", "--format", "json", "-"}, endless{"\n", new(int)}, "bytes of source"},
		{"a recipe that ends after a deadline", []string{"run", "-"}, io.MultiReader(strings.NewReader("output(d(6))\n"), silent{until}), "time is used up"},
		{"a result that nobody reads", []string{"run", "-"}, strings.NewReader("output(d(6))"), ""},
		{"help that nobody reads", []string{"doc"}, strings.NewReader(""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			args := c.args
			timeout := hostileTimeout
			if c.want == "" || strings.Contains(c.want, "time") {
				timeout = "50ms"
			}
			if len(args) == 0 {
				args = []string{"repl"}
			}
			args = append(args[:1:1], append([]string{"--timeout", timeout}, args[1:]...)...)
			var errs locked
			var out io.Writer = &errs
			if c.want == "" {
				out = stalledWriter{until}
			}
			done := make(chan int, 1)
			go func() { done <- Main(t.Context(), args, c.stdin, out, &errs) }()
			select {
			case code := <-done:
				if text := errs.text(); code != exitFailed || !strings.Contains(text, c.want) || text == "" {
					t.Errorf("exit code %d, want %q in\n%.2000s", code, c.want, text)
				}
			case <-time.After(hostileMost):
				t.Fatal("it does not end")
			}
		})
	}
}

// locked is a buffer for several goroutines: what a command leaves behind may go on.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
