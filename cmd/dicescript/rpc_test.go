package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The server as a process of its own, whose client is killed, writes half a line, or is
// interrupted.

// longCall is a call that goes on until it is stopped.
const longCall = `{"jsonrpc":"2.0","id":1,"method":"run","params":{"timeout":600000,"limits":{"steps":-1},"source":"print('begun')\ndef f():\n  n = 0\n  while n < 1000000000000:\n    n += 1\nf()"}}` + "\n"

type rpcProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

func startRPC(t *testing.T) rpcProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "rpc")
	cmd.Env = append(os.Environ(), commandEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return rpcProcess{cmd, in, out}
}

// line reads one line.
func (p rpcProcess) line(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// ends waits for the end of the process and returns its exit code.
func (p rpcProcess) ends(t *testing.T) int {
	t.Helper()
	over := make(chan struct{})
	go func() { p.cmd.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(30 * time.Second):
		t.Fatal("the server goes on")
	}
	return p.cmd.ProcessState.ExitCode()
}

func TestRPCProcess(t *testing.T) {
	t.Run("client killed", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("a reader that is gone is not seen here")
		}
		p := startRPC(t)
		fmt.Fprint(p.in, longCall)
		if line := p.line(t, bufio.NewReader(p.out)); !strings.Contains(line, "begun") {
			t.Fatal(line)
		}
		p.in.Close()
		p.out.Close()
		if code := p.ends(t); code == 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("half a line", func(t *testing.T) {
		p := startRPC(t)
		fmt.Fprint(p.in, `{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"3d6"}}`+"\n"+longCall[:40])
		p.in.Close()
		out, _ := io.ReadAll(p.out)
		if s := string(out); strings.Count(s, "\n") != 2 || !strings.Contains(s, `"exact": "21/2"`) || !strings.Contains(s, "-32700") {
			t.Errorf("%s", s)
		}
		if code := p.ends(t); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("there is no such signal here")
		}
		p := startRPC(t)
		fmt.Fprint(p.in, longCall)
		r := bufio.NewReader(p.out)
		p.line(t, r)
		p.cmd.Process.Signal(os.Interrupt)
		if line := p.line(t, r); !strings.Contains(line, `"kind": "cancelled"`) {
			t.Error(line)
		}
		p.ends(t)
	})
}
