//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Told to stop, the service answers what is under way and ends with it. Its worker
// sleeps meanwhile, so that requests are under way for as long as is needed.
func TestGracefulStop(t *testing.T) {
	p := startProcess(t, "-workers", "1", "-wait", patience.String(), "-stop", patience.String())
	if _, err := ask(http.DefaultClient, p.url, fields{"recipe": "output('x', 1)"}); err != nil {
		t.Fatal(err)
	}
	workers := childrenOf(t, p.cmd.Process.Pid)
	if len(workers) != 1 {
		t.Fatalf("there are %d workers", len(workers))
	}
	syscall.Kill(workers[0], syscall.SIGSTOP)
	defer syscall.Kill(workers[0], syscall.SIGCONT)
	// On a busy machine it is a while until each of its threads knows.
	eventually(t, "a worker that sleeps", func() bool { return sleeps(t, workers[0]) })
	answers := make(chan error, 3)
	for i := range 3 {
		go func() {
			r, err := ask(http.DefaultClient, p.url, fields{"recipe": fmt.Sprintf("output('x', %d)", i)})
			if err == nil && r.status != http.StatusOK {
				err = fmt.Errorf("status %d: %s", r.status, r.body)
			}
			answers <- err
		}()
	}
	p.see(t, "dicescript_workers_busy 1", "dicescript_queue 2")
	p.cmd.Process.Signal(syscall.SIGTERM)
	eventually(t, "a service that takes nothing more", func() bool {
		c, err := net.Dial("tcp", p.addr)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	syscall.Kill(workers[0], syscall.SIGCONT)
	for range 3 {
		if err := <-answers; err != nil {
			t.Errorf("a request under way got no answer: %v", err)
		}
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the service ended with %v", err)
	}
}

// sleeps reports whether all threads of a process have been stopped, on Linux.
func sleeps(t *testing.T, pid int) bool {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(threads) == 0 {
		t.Fatalf("process %d has %d threads, %v", pid, len(threads), err)
	}
	for _, file := range threads {
		if text, err := os.ReadFile(file); err == nil && !bytes.Contains(text, []byte(") T ")) {
			return false
		}
	}
	return true
}
