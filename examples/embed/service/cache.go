package main

import (
	"container/list"

	"dicescript/lang"
)

// A cache keeps the programs that were used last. It is bounded by their number and
// by the length of their texts, to which what they take is in proportion. A worker
// runs one job at a time, so it needs no lock.

const (
	cachedPrograms = 256
	cachedBytes    = 512 << 10
)

type cacheKey struct{ name, recipe string }

func (k cacheKey) size() int { return len(k.name) + len(k.recipe) }

type cache struct {
	programs, bytes int // at most
	used            int // bytes
	order           *list.List
	entries         map[cacheKey]*list.Element
}

type cacheEntry struct {
	key     cacheKey
	program *lang.Program
}

func newCache(programs, bytes int) *cache {
	return &cache{programs: programs, bytes: bytes, order: list.New(), entries: map[cacheKey]*list.Element{}}
}

func (c *cache) get(key cacheKey) (*lang.Program, bool) {
	e, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cacheEntry).program, true
}

func (c *cache) put(key cacheKey, p *lang.Program) {
	if _, ok := c.entries[key]; ok || key.size() > c.bytes {
		return
	}
	c.entries[key] = c.order.PushFront(cacheEntry{key, p})
	c.used += key.size()
	for c.used > c.bytes || len(c.entries) > c.programs {
		oldest := c.order.Remove(c.order.Back()).(cacheEntry).key
		delete(c.entries, oldest)
		c.used -= oldest.size()
	}
}
