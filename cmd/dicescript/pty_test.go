//go:build linux || darwin

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// The command on a real terminal: what is typed, pasted, interrupted.

// A console is the command with a pseudo-terminal in front of it.
type console struct {
	t     *testing.T
	cmd   *exec.Cmd
	tty   *os.File
	state *term.State
	done  chan error

	mu  sync.Mutex
	out bytes.Buffer
	at  int // up to here the output has been looked at
}

// onTerminal starts the command in a folder of its own.
func onTerminal(t *testing.T, dir string, args ...string) *console {
	t.Helper()
	return onTerminalOf(t, "xterm", 80, dir, args...)
}

func onTerminalOf(t *testing.T, kind string, columns int, dir string, args ...string) *console {
	t.Helper()
	return commandOnTerminal(t, kind, columns, dir, exec.Command(os.Args[0], args...))
}

// commandOnTerminal starts any command, in which this test binary is dicescript.
func commandOnTerminal(t *testing.T, kind string, columns int, dir string, cmd *exec.Cmd) *console {
	t.Helper()
	c := &console{t: t, cmd: cmd, done: make(chan error, 1)}
	c.cmd.Dir = dir
	c.cmd.Env = append(os.Environ(), append(cmd.Env, commandEnv+"=1", "TERM="+kind, "NO_COLOR=1", "XDG_STATE_HOME="+filepath.Join(dir, "state"))...)
	tty, tts, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here: ", err)
	}
	c.tty = tty
	pty.Setsize(tty, &pty.Winsize{Rows: 30, Cols: uint16(columns)})
	c.state, _ = term.GetState(int(tts.Fd()))
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = tts, tts, tts
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go io.Copy(c, tty)
	go func() { c.done <- c.cmd.Wait() }()
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		tts.Close()
		tty.Close()
	})
	return c
}

func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(p)
}

// terminalMost is when something that has to be seen never comes, also on a busy
// machine.
const terminalMost = 2 * time.Minute

// see waits until a text comes after what has been seen.
func (c *console) see(texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		if !c.comes(text, terminalMost) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.t.Fatalf("waited for %q after\n%s\ngot\n%q", text, c.out.String()[:c.at], c.out.String()[c.at:])
		}
	}
}

func (c *console) comes(text string, within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		i := strings.Index(c.out.String()[c.at:], text)
		if i >= 0 {
			c.at += i + len(text)
		}
		c.mu.Unlock()
		if i >= 0 {
			return true
		}
	}
	return false
}

// send types.
func (c *console) send(keys string) { io.WriteString(c.tty, keys) }

// enter types a line at a prompt.
func (c *console) enter(line string) {
	c.t.Helper()
	c.see("> ")
	c.send(line + "\r")
}

// answer types a line at the prompt that comes next, when all before it has been
// answered.
func (c *console) answer(line string) {
	c.t.Helper()
	const reads = "\x1b[?2004h" // comes before every prompt
	c.see(reads, "> ")
	c.send(line + "\r")
}

// ends waits for the end, checks the exit code and that the terminal is as it
// was.
func (c *console) ends(code int) {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(terminalMost):
		c.t.Fatalf("did not end after\n%s", c.out.String())
	}
	if got := c.cmd.ProcessState.ExitCode(); got != code {
		c.t.Errorf("exit code %d, want %d, after\n%s", got, code, c.out.String())
	}
	now, err := term.GetState(int(c.tty.Fd()))
	if err == nil && !reflect.DeepEqual(now, c.state) {
		c.t.Errorf("the terminal is not as it was: %+v, was %+v", now, c.state)
	}
}

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
	ctrlW = "\x17"
	left  = "\x1b[D"
	up    = "\x1b[A"
)

func TestTerminalTyping(t *testing.T) {
	c := onTerminal(t, t.TempDir())
	c.see(":help")
	c.enter("2d6")
	c.see("_1 · DieRoll · mean 7.000 · sd 2.42 · 2..12", "█")
	c.enter("_ >= 1x" + left + "\x1b[C" + "\x7f0") // the x becomes a 0
	c.see("_2 · 16.7 % · 1/6")
	c.answer("def twice(x):")
	c.answer("return 2 * x") // is indented
	c.answer("")
	c.answer("if True:")
	c.answer("\tprint(1)") // Tab at the start of a line indents further
	c.answer(ctrlW + "")   // and Ctrl-W takes it away
	c.answer("twice(21)")
	c.see("_3 · 42")
	c.answer("twi\t(4)")
	c.see("_4 · 8")
	c.answer(up + up) // twice(21) again
	c.see("_5 · 42")
	c.answer("nope + 1")
	c.see("undefined: nope")
	c.see("> ")
	c.send(ctrlD)
	c.ends(0)
}

