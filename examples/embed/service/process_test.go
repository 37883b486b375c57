package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Services as processes of their own, which can be killed.

type process struct {
	cmd  *exec.Cmd
	addr string
	url  string
}

func startProcess(t *testing.T, args ...string) *process {
	t.Helper()
	tiers := filepath.Join(t.TempDir(), "tiers.json")
	patient(t, tiers)
	p := &process{cmd: exec.Command(os.Args[0], append([]string{"-addr", "127.0.0.1:0", "-tiers", tiers}, args...)...)}
	p.cmd.Env = append(os.Environ(), serviceEnv+"=1")
	log, err := p.cmd.StderrPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	first, err := bufio.NewReader(log).ReadString('\n')
	var ready struct{ Msg, Addr string }
	if err != nil || json.Unmarshal([]byte(first), &ready) != nil || ready.Msg != "ready" {
		t.Fatalf("the service says %q, %v", first, err)
	}
	go io.Copy(io.Discard, log)
	p.addr, p.url = ready.Addr, "http://"+ready.Addr
	p.see(t, "dicescript_queue 0")
	return p
}

// patience is when something that has to happen does not, also on a busy machine.
const patience = 2 * time.Minute

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// see waits until the metrics hold all these lines.
func (p *process) see(t *testing.T, lines ...string) {
	t.Helper()
	text := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var err error
		if text, err = metricsOf(p.url); err != nil {
			continue
		}
		missing := false
		for _, l := range lines {
			missing = missing || !strings.Contains(text, "\n"+l+"\n")
		}
		if !missing {
			return
		}
	}
	t.Fatalf("waited for %q in\n%s", lines, text)
}

// locked is a writer for several goroutines.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(text)
}
