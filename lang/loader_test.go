package lang_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"dicescript/lang"
)

// A database of modules that counts who asks.
type database struct {
	mu    sync.Mutex
	texts map[string]string
	asked int
}

func (d *database) load(ctx context.Context, name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	if name == "broken.star" {
		return nil, errDatabase
	}
	text, ok := d.texts[name]
	if !ok {
		return nil, fmt.Errorf("no row: %w", fs.ErrNotExist)
	}
	return []byte(text), ctx.Err()
}

func (d *database) set(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.texts[name] = text
}

var errDatabase = errors.New("the database is away")

func campaign() *database {
	return &database{texts: map[string]string{
		"house.star":     "load('./deep/base.star', 'base')\nload('coc7.star', 'levels')\ndef bonus():\n    return base() + 1\n",
		"deep/base.star": "def base():\n    return 10\n",
		"cycle.star":     "load('./cycle.star', 'x')\nx = 1\n",
		"wrong.star":     "x = nothing\n",
	}}
}

const standsOnCampaign = "load('campaign/house.star', 'bonus')\noutput('bonus', bonus())"

func TestWithLoader(t *testing.T) {
	db := campaign()
	h := newHost(t, lang.WithLoader("campaign/", db.load))
	run := func() string {
		t.Helper()
		r, err := compiled(t, h, standsOnCampaign).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return rat(t, r, "bonus")
	}
	old := compiled(t, h, standsOnCampaign)
	if got := run(); got != "11" {
		t.Errorf("got %s", got)
	}
	db.set("deep/base.star", "def base():\n    return 20\n")
	if got := run(); got != "21" {
		t.Errorf("after a change of what the module stands on: %s", got)
	}
	if got := rat(t, mustRunProgram(t, old), "bonus"); got != "11" {
		t.Errorf("a program that was compiled before: %s", got)
	}
	db.set("house.star", "def bonus():\n    return 3\n")
	if got := run(); got != "3" {
		t.Errorf("after a change of the module: %s", got)
	}
	s := h.NewSession()
	evaluated(t, s, "load('campaign/house.star', 'bonus')")
	db.set("house.star", "def bonus():\n    return 4\n")
	if err := s.Prompt().Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := number(t, s, "bonus()"); got != "4" {
		t.Errorf("a session that was refreshed: %s", got)
	}
}

func mustRunProgram(t *testing.T, p *lang.Program) *lang.Result {
	t.Helper()
	r, err := p.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWithLoaderErrors(t *testing.T) {
	h := newHost(t, lang.WithLoader("campaign", campaign().load))
	for _, c := range []struct{ name, want string }{
		{"campaign/gone.star", "there is no module campaign/gone.star"}, {"campaign/broken.star", "campaign/broken.star: can't be loaded: the database is away"},
		{"campaign/cycle.star", "loads itself"}, {"campaign/wrong.star", "undefined: nothing"}, {"campaign/../x.star", "there is no module"},
	} {
		_, err := h.Compile(t.Context(), "recipe.star", []byte("\nload('"+c.name+"', 'x')"))
		var e *lang.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) || e.Position.Line == 0 {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if broken := c.name == "campaign/broken.star"; errors.Is(err, errDatabase) != broken {
			t.Errorf("%s: its cause is %v", c.name, errors.Unwrap(e))
		}
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := h.Compile(ctx, "recipe.star", []byte(standsOnCampaign)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	for _, o := range []lang.Option{lang.WithLoader("x", nil), lang.WithLoader("../", campaign().load)} {
		if _, err := lang.New(o); err == nil {
			t.Error("no error")
		}
	}
	if _, err := lang.New(lang.WithLoader("x", campaign().load), lang.WithLoader("x/", campaign().load)); err == nil {
		t.Error("twice: no error")
	}
}

// What is wrong with a module is told each time, and not kept.
func TestLoaderMendsModule(t *testing.T) {
	db := campaign()
	h := newHost(t, lang.WithLoader("campaign", db.load))
	src := []byte("load('campaign/wrong.star', 'x')\noutput('x', x)")
	for range 2 {
		if _, err := h.Compile(t.Context(), "recipe.star", src); err == nil {
			t.Error("no error")
		}
	}
	db.set("wrong.star", "x = 7")
	if got := rat(t, mustRunProgram(t, compiled(t, h, string(src))), "x"); got != "7" {
		t.Errorf("got %s", got)
	}
}

// Compilations at once share modules, also while they change.
func TestLoaderConcurrently(t *testing.T) {
	db := campaign()
	h := newHost(t, lang.WithLoader("campaign", db.load))
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if i%4 == 0 {
				db.set("deep/base.star", fmt.Sprintf("def base():\n    return %d\n", i))
			}
			p, err := h.Compile(context.Background(), "recipe.star", []byte(standsOnCampaign))
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := p.Run(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// A program names what it stands on.
func TestProgramModules(t *testing.T) {
	db := campaign()
	h := newHost(t, lang.WithLoader("campaign", db.load))
	modules := func() map[string]string {
		byName := map[string]string{}
		var last string
		for _, m := range compiled(t, h, standsOnCampaign).Modules() {
			if m.Name <= last {
				t.Errorf("%s comes after %s", m.Name, last)
			}
			last = m.Name
			byName[m.Name] = m.Hash
		}
		return byName
	}
	before := modules()
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(db.texts["house.star"]))); before["campaign/house.star"] != want {
		t.Errorf("got %v, want %s", before, want)
	}
	if before["campaign/deep/base.star"] == "" || before["coc7.star"] == "" {
		t.Errorf("got %v", before)
	}
	db.set("deep/base.star", "def base():\n    return 11\n")
	after := modules()
	if after["campaign/deep/base.star"] == before["campaign/deep/base.star"] || after["campaign/house.star"] != before["campaign/house.star"] {
		t.Errorf("before %v, after %v", before, after)
	}
	if len(compiled(t, h, "output(1)").Modules()) != 0 {
		t.Error("a recipe without modules stands on some")
	}
}

// Modules come from a database, and a program says which ones it stands on.
func ExampleWithLoader() {
	rows := map[string]string{"house.star": "def crit(roll):\n    return roll == 20\n"}
	host, err := lang.New(lang.WithLoader("campaign/", func(_ context.Context, name string) ([]byte, error) {
		text, ok := rows[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(text), nil
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := host.Compile(context.Background(), "attack.star", []byte(`
load("campaign/house.star", "crit")
output("critical", crit(1d20))
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := program.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lang.Get[float64](result, "critical"))
	for _, m := range program.Modules() {
		fmt.Println(m.Name, m.Hash[:8])
	}
	// Output:
	// 0.05 <nil>
	// campaign/house.star cf3e4a6f
}

// A module is compiled again only when its text has changed.
func BenchmarkHost_loader(b *testing.B) {
	db := campaign()
	db.texts["house.star"] += strings.Repeat("def f(x):\n    return x + max(x, 3) * 2\n", 500)
	h, err := lang.New(lang.WithLoader("campaign", db.load))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := h.Compile(b.Context(), "recipe.star", []byte(standsOnCampaign)); err != nil {
			b.Fatal(err)
		}
	}
}
