// Recipes that mean harm, each file of testdata/hostile in a process of its own,
// once through the API and once through the command, under the default limits: it
// has to end as it says, soon and in little memory. That is a matter of time and of
// the machine, so here a few of them only have to end as they say; all of them run,
// and are measured, where all tests are wanted.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"dicescript/builtins/runenv"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// What a recipe may take under the default limits: processor time, which other
// programs do not use up, and memory; when it has hung; and the time that the
// command is given.
const (
	hostileTime   = 10 * time.Second
	hostileMemory = 600e6 // Go's collector lets as much garbage stand as what lives, at most 256 MiB
	hostileKill   = 2 * time.Minute
	commandTime   = 400 * time.Millisecond
)

// hostileValue is a value of a careless host.
type hostileValue struct{}

func (hostileValue) String() string        { panic("no text") }
func (hostileValue) Type() string          { return "hostile" }
func (hostileValue) Freeze()               {}
func (hostileValue) Truth() starlark.Bool  { panic("no truth") }
func (hostileValue) Hash() (uint32, error) { panic("no hash") }

// hostileHost is a host with faulty builtins and with modules.
func hostileHost(t *testing.T, opts ...lang.Option) *lang.Host {
	t.Helper()
	builtin := func(name string, f func(ctx context.Context, thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error)) *starlark.Builtin {
		return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return f(runenv.Of(thread).Context, thread, args)
		})
	}
	names := starlark.StringDict{
		"host_panics": builtin("host_panics", func(context.Context, *starlark.Thread, starlark.Tuple) (starlark.Value, error) {
			var none []int
			return starlark.MakeInt(none[1]), nil
		}),
		"host_waits": builtin("host_waits", func(ctx context.Context, _ *starlark.Thread, _ starlark.Tuple) (starlark.Value, error) {
			if meet, ok := ctx.Value(restKey{}).(func()); ok {
				meet()
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		"host_nothing": builtin("host_nothing", func(context.Context, *starlark.Thread, starlark.Tuple) (starlark.Value, error) {
			return nil, nil
		}),
		"host_calls": builtin("host_calls", func(_ context.Context, thread *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
			return starlark.Call(thread, args[0], args[1:], nil)
		}),
		"host_value": hostileValue{},
	}
	h, err := lang.New(slices.Concat([]lang.Option{
		lang.WithModules("./", hostileModules(t)),
		lang.WithBuiltins(names),
	}, opts)...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func hostileModules(t *testing.T) fstest.MapFS {
	files := fstest.MapFS{
		"cycle_a.star":     {Data: []byte("load('./cycle_b.star', 'b')\na = 1\n")},
		"cycle_b.star":     {Data: []byte("load('./cycle_a.star', 'a')\nb = 1\n")},
		"load_itself.star": {Data: []byte("load('./load_itself.star', 'x')\nx = 1\n")},
		"deep.star":        {Data: []byte("a = []\nfor i in range(300000):\n    a = [a]\n_hidden = 1\n")},
		"loops.star":       {Data: []byte("x = 1\nwhile True:\n    x += 1\n")},
		"outputs.star":     {Data: []byte("x = 1\noutput('x', x)\n")},
		"sub.star/x.star":  {Data: []byte("x = 1\n")},
		"many.star":        {Data: []byte("load('./many0.star', y='x')\nx = y\n")},
	}
	for i := range 150 {
		name := fmt.Sprintf("many%d.star", i)
		files[name] = &fstest.MapFile{Data: fmt.Appendf(nil, "load('./many%d.star', y='x')\nx = y\n", i+1)}
	}
	files["many150.star"] = &fstest.MapFile{Data: []byte("x = 1\n")}
	return files
}

// An ending is how a recipe ended, and what the process took that ran it.
type ending struct {
	Ends    string
	Message string
	Seconds float64 // of processor time
	Memory  int64   // bytes that the process has had from the system
}

// runHostile compiles and runs a recipe.
func runHostile(ctx context.Context, h *lang.Host, c hostileCase) ending {
	p, err := h.Compile(ctx, filepath.Base(c.file), c.src)
	if err == nil {
		_, err = p.Run(ctx)
	}
	e := ending{Ends: "ok"}
	if err != nil {
		e.Message = err.Error()
		e.Ends = "no *lang.Error"
		var one *lang.Error
		if errors.As(err, &one) {
			e.Ends = string(one.Kind)
			if one.Kind == lang.KindInternal {
				e.Message += "\n" + string(one.Stack)
			}
		}
	}
	return e
}

const hostileChild = "DICESCRIPT_HOSTILE_FILE"

// TestHostileChild is the process in which one recipe runs through the API.
func TestHostileChild(t *testing.T) {
	file := os.Getenv(hostileChild)
	if file == "" {
		t.Skip("runs for TestHostileProcesses")
	}
	c := readHostile(t, file)
	h := hostileHost(t)
	ctx, cancel := context.WithTimeout(context.Background(), hostileKill)
	defer cancel()
	if slices.Contains(c.ends, "deadline") {
		ctx, cancel = context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
	}
	e := runHostile(ctx, h, c)
	e.Message = shortened(e.Message)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	e.Memory = int64(m.Sys)
	out, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\nENDING %s\n", out)
}

func shortened(message string) string {
	const most = 3000
	if len(message) <= most {
		return message
	}
	return fmt.Sprintf("%s... (%d bytes)", message[:most], len(message))
}

// throughAPI runs a recipe in a process of its own.
func throughAPI(t *testing.T, c hostileCase) (ending, error) {
	ctx, cancel := context.WithTimeout(context.Background(), hostileKill+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHostileChild$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), hostileChild+"="+c.file)
	out, err := cmd.CombinedOutput()
	_, line, ok := bytes.Cut(out, []byte("ENDING "))
	if !ok {
		return ending{}, fmt.Errorf("%v: %.3000s", err, out)
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	var e ending
	err = json.Unmarshal(line, &e)
	e.Seconds = processorTime(cmd)
	return e, err
}

// processorTime is what a process has used, in seconds.
func processorTime(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// throughCommand runs a recipe as dicescript run, whose results as json tell how
// it ended. A person who waits allows more work, so that the time is limited.
func throughCommand(t *testing.T, c hostileCase) (ending, error) {
	dir := hostileFolder(t, c)
	ctx, cancel := context.WithTimeout(context.Background(), hostileKill)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "run", "--format", "json", "--no-weave", "--timeout", commandTime.String(), filepath.Base(c.file))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), commandEnv+"=1")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	e := ending{Ends: "ok", Message: shortened(stderr.String()), Seconds: processorTime(cmd)}
	status := cmd.ProcessState.ExitCode()
	if status == 1 && strings.Contains(e.Message, "--timeout gives it more") {
		e.Ends = "deadline" // on a busy machine there may be no time for more
		return e, nil
	}
	if status != 0 && status != 1 {
		return e, fmt.Errorf("%v: %s", err, e.Message)
	}
	var result struct{ Error *struct{ Kind string } }
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		return e, fmt.Errorf("status %d, and no json: %v: %.300s", status, err, out.Bytes())
	}
	if result.Error != nil {
		e.Ends = result.Error.Kind
	}
	switch {
	case (status == 1) != (result.Error != nil):
		return e, fmt.Errorf("status %d, and the json tells %s", status, e.Ends)
	case status == 1 && !placed.MatchString(stderr.String()):
		return e, fmt.Errorf("the message does not tell where: %q", e.Message)
	}
	for _, trace := range []string{"goroutine ", "runtime error", "panic:", "*starlark"} {
		if strings.Contains(stderr.String(), trace) {
			return e, fmt.Errorf("the message tells of the inside: %q", e.Message)
		}
	}
	return e, nil
}

// placed is a message that tells where it belongs.
var placed = regexp.MustCompile(`(?m)^[\w.]+\.(?:star|md|anydice):(?:\d+:\d+:)? `)

// hostileFolder is a folder with the recipe and the modules beside it.
func hostileFolder(t *testing.T, c hostileCase) string {
	dir := t.TempDir()
	files := fstest.MapFS{filepath.Base(c.file): {Data: c.src}}
	if bytes.Contains(c.src, []byte("load")) {
		for name, f := range hostileModules(t) {
			files[name] = f
		}
	}
	for name, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// allTests reports whether tests are wanted that take minutes, or measure time or
// memory, for which the machine has to be free.
func allTests() bool { return os.Getenv("DICESCRIPT_TESTS") == "all" }

// hostileSamples are the recipes that always run as processes: those that would
// take the process with them (a stack that overflows, memory that is used up, a
// panic), and those that only the time ends.
var hostileSamples = []string{
	"closure_chain.star", "deep_closures.star", "deep_list_equal.star", "deep_list_str.star", "document_bomb.md",
	"flood_dict_union.star", "int_factorial.star", "iterate_endless.star", "list_append.star", "list_self_sorted.star",
	"call_variables.star", "load_long_name.star", "print_empty.star", "same_bomb.star", "source_brackets.star",
	"text_concatenate.star", "host_panics.star", "render_wide_01.star", "render_compare_01.star", "render_ticks_03.star",
}

// hostileFiles are the files of the corpus.
func hostileFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/hostile/*.*")
	if err != nil || len(files) < 400 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// everyNth picks from files, for a run that has less time: DICESCRIPT_EVERY=12.
func everyNth(files []string) []string {
	n, err := strconv.Atoi(os.Getenv("DICESCRIPT_EVERY"))
	if err != nil || n < 2 {
		return files
	}
	var picked []string
	for i := 0; i < len(files); i += n {
		picked = append(picked, files[i])
	}
	return picked
}

// A recipe ends as it says, soon and in little memory.
func TestHostileProcesses(t *testing.T) {
	files := everyNth(hostileFiles(t))
	if !allTests() {
		files = nil
		for _, name := range hostileSamples {
			files = append(files, filepath.Join("../../testdata/hostile", name))
		}
	}
	var worst record
	t.Run("files", func(t *testing.T) {
		gate := make(chan struct{}, runtime.NumCPU())
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				gate <- struct{}{}
				defer func() { <-gate }()
				c := readHostile(t, file)
				if c.host() || allTests() {
					worst.note(c, hostileEnding(t, c, "API", throughAPI, c.ends))
				}
				if !c.host() {
					hostileEnding(t, c, "command", throughCommand, append(c.ends, "deadline"))
				}
			})
		}
	})
	t.Logf("%d recipes; the slowest took %.2f s (%s), the largest %d MB (%s)", len(files),
		worst.seconds, filepath.Base(worst.slowest), worst.memory>>20, filepath.Base(worst.largest))
}

// hostileEnding runs a recipe by one way and checks how it ended.
func hostileEnding(t *testing.T, c hostileCase, way string, run func(*testing.T, hostileCase) (ending, error), ends []string) ending {
	e, err := run(t, c)
	if err != nil {
		t.Errorf("%s: it %s: %v", way, c.tries, err)
		return e
	}
	t.Logf("%s: %.2f s, %d MB: %s: %.300s", way, e.Seconds, e.Memory>>20, e.Ends, e.Message)
	if !slices.Contains(ends, e.Ends) {
		t.Errorf("%s: %s: ends with %s, want %s: %s", way, c.tries, e.Ends, strings.Join(ends, " or "), e.Message)
	}
	if !allTests() {
		return e
	}
	if e.Seconds > hostileTime.Seconds() {
		t.Errorf("%s: %s: took %.2f s", way, c.tries, e.Seconds)
	}
	if e.Memory > hostileMemory {
		t.Errorf("%s: %s: took %d MB", way, c.tries, e.Memory>>20)
	}
	return e
}

// A record holds the worst of many endings.
type record struct {
	mu               sync.Mutex
	seconds          float64
	memory           int64
	slowest, largest string
}

func (r *record) note(c hostileCase, e ending) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Seconds > r.seconds {
		r.seconds, r.slowest = e.Seconds, c.file
	}
	if e.Memory > r.memory {
		r.memory, r.largest = e.Memory, c.file
	}
}
