//go:build page

package main

import _ "embed"

// packedPage is the built page, as internal/packpage packs it.
//
//go:embed page.zip
var packedPage []byte
