//go:build !wasm

package eval

const stackLevels = 1 << 20
