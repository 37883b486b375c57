package door

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"time"

	"dicescript/builtins/suggest"
	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
)

// An Engine answers calls, any number of them at once.
type Engine struct {
	host     *lang.Host
	options  Options
	inForce  limits.Settings // with the defaults of what the options leave open
	programs *programs
}

// Options are what all calls of an engine share.
type Options struct {
	Limits  limits.Settings
	Timeout time.Duration // of a call that names none; 0 is without end
	Files   fs.FS         // where load("./NAME") looks; nil is nowhere
	// Print receives what recipes print, with the context of the call. nil drops it.
	Print func(ctx context.Context, text string)
}

// New returns an engine.
func New(o Options) (*Engine, error) {
	opts := []lang.Option{lang.WithLimits(o.Limits.Run)}
	if o.Print != nil {
		opts = append(opts, lang.WithPrint(o.Print))
	}
	if o.Files != nil {
		opts = append(opts, lang.WithLoader("./", func(ctx context.Context, name string) ([]byte, error) {
			readsFiles(ctx)
			return readModule(o.Files, name)
		}))
	}
	host, err := lang.New(opts...)
	if err != nil {
		return nil, err
	}
	e := &Engine{host: host, options: o, inForce: o.Limits, programs: newPrograms()}
	e.inForce.Run = host.NewSession().Limits()
	return e, nil
}

// mostModuleBytes bounds what is read of a module; the limits of the host, which are
// lower, say so to the author.
const mostModuleBytes = 16 << 20

func readModule(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if about, err := f.Stat(); err != nil || !about.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return io.ReadAll(io.LimitReader(f, mostModuleBytes))
}

// An InvalidError says that the parameters of a call make no sense.
type InvalidError struct{ Message string }

// Error returns the message.
func (e *InvalidError) Error() string { return e.Message }

func invalid(format string, args ...any) error {
	return &InvalidError{fmt.Sprintf(format, args...)}
}

// Bounds are what a call may spend.
type Bounds struct {
	Limits  map[string]int64 `json:"limits,omitempty" jsonschema:"what this call may spend instead of the defaults, by the names that usage has: steps, work, cells, bytes and so on; -1 is no limit"`
	Timeout float64          `json:"timeout,omitempty" jsonschema:"milliseconds until the call ends by itself; 0 is the default of the server"`
}

// context returns the context of a call with its deadline.
func (e *Engine) context(ctx context.Context, timeout float64) (context.Context, context.CancelFunc, error) {
	const longest = float64(math.MaxInt64 / int64(time.Millisecond))
	switch {
	case timeout < 0 || timeout > longest:
		return nil, nil, invalid("timeout: got %v, want milliseconds above 0, or 0 for the default", timeout)
	case timeout > 0:
		ctx, cancel := context.WithTimeout(ctx, time.Duration(timeout*float64(time.Millisecond)))
		return ctx, cancel, nil
	case e.options.Timeout > 0:
		ctx, cancel := context.WithTimeout(ctx, e.options.Timeout)
		return ctx, cancel, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	return ctx, cancel, nil
}

// settings returns the limits of a call; those that it does not name are zero.
func settings(byName map[string]int64) (limits.Settings, error) {
	var s limits.Settings
	for name, n := range byName {
		l, err := limits.Find(strings.ReplaceAll(name, "_", "-"))
		if err != nil {
			return s, invalid("limits: there is no limit %q%s", name, suggest.DidYouMean(nearLimit(name)))
		}
		if n != lang.Unlimited && n < 1 {
			return s, invalid("limits: %s: got %d, want a whole number above 0, or -1 for none", name, n)
		}
		*l.Of(&s) = n
	}
	return s, nil
}

func nearLimit(name string) string {
	var names []string
	for _, l := range limits.All() {
		names = append(names, memberName(l.Name))
	}
	return suggest.Among(name, names)
}

// memberName is the name of a limit as JSON has it.
func memberName(limit string) string { return strings.ReplaceAll(limit, "-", "_") }
