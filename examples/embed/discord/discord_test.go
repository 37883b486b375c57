package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A stub of Discord signs what it sends, and takes messages.
type discord struct {
	t        *testing.T
	app      *app
	private  ed25519.PrivateKey
	messages chan put
	clock    time.Time
}

type put struct {
	path string
	post post
}

func stub(t *testing.T) *discord {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &discord{t: t, private: private, messages: make(chan put, 20), clock: time.Unix(1_800_000_000, 0)}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var p put
		p.path = r.Method + " " + r.URL.Path
		if err := json.NewDecoder(r.Body).Decode(&p.post); err != nil {
			t.Error(err)
		}
		d.messages <- p
	}))
	t.Cleanup(api.Close)
	d.app, err = newApp(public, os.DirFS("testdata"), api.URL, api.Client(), func() time.Time { return d.clock })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.app.working.Wait)
	return d
}

// send sends a signed interaction, which change may spoil.
func (d *discord) send(body string, change func(*http.Request)) (status int, r response) {
	d.t.Helper()
	stamp := strconv.FormatInt(d.clock.Unix(), 10)
	request := httptest.NewRequest("POST", "/", strings.NewReader(body))
	request.Header.Set("X-Signature-Timestamp", stamp)
	request.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(d.private, []byte(stamp+body))))
	if change != nil {
		change(request)
	}
	w := httptest.NewRecorder()
	d.app.ServeHTTP(w, request)
	if w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
			d.t.Fatal(err)
		}
	}
	return w.Code, r
}

// next is the next message that is put.
func (d *discord) next() put {
	d.t.Helper()
	select {
	case p := <-d.messages:
		return p
	case <-time.After(30 * time.Second):
		d.t.Fatal("no message")
	}
	return put{}
}

func slash(name, option, value string) string {
	text, _ := json.Marshal(value)
	return fmt.Sprintf(`{"type":2,"application_id":"17","token":"tok/en","data":{"name":%q,"options":[{"name":%q,"value":%s}]}}`, name, option, text)
}

func TestSignature(t *testing.T) {
	d := stub(t)
	if status, r := d.send(`{"type":1}`, nil); status != 200 || r.Type != pong {
		t.Errorf("a signed ping: %d, %+v", status, r)
	}
	other := "00" + hex.EncodeToString(make([]byte, ed25519.SignatureSize-1))
	for name, change := range map[string]func(*http.Request){
		"no signature":      func(r *http.Request) { r.Header.Del("X-Signature-Ed25519") },
		"another signature": func(r *http.Request) { r.Header.Set("X-Signature-Ed25519", other) },
		"half a signature":  func(r *http.Request) { r.Header.Set("X-Signature-Ed25519", "ab") },
		"no hex":            func(r *http.Request) { r.Header.Set("X-Signature-Ed25519", "xyz") },
		"another time":      func(r *http.Request) { r.Header.Set("X-Signature-Timestamp", "1800000001") },
		"no time":           func(r *http.Request) { r.Header.Del("X-Signature-Timestamp") },
		"another body":      func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"type":2}`)) },
	} {
		if status, _ := d.send(`{"type":1}`, change); status != http.StatusUnauthorized {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status, _ := d.send(`{"type":1}`, func(*http.Request) { d.clock = d.clock.Add(time.Hour) }); status != http.StatusUnauthorized {
		t.Errorf("what was signed an hour ago: %d", status)
	}
	if status, _ := d.send(`{"type":1,`, nil); status != http.StatusBadRequest {
		t.Errorf("half an interaction: %d", status)
	}
	if status, _ := d.send(`{"type":1}`+strings.Repeat(" ", mostBody), nil); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a long interaction: %d", status)
	}
}

func TestOdds(t *testing.T) {
	d := stub(t)
	if _, r := d.send(slash("odds", "expression", "4d6kh3 >= 15"), nil); r.Type != deferred {
		t.Fatalf("%+v", r)
	}
	p := d.next()
	if p.path != "PATCH /webhooks/17/tok/en/messages/@original" || !strings.Contains(p.post.Content, "25/108") || !strings.HasPrefix(p.post.Content, "```\n") {
		t.Errorf("%+v", p)
	}
	if p.post.Mentions.Parse == nil || len(p.post.Mentions.Parse) != 0 {
		t.Error("a message may notify people")
	}
	for expression, want := range map[string]string{
		"foo":                      "undefined: foo",
		"":                         "Ask for an expression",
		"'```@everyone'":           "'''@everyone",
		"100d100":                  "",
		"[n for n in range(9999)]": "…",
		"1 if d6 else 2":           "chance",
	} {
		d.send(slash("odds", "expression", expression), nil)
		p := d.next()
		inside := strings.TrimSuffix(strings.TrimPrefix(p.post.Content, "```\n"), "\n```")
		if !strings.Contains(p.post.Content, want) || len([]rune(p.post.Content)) > mostContent || strings.Contains(inside, "```") {
			t.Errorf("%s: %s", expression, p.post.Content)
		}
	}
	if _, r := d.send(slash("nothing", "a", "b"), nil); r.Type != message || r.Data.Flags != onlyForAsker {
		t.Errorf("an unknown command: %+v", r)
	}
}

