package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// This file leads from the names of clients to those of recipes and back.

// fileName is the name of a file by its URI, with slashes; ok is false for a text
// that is no file.
func fileName(uri string) (name string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	name = u.Path
	if len(name) > 2 && name[0] == '/' && name[2] == ':' { // /c:/recipes
		name = strings.ToUpper(name[1:2]) + name[2:]
	}
	if u.Host != "" && u.Host != "localhost" {
		name = "//" + u.Host + name
	}
	return path.Clean(name), true
}

// fileURI is the URI of a file.
func fileURI(name string) string {
	if len(name) > 1 && name[1] == ':' {
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// recipeName is the name that says what kind of text a document is.
func recipeName(uri, language string) (name string, isFile bool) {
	if name, ok := fileName(uri); ok {
		return withEnding(name, language), true
	}
	return withEnding("untitled", language), false
}

// withEnding gives a name the ending of its language, where it has none that says so.
func withEnding(name, language string) string {
	switch path.Ext(name) {
	case ".star", ".dice", ".md", ".anydice":
		return name
	}
	switch language {
	case "markdown":
		return name + ".md"
	case "anydice":
		return name + ".anydice"
	}
	return name + ".star"
}

// kept writes the text of a bundled module to a file that clients can open, and
// returns its name. The folder is named for the text, so that each version of the
// command has its own.
func kept(name, text string) (string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	sum := sha256.Sum256([]byte(text))
	file := filepath.Join(folder, "dicescript", "modules", hex.EncodeToString(sum[:8]), filepath.FromSlash(path.Base(name)))
	if have, err := os.ReadFile(file); err == nil && string(have) == text {
		return filepath.ToSlash(file), nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".module-*")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o444), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return filepath.ToSlash(file), err
}
