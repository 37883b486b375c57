package workers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"dicescript/lang/isolate"
)

// The test binary is its own child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == isolate.Subcommand {
		ctx, _, err := isolate.Enter(context.Background(), os.Args[2:])
		if err == nil {
			err = Serve(ctx, os.Stdin, os.Stdout, reply)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

var sink [][]byte

// reply is what the child of the tests does.
func reply(ctx context.Context, method string, args []byte) []byte {
	switch method {
	case "pid":
		text, _ := json.Marshal(os.Getpid())
		return text
	case "wait":
		<-ctx.Done()
	case "deaf":
		for {
			time.Sleep(time.Hour)
		}
	case "fill":
		for {
			sink = append(sink, make([]byte, 1<<20))
			for i := range sink[len(sink)-1] {
				sink[len(sink)-1][i] = 1
			}
		}
	case "crash":
		panic("a fault")
	case "broken":
		return []byte("{\n")
	}
	return args
}

func pool(t *testing.T, most int) *Pool {
	p := New(os.Args[0], most, isolate.Limits{Memory: 256 << 20, CPU: time.Hour}, "work")
	t.Cleanup(p.Close)
	return p
}

const long = time.Minute

func TestQuestionsAreAnswered(t *testing.T) {
	p := pool(t, 2)
	first, err := p.Ask(t.Context(), "pid", []byte("1"), long)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := p.Ask(t.Context(), "pid", []byte("1"), long); err != nil || string(again) != string(first) {
		t.Errorf("another process answers: %s, %s, %v", first, again, err)
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			want := fmt.Sprintf(`{"a":[%d,"x\ny"]}`, i)
			if got, err := p.Ask(t.Context(), "echo", []byte(want), long); err != nil || strings.TrimSpace(string(got)) != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
	all.Wait()
	if len(p.idle) > 2 {
		t.Errorf("there are %d processes", len(p.idle))
	}
}

// Whatever a question does, the one after it is answered.
func TestProcessesThatEnd(t *testing.T) {
	p := pool(t, 1)
	brief, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	for _, c := range []struct {
		ctx    context.Context
		method string
		most   time.Duration
		is     error
	}{
		{brief, "wait", long, context.DeadlineExceeded},
		{t.Context(), "deaf", time.Millisecond - grace, ErrOverdue},
		{t.Context(), "fill", long, isolate.ErrMemory},
		{t.Context(), "crash", long, nil},
	} {
		if raceDetector && c.method == "fill" {
			continue
		}
		_, err := p.Ask(c.ctx, c.method, []byte("1"), c.most)
		if err == nil || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: got %v, want %v", c.method, err, c.is)
		}
		if got, err := p.Ask(t.Context(), "echo", []byte("7"), long); err != nil || string(got) != "7\n" {
			t.Errorf("after %s: got %q, %v", c.method, got, err)
		}
	}
}

// A process that somebody kills while it has nothing to do is not the fault of the next
// question, which gets another one.
func TestIdleProcessIsKilled(t *testing.T) {
	p := pool(t, 1)
	pid, err := p.Ask(t.Context(), "pid", []byte("1"), long)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := json.Unmarshal(pid, &n); err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(n)
	if err != nil {
		t.Fatal(err)
	}
	process.Kill()
	if got, err := p.Ask(t.Context(), "pid", []byte("1"), long); err != nil || string(got) == string(pid) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestBrokenAnswerIsNull(t *testing.T) {
	if got, err := pool(t, 1).Ask(t.Context(), "broken", []byte("1"), long); err != nil || string(got) != "null\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestNoCommand(t *testing.T) {
	p := New("/nothing/here", 1, isolate.Limits{}, "work")
	if _, err := p.Ask(t.Context(), "echo", []byte("1"), long); !errors.Is(err, os.ErrNotExist) && !errors.As(err, new(*exec.Error)) {
		t.Errorf("got %v", err)
	}
	p.Close()
	if _, err := p.Ask(t.Context(), "echo", []byte("1"), long); err == nil {
		t.Error("a closed pool was asked")
	}
}

// raceDetector is set when the race detector is on, which fills the memory by itself.
var raceDetector bool
