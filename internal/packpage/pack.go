package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// pack writes the files of a built page into a zip file, the same for the same files.
func pack(folder, file string) error {
	files := os.DirFS(folder)
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return fmt.Errorf("there is no built page in %s: %w", folder, err)
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || needless(name) {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, packed.Bytes(), 0o644)
}

// needless reports whether a page that is served has no use for a file: the engine, and
// what is for finding faults.
func needless(name string) bool {
	return strings.Contains(path.Base(name), ".wasm") || path.Ext(name) == ".map"
}
