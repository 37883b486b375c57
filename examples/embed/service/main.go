// Service runs recipes that are posted to it and answers with JSON.
//
//	curl --data-binary @recipe.star 'localhost:8080/run?bonus=7'
//
// The inputs of the recipe come from the query. A recipe that fails is answered
// with status 422 and its error, beside the outputs recorded before it.
package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/url"
	"runtime"
	"time"

	"dicescript/lang"
	"dicescript/lang/report"
)

func main() {
	handler, err := newService(runtime.NumCPU())
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: "localhost:8080", Handler: handler, ReadTimeout: 5 * time.Second}
	log.Fatal(server.ListenAndServe())
}

// A service runs a bounded number of recipes at a time; others wait their turn.
type service struct {
	host *lang.Host
	turn chan struct{}
}

const (
	maxSource = 64 << 10        // bytes of a recipe
	patience  = 2 * time.Second // for one run, once it has its turn
)

func newService(atOnce int) (http.Handler, error) {
	host, err := lang.New(lang.WithLimits(lang.Limits{
		Steps: 5_000_000, Work: 1_000_000_000, Cells: 10_000_000, Bytes: 64 << 20,
		SourceBytes: maxSource, OutputBytes: 4 << 20,
	}))
	if err != nil {
		return nil, err
	}
	s := &service{host: host, turn: make(chan struct{}, atOnce)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /run", s.run)
	return mux, nil
}

func (s *service) run(w http.ResponseWriter, r *http.Request) {
	source, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSource))
	if err != nil {
		http.Error(w, "the recipe is too long", http.StatusRequestEntityTooLarge)
		return
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-r.Context().Done():
		return // nobody waits for the answer any more
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	result, err := s.result(ctx, source, r.URL.Query())
	s.reply(w, r, result, err)
}

// result runs a recipe. The result is there beside an error too: with what was
// recorded before it.
func (s *service) result(ctx context.Context, source []byte, query url.Values) (*lang.Result, error) {
	program, err := s.host.Compile(ctx, "recipe.dice", source)
	if err != nil {
		return &lang.Result{}, err
	}
	inputs, err := inputs(program, query)
	if err != nil {
		return &lang.Result{}, err
	}
	return program.Run(ctx, lang.WithInputs(inputs))
}

// inputs reads the values of a query as the recipe declares them.
func inputs(program *lang.Program, query url.Values) (map[string]any, error) {
	values := map[string]any{}
	for _, p := range program.Params() {
		if !query.Has(p.Name) {
			continue
		}
		v, err := p.Parse(query.Get(p.Name))
		if err != nil {
			return nil, err
		}
		values[p.Name] = v
	}
	return values, nil
}

// reply renders before it writes, so that an answer is whole. Rendering has a
// time of its own: a run that took too long still has outputs to show.
func (s *service) reply(w http.ResponseWriter, r *http.Request, result *lang.Result, failure error) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	status, options := http.StatusOK, report.Options{}
	if failure != nil {
		status, options.Failure = http.StatusUnprocessableEntity, report.FailureOf(failure)
	}
	var body bytes.Buffer
	if err := report.Render(ctx, &body, "json", result, options); err != nil {
		http.Error(w, "the result can't be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body.Bytes())
}
