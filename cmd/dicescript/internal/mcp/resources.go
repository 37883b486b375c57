package mcp

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"dicescript/cmd/dicescript/internal/reference"
	"dicescript/examples"
	"dicescript/stdlib"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addResources adds what can be read: the reference, the notation, each page of the
// cookbook and each module.
func addResources(m *mcp.Server) error {
	var whole, notation strings.Builder
	if err := reference.Markdown(&whole); err != nil {
		return err
	}
	if err := (reference.Layout{}).Notation(&notation); err != nil {
		return err
	}
	addResource(m, "dicescript://reference", "reference", "Every function and method of recipes, with examples.", "text/markdown", whole.String())
	addResource(m, "dicescript://notation", "notation", "Dice literals, ranges, and what roll(\"...\") understands.", "text/plain", notation.String())
	if err := addFiles(m, examples.Cookbook, "cookbook/*.md", "dicescript://cookbook/", "text/markdown", heading); err != nil {
		return err
	}
	return addFiles(m, stdlib.FS, "*.star", "dicescript://modules/", "text/x-python", docString)
}

// addFiles adds the files of a pattern, each with what about says of its text.
func addFiles(m *mcp.Server, files fs.FS, pattern, under, kind string, about func(string) string) error {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		base := path.Base(name)
		addResource(m, under+base, base, about(string(text)), kind, string(text))
	}
	return nil
}

func addResource(m *mcp.Server, uri, name, about, kind, text string) {
	m.AddResource(&mcp.Resource{URI: uri, Name: name, Description: about, MIMEType: kind, Size: int64(len(text))},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Text: text}}}, nil
		})
}

// heading is the first heading of a document.
func heading(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimLeft(first, "# ")
}

// docString is the first line of a module's documentation.
func docString(text string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(text, "\""), "\n")
	return strings.TrimRight(first, "\". ")
}
