//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// workersOf are the workers of an instance as the system knows them.
func workersOf(t *testing.T, p *process, n int) []int {
	t.Helper()
	var workers []int
	eventually(t, fmt.Sprintf("%d workers", n), func() bool {
		workers = childrenOf(t, p.cmd.Process.Pid)
		return len(workers) == n
	})
	return workers
}

// Idle workers that somebody kills are noticed, counted and replaced, and no request is
// told that its recipe was at fault.
func TestIdleWorkersAreKilled(t *testing.T) {
	p := startProcess(t, "-workers", "2")
	for round := range 3 {
		p.see(t, "dicescript_workers 2", "dicescript_workers_busy 0")
		for _, w := range workersOf(t, p, 2) {
			syscall.Kill(w, syscall.SIGKILL)
		}
		r, err := ask(http.DefaultClient, p.url, fields{"recipe": "output('x', 1d6 >= 5)"})
		if err != nil || r.status != http.StatusOK || len(r.Outputs) != 1 || r.Outputs[0].Exact != "1/3" {
			t.Fatalf("after the workers were killed: %v, status %d: %s", err, r.status, r.body)
		}
		p.see(t, fmt.Sprintf(`dicescript_worker_ends_total{reason="lost"} %d`, 2*(round+1)), "dicescript_workers 2")
	}
}

// Without a worker the service is not ready, and says so.
func TestReadyNeedsWorkers(t *testing.T) {
	p := startProcess(t, "-workers", "1")
	p.see(t, "dicescript_workers 1", "dicescript_workers_busy 0")
	if err := check(t.Context(), p.addr); err != nil {
		t.Fatal(err)
	}
	// What is started in its place is killed too, so that there is none for a while.
	stop := make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				for _, w := range childrenOf(t, p.cmd.Process.Pid) {
					syscall.Kill(w, syscall.SIGKILL)
				}
				time.Sleep(time.Millisecond)
			}
		}
	})
	eventually(t, "a service that is not ready", func() bool { return check(t.Context(), p.addr) != nil })
	close(stop)
	killing.Wait()
	eventually(t, "a service that is ready again", func() bool { return check(t.Context(), p.addr) == nil })
}

// While somebody kills a worker, idle or not, after every answer, honest clients and hostile
// ones ask. Every honest request gets its answer: what is refused with 503 is sent again, as
// a client would, and nobody is told that an honest recipe has failed. One kill an answer
// leaves every machine, however slow, the time that an answer takes.
func TestKilledUnderLoad(t *testing.T) {
	clients, each := 8, 25
	if testing.Short() {
		clients, each = 6, 10
	}
	p := startProcess(t, "-workers", strconv.Itoa(max(2, runtime.NumCPU())), "-queue", "64", "-behind-proxy")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	oneMore := make(chan struct{}, 1)
	var killing sync.WaitGroup
	var kills atomic.Int64
	killing.Go(func() {
		for range oneMore {
			if workers := childrenOf(t, p.cmd.Process.Pid); len(workers) > 0 {
				if syscall.Kill(workers[rand.IntN(len(workers))], syscall.SIGKILL) == nil {
					kills.Add(1)
				}
			}
		}
	})
	var answered, refused atomic.Int64
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for n := range each {
				sides := 2 + c*each + n
				bad := c%4 == 3
				body := fields{"recipe": "n = param('sides', 6)\noutput('top', d(n) == n)\n" + fmt.Sprintf(slow, 2_000), "inputs": fields{"sides": sides}}
				if bad {
					body = fields{"recipe": hostile[(c+n)%len(hostile)]}
				}
				r, tries, err := askUntilRun(client, p.url, body, fmt.Sprintf("192.0.2.%d", c))
				refused.Add(int64(tries - 1))
				switch want := fmt.Sprintf("1/%d", sides); {
				case err != nil:
					t.Errorf("request %d of client %d: %v", n, c, err)
				case bad && (r.status != http.StatusUnprocessableEntity || r.Error == nil || r.Error.Kind == "internal"):
					t.Errorf("hostile request %d of client %d: status %d: %s", n, c, r.status, r.body)
				case !bad && (r.status != http.StatusOK || len(r.Outputs) != 2 || r.Outputs[0].Exact != want):
					t.Errorf("request %d of client %d: status %d: %s", n, c, r.status, r.body)
				default:
					answered.Add(1)
				}
				select {
				case oneMore <- struct{}{}:
				default: // one is on its way
				}
			}
		})
	}
	all.Wait()
	close(oneMore)
	killing.Wait()
	if got := int(answered.Load()); got != clients*each {
		t.Errorf("%d of %d requests were answered", got, clients*each)
	}
	if kills.Load() == 0 {
		t.Error("nobody was killed")
	}
	t.Logf("%d requests answered, %d refused and sent again, %d workers killed", answered.Load(), refused.Load(), kills.Load())
	eventually(t, "workers in their place", func() bool { return check(t.Context(), p.addr) == nil })
	p.cmd.Process.Signal(syscall.SIGTERM)
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the service ended with %v", err)
	}
}
