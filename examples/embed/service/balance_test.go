package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A balancer sends each request to one of several instances in turn, and to another
// one when that gives no answer or says that it is busy. That it may do so, with a
// POST too, is what a service without state gives.
type balancer struct {
	instances []*process
	client    *http.Client
	next      atomic.Int64
	again     atomic.Int64 // requests that were sent once more
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	first := int(b.next.Add(1))
	for try := range 4 * len(b.instances) {
		if try > 0 {
			b.again.Add(1)
		}
		if try >= len(b.instances) {
			time.Sleep(50 * time.Millisecond)
		}
		if b.send(w, r, body, b.instances[(first+try)%len(b.instances)]) == nil {
			return
		}
	}
	w.WriteHeader(http.StatusBadGateway)
}

var errBusy = errors.New("it is busy")

func (b *balancer) send(w http.ResponseWriter, r *http.Request, body []byte, to *process) error {
	forward, err := http.NewRequestWithContext(r.Context(), r.Method, to.url+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	forward.Header.Set("Content-Type", r.Header.Get("Content-Type"))
	forward.Header.Set("X-Forwarded-For", r.Header.Get("X-Client"))
	answer, err := b.client.Do(forward)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return err
	case answer.StatusCode == http.StatusServiceUnavailable:
		return errBusy
	}
	w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
	w.WriteHeader(answer.StatusCode)
	w.Write(text)
	return nil
}

// twoInstances starts them.
func twoInstances(t *testing.T) []*process {
	t.Helper()
	args := []string{"-workers", "1", "-behind-proxy", "-wait", patience.String()}
	return []*process{startProcess(t, args...), startProcess(t, args...)}
}

// Two instances stand behind a balancer. One is killed under load, and in the end the
// other is told to stop: no request is lost, and none
// gets the answer of another.
func TestInstancesComeAndGo(t *testing.T) {
	b := &balancer{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}, instances: twoInstances(t)}
	server := httptest.NewServer(b)
	defer server.Close()
	comeAndGo(t, b.instances, b.client, server.URL)
	if b.again.Load() == 0 {
		t.Error("the balancer noticed nothing")
	}
	t.Logf("%d requests were sent once more", b.again.Load())
}

// The same with nginx as README.md sets it up.
func TestInstancesBehindNginx(t *testing.T) {
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("there is no nginx")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?ms)^```nginx\n(.*?)^```$").FindSubmatch(readme)
	if m == nil {
		t.Fatal("README.md does not set up nginx")
	}
	// A socket with a name, which nobody else can take before nginx does.
	dir, err := os.MkdirTemp("", "nginx")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	front := filepath.Join(dir, "front")
	instances := twoInstances(t)
	config := strings.NewReplacer("127.0.0.1:8081", instances[0].addr, "127.0.0.1:8082", instances[1].addr, "127.0.0.1:8080", "unix:"+front).Replace(string(m[1]))
	config = "pid nginx.pid;\nerror_log stderr;\ndaemon off;\nworker_processes 1;\nevents {}\nhttp {\naccess_log off;\n" +
		"client_body_temp_path body;\nproxy_temp_path proxy;\nfastcgi_temp_path fastcgi;\nuwsgi_temp_path uwsgi;\nscgi_temp_path scgi;\n" + config + "}\n"
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	nginx := exec.Command("nginx", "-p", dir, "-c", file, "-g", "user root;")
	var said bytes.Buffer
	nginx.Stdout, nginx.Stderr = &said, &said
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		nginx.Process.Signal(syscall.SIGTERM) // it ends its own workers
		nginx.Wait()
	}()
	dial := func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", front) }
	eventually(t, "an answer of nginx", func() bool {
		c, err := dial(nil, "", "")
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	comeAndGo(t, instances, &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 100}}, "http://nginx")
}

// comeAndGo asks a balancer while its instances end. Whoever gets the answer after
// which there is a quarter of them kills the first instance, so that three quarters
// of the requests are sure to come later.
func comeAndGo(t *testing.T, instances []*process, client *http.Client, url string) {
	clients, each := 12, 25
	if testing.Short() {
		clients, each = 6, 15
	}
	var answered atomic.Int64
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for n := range each {
				sides := 2 + c*each + n
				body := fields{"recipe": "n = param('sides', 6)\noutput('top', d(n) == n)\n" + fmt.Sprintf(slow, 2_000), "inputs": fields{"sides": sides}}
				r, err := ask(client, url, body, "X-Client", fmt.Sprintf("192.0.2.%d", c))
				want := fmt.Sprintf("1/%d", sides)
				if err != nil || r.status != http.StatusOK || len(r.Outputs) != 2 || r.Outputs[0].Exact != want {
					t.Errorf("request %d of client %d: %v, status %d: %s", n, c, err, r.status, r.body)
				}
				if answered.Add(1) == int64(clients*each/4) {
					instances[0].cmd.Process.Kill() // nothing is said, nothing is ended
				}
			}
		})
	}
	all.Wait()
	if got := int(answered.Load()); got != clients*each {
		t.Errorf("%d of %d requests were answered", got, clients*each)
	}
	instances[1].cmd.Process.Signal(syscall.SIGTERM)
	if err := instances[1].cmd.Wait(); err != nil {
		t.Errorf("the other one ended with %v", err)
	}
	t.Logf("%d requests answered", answered.Load())
}

// The workers of an instance that was killed end with it.
func TestWorkersDoNotOutliveTheService(t *testing.T) {
	p := startProcess(t, "-workers", "2")
	if _, err := ask(http.DefaultClient, p.url, fields{"recipe": "output('x', 1)"}); err != nil {
		t.Fatal(err)
	}
	var workers []int
	eventually(t, "two workers", func() bool {
		workers = childrenOf(t, p.cmd.Process.Pid)
		return len(workers) == 2
	})
	p.cmd.Process.Kill()
	p.cmd.Wait()
	eventually(t, "the end of the workers", func() bool { return !slices.ContainsFunc(workers, isAlive) })
}
