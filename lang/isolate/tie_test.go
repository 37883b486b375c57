//go:build linux || darwin || freebsd || netbsd

package isolate

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// alive reports whether a process runs: one that has ended, and that nobody has waited for,
// does not.
func alive(pid int) bool {
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.Contains(string(text), ") Z ")
	}
	return syscall.Kill(pid, 0) == nil
}

// endsSoon fails the test when a process goes on.
func endsSoon(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d has outlived its parent", pid)
		}
	}
}

// started starts the test binary as a process that says the number of one, and kills it
// with the test.
func started(t *testing.T, cmd *exec.Cmd) (pid int) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanned := fmt.Sscan(line, &pid); err != nil || scanned != nil {
		t.Fatalf("it says %q, %v", line, err)
	}
	go io.Copy(io.Discard, out)
	return pid
}

// A parent that is killed can tell its child nothing; the child ends all the same.
func TestChildEndsWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0], "parent")
	child := started(t, parent)
	if !alive(child) || child == parent.Process.Pid {
		t.Fatalf("there is no child: %d", child)
	}
	parent.Process.Kill()
	parent.Wait()
	endsSoon(t, child)
}

// The pipe alone is enough where no signal says that the parent has ended.
func TestChildEndsWithThePipe(t *testing.T) {
	end, parent, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], append(append([]string{Subcommand}, tieArguments...), "--", "pid")...)
	cmd.ExtraFiles = []*os.File{end}
	child := started(t, cmd)
	end.Close()
	time.Sleep(20 * time.Millisecond)
	if !alive(child) {
		t.Fatal("the child has ended before")
	}
	parent.Close()
	cmd.Wait()
	endsSoon(t, child)
}

// Who kills a child is not the recipe.
func TestChildKilledFromOutside(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Child{Command: os.Args[0], Stdout: write}, Limits{}, "pid")
		write.Close()
	}()
	var pid int
	if _, err := fmt.Fscan(read, &pid); err != nil {
		t.Fatal(err)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	if err := <-ended; err != ErrKilled {
		t.Errorf("got %v, want %v", err, ErrKilled)
	}
}
