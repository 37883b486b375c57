//go:build !page

package main

// packedPage is empty in a command that was built without the tag page.
var packedPage []byte
