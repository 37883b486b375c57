// Reports in a real browser: the charts are there, nothing is wider than the
// window, light and dark differ, and nothing is requested.

package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"dicescript/lang"
)

// A browser shows pages of one server, which it takes for the whole internet.
type browser struct {
	path   string
	server *httptest.Server
	mu     sync.Mutex
	page   string
	leaks  []string // requests for something else than the page
}

func newBrowser(t *testing.T) *browser {
	if os.Getenv("DICESCRIPT_TESTS") != "all" {
		t.Skip("starts a browser: DICESCRIPT_TESTS=all")
	}
	b := &browser{}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			b.path = path
		}
	}
	if b.path == "" {
		t.Skip("skipped: there is no Chromium (apt-get install chromium)")
	}
	b.server = httptest.NewServer(b)
	t.Cleanup(b.server.Close)
	return b
}

// window measures the page on a phone and on a desk, in windows within the
// window, since that of a browser can't be as narrow as a phone.
const window = `<!DOCTYPE html><body><iframe src="/page" style="border:0;width:390px;height:2000px"></iframe>
<iframe src="/page" style="border:0;width:1280px;height:2000px"></iframe><pre id="out"></pre><script>
addEventListener("load", () => {
	const measure = frame => {
		const d = frame.contentDocument, seen = e => e.getBoundingClientRect().width > 100;
		return {
			width: frame.clientWidth,
			charts: [...d.querySelectorAll("svg[role=img]")].filter(seen).length,
			tables: [...d.querySelectorAll("table")].filter(seen).length,
			tooWide: d.documentElement.scrollWidth - d.documentElement.clientWidth,
			paper: getComputedStyle(d.body).backgroundColor,
			heading: d.querySelector("h1") ? d.querySelector("h1").textContent : "",
			scripts: d.defaultView.hacked || 0,
		};
	};
	document.getElementById("out").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(measure));
});
</script>`

func (b *browser) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	own := r.Host == strings.TrimPrefix(b.server.URL, "http://")
	switch {
	case own && r.URL.Path == "/page":
		fmt.Fprint(w, b.page)
	case own && r.URL.Path == "/frame":
		fmt.Fprint(w, window)
	case own && r.URL.Path == "/favicon.ico", !own && !strings.Contains(b.page, r.Host):
		// The browser's own: it looks for updates of itself. A page that runs
		// nothing can only ask for what stands in it.
		http.NotFound(w, r)
	default:
		b.leaks = append(b.leaks, r.Host+r.URL.String())
	}
}

// A view is what the browser says of a page in one width.
type view struct {
	Width, Charts, Tables, TooWide, Scripts int
	Paper, Heading                          string
}

// show loads a page.
func (b *browser) show(t *testing.T, page string, dark bool) (views []view, leaks []string) {
	t.Helper()
	profile, err := os.MkdirTemp("", "dicescript-browser-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(profile)
	b.mu.Lock()
	b.page, b.leaks = page, nil
	b.mu.Unlock()
	scheme := 1
	if dark {
		scheme = 0
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, b.path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--no-default-browser-check",
		"--disable-default-apps", "--disable-extensions", "--disable-features=NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate",
		"--user-data-dir="+profile, fmt.Sprintf("--blink-settings=preferredColorScheme=%d", scheme),
		"--host-resolver-rules=MAP * "+strings.TrimPrefix(b.server.URL, "http://"), "--window-size=1800,1200", "--virtual-time-budget=4000",
		"--dump-dom", b.server.URL+"/frame")
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		t.Skipf("skipped: the browser does not run here: %v\n%s", err, log.String())
	}
	_, text, _ := strings.Cut(out.String(), `<pre id="out">`)
	text, _, _ = strings.Cut(text, "</pre>")
	if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "&amp;", "&")), &views); err != nil {
		t.Fatalf("%v: the browser gives\n%s\n%s", err, out.String(), log.String())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return views, b.leaks
}

func TestReportsInABrowser(t *testing.T) {
	b := newBrowser(t)
	control := `<!DOCTYPE html><p>x<img src="http://canary.example/i.png"><script>window.hacked = 1</script>`
	if views, leaks := b.show(t, control, false); len(leaks) == 0 || len(views) != 2 || views[0].Scripts != 1 {
		t.Fatalf("the test would not see a request or a script: %v, %+v", leaks, views)
	}
	src := "# Woven\n\n![i](http://canary.example/i.png) <img src=http://canary.example/j.png> <script>window.hacked = 1</script>\n\n" +
		"| a | b |\n|---|---|\n| a cell that is a good deal wider than a phone can show | and_a_word_that_has_no_spaces_in_it_at_all_to_break_it |\n\n" +
		"```\noutput(\"a long line of code that no phone can show without scrolling it\", 4d6kh3 >= 15)\n```\n"
	papers := map[string]bool{}
	for i, c := range []struct {
		name, page     string
		charts, tables int
	}{
		{"every kind", render(t, "html", everyKind(), Options{Title: "Report"}), 6, 7},
		{"hostile", render(t, "html", nasty(), Options{Title: "Report"}), 2, 3},
		{"woven", woven(t, "html", src, everyKind(), Options{}), 6, 8},
		{"failed", render(t, "html", everyKind(), Options{Title: "Report", Failure: &lang.Error{Position: lang.Position{File: "a.star", Line: 1}, Message: strings.Repeat("x", 300)}}), 6, 7},
	} {
		views, leaks := b.show(t, c.page, i%2 == 1)
		for _, v := range views {
			papers[v.Paper] = true
			if v.Charts < c.charts || v.Tables < c.tables || v.Heading == "" {
				t.Errorf("%s: at a width of %d there are %d charts, %d tables and the heading %q, want %d and %d", c.name, v.Width, v.Charts, v.Tables, v.Heading, c.charts, c.tables)
			}
			if v.TooWide > 0 {
				t.Errorf("%s: at a width of %d it is %d too wide", c.name, v.Width, v.TooWide)
			}
			if v.Scripts != 0 {
				t.Errorf("%s: a script has run", c.name)
			}
		}
		if len(leaks) > 0 {
			t.Errorf("%s: it requests %v", c.name, leaks)
		}
	}
	if len(papers) != 2 {
		t.Errorf("light and dark pages are both %v", papers)
	}
}
