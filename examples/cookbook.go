// Package examples holds recipes that are read and run: the cookbook, whose pages are
// documents, and a tutorial.
package examples

import "embed"

// Cookbook has the pages of the cookbook in its folder cookbook.
//
//go:embed cookbook/*.md
var Cookbook embed.FS
