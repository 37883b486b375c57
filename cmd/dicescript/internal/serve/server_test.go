package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"dicescript/cmd/dicescript/internal/workers"
	"dicescript/lang/isolate"
	"dicescript/web/engine/answer"
)

// open starts a server over a new folder with files.
func open(t *testing.T, files map[string]string) (base, folder string) {
	t.Helper()
	return openWith(t, files, answer.New())
}

func openWith(t *testing.T, files map[string]string, engine Engine) (base, folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	site := fstest.MapFS{"index.html": {Data: []byte("<html><head><title>x</title></head></html>")}, "assets/a.js": {Data: []byte("1")}}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	handler = New(root, "a <folder>", site, u.Port(), engine)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		root.Close()
	})
	return server.URL, folder
}

// send sends a request and returns its status and body.
func send(t *testing.T, method, url, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.URL.RawQuery = ""
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		} else {
			r.Header.Set(header[i], header[i+1])
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestThePageKnowsItsFolder(t *testing.T) {
	base, _ := open(t, nil)
	code, body := send(t, "GET", base+"/", "")
	if code != 200 || !strings.Contains(body, `<meta name="dicescript-folder" content="a &lt;folder&gt;">`) {
		t.Errorf("got %d %s", code, body)
	}
	if code, body := send(t, "GET", base+"/assets/a.js", ""); code != 200 || body != "1" {
		t.Errorf("got %d %s", code, body)
	}
}

func TestOthersAreRefused(t *testing.T) {
	base, _ := open(t, map[string]string{"a.star": "x = 1"})
	host := strings.TrimPrefix(base, "http://")
	_, port, _ := strings.Cut(host, ":")
	for _, header := range [][]string{
		{"Host", "evil.example"},
		{"Host", "evil.example:" + port},
		{"Host", "127.0.0.1"},
		{"Host", "127.0.0.1:1"},
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Origin", "http://127.0.0.1:1"},
		{"Origin", "https://" + host},
		{"Origin", "http://localhost:" + port}, // not the name that this request gives the server
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
	} {
		for _, path := range []string{"/", "/api/files", "/api/changes"} {
			if code, _ := send(t, "GET", base+path, "", header...); code != http.StatusForbidden {
				t.Errorf("%s %v: got %d", path, header, code)
			}
		}
		if code, _ := send(t, "PUT", base+"/api/files/a.star", "evil", header...); code != http.StatusForbidden {
			t.Errorf("put %v: got %d", header, code)
		}
	}
	for _, header := range [][]string{nil, {"Origin", base}, {"Sec-Fetch-Site", "same-origin"}, {"Host", "localhost:" + port}} {
		if code, _ := send(t, "GET", base+"/api/files", "", header...); code != 200 {
			t.Errorf("%v: got %d", header, code)
		}
	}
	if code, _ := send(t, "POST", base+"/api/call/about", "{}", "Content-Type", "text/plain"); code != http.StatusUnsupportedMediaType {
		t.Errorf("a form: got %d", code)
	}
}

func TestFilesAreReadAndSavedBack(t *testing.T) {
	base, folder := open(t, map[string]string{
		"a.star": "x = 1", "sub/b.md": "# b", "c.txt": "no", ".hidden/d.star": "no", ".e.star": "no", "node_modules/f.star": "no",
	})
	_, body := send(t, "GET", base+"/api/files", "")
	var files map[string]string
	if err := json.Unmarshal([]byte(body), &files); err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files["a.star"] != "x = 1" || files["sub/b.md"] != "# b" {
		t.Errorf("got %v", files)
	}
	if err := os.Chmod(filepath.Join(folder, "a.star"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.star", "new.star", "sub/new%20one.anydice"} {
		if code, body := send(t, "PUT", base+"/api/files/"+name, "y = 2"); code != http.StatusNoContent {
			t.Errorf("%s: got %d %s", name, code, body)
		}
	}
	for _, name := range []string{"a.star", "new.star", "sub/new one.anydice"} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(text) != "y = 2" {
			t.Errorf("%s: got %q, %v", name, text, err)
		}
	}
	if info, err := os.Stat(filepath.Join(folder, "a.star")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v", info.Mode(), err)
	}
	if code, _ := send(t, "DELETE", base+"/api/files/new.star", ""); code != http.StatusNoContent {
		t.Errorf("got %d", code)
	}
	if _, err := os.Stat(filepath.Join(folder, "new.star")); err == nil {
		t.Error("it is still there")
	}
	if code, _ := send(t, "DELETE", base+"/api/files/new.star", ""); code != http.StatusNotFound {
		t.Errorf("got %d", code)
	}
	if entries, _ := filepath.Glob(filepath.Join(folder, ".dicescript-*")); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestNothingOutsideTheFolder(t *testing.T) {
	base, folder := open(t, map[string]string{"a.star": "x = 1"})
	outside := filepath.Join(t.TempDir(), "secret.star")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"link.star": outside, "folder": filepath.Dir(outside)} {
		if err := os.Symlink(to, filepath.Join(folder, from)); err != nil {
			t.Skip("this system has no links")
		}
	}
	if _, body := send(t, "GET", base+"/api/files", ""); strings.Contains(body, "secret") {
		t.Errorf("read through a link: %s", body)
	}
	for _, name := range []string{
		"..%2fsecret.star", "%2e%2e/secret.star", "%2fetc%2fpasswd.star", "folder/secret.star", "a.txt", ".git/x.star", "x", "..%5csecret.star", "a%00.star",
	} {
		if code, _ := send(t, "PUT", base+"/api/files/"+name, "evil"); code < 300 {
			t.Errorf("%s: got %d", name, code)
		}
	}
	send(t, "PUT", base+"/api/files/link.star", "evil")
	if text, err := os.ReadFile(outside); err != nil || string(text) != "secret" {
		t.Errorf("outside: got %q, %v", text, err)
	}
	if code, _ := send(t, "PUT", base+"/api/files/long.star", strings.Repeat("x", mostFile+1)); code != http.StatusRequestEntityTooLarge {
		t.Errorf("a long text: got %d", code)
	}
}

func TestRecipesRunNatively(t *testing.T) {
	base, _ := open(t, nil)
	code, body := send(t, "POST", base+"/api/call/run", `{"name":"a.star","text":"output('x', 2d6 >= 10)"}`, "Content-Type", "application/json")
	if code != 200 || !strings.Contains(body, `"1/6"`) {
		t.Errorf("got %d %s", code, body)
	}
}

func TestAPageThatLeavesEndsItsRun(t *testing.T) {
	base, _ := open(t, nil)
	ctx, leave := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "POST", base+"/api/call/run", strings.NewReader(`{"name":"a","text":"while True:\n    pass","timeout":600000}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if _, err := http.DefaultClient.Do(r); err == nil {
		t.Fatal("want an error")
	}
	for range 5 {
		if code, _ := send(t, "POST", base+"/api/call/run", `{"name":"a","text":"output(d(6))"}`, "Content-Type", "application/json"); code != 200 {
			t.Fatalf("got %d", code)
		}
	}
}

func TestChangesAreTold(t *testing.T) {
	base, folder := open(t, map[string]string{"a.star": "x = 1", "b.star": "y = 1"})
	res, err := http.Get(base + "/api/changes")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := os.WriteFile(filepath.Join(folder, "a.star"), []byte("x = 100"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "b.star")); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(res.Body)
	told := map[string]change{}
	for len(told) < 2 && lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var c change
			if err := json.Unmarshal([]byte(text), &c); err != nil {
				t.Fatal(err)
			}
			told[c.Name] = c
		}
	}
	if a := told["a.star"]; a.Text == nil || *a.Text != "x = 100" {
		t.Errorf("a.star: got %+v", a)
	}
	if b, ok := told["b.star"]; !ok || b.Text != nil {
		t.Errorf("b.star: got %+v", b)
	}
}

// The test binary is its own child, in which a question may be the last one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == isolate.Subcommand {
		ctx, _, err := isolate.Enter(context.Background(), os.Args[2:])
		if err == nil {
			engine := answer.New()
			err = workers.Serve(ctx, os.Stdin, os.Stdout, func(ctx context.Context, method string, args []byte) []byte {
				if method == "fatal" {
					os.Exit(2)
				}
				return engine.Call(ctx, method, args)
			})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// The recipes of a page run in processes: whatever ends one, the page is told so, and the
// next question is answered.
func TestRecipesRunElsewhere(t *testing.T) {
	pool := workers.New(os.Args[0], 2, isolate.Limits{CPU: time.Hour}, "answer")
	t.Cleanup(pool.Close)
	base, _ := openWith(t, nil, Elsewhere(pool))
	ask := func(method, args string) string {
		t.Helper()
		code, body := send(t, "POST", base+"/api/call/"+method, args, "Content-Type", "application/json")
		if code != 200 || !json.Valid([]byte(body)) {
			t.Errorf("%s: status %d: %s", method, code, body)
		}
		return body
	}
	for range 2 {
		if body := ask("run", `{"name":"a.star","text":"output('x', 2d6 >= 10)"}`); !strings.Contains(body, `"1/6"`) {
			t.Errorf("got %s", body)
		}
		if body := ask("fatal", "{}"); !strings.Contains(body, `"error"`) || !strings.Contains(body, `"internal"`) {
			t.Errorf("a process that ended: got %s", body)
		}
	}
	if body := ask("run", `{"name":"a.star","text":"while True:\n    pass","timeout":200}`); !strings.Contains(body, `"deadline"`) {
		t.Errorf("an endless recipe: got %s", body)
	}
	if body := ask("run", `{"name":`); !strings.Contains(body, "cannot be read") {
		t.Errorf("a broken question: got %s", body)
	}
	ctx, leave := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "POST", base+"/api/call/run", strings.NewReader(`{"name":"a","text":"while True:\n    pass","timeout":600000}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if _, err := http.DefaultClient.Do(r); err == nil {
		t.Fatal("want an error")
	}
	for range 3 {
		if body := ask("run", `{"name":"a.star","text":"output(d(6))"}`); !strings.Contains(body, `"7/2"`) {
			t.Errorf("after a page has left: got %s", body)
		}
	}
}

// A link stays a link: what it leads to is saved, as long as that is in the folder.
func TestSavingThroughLinks(t *testing.T) {
	base, folder := open(t, map[string]string{"sub/real.star": "x = 1", "a.star": "x = 1"})
	for from, to := range map[string]string{
		"link.star": "sub/real.star", "twice.star": "link.star", "folder": "sub", "sub/up.star": "../a.star", "round.star": "round.star",
		"out.star": "../out.star", "new.star": "sub/new.star",
	} {
		if err := os.Symlink(to, filepath.Join(folder, from)); err != nil {
			t.Skip("this system has no links")
		}
	}
	for name, target := range map[string]string{
		"link.star": "sub/real.star", "twice.star": "sub/real.star", "folder/real.star": "sub/real.star", "folder/up.star": "a.star", "new.star": "sub/new.star",
	} {
		text := "y = '" + name + "'"
		if code, body := send(t, "PUT", base+"/api/files/"+name, text); code != http.StatusNoContent {
			t.Errorf("%s: status %d: %s", name, code, body)
		}
		if got, err := os.ReadFile(filepath.Join(folder, target)); err != nil || string(got) != text {
			t.Errorf("%s: %s holds %q, %v", name, target, got, err)
		}
		if info, err := os.Lstat(filepath.Join(folder, name)); err != nil || name != "folder/real.star" && info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", name, info, err)
		}
	}
	for _, name := range []string{"round.star", "out.star"} {
		if code, _ := send(t, "PUT", base+"/api/files/"+name, "y = 2"); code < 400 {
			t.Errorf("%s: status %d", name, code)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "..", "out.star")); err == nil {
		t.Error("a file outside was saved")
	}
}

// Several may save a file at once, and others read it meanwhile: it is one of what they
// have saved, whole.
func TestSavingAtOnce(t *testing.T) {
	base, folder := open(t, map[string]string{"a.star": strings.Repeat("#", 300_000)})
	file := filepath.Join(folder, "a.star")
	stop := make(chan struct{})
	var reading, writing sync.WaitGroup
	reading.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			text, err := os.ReadFile(file)
			if err != nil || len(text) != 300_000 || len(bytes.Trim(text, string(text[:1]))) > 0 {
				t.Errorf("read %d bytes, %v", len(text), err)
				return
			}
		}
	})
	for i := range 4 {
		writing.Go(func() {
			for range 15 {
				r, err := http.NewRequest("PUT", base+"/api/files/a.star", strings.NewReader(strings.Repeat(string(rune('a'+i)), 300_000)))
				if err != nil {
					t.Error(err)
					return
				}
				res, err := http.DefaultClient.Do(r)
				if err != nil || res.StatusCode != http.StatusNoContent {
					t.Errorf("saving: %v, %v", res, err)
					return
				}
				res.Body.Close()
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	if left, _ := filepath.Glob(filepath.Join(folder, ".dicescript-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
