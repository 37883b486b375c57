package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"dicescript/lang"
)

// A tier is what a client may use: how much a run may spend, how many requests of one
// client may be under way at once, and how many may come over time. Every instance counts
// by itself.

type tier struct {
	Name      string      `json:"-"`
	Limits    lang.Limits `json:"limits"`  // of a run, by the names that messages use; those left out have their defaults
	Timeout   duration    `json:"timeout"` // of a run, "2s"
	AtOnce    int         `json:"at_once"`
	PerMinute int         `json:"per_minute,omitempty"` // requests of a client in the long run; 0 is any number
}

// burst is how many requests may come at once after a while without any: what ten seconds
// earn, and never less than may be under way.
func (t tier) burst() float64 { return max(float64(t.AtOnce), float64(t.PerMinute)/6) }

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
		Timeout:   duration(2 * time.Second),
		AtOnce:    16,
		PerMinute: 600,
	}
}

// clients are who may use the service, by their keys.
type clients struct {
	Tiers map[string]tier   `json:"tiers"`
	Keys  map[string]string `json:"keys"` // key to tier

	behindProxy bool

	now func() time.Time

	mu    sync.Mutex
	known map[string]*client
	swept time.Time
}

// readClients reads the tiers of a file; without one, there is only the anonymous one.
func readClients(file string, behindProxy bool) (*clients, error) {
	c := &clients{Tiers: map[string]tier{}, behindProxy: behindProxy, now: time.Now, known: map[string]*client{}}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := strict(text, c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if _, ok := c.Tiers[anonymous]; !ok {
		c.Tiers[anonymous] = defaultTier()
	}
	for name, t := range c.Tiers {
		if t.Timeout <= 0 || t.AtOnce <= 0 || t.PerMinute < 0 {
			return nil, fmt.Errorf("%s: tier %s: want a timeout and at_once above 0, and per_minute not below", file, name)
		}
		if field, n := t.Limits.Below(lang.Unlimited); field != "" {
			return nil, fmt.Errorf("%s: tier %s: limits: %s: got %d, want a limit, 0 for the default or -1 for none", file, name, field, n)
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
	errFast       = errors.New("too many requests of this client in a short time")
)

// A client is what one may be held to: it has the tier of its key, or is an address.
type client struct {
	under int       // requests under way
	spent float64   // requests of its rate that it has used, as of the time
	at    time.Time // of spent
}

// settle gives back what the time that has passed has earned.
func (c *client) settle(t tier, now time.Time) {
	c.spent = max(0, c.spent-now.Sub(c.at).Minutes()*float64(t.PerMinute))
	c.at = now
}

// enter lets a request in. Whoever is let in leaves in the end. Whoever is not may try
// again after a time.
func (c *clients) enter(r *http.Request) (t tier, leave func(), after time.Duration, err error) {
	who, name := "address "+c.address(r), anonymous
	if key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if name, ok = c.Keys[key]; !ok {
			return tier{}, nil, 0, errUnknownKey
		}
		who = "key " + key
	}
	t = c.Tiers[name]
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	c.sweep(now)
	own := c.known[who]
	if own == nil {
		own = &client{at: now}
		c.known[who] = own
	}
	own.settle(t, now)
	if own.under >= t.AtOnce {
		return t, nil, time.Second, errGreedy
	}
	if over := own.spent + 1 - t.burst(); t.PerMinute > 0 && over > 0 {
		return t, nil, time.Duration(over * float64(time.Minute) / float64(t.PerMinute)), errFast
	}
	own.under++
	own.spent++
	return t, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		own.under--
	}, 0, nil
}

// sweepEvery is how often clients are forgotten that have nothing to be remembered for: a
// minute after its last request a client has its whole rate again.
const sweepEvery = time.Minute

func (c *clients) sweep(now time.Time) {
	if now.Sub(c.swept) < sweepEvery {
		return
	}
	c.swept = now
	for who, own := range c.known {
		if own.under == 0 && now.Sub(own.at) >= sweepEvery {
			delete(c.known, who)
		}
	}
}

// address is where a request comes from. Behind a proxy, which all requests come
// through, it is what the proxy has added last. Of IPv6, a client has all addresses of
// its network, which is a /64.
func (c *clients) address(r *http.Request) string {
	from := r.RemoteAddr
	if host, _, err := net.SplitHostPort(from); err == nil {
		from = host
	}
	if c.behindProxy {
		forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if last := strings.TrimSpace(forwarded[len(forwarded)-1]); last != "" {
			from = last
		}
	}
	return network(from)
}

// network is what stands for an address: an address of IPv4, or a network of IPv6.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return cut(address)
	}
	if a = a.WithZone("").Unmap(); a.Is4() {
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}