// The inputs of a recipe are menus; choosing runs it again with all that was chosen.
func TestRecipe(t *testing.T) {
	d := stub(t)
	d.send(slash("recipe", "name", "attack"), nil)
	p := d.next().post
	if !strings.Contains(p.Content, "11/20") || len(p.Components) != 3 {
		t.Fatalf("%+v", p)
	}
	choose := func(p post, row int, value string) post {
		t.Helper()
		m := p.Components[row].Components[0]
		body, _ := json.Marshal(map[string]any{
			"type": 3, "application_id": "17", "token": "t",
			"data": map[string]any{"custom_id": m.CustomID, "values": []string{value}},
		})
		if _, r := d.send(string(body), nil); r.Type != deferredUpdate {
			t.Fatalf("%+v", r)
		}
		return d.next().post
	}
	p = choose(p, 0, "7")
	if !strings.Contains(p.Content, "13/20") {
		t.Errorf("with a bonus of 7: %s", p.Content)
	}
	for _, c := range p.Components[0].Components[0].Options {
		if c.Default != (c.Value == "7") {
			t.Errorf("the menu stands at %+v", c)
		}
	}
	p = choose(p, 1, "advantage") // the bonus stays
	if !strings.Contains(p.Content, "351/400") {
		t.Errorf("with advantage: %s", p.Content)
	}
	p = choose(p, 2, "true")
	if !strings.Contains(p.Content, "319/400") {
		t.Errorf("against a shield: %s", p.Content)
	}
	if bad := choose(p, 0, "99"); !strings.Contains(bad.Content, "bonus") {
		t.Errorf("a value that is none: %s", bad.Content)
	}
	for _, name := range []string{"nothing", "../main", "/etc/passwd", ""} {
		d.send(slash("recipe", "name", name), nil)
		if p := d.next().post; !strings.Contains(p.Content, "There is no recipe") {
			t.Errorf("%q: %s", name, p.Content)
		}
	}
	if _, r := d.send(`{"type":3,"data":{"custom_id":"x","values":["1"]}}`, nil); r.Type != message || r.Data.Flags != onlyForAsker {
		t.Errorf("another menu: %+v", r)
	}
}

// Who asks when all slots are taken is told so at once.
func TestBusy(t *testing.T) {
	d := stub(t)
	for range mostAtOnce {
		d.app.slots <- struct{}{}
	}
	if _, r := d.send(slash("odds", "expression", "d6"), nil); r.Type != message || !strings.Contains(r.Data.Content, "Too many") {
		t.Errorf("%+v", r)
	}
	for range mostAtOnce {
		<-d.app.slots
	}
}
