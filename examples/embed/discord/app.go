package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"dicescript/lang"
)

// What Discord sends and is sent, as much of it as is used here.

// Types of interactions and of responses.
const (
	ping           = 1
	command        = 2
	component      = 3
	pong           = 1
	message        = 4
	deferred       = 5 // a message that is not there yet
	deferredUpdate = 6 // the message of the component will change
	onlyForAsker   = 64
)

type interaction struct {
	Type          int    `json:"type"`
	ApplicationID string `json:"application_id"`
	Token         string `json:"token"`
	Data          struct {
		Name    string `json:"name"`
		Options []struct {
			Name  string `json:"name"`
			Value any    `json:"value"`
		} `json:"options"`
		CustomID string   `json:"custom_id"`
		Values   []string `json:"values"`
	} `json:"data"`
}

// option is an option of a command as text.
func (i *interaction) option(name string) string {
	for _, o := range i.Data.Options {
		if text, ok := o.Value.(string); ok && o.Name == name {
			return text
		}
	}
	return ""
}

type response struct {
	Type int   `json:"type"`
	Data *post `json:"data,omitempty"`
}

// A post is the content of a message.
type post struct {
	Content    string `json:"content"`
	Flags      int    `json:"flags,omitempty"`
	Components []row  `json:"components"`
	// Nobody is notified by what a recipe says.
	Mentions struct {
		Parse []string `json:"parse"`
	} `json:"allowed_mentions"`
}

func say(text string) *post {
	p := &post{Content: text, Components: []row{}}
	p.Mentions.Parse = []string{}
	return p
}

// An app answers interactions, any number of them at once; as many as there are slots
// compute.
type app struct {
	key     ed25519.PublicKey
	host    *lang.Host
	recipes fs.FS
	api     string // where messages are changed
	client  *http.Client
	now     func() time.Time
	slots   chan struct{}
	working sync.WaitGroup
}

const (
	mostBody    = 64 << 10
	mostAge     = 5 * time.Minute // of what is signed, so that nothing old is sent again
	mostAtOnce  = 8
	patience    = 5 * time.Second
	mostContent = 2000 // characters of a message
)

// Everybody on a server may ask, so the limits are tight.
var limits = lang.Limits{
	Steps: 1_000_000, Work: 500_000_000, Cells: 5_000_000, Outcomes: 100_000, Bytes: 16 << 20,
	Outputs: 20, OutputBytes: 1 << 20, SourceBytes: 64 << 10,
}

func newApp(key ed25519.PublicKey, recipes fs.FS, api string, client *http.Client, now func() time.Time) (*app, error) {
	host, err := lang.New(lang.WithLimits(limits), lang.WithModules("./", recipes))
	return &app{key: key, host: host, recipes: recipes, api: api, client: client, now: now, slots: make(chan struct{}, mostAtOnce)}, err
}

// ServeHTTP answers an interaction at once; what takes time is put into its message
// afterwards.
func (a *app) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "want POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		http.Error(w, "the interaction is too long", http.StatusRequestEntityTooLarge)
		return
	}
	if !a.signed(r.Header, body) {
		http.Error(w, "the signature is invalid", http.StatusUnauthorized)
		return
	}
	var i interaction
	if err := json.Unmarshal(body, &i); err != nil {
		http.Error(w, "this is no interaction", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(a.respond(&i))
}

// signed reports whether Discord has signed a body, not long ago.
func (a *app) signed(h http.Header, body []byte) bool {
	stamp := h.Get("X-Signature-Timestamp")
	signature, err := hex.DecodeString(h.Get("X-Signature-Ed25519"))
	seconds, bad := strconv.ParseInt(stamp, 10, 64)
	if err != nil || bad != nil || len(signature) != ed25519.SignatureSize {
		return false
	}
	if age := a.now().Sub(time.Unix(seconds, 0)).Abs(); age > mostAge {
		return false
	}
	return ed25519.Verify(a.key, append([]byte(stamp), body...), signature)
}

// respond is the answer that is given at once.
func (a *app) respond(i *interaction) response {
	soon := response{Type: deferred}
	switch i.Type {
	case ping:
		return response{Type: pong}
	case command:
	case component:
		soon.Type = deferredUpdate
	default:
		return refused("This kind of interaction is not answered.")
	}
	work, err := a.task(i)
	if err != nil {
		return refused(err.Error())
	}
	select {
	case a.slots <- struct{}{}:
	default:
		return refused("Too many are asking at once; try again in a moment.")
	}
	a.working.Go(func() {
		defer func() { <-a.slots }()
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := a.put(i, work(ctx)); err != nil {
			log.Printf("%s: %v", i.Data.Name, err)
		}
	})
	return soon
}

// refused is a message that only who has asked sees.
func refused(text string) response {
	p := say(text)
	p.Flags = onlyForAsker
	return response{Type: message, Data: p}
}

// task is what there is to do for a command or a menu.
func (a *app) task(i *interaction) (func(context.Context) *post, error) {
	if i.Type == component {
		return a.chosen(i)
	}
	switch i.Data.Name {
	case "odds":
		return func(ctx context.Context) *post { return a.odds(ctx, i.option("expression")) }, nil
	case "recipe":
		return func(ctx context.Context) *post { return a.recipe(ctx, i.option("name"), nil) }, nil
	}
	return nil, fmt.Errorf("There is no command %s.", i.Data.Name)
}

// put puts a message in the place of the one that was promised.
func (a *app) put(i *interaction, p *post) error {
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	to := fmt.Sprintf("%s/webhooks/%s/%s/messages/@original", a.api, url.PathEscape(i.ApplicationID), url.PathEscape(i.Token))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPatch, to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	got, err := a.client.Do(r)
	if err != nil {
		return errors.New("the message can't be changed") // the error has the token in it
	}
	defer got.Body.Close()
	if got.StatusCode >= 300 {
		return fmt.Errorf("the message can't be changed: %s", got.Status)
	}
	return nil
}
