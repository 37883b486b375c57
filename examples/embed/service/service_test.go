package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"dicescript/lang/isolate"
)

// serviceEnv makes this test binary the service, whose workers it is too.
const serviceEnv = "DICESCRIPT_TEST_SERVICE"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == isolate.Subcommand || os.Getenv(serviceEnv) != "" {
		main()
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// An instance is a service in this process, with workers of its own.
type instance struct {
	*service
	*httptest.Server
	log *bytes.Buffer
}

func newInstance(t *testing.T, change func(*poolOptions, *clients)) *instance {
	t.Helper()
	c := patient(t, "")
	o := poolOptions{command: os.Args[0], workers: 2, queue: 500, wait: patience, memory: 512 << 20, jobs: 5000}
	if change != nil {
		change(&o, c)
	}
	var log bytes.Buffer
	s := newService(o, c, slog.New(slog.NewJSONHandler(&locked{w: &log}, nil)))
	i := &instance{s, httptest.NewServer(s.handler()), &log}
	t.Cleanup(func() {
		i.Server.Close()
		s.pool.close()
	})
	return i
}

// patient are clients whose runs are ended by what they spend, not by the time, which
// a busy machine may take as long as it likes. The file is for another process.
func patient(t *testing.T, file string) *clients {
	t.Helper()
	c, err := readClients("", false)
	if err != nil {
		t.Fatal(err)
	}
	everybody := c.Tiers[anonymous]
	everybody.Timeout, everybody.PerMinute = duration(patience), 0
	c.Tiers[anonymous] = everybody
	if file == "" {
		return c
	}
	text, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A reply is an answer of the service, as a client reads it.
type reply struct {
	status int
	header http.Header
	body   []byte

	Outputs []struct{ Title, Exact string }
	Error   *struct {
		Kind, Message string
		Line          int
	}
}

// ask posts a body to /v1/run of an address.
func ask(client *http.Client, url string, body any, header ...string) (reply, error) {
	text, isText := body.(string)
	if !isText {
		b, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		text = string(b)
	}
	r, err := http.NewRequest(http.MethodPost, url+"/v1/run", strings.NewReader(text))
	if err != nil {
		return reply{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	p := reply{status: answer.StatusCode, header: answer.Header}
	if p.body, err = io.ReadAll(answer.Body); err != nil {
		return p, err
	}
	return p, json.Unmarshal(p.body, &p)
}

func (i *instance) ask(t *testing.T, body any, header ...string) reply {
	t.Helper()
	r, err := ask(i.Client(), i.URL, body, header...)
	if err != nil {
		t.Errorf("%v: %v", body, err)
	}
	if r.status != 0 {
		conforms(t, "/v1/run", "post", r)
	}
	return r
}

type fields = map[string]any

func TestRun(t *testing.T) {
	s := newInstance(t, nil)
	recipe := "bonus = param('bonus', 5)\noutput('hit', 1d20 + bonus >= 15)"
	for want, inputs := range map[string]fields{"11/20": {}, "13/20": {"bonus": 7}} {
		r := s.ask(t, fields{"recipe": recipe, "inputs": inputs})
		if r.status != http.StatusOK || len(r.Outputs) != 1 || r.Outputs[0].Exact != want {
			t.Errorf("%v: status %d: %s", inputs, r.status, r.body)
		}
	}
	for _, c := range []struct {
		body fields
		kind string
		line int
	}{
		{fields{"recipe": recipe, "inputs": fields{"bonus": "many"}}, "input", 0},
		{fields{"recipe": recipe, "inputs": fields{"bonuss": 1}}, "input", 0},
		{fields{"recipe": "output('first', d(6) == 6)\noutput(undefined_name())\n"}, "name", 2},
		{fields{"recipe": "output("}, "syntax", 1},
		{fields{"recipe": "output('first', d(6) == 6)\nfail('stop')\n"}, "runtime", 2},
		{fields{"recipe": "load('./secret.star', 'x')"}, "module", 1},
		{fields{"recipe": "while True:\n    pass"}, "limit", 0},
	} {
		r := s.ask(t, c.body)
		if r.status != http.StatusUnprocessableEntity || r.Error == nil || r.Error.Kind != c.kind || c.line > 0 && r.Error.Line != c.line {
			t.Errorf("%v: status %d: %s", c.body, r.status, r.body)
		}
		if c.kind == "runtime" && (len(r.Outputs) != 1 || r.Outputs[0].Exact != "1/6") {
			t.Errorf("a failed run loses what it recorded: %s", r.body)
		}
	}
	if r := s.ask(t, fields{"recipe": "output 3d6", "name": "old.anydice"}); r.status != http.StatusOK || len(r.Outputs) != 1 {
		t.Errorf("a program of AnyDice: status %d: %s", r.status, r.body)
	}
	if r := s.ask(t, fields{"recipe": "load('fate.star', 'roll')\noutput('x', roll(2))"}); r.status != http.StatusOK {
		t.Errorf("a bundled module: status %d: %s", r.status, r.body)
	}
}

// What is no request is told so, and never run.
func TestBadRequests(t *testing.T) {
	s := newInstance(t, nil)
	for _, c := range []struct {
		body   any
		status int
		header []string
	}{
		{"", 400, nil},
		{"{", 400, nil},
		{"[]", 400, nil},
		{`{"recipe": 3}`, 400, nil},
		{`{"recipe": "output(1)"} more`, 400, nil},
		{`{}`, 400, nil},
		{fields{"recipe": "output(1)", "recpie": "x"}, 400, nil},
		{fields{"recipe": "output(1)", "name": "../../etc/passwd"}, 400, nil},
		{fields{"recipe": "output(1)", "name": "x.py"}, 400, nil},
		{fields{"recipe": "output(1)", "fractions": "some"}, 400, nil},
		{fields{"recipe": strings.Repeat("#", maxRecipe+1)}, 413, nil},
		{fields{"recipe": strings.Repeat("\x01", maxRequest)}, 413, nil},
		{"recipe=1", 415, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{fields{"recipe": "output(1)"}, 401, []string{"Authorization", "Bearer nobody"}},
		{fields{"recipe": "output(1)", "inputs": fields{"x": []int{1}}}, 422, nil},
	} {
		r := s.ask(t, c.body, c.header...)
		if r.status != c.status || r.Error == nil || r.Error.Message == "" {
			t.Errorf("%.80v: status %d, want %d: %s", c.body, r.status, c.status, r.body)
		}
	}
	for path, want := range map[string]int{"/v1/run": 405, "/nothing": 404} {
		r, err := s.Client().Get(s.URL + path)
		if err != nil || r.StatusCode != want {
			t.Errorf("GET %s: %v, %v", path, r, err)
		}
	}
}

// A program that is asked for again is not compiled again.
func TestCache(t *testing.T) {
	s := newInstance(t, func(o *poolOptions, _ *clients) { o.workers = 1 })
	for range 3 {
		s.ask(t, fields{"recipe": "n = param('n', 6)\noutput(d(n))"})
	}
	for want, value := range map[string]float64{"false": 1, "true": 2} {
		if got := s.counted(t, fmt.Sprintf("dicescript_programs_total{cached=%q}", want)); got != value {
			t.Errorf("cached %s: %v programs, want %v", want, got, value)
		}
	}
	c := newCache(2, 100)
	for _, r := range []string{"a", "b", "a", "c", strings.Repeat("d", 101)} {
		c.get(cacheKey{recipe: r})
		c.put(cacheKey{recipe: r}, nil)
	}
	if _, ok := c.get(cacheKey{recipe: "b"}); ok || len(c.entries) != 2 || c.used != 2 {
		t.Errorf("the cache keeps %d programs of %d bytes, among them the oldest: %v", len(c.entries), c.used, ok)
	}
	c.put(cacheKey{recipe: strings.Repeat("e", 99)}, nil)
	if len(c.entries) != 2 || c.used != 100 {
		t.Errorf("after a long one the cache keeps %d programs of %d bytes", len(c.entries), c.used)
	}
}

// slow takes some tenths of a second.
const slow = "def f(n):\n    x = 0\n    for i in range(n):\n        x = (x * 7 + i) %% 1000003\n    return x\noutput('x', f(%d))\n"

// A full queue is 503, and a client that asks too much at once is told so with 429;
// both say when to come again.
func TestBusy(t *testing.T) {
	s := newInstance(t, func(o *poolOptions, c *clients) {
		o.workers, o.queue = 1, 2
		few := c.Tiers[anonymous]
		few.AtOnce = 1
		c.Tiers["few"] = few
		c.Keys = map[string]string{"one": "few", "two": "few"}
	})
	hold, err := s.pool.acquire(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	answers := make(chan reply, 2)
	for _, key := range []string{"one", "two"} {
		go func() {
			r, _ := ask(s.Client(), s.URL, fields{"recipe": "output('x', 1)"}, "Authorization", "Bearer "+key)
			answers <- r
		}()
	}
	for _, _, waiting := s.pool.state(); waiting < 2; _, _, waiting = s.pool.state() {
		time.Sleep(time.Millisecond)
	}
	for status, header := range map[int]string{http.StatusTooManyRequests: "Bearer one", http.StatusServiceUnavailable: ""} {
		r := s.ask(t, fields{"recipe": "output('x', 1)"}, "Authorization", header)
		if r.status != status || r.header.Get("Retry-After") == "" || r.Error.Kind != "busy" {
			t.Errorf("%q: status %d, want %d: %v %s", header, r.status, status, r.header, r.body)
		}
	}
	if status := s.get(t, "/ready"); status != http.StatusServiceUnavailable {
		t.Errorf("a full instance is ready: %d", status)
	}
	s.pool.release(hold)
	for range 2 {
		if r := <-answers; r.status != http.StatusOK {
			t.Errorf("what waited got %d: %s", r.status, r.body)
		}
	}
	if status := s.get(t, "/ready"); status != http.StatusOK {
		t.Errorf("ready: %d", status)
	}
}

// Whoever has waited too long is told to come again.
func TestWaitIsBounded(t *testing.T) {
	s := newInstance(t, func(o *poolOptions, _ *clients) { o.workers, o.wait = 1, 50*time.Millisecond })
	hold, err := s.pool.acquire(context.Background(), 0)
	for ; err != nil; hold, err = s.pool.acquire(context.Background(), 0) {
		if !errors.Is(err, errWaited) { // the worker starts
			t.Fatal(err)
		}
	}
	if r := s.ask(t, fields{"recipe": "output('x', 1)"}); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	s.pool.release(hold)
}

// raceDetector is set when the race detector is on, which needs more memory than a
// worker may have.
var raceDetector bool

// A worker whose recipe takes all its memory ends alone, and the recipe is told why.
func TestMemoryIsHeld(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector fills the memory by itself")
	}
	s := newInstance(t, func(o *poolOptions, c *clients) {
		o.workers, o.memory = 2, 64<<20
		loose := c.Tiers[anonymous]
		loose.Limits.Steps, loose.Limits.Bytes, loose.Limits.TextBytes = -1, -1, -1
		loose.Limits.Elements = -1
		loose.Timeout = duration(10 * time.Minute)
		c.Tiers[anonymous] = loose
	})
	r := s.ask(t, fields{"recipe": "all = []\nfor i in range(1 << 24):\n    all.append('%d' % i * 100)\noutput('n', len(all))\n"})
	if r.status != http.StatusUnprocessableEntity || r.Error == nil || r.Error.Kind != "limit" || !strings.Contains(r.Error.Message, "memory") {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	if got := s.counted(t, `dicescript_worker_ends_total{reason="exceeded"}`); got != 1 {
		t.Errorf("%v workers ended of memory", got)
	}
	if r := s.ask(t, fields{"recipe": "output('x', 1)"}); r.status != http.StatusOK {
		t.Errorf("after that: status %d: %s", r.status, r.body)
	}
}

// A worker that is killed from outside loses nothing: another one runs the recipe.
func TestWorkersAreReplaced(t *testing.T) {
	s := newInstance(t, func(o *poolOptions, _ *clients) { o.workers = 1 })
	w, err := s.pool.acquire(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	w.kill()
	<-w.ended
	s.pool.release(w)
	for i := range 4 {
		if r := s.ask(t, fields{"recipe": fmt.Sprintf("output('x', %d)", i)}); r.status != http.StatusOK {
			t.Errorf("after a worker was killed: status %d: %s", r.status, r.body)
		}
	}
	if got := s.counted(t, `dicescript_worker_ends_total{reason="lost"}`); got != 1 {
		t.Errorf("%v workers were lost", got)
	}
}

// A worker that does not keep the time is ended, and told about as any recipe that
// took too long.
func TestOverdueWorkersAreEnded(t *testing.T) {
	s := newInstance(t, func(o *poolOptions, _ *clients) { o.workers = 1 })
	w, err := s.pool.start()
	if err != nil {
		t.Fatal(err)
	}
	// The job goes elsewhere: the worker waits for it, and is waited for.
	nobody, elsewhere, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer nobody.Close()
	defer w.in.Close()
	w.in = elsewhere
	if a := s.pool.on(w, job{Timeout: time.Millisecond - grace}, 0); a.Outcome != late {
		t.Errorf("outcome %s", a.Outcome)
	}
}

func TestHealth(t *testing.T) {
	s := newInstance(t, nil)
	s.ask(t, fields{"recipe": "output('x', 1)"})
	for path, want := range map[string]int{"/live": 200, "/ready": 200, "/openapi.json": 200, "/metrics": 200} {
		if status := s.get(t, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	s.stopping.Store(true)
	for path, want := range map[string]int{"/live": 200, "/ready": 503} {
		if status := s.get(t, path); status != want {
			t.Errorf("%s of a service that stops: %d, want %d", path, status, want)
		}
	}
	if err := check(t.Context(), strings.TrimPrefix(s.URL, "http://")); err == nil {
		t.Error("-check calls it ready")
	}
}

// A line of the log tells about a request, but not what its recipe says.
func TestLog(t *testing.T) {
	s := newInstance(t, nil)
	s.ask(t, fields{"recipe": "output('my secret', 1)"}, "X-Request-Id", "abc-1")
	s.ask(t, fields{"recipe": "output('x', 1)"}, "X-Request-Id", "not\tan id")
	s.Server.Close()
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	if len(lines) != 2 || strings.Contains(lines[0], "secret") || strings.Contains(lines[1], "not") {
		t.Fatalf("the log is %q", lines)
	}
	var entry struct {
		ID, Tier, Outcome, Recipe string
		Status                    int
		Seconds                   float64
	}
	if err := json.Unmarshal([]byte(lines[0]), &entry); err != nil || entry.ID != "abc-1" || entry.Tier != anonymous ||
		entry.Outcome != "ok" || entry.Status != 200 || entry.Seconds <= 0 || len(entry.Recipe) != 16 {
		t.Errorf("%v: %+v", err, entry)
	}
}

func TestTiers(t *testing.T) {
	file := t.TempDir() + "/tiers.json"
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"tiers": {"paid": {"limits": {"steps": 100000000}, "timeout": "100s", "at_once": 50}}, "keys": {"k1": "paid"}}`)
	c, err := readClients(file, true)
	if err != nil || c.Tiers["paid"].Limits.Steps != 100_000_000 || time.Duration(c.Tiers["paid"].Timeout) != 100*time.Second {
		t.Fatalf("%+v, %v", c, err)
	}
	s := newInstance(t, func(_ *poolOptions, all *clients) { all.Tiers, all.Keys = c.Tiers, c.Keys })
	body := fields{"recipe": fmt.Sprintf(slow, 6_000_000)}
	if r := s.ask(t, body); r.status != http.StatusUnprocessableEntity {
		t.Errorf("without a key: status %d: %s", r.status, r.body)
	}
	if r := s.ask(t, body, "Authorization", "Bearer k1"); r.status != http.StatusOK {
		t.Errorf("with a key: status %d: %s", r.status, r.body)
	}
	r := httptest.NewRequest("POST", "/v1/run", nil)
	r.Header.Set("X-Forwarded-For", "10.0.0.1, 192.0.2.7")
	if got := c.address(r); got != "192.0.2.7" {
		t.Errorf("behind a proxy the client is %s", got)
	}
	for bad, want := range map[string]string{
		"{":                       "EOF",
		`{"tiers": {"x": {}}}`:    "tier x: want a timeout",
		`{"keys": {"k": "none"}}`: "tier none",
		`{"teirs": {}}`:           `unknown field "teirs"`,
		`{} {}`:                   "something follows",
		`{"tiers": {"x": {"timout": "2s", "at_once": 1}}}`:                                  `unknown field "timout"`,
		`{"tiers": {"x": {"timeout": "2s", "at_once": 1, "limits": {"stepz": 5}}}}`:         `no limit "stepz"; did you mean steps?`,
		`{"tiers": {"x": {"timeout": "2s", "at_once": 1, "limits": {"Steps": 5}}}}`:         `no limit "Steps"`,
		`{"tiers": {"x": {"timeout": "2s", "at_once": 1, "limits": {"output-bytes": -5}}}}`: "got -5",
		`{"tiers": {"x": {"timeout": "2s", "at_once": 1, "per_minute": -5}}}`:               "per_minute",
	} {
		write(bad)
		if _, err := readClients(file, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", bad, err, want)
		}
	}
}

// counted reads a metric.
func (i *instance) counted(t *testing.T, name string) float64 {
	t.Helper()
	text, err := metricsOf(i.URL)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		var v float64
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			if _, err := fmt.Sscan(rest, &v); err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	return 0
}

func metricsOf(url string) (string, error) {
	r, err := http.Get(url + "/metrics")
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return string(text), err
}

func (i *instance) get(t *testing.T, path string) int {
	t.Helper()
	r, err := i.Client().Get(i.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	conforms(t, path, "get", reply{status: r.StatusCode, header: r.Header, body: body})
	return r.StatusCode
}

// Clients of IPv6 have a network, not an address; what a proxy has added is what counts.
func TestAddresses(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"192.0.2.7", "192.0.2.7"}, {"::ffff:192.0.2.7", "192.0.2.7"},
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"}, {"2001:db8:1:2::1", "2001:db8:1:2::/64"}, {"fe80::1%eth0", "fe80::/64"},
		{"unknown", "unknown"},
	} {
		r := httptest.NewRequest("POST", "/v1/run", nil)
		r.RemoteAddr = net.JoinHostPort(c.a, "1234")
		if got := (&clients{}).address(r); got != c.b {
			t.Errorf("%s is the client %s, want %s", c.a, got, c.b)
		}
		r.RemoteAddr = "203.0.113.1:1"
		r.Header["X-Forwarded-For"] = []string{"10.0.0.1", "10.0.0.2, " + c.a}
		if got := (&clients{behindProxy: true}).address(r); got != c.b {
			t.Errorf("%s is the client %s behind a proxy, want %s", c.a, got, c.b)
		}
	}
}

// Over time, a client has its rate, and after a while without requests ten seconds of it
// at once. Others do not notice, and nobody is remembered for longer than it matters.
func TestRate(t *testing.T) {
	now := time.Unix(0, 0)
	c, err := readClients("", false)
	if err != nil {
		t.Fatal(err)
	}
	c.now = func() time.Time { return now }
	c.Tiers[anonymous] = tier{Name: anonymous, AtOnce: 2, PerMinute: 60, Timeout: duration(time.Second)}
	try := func(from string) (time.Duration, error) {
		r := httptest.NewRequest("POST", "/v1/run", nil)
		r.RemoteAddr = from + ":1"
		_, leave, after, err := c.enter(r)
		if err == nil {
			leave()
		}
		return after, err
	}
	allowed := func(from string, want int) {
		t.Helper()
		got := 0
		for range 100 {
			if _, err := try(from); err == nil {
				got++
			} else if !errors.Is(err, errFast) {
				t.Fatal(err)
			}
		}
		if got != want {
			t.Errorf("%s had %d requests, want %d", from, got, want)
		}
	}
	allowed("192.0.2.1", 10)
	if after, _ := try("192.0.2.1"); after != time.Second {
		t.Errorf("told to wait %s, want 1s", after)
	}
	allowed("192.0.2.2", 10)
	now = now.Add(3 * time.Second)
	allowed("192.0.2.1", 3)
	for range 60 { // a minute at its rate
		now = now.Add(time.Second)
		allowed("192.0.2.1", 1)
	}
	if len(c.known) != 1 {
		t.Errorf("%d clients are remembered, want 1", len(c.known))
	}
	now = now.Add(time.Hour)
	allowed("192.0.2.1", 10)
}

// A client that is too fast is told when to come again; what it sent is not shown to it
// at length.
func TestRefusals(t *testing.T) {
	s := newInstance(t, func(_ *poolOptions, c *clients) {
		c.Tiers[anonymous] = tier{Name: anonymous, AtOnce: 1, PerMinute: 1, Timeout: duration(patience)}
		c.Tiers["free"] = tier{Name: "free", AtOnce: 9, Timeout: duration(patience)}
		c.Keys = map[string]string{"k": "free"}
	})
	if r := s.ask(t, fields{"recipe": "output('x', 1)"}); r.status != http.StatusOK {
		t.Fatalf("status %d: %s", r.status, r.body)
	}
	r := s.ask(t, fields{"recipe": "output('x', 1)"})
	if after, err := strconv.Atoi(r.header.Get("Retry-After")); r.status != http.StatusTooManyRequests || err != nil || after < 1 || after > 60 {
		t.Errorf("status %d, Retry-After %q: %s", r.status, r.header.Get("Retry-After"), r.body)
	}
	long := strings.Repeat("x", 100_000)
	for _, body := range []fields{{"recipe": "1", long: 1}, {"recipe": "1", "inputs": fields{long: 1}}, {"recipe": "1", "name": long}, {"recipe": "n = param('n', 1)", "inputs": fields{"n": long}}, {"recipe": "1", "fractions": long}, {"recipe": long}} {
		r := s.ask(t, body, "Authorization", "Bearer k")
		if r.status < 400 || r.Error == nil || len(r.Error.Message) > 2*mostEchoed {
			t.Errorf("%.60v: status %d, a message of %d bytes", body, r.status, len(r.Error.Message))
		}
	}
}

// Somebody who does not read an answer does not hold it for ever.
func TestAnswersHaveATime(t *testing.T) {
	if writeTime < time.Second || writeTime > time.Minute {
		t.Errorf("writeTime is %s", writeTime)
	}
	deadlines := &deadlined{ResponseRecorder: httptest.NewRecorder()}
	send(deadlines, http.StatusOK, []byte("{}"))
	if left := time.Until(deadlines.at); left <= 0 || left > writeTime {
		t.Errorf("the deadline is in %s", left)
	}
}

// deadlined keeps the deadline that it is given.
type deadlined struct {
	*httptest.ResponseRecorder
	at time.Time
}

func (d *deadlined) SetWriteDeadline(at time.Time) error { d.at = at; return nil }
