// Package stdlib holds the modules that every recipe can load by their plain
// name, such as load("rolemaster.star", "open_ended").
package stdlib

import "embed"

// FS has the bundled modules, one file each, at its root.
//
//go:embed *.star
var FS embed.FS
