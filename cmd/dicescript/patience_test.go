package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What hangs is left behind, says so, and leaves no file, also not later.
func TestWhatHangsIsLeftBehind(t *testing.T) {
	until, ended := make(chan struct{}), make(chan error, 1)
	dir := t.TempDir()
	var errs locked
	hangs := &tool{ctx: t.Context(), stderr: &errs}
	code := hangs.within(&patience{timeout: 10 * time.Millisecond}, func(t *tool) int {
		ended <- t.writeFile(filepath.Join(dir, "out.txt"), func(w io.Writer) error {
			io.WriteString(w, "a part")
			<-until
			return nil
		})
		return exitOK
	})
	if code != exitFailed || !strings.Contains(errs.text(), "--timeout gives it more") {
		t.Errorf("exit code %d, %q", code, errs.text())
	}
	left := func() []os.DirEntry {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if files := left(); len(files) > 0 {
		t.Errorf("there are %v", files)
	}
	close(until)
	if err := <-ended; err == nil || len(left()) > 0 {
		t.Errorf("the file is written in the end: %v, %v", err, left())
	}
}

// An interrupt ends what hangs, too.
func TestInterruptEndsWhatHangs(t *testing.T) {
	until := make(chan struct{})
	defer close(until)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var errs locked
	hangs := &tool{ctx: ctx, stderr: &errs}
	code := hangs.within(&patience{}, func(t *tool) int { <-until; return exitOK })
	if code != exitFailed || errs.text() != "dicescript: stopped\n" {
		t.Errorf("exit code %d, %q", code, errs.text())
	}
}

// What ends by itself after its time is waited for: it says how far it came.
func TestLastWords(t *testing.T) {
	var errs locked
	late := &tool{ctx: t.Context(), stderr: &errs}
	code := late.within(&patience{timeout: time.Millisecond}, func(t *tool) int {
		<-t.ctx.Done()
		ctx, done := t.lastly()
		defer done()
		if !errors.Is(t.ctx.Err(), context.DeadlineExceeded) || ctx.Err() != nil {
			return exitUsage
		}
		return exitOK
	})
	if code != exitOK || errs.text() != "" {
		t.Errorf("exit code %d, %q", code, errs.text())
	}
}
