package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dicescript/cmd/dicescript/internal/source"
	"dicescript/lang"
	"dicescript/lang/assist"
)

// This file follows names: to where they are defined, and through the files that
// load each other.

func (s *server) definition(ctx context.Context, n *snapshot, p placeParams) (any, error) {
	var failed error
	at, err := asked(ctx, n, func(d *assist.Document) (at *location) {
		found, ok := d.Definition(n.place(d, p.Position))
		switch {
		case !ok:
		case found.Source == "":
			at = &location{n.uri, n.span(d, found.Range)}
		default:
			at, failed = inModule(found)
		}
		return at
	})
	return at, errors.Join(err, failed)
}

// inModule is a place in a module: a file, or a bundled one, of which a file is made.
func inModule(found assist.Location) (*location, error) {
	name := found.Range.Start.File
	if !filepath.IsAbs(filepath.FromSlash(name)) {
		file, err := kept(name, found.Source)
		if err != nil {
			return nil, err
		}
		name = file
	}
	start, end := spanIn(found.Source, found.Range.Start), spanIn(found.Source, found.Range.End)
	return &location{fileURI(name), span{start, end}}, nil
}

// spanIn is where a place is in the text of another file.
func spanIn(text string, pos lang.Position) position {
	line, character := assist.UTF16(text, pos)
	return position{line, character}
}

func (s *server) references(ctx context.Context, n *snapshot, p referenceParams) (any, error) {
	if !n.isRecipe() {
		return []location{}, nil
	}
	found := []location{}
	var global assist.Global
	var shared bool
	var defined assist.Range
	err := n.ask(ctx, func(d *assist.Document) {
		pos := n.place(d, p.Position)
		global, shared = d.Global(pos)
		if l, ok := d.Definition(pos); ok && l.Source == "" {
			defined = l.Range
		}
		for _, r := range d.References(pos) {
			if r != defined || p.Context.Declaration {
				found = append(found, location{n.uri, n.span(d, r)})
			}
		}
	})
	if err != nil || !shared {
		return found, err
	}
	err = s.others(ctx, n, global, func(uri string, other *snapshot, d *assist.Document) {
		for _, r := range d.UsesOf(global) {
			if other.name == global.File && r == d.UsesOf(global)[0] && !p.Context.Declaration {
				continue
			}
			found = append(found, location{uri, other.span(d, r)})
		}
	})
	return found, err
}

// prepareRename says what would be renamed.
func (s *server) prepareRename(ctx context.Context, n *snapshot, p placeParams) (any, error) {
	return asked(ctx, n, func(d *assist.Document) *prepareRename {
		pos := n.place(d, p.Position)
		for _, r := range d.References(pos) {
			if r.Start.Line != pos.Line || pos.Column < r.Start.Column || pos.Column > r.End.Column {
				continue
			}
			if edits, err := d.Rename(pos, "renamed_to_see_whether_it_can_be"); err != nil || len(edits) == 0 {
				return nil
			}
			where := n.span(d, r)
			return &prepareRename{where, n.text[offset(n.text, where.Start):offset(n.text, where.End)]}
		}
		return nil
	})
}

// rename renames a name in its text. Where other files load it, they load the new
// name as what they call it.
func (s *server) rename(ctx context.Context, n *snapshot, p renameParams) (any, error) {
	if !n.isRecipe() {
		return nil, errors.New("rename: names of AnyDice programs are not known")
	}
	changes := map[string][]textEdit{}
	var global assist.Global
	var shared bool
	var failed error
	err := n.ask(ctx, func(d *assist.Document) {
		pos := n.place(d, p.Position)
		global, shared = d.Global(pos)
		var edits []assist.Edit
		edits, failed = d.Rename(pos, p.NewName)
		changes[n.uri] = n.edits(d, edits)
	})
	if err = errors.Join(err, failed); err != nil || !shared || global.File != n.name {
		return workspaceEdit{changes}, err
	}
	var loads []string
	err = s.others(ctx, n, global, func(uri string, other *snapshot, d *assist.Document) {
		if edits := other.edits(d, d.RenameLoaded(global, p.NewName)); len(edits) > 0 {
			changes[uri] = edits
			loads = append(loads, path.Base(other.name))
		}
	})
	if err == nil && len(loads) > 0 && strings.HasPrefix(p.NewName, "_") {
		err = fmt.Errorf("rename: %s loads %s, and names that begin with _ can't be loaded", loads[0], global.Name)
	}
	return workspaceEdit{changes}, err
}

func (s *snapshot) edits(d *assist.Document, edits []assist.Edit) []textEdit {
	found := []textEdit{}
	for _, e := range edits {
		found = append(found, textEdit{s.span(d, e.Range), e.Text})
	}
	return found
}

const (
	mostFiles = 2000    // that are looked through for a name
	mostBytes = 1 << 20 // of one of them
)

// others visits the other files that may name a global: those that are open, and
// those of the workspace.
func (s *server) others(ctx context.Context, n *snapshot, g assist.Global, visit func(uri string, other *snapshot, d *assist.Document)) error {
	seen := map[string]bool{n.name: true}
	look := func(other *snapshot) error {
		if seen[other.name] || !other.isRecipe() || !strings.Contains(other.text, g.Name) {
			return nil
		}
		seen[other.name] = true
		if other.name != g.File && !strings.Contains(other.text, path.Base(g.File)) {
			return nil
		}
		return other.ask(ctx, func(d *assist.Document) { visit(other.uri, other, d) })
	}
	for _, open := range s.work.all() {
		if err := look(open); err != nil && !errors.Is(err, errStale) {
			return err
		}
	}
	for _, folder := range s.foldersOf(n) {
		if err := s.saved(ctx, folder, look); err != nil {
			return err
		}
	}
	return nil
}

// foldersOf are the folders in which a text may be loaded: those of the workspace
// that it is in, or its own.
func (s *server) foldersOf(n *snapshot) []string {
	if !n.isFile {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []string
	for _, f := range s.folders {
		if strings.HasPrefix(n.name, strings.TrimSuffix(f, "/")+"/") {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		found = []string{folderOf(n.name)}
	}
	return found
}

// saved visits the files of a folder and those below it.
func (s *server) saved(ctx context.Context, folder string, look func(*snapshot) error) error {
	files := 0
	return filepath.WalkDir(filepath.FromSlash(folder), func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what can't be read loads nothing
		case ctx.Err() != nil:
			return ctx.Err()
		case e.IsDir() && file != filepath.FromSlash(folder) && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return fs.SkipDir
		case e.IsDir() || !slices.Contains([]string{".star", ".dice", ".md"}, filepath.Ext(file)):
			return nil
		}
		if files++; files > mostFiles {
			return fs.SkipAll
		}
		text, err := source.Read(file, mostBytes+1)
		name := filepath.ToSlash(file)
		if err != nil || len(text) > mostBytes {
			return nil
		}
		where, err := s.work.hosts.of(name, true)
		if err != nil {
			return nil
		}
		other := newSnapshot(ctx, fileURI(name), name, true, 0, string(text), where)
		defer other.stale()
		return look(other)
	})
}
