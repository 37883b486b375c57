//go:build js && wasm

// The engine of browsers and of Node: it waits in a worker, and answers what is
// asked through the function dicescriptCall(method, arguments), which takes and
// returns JSON. See package answer for the questions.
package main

import (
	"context"
	"runtime/debug"
	"syscall/js"

	"dicescript/web/engine/answer"
)

// A worker holds little and runs one thing at a time: memory that grows by half
// before it is collected is a good bargain.
const growth = 50

func main() {
	debug.SetGCPercent(growth)
	e := answer.New()
	e.Deadline = answer.Clock
	if print := js.Global().Get("dicescriptPrint"); print.Type() == js.TypeFunction {
		e.Print = func(text string) { print.Invoke(text) }
	}
	js.Global().Set("dicescriptCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(e.Call(context.Background(), args[0].String(), []byte(args[1].String())))
	}))
	if ready := js.Global().Get("dicescriptReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}
