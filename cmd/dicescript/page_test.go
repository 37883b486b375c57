package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// packedTestPage is a page of two files as the command has it.
func packedTestPage(t *testing.T) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, f := range [][2]string{{"index.html", "<html><head></head>the page inside</html>"}, {"assets/a.js", "let a = 1;"}} {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestUnpackedPage(t *testing.T) {
	files, err := unpacked(packedTestPage(t))
	if err != nil {
		t.Fatal(err)
	}
	server := http.FileServerFS(files)
	for path, want := range map[string]int{"/assets/a.js": 200, "/": 404, "/assets/": 404, "/nothing": 404} {
		w := &bytes.Buffer{}
		r, err := http.NewRequest("GET", path, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := &recorded{header: http.Header{}, body: w, status: 200}
		server.ServeHTTP(got, r)
		if got.status != want || want == 200 && w.String() != "let a = 1;" {
			t.Errorf("%s: status %d: %s", path, got.status, w)
		}
	}
	if _, err := unpacked([]byte("no zip")); err == nil {
		t.Error("what is no page was unpacked")
	}
}

// recorded is a response.
type recorded struct {
	header http.Header
	body   io.Writer
	status int
}

func (r *recorded) Header() http.Header            { return r.header }
func (r *recorded) Write(text []byte) (int, error) { return r.body.Write(text) }
func (r *recorded) WriteHeader(status int)         { r.status = status }

// TestOneBinary builds the command with a page in it and has it serve a folder, where
// nothing but the command is.
func TestOneBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	packed, overlay, command := filepath.Join(dir, "page.zip"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "dicescript")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(here, "page.zip"): packed}})
	for file, text := range map[string][]byte{packed: packedTestPage(t), overlay: replace} {
		if err == nil {
			err = os.WriteFile(file, text, 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	goCommand(t, here, "build", "-tags", "page", "-overlay", overlay, "-o", command, ".")
	folder := t.TempDir()
	serve := exec.Command(command, "serve", "--addr", "127.0.0.1:0", ".")
	serve.Dir = folder
	out, err := serve.StdoutPipe()
	if err == nil {
		err = serve.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill(); serve.Wait() })
	first, err := bufio.NewReader(out).ReadString('\n')
	url, _, ok := strings.Cut(first, " shows ")
	if err != nil || !ok {
		t.Fatalf("it says %q, %v", first, err)
	}
	for path, want := range map[string]string{"": "the page inside", "assets/a.js": "let a = 1;"} {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != 200 || !strings.Contains(string(text), want) {
			t.Errorf("%s: status %d, %v: %s", path, r.StatusCode, err, text)
		}
	}
	r, err := http.Post(url+"api/call/run", "application/json", strings.NewReader(`{"name": "a.star", "text": "output('x', 2d6 >= 10)"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); err != nil || !strings.Contains(string(text), `"1/6"`) {
		t.Errorf("a run says %s, %v", text, err)
	}
}
