// Which modules there are, and what the bundled ones define.

package modules

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Bundled are the names of the bundled modules: "rolemaster.star".
func (f *Finder) Bundled() []string { return namesIn(f.bundled.Files, ".") }

// namesIn are the modules in a folder of files. What a loader has, nobody knows.
func namesIn(files fs.FS, dir string) []string {
	if files == nil {
		return nil
	}
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && path.Ext(e.Name()) == ".star" {
			names = append(names, e.Name())
		}
	}
	return names
}

// Loadable are the modules that the text of a load statement in a recipe may name, of those
// that begin as given: files, and folders with a slash after them.
func (f *Finder) Loadable(begun string) []string {
	var names []string
	for _, r := range f.rootsFor(Location{}) {
		names = append(names, loadable(*r, begun)...)
	}
	for _, r := range f.roots {
		if r.Prefix == Beside {
			names = append(names, loadable(r, begun)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// loadable lists the files of a root in the folder that a name has got to.
func loadable(r Root, begun string) []string {
	rest, inside := strings.CutPrefix(begun, r.Prefix)
	if r.Prefix == "" && strings.HasPrefix(begun, ".") {
		return nil // names with a dot are beside the recipe
	}
	if !inside {
		if strings.HasPrefix(r.Prefix, begun) && r.Prefix != Beside {
			return []string{r.Prefix}
		}
		if begun != "" && begun != "." {
			return nil
		}
		rest = ""
	}
	if r.Files == nil {
		return nil // of a loader
	}
	dir, _ := path.Split(rest)
	entries, err := fs.ReadDir(r.Files, path.Clean(dir))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		name := r.Prefix + dir + e.Name()
		switch {
		case strings.HasPrefix(e.Name(), ".") || !strings.HasPrefix(name, begun):
		case e.IsDir():
			names = append(names, name+"/")
		case path.Ext(e.Name()) == ".star":
			names = append(names, name)
		}
	}
	return names
}

// Having are the bundled modules that define a name for others.
func (f *Finder) Having(name string) []string {
	f.index.Do(func() { f.definers = definersIn(f.bundled.Files, f.Bundled()) })
	return f.definers[name]
}

// definersIn are the modules that define each name at their top level, for others.
func definersIn(files fs.FS, modules []string) map[string][]string {
	found := map[string][]string{}
	for _, m := range modules {
		src, err := fs.ReadFile(files, m)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(src)) {
			name := definedBy(line)
			if name == "" || strings.HasPrefix(name, "_") || slices.Contains(found[name], m) {
				continue
			}
			found[name] = append(found[name], m)
		}
	}
	return found
}

// definedBy is the name that a line defines at the top level of a module: it begins
// with def name( or name =. It is "" for any other.
func definedBy(line string) string {
	rest, isDef := strings.CutPrefix(line, "def ")
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end <= 0 {
		return ""
	}
	name, after := rest[:end], rest[end:]
	if isDef && strings.HasPrefix(after, "(") || !isDef && strings.HasPrefix(after, " = ") {
		return name
	}
	return ""
}
