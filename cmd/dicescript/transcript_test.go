//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// What a person sees who types at the prompt, in windows of several widths.

// conversation is typed line by line; each is answered before the next one.
var conversation = []string{
	":help",
	"help",
	"?",
	"explode?",
	"attack = 1d20 + 5",
	"attack?",
	"attack >= 15",
	"1d6 +",
	"2 +",
	"",
	"2d6 +",
	"1",
	"def twice(x):",
	"if x > 1:",    // indented by the prompt
	"return 2 * x", // and this one further
	"return x",
	"",
	"twice(3)",
	up + up, // the function again, as one entry
	"twice(2) + \"a\"",
	"4d6!",
	"count(explode(5d10, None), 8..)",
	"grid(range(1, 12), range(1, 12), lambda r, c: r * c / (12 * 11), title=\"odds\")",
	"bucket(2d6, scale().step(\"a miss by a long way\", ..4).step(\"an ordinary hit that somebody will remember\", 5..9).step(\"a hit\", 10..))",
	"d(6) ** 2",
	":limits steps 1000000",
	"9999d9999",
	":quit",
}

func TestTranscript(t *testing.T) {
	for _, columns := range []int{40, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			c := onTerminalOf(t, "xterm", columns, t.TempDir(), "repl", "--limit", "steps=2M")
			for _, line := range conversation {
				c.answer(line)
			}
			c.see("dice> :quit", "\r\n")
			c.ends(0)
			s := shown(columns, c.out.String())
			checkScreen(t, s)
			got := strings.ReplaceAll(s.text(), release, "X.Y.Z")
			golden := filepath.Join("testdata", "prompt", fmt.Sprintf("%d.txt", columns))
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || string(want) != got {
				t.Errorf("%v: the prompt shows\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// checkScreen checks that the terminal had to break nothing but what was typed,
// and that nothing on it is invisible.
func checkScreen(t *testing.T, s *screen) {
	t.Helper()
	typed := map[int]bool{}
	for _, row := range s.broken {
		line := string(s.rows[row])
		if !typed[row] && !strings.HasPrefix(line, "dice> ") && !strings.HasPrefix(line, "....> ") {
			t.Errorf("broken by the terminal: %q", line)
		}
		typed[row+1] = true
	}
	for _, line := range strings.Split(s.text(), "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("invisible: %q", line)
		}
	}
}

// Tab completes as far as there is one way, then lists the ways in columns of the
// window, and the line stays as it was typed.
func TestTranscriptOfTab(t *testing.T) {
	c := onTerminalOf(t, "xterm", 40, t.TempDir(), "repl")
	c.answer("attack = 2d6")
	c.see("\x1b[?2004h", "> ")
	c.send("attack.p_\t")
	c.see("p_any ", "p_none", "attack.p_")
	c.send("g\t")
	c.see("p_ge  p_gt", "attack.p_g")
	c.send("e(10)\r")
	c.see("_1 · 16.7 % · 1/6", "> ")
	c.send("x = \t") // more than the window has room for
	c.see("... and ", " more;", "x = ")
	c.send("4\r")
	c.answer(":quit")
	c.see("dice> :quit", "\r\n")
	c.ends(0)
	checkScreen(t, shown(40, c.out.String()))
}
