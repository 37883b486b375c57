package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// mostLineBytes is how long a message may be.
const mostLineBytes = 8 << 20

// errLong says that a line was longer. It has been passed over.
var errLong = errors.New("the line is too long")

// lines reads lines, of which each is in memory once and no longer than may be.
type lines struct{ r *bufio.Reader }

// next returns the next line without its end and the spaces around it. The last one may
// have no end. What is too long is an error, and the one after it can be read.
func (l lines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if len(line)+len(part) > mostLineBytes {
			return nil, l.skip(err)
		}
		line = append(line, part...)
		switch {
		case err == nil || err == io.EOF && len(bytes.TrimSpace(line)) > 0:
			return bytes.TrimSpace(line), nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// skip passes over the rest of a line.
func (l lines) skip(err error) error {
	for err == bufio.ErrBufferFull {
		_, err = l.r.ReadSlice('\n')
	}
	return errLong
}
