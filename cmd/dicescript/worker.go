package main

import (
	"context"
	"fmt"
	"time"

	"dicescript/cmd/dicescript/internal/lsp"
	"dicescript/cmd/dicescript/internal/workers"
	"dicescript/lang"
	"dicescript/lang/isolate"
	"dicescript/web/engine/answer"
)

// This file is the processes in which serve and lsp run recipes: what a person has opened
// may be a stranger's, so its limits are those of hosts, and whatever it does, it ends its
// process and nothing else.

// workerCommand is what the arguments of such a process begin with.
const workerCommand = "answer"

const (
	mostWorkers = 4
	workerTime  = time.Hour // processor time of a process in all its life
	pageBytes   = 32 << 20  // of what a recipe may show in the page
)

// workers returns a pool of processes of this command.
func (t *tool) workers() (*workers.Pool, error) {
	command, err := self()
	if err != nil {
		return nil, err
	}
	return workers.New(command, mostWorkers, isolate.Limits{CPU: workerTime}, workerCommand), nil
}

// work is the life of such a process.
func (t *tool) work(ctx context.Context) int {
	engine := answer.New()
	engine.Limits = lang.Limits{OutputBytes: pageBytes}
	err := workers.Serve(ctx, t.stdin, t.stdout, func(ctx context.Context, method string, args []byte) []byte {
		if method == lsp.LensMethod {
			return lsp.AnswerLens(ctx, args)
		}
		return engine.Call(ctx, method, args)
	})
	if err != nil {
		fmt.Fprintf(t.stderr, "dicescript: %s\n", err)
		return exitFailed
	}
	return exitOK
}
