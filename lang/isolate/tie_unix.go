//go:build linux || darwin || freebsd || netbsd

package isolate

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// A tie ends a child with its parent, also when that was killed and could tell nobody: the
// child reads a pipe of which the parent alone has the other end, and which so ends when
// the parent does. Where the system sends a signal at that moment, it is asked for that
// too.

// tieFile is where a child has its end of the pipe: after standard input and outputs.
const tieFile = 3

var tieArguments = []string{"-tie=" + strconv.Itoa(tieFile)}

// runTied runs a command that ends when this process does. What signals the death of a
// parent means the thread that has started the child, so one waits until the child ends.
func runTied(cmd *exec.Cmd) error {
	end, parent, err := os.Pipe()
	if err != nil {
		return err
	}
	defer parent.Close()
	cmd.ExtraFiles = []*os.File{end}
	cmd.SysProcAttr = deathSignal()
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		end.Close()
		if err == nil {
			err = cmd.Wait()
		}
		ended <- err
	}()
	return <-ended
}

// hold ends this process, a child, when its end of the pipe says that the parent is gone.
func hold(file int) error {
	if err := syscall.SetNonblock(file, true); err != nil { // a read that waits takes no thread
		return err
	}
	parent := os.NewFile(uintptr(file), "parent")
	go func() {
		parent.Read(make([]byte, 1))
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}()
	return nil
}

func interrupt(p *os.Process) error { return p.Signal(os.Interrupt) }
