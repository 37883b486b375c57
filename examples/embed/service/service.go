package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"dicescript/lang"
	"dicescript/lang/report"
)

// The service answers over HTTP. It keeps nothing between requests but compiled
// programs, which it can do without: any number of instances may stand behind a
// balancer, and a request that got no answer from one may be sent to another.

//go:embed openapi.json
var openAPI []byte

const (
	maxRecipe  = 64 << 10  // bytes of a recipe
	maxRequest = 512 << 10 // of a request, in which a recipe is a text of JSON
	maxInputs  = 256
)

type service struct {
	pool     *pool
	clients  *clients
	metrics  *metrics
	log      *slog.Logger
	stopping atomic.Bool
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/run", s.run)
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		send(w, http.StatusOK, openAPI)
	})
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		send(w, http.StatusOK, []byte(`{"status": "live"}`+"\n"))
	})
	mux.HandleFunc("GET /ready", s.ready)
	mux.Handle("GET /metrics", s.metrics.handler())
	return mux
}

// ready tells a balancer whether to send requests here.
func (s *service) ready(w http.ResponseWriter, _ *http.Request) {
	alive, _, waiting := s.pool.state()
	switch {
	case s.stopping.Load():
		send(w, http.StatusServiceUnavailable, []byte(`{"status": "stopping"}`+"\n"))
	case alive == 0:
		send(w, http.StatusServiceUnavailable, []byte(`{"status": "no workers"}`+"\n"))
	case waiting >= s.pool.queue:
		send(w, http.StatusServiceUnavailable, []byte(`{"status": "full"}`+"\n"))
	default:
		send(w, http.StatusOK, []byte(`{"status": "ready"}`+"\n"))
	}
}

// A request is what a client sends, see openapi.json.
type request struct {
	Recipe    *string                    `json:"recipe"`
	Name      string                     `json:"name"`
	Inputs    map[string]json.RawMessage `json:"inputs"`
	Fractions report.Fractions           `json:"fractions"`
}

// A refusal is a request that is not run.
type refusal struct {
	status  int
	kind    string
	message string
	after   time.Duration // to try again
	reason  string        // for the metrics
}

// recipeName is how a recipe may be called: its ending says what language it is in.
var recipeName = regexp.MustCompile(`^[\pL\pN][\pL\pN ._-]{0,99}\.(star|dice|md|anydice)$`)

// read reads a request.
func read(w http.ResponseWriter, r *http.Request) (request, *refusal) {
	bad := func(status int, message string) (request, *refusal) {
		return request{}, &refusal{status: status, kind: "request", message: message, reason: "request"}
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return bad(http.StatusUnsupportedMediaType, "want a body of type application/json")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			return bad(http.StatusRequestEntityTooLarge, "the request is too long")
		}
		return bad(http.StatusBadRequest, "the request broke off")
	}
	var q request
	q.Name, q.Fractions = "recipe.dice", report.ExactFractions
	if err := strict(body, &q); err != nil {
		return bad(http.StatusBadRequest, "the request is not as openapi.json says: "+cut(err.Error()))
	}
	switch {
	case q.Recipe == nil:
		return bad(http.StatusBadRequest, "recipe: it is missing")
	case len(*q.Recipe) > maxRecipe:
		return bad(http.StatusRequestEntityTooLarge, "recipe: it has more than 64 KiB")
	case !recipeName.MatchString(q.Name):
		return bad(http.StatusBadRequest, "name: want one such as attack.star, or ending in .dice, .md or .anydice")
	case len(q.Inputs) > maxInputs:
		return bad(http.StatusBadRequest, "inputs: there are too many")
	case hasLongName(q.Inputs):
		return bad(http.StatusBadRequest, "inputs: a name has more than 200 bytes")
	case q.Fractions != report.ExactFractions && q.Fractions != report.Weights && q.Fractions != report.NoFractions:
		return bad(http.StatusBadRequest, "fractions: want exact, weights or none")
	}
	return q, nil
}

// hasLongName reports whether an input has a name that is too long to be shown.
func hasLongName(inputs map[string]json.RawMessage) bool {
	for name := range inputs {
		if len(name) > mostEchoed {
			return true
		}
	}
	return false
}

