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

// An engine addresses 4 GiB and holds half of that at most, or half of the memory of a
// device that says how much it has.
const (
	mostHeld    = 2 << 30
	unknownHeld = 1 << 30
)

// room is how many bytes the engine may hold.
func room() int64 {
	navigator := js.Global().Get("navigator")
	if navigator.Type() != js.TypeObject {
		return unknownHeld
	}
	memory := navigator.Get("deviceMemory") // in GiB; some browsers don't tell
	if memory.Type() != js.TypeNumber {
		return unknownHeld
	}
	return min(int64(memory.Float()*(1<<30))/2, mostHeld)
}

func main() {
	debug.SetGCPercent(growth)
	e := answer.New()
	room := room()
	debug.SetMemoryLimit(room + room/4) // with what is no object, so that collecting does not take over
	e.BoundHeld(room)
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
