// Service runs recipes that are posted to it and answers with JSON.
//
//	go run . -addr localhost:8080
//	curl -H 'Content-Type: application/json' localhost:8080/v1/run \
//		-d '{"recipe": "output(\"hit\", 1d20 + 5 >= 15)"}'
//
// README.md beside this file tells how it is built, deployed and watched.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"dicescript/lang/isolate"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == isolate.Subcommand {
		if err := work(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := start(ctx, os.Args[1:], os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	addr        string
	tiers       string
	behindProxy bool
	drain       time.Duration
	stop        time.Duration
	check       string
	pool        poolOptions
	megabytes   int64
}

func readFlags(args []string, errs io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("service", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&o.addr, "addr", "localhost:8080", "listen at `ADDR`")
	f.StringVar(&o.tiers, "tiers", "", "what clients with keys may use: `FILE`")
	f.BoolVar(&o.behindProxy, "behind-proxy", false, "tell clients apart by X-Forwarded-For, which a proxy sets")
	f.IntVar(&o.pool.workers, "workers", runtime.NumCPU(), "`N` processes run recipes")
	f.IntVar(&o.pool.queue, "queue", 256, "`N` requests may wait for one of them")
	f.DurationVar(&o.pool.wait, "wait", 10*time.Second, "a request waits no longer than `D`")
	f.Int64Var(&o.megabytes, "memory", 512, "a process may have `N` MiB")
	f.IntVar(&o.pool.jobs, "jobs", 5000, "a process is replaced after `N` recipes")
	f.DurationVar(&o.drain, "drain", 0, "when told to stop, go on for `D` while /ready says no")
	f.DurationVar(&o.stop, "stop", 30*time.Second, "requests under way have `D` to end")
	f.StringVar(&o.check, "check", "", "ask the service at `ADDR` whether it is ready, and exit")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("got %s, want flags alone", f.Arg(0))
	case o.pool.workers < 1 || o.pool.queue < 1 || o.pool.jobs < 1 || o.pool.wait <= 0:
		return nil, errors.New("-workers, -queue, -jobs and -wait: want more than 0")
	case o.megabytes < isolate.LeastMemory>>20:
		return nil, fmt.Errorf("-memory: want at least %d", isolate.LeastMemory>>20)
	}
	o.pool.memory = o.megabytes << 20
	return o, nil
}

// start runs the service until ctx is done.
func start(ctx context.Context, args []string, errs io.Writer) error {
	o, err := readFlags(args, errs)
	if err != nil {
		return err
	}
	if o.check != "" {
		return check(ctx, o.check)
	}
	c, err := readClients(o.tiers, o.behindProxy)
	if err != nil {
		return err
	}
	if o.pool.command, err = exec.LookPath(os.Args[0]); err != nil {
		if o.pool.command, err = os.Executable(); err != nil {
			return err
		}
	}
	log := slog.New(slog.NewJSONHandler(errs, nil))
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	s := newService(o.pool, c, log)
	log.Info("ready", "addr", listener.Addr().String(), "workers", o.pool.workers)
	return s.serve(ctx, listener, o)
}

func newService(o poolOptions, c *clients, log *slog.Logger) *service {
	m := newMetrics()
	o.log, o.metrics = log, m
	p := newPool(o)
	m.watch(p)
	return &service{pool: p, clients: c, metrics: m, log: log}
}

// serve answers until ctx is done. Then it says so to those who balance, lets what is
// under way end, and is gone.
func (s *service) serve(ctx context.Context, listener net.Listener, o *options) error {
	server := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      writeTime, // send sets it anew when a run is over
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.log.Info("stopping", "drain", o.drain.String())
	time.Sleep(o.drain)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.stop)
	defer cancel()
	err := server.Shutdown(last)
	if err != nil {
		server.Close()
	}
	s.pool.close()
	s.log.Info("stopped", "error", err)
	return err
}

// check asks a service whether it is ready: an image without a shell has nothing else
// to ask with.
func check(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/ready", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is not ready: %s", addr, answer.Status)
	}
	return nil
}
