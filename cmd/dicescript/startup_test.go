package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"
)

// The whole process, from its start to its end, for one expression: what a
// person at a shell, or a host that starts the command for each request, waits
// for.
func BenchmarkPeer(b *testing.B) {
	b.Run("startup", func(b *testing.B) {
		command := filepath.Join(b.TempDir(), "dicescript")
		if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		b.ResetTimer()
		for b.Loop() {
			out, err := exec.Command(command, "eval", "4d6kh3").Output()
			if err != nil {
				b.Fatal(err)
			}
			// The mean of the best three of four dice is 15869/1296.
			if !bytes.Contains(out, []byte("mean 12.245")) {
				b.Fatalf("got\n%s", out)
			}
		}
	})
}