// run is POST /v1/run.
func (s *service) run(w http.ResponseWriter, r *http.Request) {
	started := time.Now()
	entry := []any{"id", requestID(w, r)}
	t, status := tier{Name: anonymous}, 0
	defer func() {
		s.metrics.requests.WithLabelValues(strconv.Itoa(status), t.Name).Inc()
		entry = append(entry, "status", status, "tier", t.Name, "seconds", time.Since(started).Seconds())
		s.log.Info("run", entry...)
	}()
	refuse := func(f *refusal) {
		status = f.status
		entry = append(entry, "refused", f.reason)
		s.refuse(w, f)
	}

	t, leave, after, err := s.clients.enter(r)
	if err != nil {
		refuse(s.refusalOf(err, after))
		return
	}
	defer leave()
	if s.stopping.Load() {
		w.Header().Set("Connection", "close") // the next request goes elsewhere
	}
	q, f := read(w, r)
	if f != nil {
		refuse(f)
		return
	}
	sum := sha256.Sum256([]byte(*q.Recipe))
	entry = append(entry, "recipe", hex.EncodeToString(sum[:8]))
	a, err := s.pool.run(r.Context(), job{
		Name: q.Name, Recipe: *q.Recipe, Inputs: q.Inputs, Fractions: q.Fractions,
		Limits: t.Limits, Timeout: time.Duration(t.Timeout),
	})
	if err != nil {
		refuse(s.refusalOf(err, 0))
		return
	}
	entry = append(entry, "outcome", a.Outcome, "cached", a.Cached)
	if status = http.StatusOK; a.Outcome != ok {
		status = http.StatusUnprocessableEntity
	}
	send(w, status, a.body)
}

// refusalOf is the answer to a request that nothing is wrong with, and that may be sent
// again after a time.
func (s *service) refusalOf(err error, after time.Duration) *refusal {
	busy := func(reason string) *refusal {
		return &refusal{http.StatusServiceUnavailable, "busy", err.Error(), s.pool.delay(), reason}
	}
	switch {
	case errors.Is(err, errUnknownKey):
		return &refusal{http.StatusUnauthorized, "request", err.Error(), 0, "key"}
	case errors.Is(err, errGreedy):
		return &refusal{http.StatusTooManyRequests, "busy", err.Error(), after, "client"}
	case errors.Is(err, errFast):
		return &refusal{http.StatusTooManyRequests, "busy", err.Error(), after, "rate"}
	case errors.Is(err, errFull):
		return busy("full")
	case errors.Is(err, errClosing):
		return busy("stopping")
	case errors.Is(err, errLost):
		return busy("lost")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &refusal{statusGone, "busy", "the client did not wait", 0, "gone"}
	}
	return busy("waited")
}

// statusGone is what others log for a client that closed its connection.
const statusGone = 499

func (s *service) refuse(w http.ResponseWriter, f *refusal) {
	s.metrics.refused.WithLabelValues(f.reason).Inc()
	if f.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((f.after+time.Second-1)/time.Second)))
	}
	if f.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	send(w, f.status, failure(lang.Kind(f.kind), f.message))
}

// mostEchoed is how many bytes of what somebody has sent are shown to them again.
const mostEchoed = 200

// cut is the beginning of a text.
func cut(text string) string {
	if len(text) <= mostEchoed {
		return text
	}
	return strings.ToValidUTF8(text[:mostEchoed], "") + "..."
}

// writeTime is how long a client may take to read an answer, from when it is there.
const writeTime = 30 * time.Second

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	// Before that, the time of a request is that of its run.
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	w.WriteHeader(status)
	w.Write(body)
}

// id is how a request may be called by those who sent it.
var id = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// requestID is what the logs of all who handle a request call it.
func requestID(w http.ResponseWriter, r *http.Request) string {
	name := r.Header.Get("X-Request-Id")
	if !id.MatchString(name) {
		name = rand.Text()
	}
	w.Header().Set("X-Request-Id", name)
	return name
}

// strict decodes one value of JSON whose members are all known.
func strict(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows it")
	}
	return nil
}
