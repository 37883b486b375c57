package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"dicescript/cmd/dicescript/internal/workers"
	"dicescript/lang"
	"dicescript/lang/isolate"
	"dicescript/web/engine/answer"
)

// Elsewhere returns an engine whose questions are answered in the processes of a pool: a
// recipe that gets around its limits ends one of those, and the page is told so.
func Elsewhere(pool *workers.Pool) Engine { return elsewhere{pool} }

type elsewhere struct{ pool *workers.Pool }

const (
	defaultTime = 10 * time.Second // of a question that does not say how long it may take
	longestTime = time.Hour
)

// Call asks a process. The time of a question is that which it names.
func (e elsewhere) Call(ctx context.Context, method string, args []byte) []byte {
	var named struct {
		Timeout float64 `json:"timeout"` // in milliseconds
	}
	if err := json.Unmarshal(args, &named); err != nil {
		return answer.Failed(errors.New("the arguments cannot be read: " + err.Error()))
	}
	most := min(time.Duration(cmp.Or(named.Timeout, 0)*float64(time.Millisecond)), longestTime)
	if most <= 0 {
		most = defaultTime
	}
	// Compiling and rendering have times of their own.
	text, err := e.pool.Ask(ctx, method, args, 2*most)
	if err != nil {
		return answer.Failed(mistake(err))
	}
	return text
}

// mistake is why a process has not answered, as an error of the recipe where it is its
// fault.
func mistake(err error) error {
	kind := lang.KindInternal
	switch {
	case errors.Is(err, isolate.ErrMemory), errors.Is(err, isolate.ErrCPU):
		kind = lang.KindLimit
	case errors.Is(err, context.DeadlineExceeded):
		return lang.NewError(lang.KindDeadline, "the time for this run is used up", err)
	case errors.Is(err, context.Canceled):
		kind = lang.KindCancelled
	}
	return lang.NewError(kind, err.Error(), err)
}
