package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"dicescript/lang"
	"dicescript/lang/isolate"
	"dicescript/lang/report"
)

// This file runs a recipe for its lenses: an opened file may be a stranger's, so it runs
// in another process, which is told what the client has open, and ended when it takes too
// long.

// LensMethod is the question that [AnswerLens] answers.
const LensMethod = "lens"

// An Asker has questions answered elsewhere, within a time; a pool of processes does.
type Asker interface {
	Ask(ctx context.Context, method string, args []byte, most time.Duration) (answer []byte, err error)
}

// Here is an Asker that answers by itself.
type Here struct{}

// Ask answers a question.
func (Here) Ask(ctx context.Context, _ string, args []byte, _ time.Duration) ([]byte, error) {
	return AnswerLens(ctx, args), nil
}

// A lensRun asks for a run.
type lensRun struct {
	Name   string            `json:"name"`
	Text   string            `json:"text"`
	Folder string            `json:"folder"` // "" for a text that is no file
	Open   map[string]string `json:"open"`   // what the client has open of the folder, by names
}

// A lensResult is what a run gave.
type lensResult struct {
	Report json.RawMessage `json:"report,omitempty"`
	Lines  []int           `json:"lines"`           // of the outputs
	Error  string          `json:"error,omitempty"` // why there is no report
}

// run has a recipe run elsewhere. The text is that of a version which has ended when ctx
// is done.
func (s *space) run(ctx context.Context, name, text string) (*lang.Result, error) {
	args, err := json.Marshal(lensRun{name, text, s.folder, s.texts(s.folder)})
	if err != nil {
		return nil, err
	}
	answer, err := s.asker.Ask(ctx, LensMethod, args, 2*longestRun) // it is written within a time of its own
	switch {
	case errors.Is(err, isolate.ErrMemory), errors.Is(err, isolate.ErrCPU):
		return nil, lang.NewError(lang.KindLimit, err.Error(), err)
	case err != nil:
		return nil, err
	}
	var got lensResult
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	if got.Error != "" {
		return nil, lang.NewError(lang.KindLimit, got.Error, nil)
	}
	r, err := report.ReadJSON(ctx, bytes.NewReader(got.Report))
	for i := range r.Outputs {
		if i < len(got.Lines) {
			r.Outputs[i].Line = got.Lines[i]
		}
	}
	return r, err
}

// AnswerLens runs a recipe as [LensMethod] asks for it.
func AnswerLens(ctx context.Context, args []byte) []byte {
	var ask lensRun
	if err := json.Unmarshal(args, &ask); err != nil {
		return lensAnswer(lensResult{Error: err.Error()})
	}
	brief, stop := context.WithTimeout(ctx, longestRun)
	defer stop()
	r, err := ask.run(brief)
	var text bytes.Buffer
	brief, stop = context.WithTimeout(ctx, longestRun)
	defer stop()
	if err := report.Render(brief, &text, "json", r, report.Options{Failure: err, Fractions: report.Weights}); err != nil {
		return lensAnswer(lensResult{Error: err.Error()})
	}
	got := lensResult{Report: text.Bytes(), Lines: []int{}}
	if r != nil {
		for _, o := range r.Outputs {
			got.Lines = append(got.Lines, o.Line)
		}
	}
	return lensAnswer(got)
}

func lensAnswer(r lensResult) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		return []byte(`{"error": "the result can't be written"}`)
	}
	return text
}

// run runs the recipe with the files beside it.
func (ask lensRun) run(ctx context.Context) (*lang.Result, error) {
	var opts []lang.Option
	if ask.Folder != "" {
		root, err := os.OpenRoot(filepath.FromSlash(ask.Folder))
		if err == nil {
			defer root.Close()
			opts = append(opts, lang.WithModules("./", overlay{root.FS(), ask.Folder, func(name string) (string, bool) {
				text, ok := ask.Open[name]
				return text, ok
			}}))
		}
	}
	host, err := lang.New(opts...)
	if err != nil {
		return nil, err
	}
	p, err := host.Compile(ctx, ask.Name, []byte(ask.Text))
	if err != nil {
		return nil, err
	}
	return p.Run(ctx)
}
