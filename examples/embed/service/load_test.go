package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// hostile are recipes that take what they can get.
var hostile = []string{
	"while True:\n    pass",
	"s = 'x'\nwhile True:\n    s += s",
	"output(99999d99999)",
	"def f(x):\n    return f(x)\nf(1)",
	"output(",
	"x = list(range(1000000000000))",
	"x = 7\nfor i in range(100):\n    x = x * x\noutput(x)",
	"output(map(lambda a, b, c: a * b % (c + 1), d(400), d(400), d(400)))",
	"x = [0]\nfor i in range(1 << 22):\n    x.append('%d' % i * 1000)\n",
	"output(explode(1000d1000, None))",
	"load('../../etc/passwd', 'x')",
	"x = {}\nfor i in range(10000000):\n    x[str(i)] = [i] * 1000\n",
}

// TestLoad has honest clients and hostile ones ask at once. Every request gets its
// own answer; what is refused is sent again, as a client would. With
// DICESCRIPT_TESTS=all there are more of them.
func TestLoad(t *testing.T) {
	clients, each := 16, 20
	switch {
	case testing.Short():
		clients, each = 8, 8
	case os.Getenv("DICESCRIPT_TESTS") == "all":
		clients, each = 40, 100
	}
	p := startProcess(t, "-workers", strconv.Itoa(runtime.NumCPU()), "-queue", "32", "-behind-proxy")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	stop := make(chan struct{})
	most := make(chan int64)
	go watchMemory(t, p.cmd.Process.Pid, stop, most)

	var mu sync.Mutex
	took := map[bool][]time.Duration{}
	refused := 0
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for n := range each {
				bad := c%4 == 3 // a client in four is hostile
				sides := 2 + c*each + n
				body := fields{"recipe": "n = param('sides', 6)\noutput('top', d(n) == n)\noutput('total', 4d6kh3 + n)\n", "inputs": fields{"sides": sides}}
				if bad {
					body = fields{"recipe": hostile[(c+n)%len(hostile)]}
				}
				began := time.Now()
				r, tries, err := askUntilRun(client, p.url, body, fmt.Sprintf("192.0.2.%d", c))
				spent := time.Since(began)
				mu.Lock()
				took[bad] = append(took[bad], spent)
				refused += tries - 1
				mu.Unlock()
				switch want := fmt.Sprintf("1/%d", sides); {
				case err != nil:
					t.Errorf("request %d of client %d: %v", n, c, err)
				case bad && (r.status != http.StatusUnprocessableEntity || r.Error == nil || r.Error.Message == ""):
					t.Errorf("hostile request %d of client %d: status %d: %s", n, c, r.status, r.body)
				case !bad && (r.status != http.StatusOK || len(r.Outputs) != 2 || r.Outputs[0].Exact != want):
					t.Errorf("request %d of client %d: status %d: %s", n, c, r.status, r.body)
				}
			}
		})
	}
	all.Wait()
	close(stop)
	for bad, name := range map[bool]string{false: "honest", true: "hostile"} {
		times := took[bad]
		slices.Sort(times)
		t.Logf("%d %s requests answered: p50 %v, p99 %v", len(times), name, times[len(times)/2].Round(time.Millisecond), times[len(times)*99/100].Round(time.Millisecond))
	}
	t.Logf("%d times refused and sent again; at most %d MiB in all processes", refused, <-most>>20)
	if got := len(took[false]) + len(took[true]); got != clients*each {
		t.Errorf("%d of %d requests were answered", got, clients*each)
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the service ended with %v", err)
	}
}

// askUntilRun sends a request again while it is told that the service is busy.
func askUntilRun(client *http.Client, url string, body fields, from string) (r reply, tries int, err error) {
	for tries = 1; ; tries++ {
		r, err = ask(client, url, body, "X-Forwarded-For", from)
		if err != nil || r.status != http.StatusServiceUnavailable && r.status != http.StatusTooManyRequests {
			return r, tries, err
		}
		if r.header.Get("Retry-After") == "" {
			return r, tries, fmt.Errorf("refused without Retry-After: %s", r.body)
		}
		time.Sleep(100 * time.Millisecond) // sooner than it asks for
	}
}

// watchMemory gives the most memory that a service and its workers had together.
func watchMemory(t *testing.T, pid int, stop chan struct{}, most chan int64) {
	peak := int64(0)
	for {
		sum := int64(0)
		for _, p := range append(childrenOf(t, pid), pid) {
			sum += residentBytes(p)
		}
		peak = max(peak, sum)
		select {
		case <-stop:
			most <- peak
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// residentBytes is 0 where the system does not say it as Linux does.
func residentBytes(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// childrenOf are the processes that a process has started, on Linux.
func childrenOf(t *testing.T, pid int) []int {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		t.Skip("needs /proc")
	}
	var found []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		after := text[bytes.LastIndexByte(text, ')')+1:]
		fields := strings.Fields(string(after))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) && fields[0] != "Z" {
			child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

// isAlive reports whether a process runs.
func isAlive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !bytes.Contains(text, []byte(") Z "))
}