func TestTerminalPaste(t *testing.T) {
	c := onTerminal(t, t.TempDir())
	c.see("> ")
	c.send("\x1b[200~def f(x):\n\ty = x\n\n\treturn y + 1\n\nx = [1,\n\n  41]\nf(x[1])\x1b[201~")
	c.send("\r")
	c.see("_1 · 42")
	// Lines that come at once are a paste too, for terminals that do not mark it.
	c.see("> ")
	c.send("def g():\r    a = 1\r\r    return a\r\rg() + 1\r")
	c.see("_2 · 2")
	c.see("> ")
	c.send(ctrlD)
	c.ends(0)
}

func TestTerminalInterrupt(t *testing.T) {
	c := onTerminal(t, t.TempDir())
	c.enter("kept = 7")
	c.enter("x = [1,")
	c.see("....> ")
	c.send("2" + ctrlC)
	c.enter(":limits steps none")
	c.see("steps: none")
	c.enter("while True: kept = kept")
	c.see("Ctrl-C stops it") // it is under way
	c.send(ctrlC)
	c.see("stopped")
	c.enter("kept")
	c.see("_1 · 7")
	c.enter(":quit")
	c.ends(0)
}

func TestTerminalIsRestoredBySignals(t *testing.T) {
	dir := t.TempDir()
	c := onTerminal(t, dir)
	c.enter("1 + 1")
	c.see("_1 · 2", "> ")
	c.cmd.Process.Signal(syscall.SIGTERM)
	c.ends(128 + int(syscall.SIGTERM))
	// What was typed is there for the next session.
	c = onTerminal(t, dir)
	c.see("> ")
	c.send(up)
	c.see("1 + 1")
	c.send("\r")
	c.see("_1 · 2", "> ")
	c.send(ctrlD)
	c.ends(0)
	info, err := os.Stat(filepath.Join(dir, "state", "dicescript", "history"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history: %v, %v", info, err)
	}
}

func TestTerminalRunTakesLong(t *testing.T) {
	dir := t.TempDir()
	recipe := "output(\"first\", d(6) == 6)\ntotal = 3000d10.sum()\nfor i in range(1000000):\n    chance = total.p_ge(15000 + i)\n"
	if err := os.WriteFile(filepath.Join(dir, "slow.star"), []byte(recipe), 0o644); err != nil {
		t.Fatal(err)
	}
	c := onTerminal(t, dir, "run", "slow.star")
	c.see("running slow.star, ", "Ctrl-C stops it")
	c.send(ctrlC)
	c.see("\r\x1b[K", "slow.star:4:", "stopped", "first · Prob · 16.7 % · 1/6")
	c.ends(1)
	// One that ends by itself takes the line away before it prints.
	c = onTerminal(t, dir, "eval", "[chance for i in range(500) for total in [3000d10.sum()] for chance in [total.p_ge(15000 + i)]][0]")
	if c.comes("computing, ", 5*time.Second) {
		c.see("\r\x1b[K")
	}
	c.see(" · Prob · ")
	c.ends(0)
}

func TestTerminalWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("house.star", "BONUS = 1\n")
	write("a.star", "load(\"./house.star\", \"BONUS\")\noutput(\"total\", 10 + BONUS)\n")
	c := onTerminal(t, dir, "run", "--watch", "a.star")
	c.see("total · Number · 11", "waiting for changes")
	write("house.star", "BONUS = 20\n")
	c.see("total · Number · 30", "waiting for changes")
	write("a.star", "output(\"total\", 10 +)\n")
	c.see("a.star:1:", "waiting for changes")
	write("a.star", "output(\"total\", 4)\n")
	c.see("total · Number · 4", "waiting for changes")
	c.send(ctrlC)
	c.ends(0)
}

// A terminal that can't move its cursor still has a session.
func TestTerminalWithoutEditing(t *testing.T) {
	c := onTerminalOf(t, "dumb", 80, t.TempDir())
	c.enter("2 + 3")
	c.see("_1 · 5")
	c.enter("def f():")
	c.enter("    return _ + 1")
	c.enter("")
	c.enter("f()")
	c.see("_2 · 6", "> ")
	c.send(ctrlD)
	c.ends(0)
}

// A session whose window is closed ends, whatever it is doing.
func TestTerminalAfterHangup(t *testing.T) {
	c := onTerminal(t, t.TempDir())
	c.enter(":limits steps none")
	c.enter("while True: pass")
	c.see("Ctrl-C stops it")
	c.cmd.Process.Signal(syscall.SIGHUP)
	c.ends(128 + int(syscall.SIGHUP))
}
