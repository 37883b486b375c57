package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// What is packed is the page without the engine, and the same page gives the same file.
func TestPack(t *testing.T) {
	page, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"index.html": "<html>", "assets/a.js": "1", "assets/engine.wasm.br": "x", "assets/a.js.map": "{}"} {
		file := filepath.Join(page, name)
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var packed [2][]byte
	for i := range packed {
		file := filepath.Join(out, "page.zip")
		err := pack(page, file)
		if err == nil {
			packed[i], err = os.ReadFile(file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("the same page is packed otherwise")
	}
	z, err := zip.NewReader(bytes.NewReader(packed[0]), int64(len(packed[0])))
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(z, "*")
	deeper, _ := fs.Glob(z, "*/*")
	if err != nil || len(names) != 2 || len(deeper) != 1 || deeper[0] != "assets/a.js" {
		t.Errorf("packed are %v and %v, %v", names, deeper, err)
	}
	if err := pack(out, filepath.Join(out, "none.zip")); err == nil {
		t.Error("a folder without a page was packed")
	}
}
