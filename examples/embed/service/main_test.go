package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

type answer struct {
	Outputs []struct{ Title, Exact string }
	Error   *struct {
		Kind, Message string
		Line          int
	}
}

// post sends a recipe and reads the answer.
func post(t *testing.T, server *httptest.Server, query, recipe string) (int, answer) {
	t.Helper()
	response, err := http.Post(server.URL+"/run"+query, "text/plain", strings.NewReader(recipe))
	if err != nil {
		t.Error(err)
		return 0, answer{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	var a answer
	if response.Header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal(body, &a); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	return response.StatusCode, a
}

func serve(t *testing.T) *httptest.Server {
	t.Helper()
	handler, err := newService(2)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

func TestRun(t *testing.T) {
	server := serve(t)
	recipe := "bonus = param('bonus', 5)\noutput('hit', 1d20 + bonus >= 15)"
	for query, want := range map[string]string{"": "11/20", "?bonus=7": "13/20"} {
		status, a := post(t, server, query, recipe)
		if status != http.StatusOK || len(a.Outputs) != 1 || a.Outputs[0].Exact != want {
			t.Errorf("%q: status %d, %+v", query, status, a)
		}
	}
	if status, a := post(t, server, "?bonus=many", recipe); status != http.StatusUnprocessableEntity || a.Error == nil {
		t.Errorf("a wrong input: status %d, %+v", status, a)
	}
	status, a := post(t, server, "", "output('first', d(6) == 6)\noutput(undefined_name())\n")
	if status != http.StatusUnprocessableEntity || a.Error == nil || a.Error.Kind != "name" || a.Error.Line != 2 {
		t.Errorf("a wrong name: status %d, %+v", status, a)
	}
	status, a = post(t, server, "", "output('first', d(6) == 6)\nfail('stop')\n")
	if status != http.StatusUnprocessableEntity || len(a.Outputs) != 1 || a.Outputs[0].Exact != "1/6" {
		t.Errorf("a failed run keeps what it recorded: status %d, %+v", status, a)
	}
	if status, _ := post(t, server, "", strings.Repeat("#", maxSource+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long recipe: status %d", status)
	}
}

// TestLoad posts hundreds of recipes at once, one in four of them hostile: no
// answer is lost and none goes to another's question.
func TestLoad(t *testing.T) {
	server := serve(t)
	hostile := []string{
		"while True:\n    pass",
		"s = 'x'\nwhile True:\n    s += s",
		"output(99999d99999)",
		"def f(x):\n    return f(x)\nf(1)",
		"output(",
		"x = list(range(1000000000000))",
	}
	clients := make(chan struct{}, 50)
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			clients <- struct{}{}
			defer func() { <-clients }()
			if i%4 == 3 {
				status, a := post(t, server, "", hostile[i/4%len(hostile)])
				if status != http.StatusUnprocessableEntity || a.Error == nil || a.Error.Message == "" {
					t.Errorf("hostile recipe %d: status %d, %+v", i, status, a)
				}
				return
			}
			sides := i + 2
			status, a := post(t, server, fmt.Sprintf("?sides=%d", sides), "n = param('sides', 6)\noutput('top', d(n) == n)")
			if want := fmt.Sprintf("1/%d", sides); status != http.StatusOK || len(a.Outputs) != 1 || a.Outputs[0].Exact != want {
				t.Errorf("recipe %d: status %d, %+v, want %s", i, status, a, want)
			}
		})
	}
	all.Wait()
}
