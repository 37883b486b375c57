package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"dicescript/lang"
)

// A tier is what a client may use: how much a run may spend, and how many requests
// of one client may be under way at once.

type tier struct {
	Name    string      `json:"-"`
	Limits  lang.Limits `json:"limits"`  // of a run; fields that are left out are those of lang.Limits
	Timeout duration    `json:"timeout"` // of a run, "2s"
	AtOnce  int         `json:"at_once"`
}

// A duration is written as "2s".
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// anonymous is the tier of clients without a key.
const anonymous = "anonymous"

// defaultTier is tight: everybody may ask. A recipe that meets its limits has taken
// about half a second.
func defaultTier() tier {
	return tier{
		Name: anonymous,
		Limits: lang.Limits{
			Steps: 5_000_000, Work: 500_000_000, Cells: 10_000_000, Bytes: 64 << 20,
		},
		Timeout: duration(2 * time.Second),
		AtOnce:  16,
	}
}

// clients are who may use the service, by their keys.
type clients struct {
	Tiers map[string]tier   `json:"tiers"`
	Keys  map[string]string `json:"keys"` // key to tier

	behindProxy bool

	mu    sync.Mutex
	under map[string]int // requests under way, by client
}

// readClients reads the tiers of a file; without one, there is only the anonymous one.
func readClients(file string, behindProxy bool) (*clients, error) {
	c := &clients{Tiers: map[string]tier{}, behindProxy: behindProxy, under: map[string]int{}}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if _, ok := c.Tiers[anonymous]; !ok {
		c.Tiers[anonymous] = defaultTier()
	}
	for name, t := range c.Tiers {
		if t.Timeout <= 0 || t.AtOnce <= 0 {
			return nil, fmt.Errorf("%s: tier %s: want a timeout and at_once above 0", file, name)
		}
		t.Name = name
		c.Tiers[name] = t
	}
	for _, name := range c.Keys {
		if _, ok := c.Tiers[name]; !ok {
			return nil, fmt.Errorf("%s: a key has the tier %s, which is none", file, name)
		}
	}
	return c, nil
}

var (
	errUnknownKey = errors.New("the key is not known")
	errGreedy     = errors.New("too many requests of this client at once")
)

// enter lets a request in. Whoever is let in leaves in the end.
func (c *clients) enter(r *http.Request) (t tier, leave func(), err error) {
	client, name := "address "+c.address(r), anonymous
	if key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if name, ok = c.Keys[key]; !ok {
			return tier{}, nil, errUnknownKey
		}
		client = "key " + key
	}
	t = c.Tiers[name]
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.under[client] >= t.AtOnce {
		return t, nil, errGreedy
	}
	c.under[client]++
	return t, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.under[client]--; c.under[client] == 0 {
			delete(c.under, client)
		}
	}, nil
}

// address is where a request comes from. Behind a proxy, which all requests come
// through, it is what the proxy has added last.
func (c *clients) address(r *http.Request) string {
	if c.behindProxy {
		forwarded := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
		if last := strings.TrimSpace(forwarded[len(forwarded)-1]); last != "" {
			return last
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
