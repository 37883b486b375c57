package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The module's path stands in go.mod, and before a folder of the module: in imports, in
// arguments of go build, in documents. A folder of the module is told from one of a
// clone, such as ~/dicescript/lang, by what stands before the path.

// tracked are the files of a repository that git knows.
func tracked(dir string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}

// repath gives the module in dir another path, and the package for JavaScript another name
// unless that is empty. It returns how many files it has changed.
func repath(dir string, files []string, path, npm string) (changed int, err error) {
	if err := checkPath(path); err != nil {
		return 0, err
	}
	old, err := modulePath(filepath.Join(dir, "go.mod"))
	if err != nil {
		return 0, err
	}
	r := newRewriter(old, path, files)
	for _, name := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Lstat(file)
		if err != nil || !info.Mode().IsRegular() {
			continue // a link, or removed
		}
		before, err := os.ReadFile(file)
		if err != nil {
			return changed, err
		}
		after, err := r.file(name, before)
		if err != nil {
			return changed, fmt.Errorf("%s: %w", name, err)
		}
		if npm != "" {
			after = renamePackage(name, after, npm)
		}
		if bytes.Equal(before, after) {
			continue
		}
		if err := os.WriteFile(file, after, info.Mode().Perm()); err != nil {
			return changed, err
		}
		changed++
	}
	return changed, nil
}

// pathElement is one part of a module's path.
var pathElement = regexp.MustCompile(`^[A-Za-z0-9_~][A-Za-z0-9_.~-]*$`)

// checkPath refuses what go get could not fetch.
func checkPath(path string) error {
	parts := strings.Split(path, "/")
	if len(parts) < 2 || !strings.Contains(parts[0], ".") {
		return fmt.Errorf("got %q, want a path that begins with a host, such as example.com/dicescript", path)
	}
	for _, p := range parts {
		if !pathElement.MatchString(p) || strings.HasSuffix(p, ".") {
			return fmt.Errorf("got %q, in which %q can't be a part of a path", path, p)
		}
	}
	return nil
}

var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

// modulePath is the path that a go.mod gives its module.
func modulePath(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	m := moduleLine.FindSubmatch(text)
	if m == nil {
		return "", errors.New("go.mod: it has no line such as module dicescript")
	}
	return string(m[1]), nil
}

// A rewriter replaces one path by another.
type rewriter struct {
	path    string
	inside  *regexp.Regexp // the path before a folder of the module
	needed  *regexp.Regexp // the module itself in a go.mod
	onlyMod *regexp.Regexp // and where a document shows one, or what goes into one
}

func newRewriter(old, path string, files []string) *rewriter {
	quoted := regexp.QuoteMeta(old)
	return &rewriter{
		path:    path,
		inside:  regexp.MustCompile(`(^|[^A-Za-z0-9_./@~-])` + quoted + `/(` + strings.Join(folders(files), "|") + `)\b`),
		needed:  regexp.MustCompile(`(?m)^((?:module|require|replace)?[ \t]*)` + quoted + `([ \t]+(?:v[0-9]|=>)|$)`),
		onlyMod: regexp.MustCompile(`(?m)^((?:require|replace) )` + quoted + ` `),
	}
}

// folders are those at the top of the module that have Go files somewhere below.
func folders(files []string) []string {
	var found []string
	for _, f := range files {
		top, rest, ok := strings.Cut(f, "/")
		if ok && strings.HasSuffix(rest, ".go") && !slices.Contains(found, regexp.QuoteMeta(top)) {
			found = append(found, regexp.QuoteMeta(top))
		}
	}
	return found
}

// file is a file that says the new path. Go files are formatted, as imports have another
// order then.
func (r *rewriter) file(name string, text []byte) ([]byte, error) {
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return text, nil
	}
	after := text
	// What one match ends with may be what the next one begins with.
	for range 2 {
		after = r.inside.ReplaceAll(after, []byte("${1}"+r.path+"/${2}"))
	}
	if filepath.Base(name) == "go.mod" {
		after = r.needed.ReplaceAll(after, []byte("${1}"+r.path+"${2}"))
	} else {
		after = r.onlyMod.ReplaceAll(after, []byte("${1}"+r.path+" "))
	}
	if strings.HasSuffix(name, ".go") && !bytes.Equal(after, text) && !strings.Contains(name, "testdata/") {
		return format.Source(after)
	}
	return after, nil
}

// npmFolder is where the package for JavaScript is, and npmUsers are who import it.
const npmFolder = "web/dicescript"

var (
	packageName = regexp.MustCompile(`("name": )"[^"]+"`)
	importName  = regexp.MustCompile(`((?:from|import\() ?)"dicescript"`)
	dependency  = regexp.MustCompile(`(")dicescript(": ")`)
	locked      = regexp.MustCompile(`("node_modules/)dicescript(")`)
)

// renamePackage is a file that calls the package for JavaScript by another name.
func renamePackage(name string, text []byte, npm string) []byte {
	switch {
	case name == npmFolder+"/package.json":
		first := packageName.FindIndex(text)
		if first == nil {
			return text
		}
		renamed := packageName.ReplaceAll(text[first[0]:first[1]], []byte(`${1}"`+npm+`"`))
		return slices.Concat(text[:first[0]], renamed, text[first[1]:])
	case !strings.HasPrefix(name, "web/") && !strings.HasPrefix(name, ".ci/") && !strings.HasSuffix(name, ".md"):
		return text
	}
	for _, r := range []*regexp.Regexp{locked, dependency} {
		if filepath.Ext(name) == ".json" {
			text = r.ReplaceAll(text, []byte("${1}"+npm+"${2}"))
		}
	}
	return importName.ReplaceAll(text, []byte(`${1}"`+npm+`"`))
}
