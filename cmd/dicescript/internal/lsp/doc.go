// Package lsp is the language server: what package assist knows about recipes, for
// editors that speak the Language Server Protocol 3.17.
//
// Messages that change texts are taken in one by one, in their order. Everything
// else is answered beside that, from the snapshot of the text that was there when it
// was asked. A newer version of the text ends what is being worked out for the old
// one, and the client may cancel any question. No recipe is run, unless the client
// asks what a lens shows; then for a short time and under the limits of a host.
package lsp
