package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"syscall"

	"dicescript/cmd/dicescript/internal/door"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions tell an assistant how to go about it.
const instructions = `dicescript computes the exact chances of dice rules; nothing is estimated by sampling.

Ask odds for one expression: "4d6kh3 >= 15", "2d20kh1 + 5", "versus(3d6, 2d8)",
"count(6d10, 8..)", "explode(d6, None).mean()". Dice are written 3d6, d20, 4d6kh3, 2d20kl1; a
comparison of rolls is a chance; each mention of a roll is an independent one.

A rule of several steps is a recipe for run: Starlark (a small Python) whose results are
recorded by output("title", value), and whose inputs are param("bonus", 5). A function of the
faces goes into map, map_sorted or evaluate; dependent throws go into play. Modules for
published games are loaded: load("coc7.star", "levels").

Look names up with doc before guessing, and mend what check or an error says. The resources
hold the reference, the notation, a cookbook of worked rules, and the bundled modules.`

// A server holds what the tools share.
type server struct {
	engine *door.Engine
	slots  chan struct{} // of calls that compute
}

// Serve answers the client that writes to r and reads from w, until r ends. The result
// is the exit code of the process.
func Serve(ctx context.Context, version string, o door.Options, r io.ReadCloser, w io.WriteCloser, logged io.Writer) int {
	logger := slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelError}))
	s, err := newServer(version, o, logger)
	if err == nil {
		err = s.Run(ctx, &mcp.IOTransport{Reader: r, Writer: w})
	}
	if err != nil && ctx.Err() == nil && !left(err) {
		logger.Error(err.Error())
		return 1
	}
	return 0
}

// left reports whether a client has closed its end while something was still to be
// answered, which is how sessions end too.
func left(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE)
}

func newServer(version string, o door.Options, logger *slog.Logger) (*mcp.Server, error) {
	o.Print = printed
	engine, err := door.New(o)
	if err != nil {
		return nil, err
	}
	s := &server{engine: engine, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	m := mcp.NewServer(&mcp.Implementation{Name: "dicescript", Title: "Exact chances of dice", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Logger: logger, Capabilities: &mcp.ServerCapabilities{},
	})
	s.addTools(m)
	if err := addResources(m); err != nil {
		return nil, err
	}
	return m, nil
}

// slot waits for its turn to compute.
func (s *server) slot(ctx context.Context) (leave func(), err error) {
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
