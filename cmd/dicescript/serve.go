package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dicescript/cmd/dicescript/internal/serve"
	"dicescript/lang/report"
)

// This file is serve: the page over the files of a folder, at an address that
// only this machine reaches.

type serveOptions struct{ addr, site string }

func serveFlags() (*flag.FlagSet, *serveOptions) {
	f, o := quietFlags(), &serveOptions{}
	f.StringVar(&o.addr, "addr", "127.0.0.1:0", "listen at `ADDR`; port 0, the default, is any that is free")
	f.StringVar(&o.site, "site", "", "the built page is in `DIR`")
	return f, o
}

// serve is dicescript serve.
func (t *tool) serve(args []string) int {
	f, o := serveFlags()
	rest, err := parse(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return t.helpOn("serve")
	case err != nil:
		return t.misused("%s", err)
	case len(rest) > 1:
		return t.misused("want one folder, got %s as well", strings.Join(rest[1:], " "))
	}
	folder := "."
	if len(rest) == 1 {
		folder = rest[0]
	}
	if err := loopback(o.addr); err != nil {
		return t.misused("--addr: %s", err)
	}
	files, err := builtSite(o.site)
	if err != nil {
		return t.misused("%s", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return t.misused("%s", fileProblem(folder, err))
	}
	defer root.Close()
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return t.misused("--addr: %s", err)
	}
	return t.listen(listener, root, folder, files)
}

// listen answers until the command is interrupted.
func (t *tool) listen(listener net.Listener, root *os.Root, folder string, site fs.FS) int {
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return t.misused("--addr: %s", err)
	}
	name, err := filepath.Abs(folder)
	if err != nil {
		name = folder
	}
	pool, err := t.workers()
	if err != nil {
		return t.misused("%s", err)
	}
	defer pool.Close()
	server := &http.Server{Handler: serve.New(root, name, site, port, serve.Elsewhere(pool)), ReadHeaderTimeout: 10 * time.Second}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		<-t.ctx.Done()
		server.Close() // an open page keeps a connection: there is nothing to wait for
	}()
	fmt.Fprintf(t.stdout, "http://%s/ shows %s; Ctrl-C ends it\n", listener.Addr(), report.Visible(folder))
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintf(t.stderr, "dicescript: %s\n", err)
		return exitFailed
	}
	<-stop
	return exitOK
}

// loopback refuses addresses that others reach.
func loopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("got %q, want an address and a port such as 127.0.0.1:8080", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("got %q, want one that only this machine reaches, such as 127.0.0.1:8080", addr)
	}
	return nil
}

// builtSite finds the built page: where the flag says, beside the command, in
// the repository that the command is used in, or in the command itself.
func builtSite(flagged string) (fs.FS, error) {
	places := []string{flagged}
	if flagged == "" {
		places = []string{filepath.Join("web", "page", "dist")}
		if exe, err := os.Executable(); err == nil {
			beside := filepath.Dir(exe)
			places = append([]string{filepath.Join(beside, "page"), filepath.Join(beside, "web", "page", "dist")}, places...)
		}
	}
	for _, place := range places {
		if _, err := os.Stat(filepath.Join(place, "index.html")); err == nil {
			return os.DirFS(place), nil
		}
	}
	if flagged != "" {
		return nil, fmt.Errorf("--site: there is no built page in %s", flagged)
	}
	if len(packedPage) > 0 {
		return unpacked(packedPage)
	}
	return nil, errors.New("the page is not built: run npm ci && npm run build in web/, or say with --site where it is")
}
