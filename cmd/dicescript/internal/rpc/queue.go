package rpc

import (
	"context"
	"sync"
)

// What may wait at most. A client that sends more is not read until there is room, so
// that pipelined calls are slowed down and never lost.
const (
	mostWaiting      = 256
	mostWaitingBytes = 32 << 20
)

// A call is a request that waits or is being answered.
type call struct {
	request
	ctx    context.Context
	cancel context.CancelFunc
}

func (c *call) bytes() int { return len(c.Params) + len(c.ID) }

// A queue holds the calls that wait, in their order.
type queue struct {
	mu     sync.Mutex
	moved  sync.Cond
	calls  []*call
	bytes  int
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.moved.L = &q.mu
	return q
}

// push adds a call when there is room; it is false when the queue is closed.
func (q *queue) push(c *call) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && (len(q.calls) >= mostWaiting || len(q.calls) > 0 && q.bytes+c.bytes() > mostWaitingBytes) {
		q.moved.Wait()
	}
	if q.closed {
		return false
	}
	q.calls = append(q.calls, c)
	q.bytes += c.bytes()
	q.moved.Broadcast()
	return true
}

// pop takes the call that has waited longest; it is nil when the queue is closed and
// empty.
func (q *queue) pop() *call {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.calls) == 0 {
		if q.closed {
			return nil
		}
		q.moved.Wait()
	}
	c := q.calls[0]
	q.calls[0] = nil
	q.calls = q.calls[1:]
	q.bytes -= c.bytes()
	q.moved.Broadcast()
	return c
}

// close lets no more calls in.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.moved.Broadcast()
}
