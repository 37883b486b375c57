// What a rendering may take. All that it writes passes one writer, which counts
// the bytes and looks at the context; what takes long without writing looks by
// itself, and refuses a text that could not be written. Where the rendering has
// to end it leaves by a panic of its own, which flushed makes an error: however
// deep it is then, it has nothing left to do.

package report

import (
	"bufio"
	"fmt"
	"io"
	"iter"

	"dicescript/dist/upper"
	"dicescript/lang"
)

// DefaultLimit is how many bytes a rendering may have when its options do not
// say: 16 MiB.
const DefaultLimit = 16 << 20

// A LimitError ends a rendering that would be longer than it may be. What has
// been written before is within the limit.
type LimitError struct {
	Limit int64 // bytes
}

// Error says what to do about it.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the report would be longer than %s bytes, the limit of a report: put out less, or fold long tables", upper.Grouped(e.Limit))
}

// limit is how many bytes a rendering may have; below 0 any number.
func (o Options) limit() int64 {
	switch {
	case o.Limit == 0:
		return DefaultLimit
	case o.Limit < 0:
		return lang.Unlimited
	}
	return o.Limit
}

// stop is the panic that ends a rendering.
type stop struct{ why error }

// flushed runs write on a buffer over w. Nothing that write does after a failed
// write is heard of, so it may leave errors of the buffer to it.
func flushed(w io.Writer, o Options, write func(*bufio.Writer) error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stop:
			err = p.why
		default:
			panic(p)
		}
	}()
	b := bufio.NewWriter(&bounded{o: o, w: w})
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return o.stopped()
}

// bounded writes as long as the context lasts, no more than the limit, and no
// longer than anyone reads.
type bounded struct {
	o       Options
	w       io.Writer
	written int64
}

func (b *bounded) Write(p []byte) (int, error) {
	b.o.look()
	b.written += int64(len(p))
	b.o.fits(b.written)
	n, err := b.w.Write(p)
	if err != nil {
		panic(stop{err})
	}
	return n, nil
}

// fits ends the rendering when it holds, in one piece, more than it may write.
func (o Options) fits(bytes int64) {
	if l := o.limit(); l >= 0 && bytes > l {
		panic(stop{&LimitError{Limit: l}})
	}
}

// stopped is the error of the context when it is done.
func (o Options) stopped() error {
	if o.ctx == nil {
		return nil
	}
	return o.ctx.Err()
}

// look ends the rendering when its context is done.
func (o Options) look() {
	if err := o.stopped(); err != nil {
		panic(stop{err})
	}
}

// watched yields what seq does, and looks at the context before each: a row may
// hold numbers of thousands of digits.
func watched[K, V any](o Options, seq iter.Seq2[K, V]) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range seq {
			o.look()
			if !yield(k, v) {
				return
			}
		}
	}
}
