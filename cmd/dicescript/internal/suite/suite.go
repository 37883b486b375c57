package suite

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dicescript/lang"
)

// A Suite says how files are run.
type Suite struct {
	// Host makes the host for the recipes of a folder, with more builtins.
	// The function that it returns ends its use.
	Host func(folder string, opts ...lang.Option) (*lang.Host, func(), error)
	// Read reads a file.
	Read func(file string) ([]byte, error)
	// Limit is how many bytes the results of a literate recipe may have, see
	// [report.Options].
	Limit int64
	// Update writes the results of literate recipes anew instead of comparing.
	Update bool
}

// An Outcome is what became of one test.
type Outcome struct {
	File    string
	Test    string // test_crit, or the place of a printed result
	Err     error  // what is wrong, nil when it passed
	Diff    string // printed results that differ, in lines
	Updated bool   // the printed result was written anew
}

// Files finds the files that hold tests: a file as it is, a folder with all
// that is in it. Hidden folders are left out.
func Files(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		found, err := filesOf(path)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func filesOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("there is no file and no folder %s", path)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what can't be read has no tests
		case e.IsDir() && p != path && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case e.Type().IsRegular() && (IsTestFile(p) || mayBeLiterate(p)):
			files = append(files, p)
		}
		return nil
	})
	return files, err
}

// IsTestFile reports whether a file holds test functions.
func IsTestFile(path string) bool { return strings.HasSuffix(path, "_test.star") }

func mayBeLiterate(path string) bool {
	return strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".dice")
}

// Run runs the tests of one file, and hands over each outcome as it is known.
func (s *Suite) Run(ctx context.Context, file string, each func(Outcome)) {
	src, err := s.Read(file)
	name := filepath.ToSlash(file)
	switch {
	case err != nil:
		each(Outcome{File: name, Err: err})
	case strings.HasSuffix(file, ".star"):
		s.functions(ctx, file, name, src, each)
	default:
		s.document(ctx, file, name, src, each)
	}
}
