package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runAlone runs a recipe by the command in a process of its own.
func runAlone(t *testing.T, src string, flags ...string) (status int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "recipe.star"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], append(append([]string{"run", "--timeout", "5m"}, flags...), "recipe.star")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), commandEnv+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// At one's own machine nothing counts what a recipe makes and lets go again. A child of
// run --isolate counts it, as hosts do.
func TestWhatIsMadeIsForHosts(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"sets":                 "for i in range(600000):\n    x = set([1, 2, 3])\noutput('x', len(x))\n",
		"texts":                "for i in range(2000):\n    x = 'a' * 500000\noutput('x', len(x))\n",
		"dice added in a loop": "x = d(6)\nfor i in range(1500):\n    x = x + d(6)\noutput('x', x.mean())\n",
	} {
		if status, out, errs := runAlone(t, src); status != exitOK || out == "" {
			t.Errorf("%s: exit code %d: %s", name, status, errs)
		}
		if status, _, errs := runAlone(t, src, "--isolate", "--memory", "1G"); status != exitFailed || !strings.Contains(errs, "the limit is ") || !strings.Contains(errs, "raise it with --limit ") {
			t.Errorf("%s, isolated: exit code %d: %s", name, status, errs)
		}
		if status, _, errs := runAlone(t, src, "--limit", "bytes=1M", "--limit", "cells=1K"); status != exitFailed || !strings.Contains(errs, "the limit is 1 ") {
			t.Errorf("%s, with a limit: exit code %d: %s", name, status, errs)
		}
	}
}

// What is held at once is bounded: the message names the flag, and what a recipe keeps is
// what counts.
func TestWhatIsHeldIsBounded(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"texts":       "keep = []\nwhile True:\n    keep.append('x' * 1000000 + str(len(keep)))\n",
		"dicts":       "keep = []\nwhile True:\n    keep.append({i: [i] for i in range(1000)})\n",
		"dice":        "keep = []\nwhile True:\n    keep.append(dice_pool(1000 + len(keep), 6) + 0)\n",
		"a table":     "x = uniform(0, 4000000) + uniform(0, 900000)\ny = [x + uniform(0, i) for i in range(1000)]\n",
		"in callback": "keep = []\ndef f(n):\n    keep.append(list(range(100000)))\n    return 1\nwhile True:\n    map(f, d(100))\n",
	} {
		status, _, errs := runAlone(t, src, "--limit", "held=150M")
		if status != exitFailed || !strings.Contains(errs, "bytes of memory at once; the limit is ") || !strings.Contains(errs, "(raise it with --limit held=") || !strings.HasPrefix(errs, "recipe.star:") {
			t.Errorf("%s: exit code %d: %s", name, status, errs)
		}
	}
	if status, out, errs := runAlone(t, "for i in range(300):\n    x = list(range(500000))\noutput('x', len(x))\n", "--limit", "held=150M"); status != exitOK || out == "" {
		t.Errorf("garbage: exit code %d: %s", status, errs)
	}
}
