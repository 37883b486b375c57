// Recipes that mean harm: each file of testdata/hostile runs in a process of
// its own, and has to end as it says, soon and in little memory.

package lang_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"dicescript/builtins"
	"dicescript/lang"

	"go.starlark.net/starlark"
)

// What a recipe may take under the default limits, with room for a slow and
// busy machine. DICESCRIPT_HOSTILE=strict holds them to a second and 500 MB.
const (
	hostileTime   = 10 * time.Second
	hostileMemory = 600 << 20
	hostileKill   = 40 * time.Second
)

// A hostileCase is a file of testdata/hostile. Its first lines say what it
// tries and how it may end: with one of several kinds of errors, or "ok". What
// follows is the recipe, with lines that stand for long texts:
//
//	#repeat 1000 "x"    the text so many times, without an end of line
//	#count 1000 "a%d"   the text with each number from 0
//	#indent 100 "if x:" blocks in blocks
//	#stairs 100 "x"     lines of growing length
type hostileCase struct {
	file  string
	tries string
	ends  []string
	src   []byte
}

func readHostile(t *testing.T, file string) hostileCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(data), "\n\n")
	c := hostileCase{file: file}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if text, ok := strings.CutPrefix(line, "# tries: "); ok {
			c.tries = text
		}
		if text, ok := strings.CutPrefix(line, "# ends: "); ok {
			c.ends = strings.Split(text, " | ")
		}
	}
	if c.tries == "" || len(c.ends) == 0 {
		t.Fatalf("%s does not say what it tries and how it ends", file)
	}
	var b bytes.Buffer
	for line := range strings.Lines(body) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if len(f) != 3 || !slices.Contains([]string{"#repeat", "#count", "#indent", "#stairs"}, f[0]) {
			b.WriteString(line)
			continue
		}
		n, err := strconv.Atoi(f[1])
		text, err2 := strconv.Unquote(f[2])
		if err != nil || err2 != nil {
			t.Fatalf("%s: %s: %v, %v", file, line, err, err2)
		}
		switch f[0] {
		case "#repeat":
			b.WriteString(strings.Repeat(text, n))
		case "#count":
			for i := range n {
				fmt.Fprintf(&b, text, i)
			}
		case "#indent":
			for i := range n {
				b.WriteString(strings.Repeat(" ", i) + text + "\n")
			}
		case "#stairs":
			for i := range n {
				b.WriteString(strings.Repeat(text, i) + "\n")
			}
		}
	}
	c.src = b.Bytes()
	return c
}

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
			return f(builtins.EnvOf(thread).Context, thread, args)
		})
	}
	names := starlark.StringDict{
		"host_panics": builtin("host_panics", func(context.Context, *starlark.Thread, starlark.Tuple) (starlark.Value, error) {
			var none []int
			return starlark.MakeInt(none[1]), nil
		}),
		"host_waits": builtin("host_waits", func(ctx context.Context, _ *starlark.Thread, _ starlark.Tuple) (starlark.Value, error) {
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

// An ending is how a recipe ended.
type ending struct {
	Ends    string
	Message string
	Seconds float64
	Memory  int64
}

// runHostile compiles and runs a recipe.
func runHostile(ctx context.Context, h *lang.Host, c hostileCase) ending {
	start := time.Now()
	p, err := h.Compile(ctx, filepath.Base(c.file), c.src)
	if err == nil {
		_, err = p.Run(ctx)
	}
	e := ending{Ends: "ok", Seconds: time.Since(start).Seconds()}
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

// TestHostileChild is the process in which one recipe runs.
func TestHostileChild(t *testing.T) {
	file := os.Getenv(hostileChild)
	if file == "" {
		t.Skip("runs for TestHostileRecipes")
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
	if len(e.Message) > 3000 {
		e.Message = e.Message[:3000] + fmt.Sprintf("... (%d bytes)", len(e.Message))
	}
	out, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\nENDING %s\n", out)
}

// startHostile runs a recipe in a process of its own.
func startHostile(file string) (ending, error) {
	ctx, cancel := context.WithTimeout(context.Background(), hostileKill+10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHostileChild$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), hostileChild+"="+file)
	out, err := cmd.CombinedOutput()
	_, line, ok := bytes.Cut(out, []byte("ENDING "))
	if !ok {
		return ending{}, fmt.Errorf("%v: %.3000s", err, out)
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	var e ending
	err = json.Unmarshal(line, &e)
	e.Memory = peakMemory(cmd.ProcessState)
	return e, err
}

// Each file of testdata/hostile ends as it says, soon and in little memory.
func TestHostileRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	files, err := filepath.Glob("../testdata/hostile/*.*")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	maxTime, maxMemory := hostileTime.Seconds(), int64(hostileMemory)
	if os.Getenv("DICESCRIPT_HOSTILE") == "strict" {
		maxTime, maxMemory = 1, 500<<20
	}
	var mu sync.Mutex
	var slowest, largest string
	var worst ending
	t.Run("files", func(t *testing.T) {
		gate := make(chan struct{}, max(1, runtime.NumCPU()/2))
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				gate <- struct{}{}
				defer func() { <-gate }()
				c := readHostile(t, file)
				e, err := startHostile(file)
				if err != nil {
					t.Fatalf("it %s, and the process ended: %v", c.tries, err)
				}
				t.Logf("%.2f s, %d MB: %s: %.300s", e.Seconds, e.Memory>>20, e.Ends, e.Message)
				if !slices.Contains(c.ends, e.Ends) {
					t.Errorf("%s: ends with %s, want %s: %s", c.tries, e.Ends, strings.Join(c.ends, " or "), e.Message)
				}
				if e.Seconds > maxTime {
					t.Errorf("%s: took %.2f s", c.tries, e.Seconds)
				}
				if e.Memory > maxMemory {
					t.Errorf("%s: took %d MB", c.tries, e.Memory>>20)
				}
				mu.Lock()
				defer mu.Unlock()
				if e.Seconds > worst.Seconds {
					worst.Seconds, slowest = e.Seconds, c.file
				}
				if e.Memory > worst.Memory {
					worst.Memory, largest = e.Memory, c.file
				}
			})
		}
	})
	t.Logf("%d recipes; the slowest took %.2f s (%s), the largest %d MB (%s)", len(files),
		worst.Seconds, filepath.Base(slowest), worst.Memory>>20, filepath.Base(largest))
}
