package lang_test

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"dicescript/lang"
)

// evaluated evaluates inputs of a session that have to succeed.
func evaluated(t testing.TB, s *lang.Session, inputs ...string) {
	t.Helper()
	for _, src := range inputs {
		if _, err := s.Eval(t.Context(), src); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
	}
}

// live is the memory of the process that is in use.
func live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A repeated definition keeps nothing of the one before it.
func TestSessionForgetsWhatIsDefinedAgain(t *testing.T) {
	s := newHost(t).NewSession()
	again := []string{
		"def f(n):\n    return n + 1\n", "g = lambda x: f(x) * 2", "l = list(range(1000))", "r = 20d6.sum()",
		"load(\"rolemaster.star\", \"open_ended\")", "g(3)",
	}
	evaluated(t, s, again...)
	once := s.Size()
	for range 100 {
		evaluated(t, s, again...)
	}
	if now := s.Size(); now != once {
		t.Errorf("%d bytes after the first time, %d after the last", once, now)
	}
	if got := number(t, s, "g(4) + len(l)"); got != "1010" {
		t.Errorf("got %s", got)
	}
	evaluated(t, s, "f = None; g = None; l = None; r = None; open_ended = None")
	if now := s.Size(); now >= once {
		t.Errorf("%d bytes with all, %d without", once, now)
	}
}

// What something reaches is counted, by whatever way it is reached, and once.
func TestSessionSizeFindsWhatIsHeld(t *testing.T) {
	const big = "list(range(100_000))"
	for _, hold := range []string{
		"x = %s", "x = {1: (%s,)}", "x = [[%s]] * 1000", "x = lambda y=%s: y",
		"def f(l):\n    return lambda: l\nx = f(%s)", "x = %s.append", "x = deck([1, 2]), %s",
		"if True:\n    big = %s\n    def x():\n        return big\nx2 = x", "x = [%s, None]\nx[1] = x",
	} {
		s := newHost(t).NewSession()
		was := s.Size()
		evaluated(t, s, strings.ReplaceAll(strings.Replace(hold, "%s", big, 1), "_000", "000"))
		if grown := s.Size() - was; grown < 1_600_000 || grown > 2_200_000 {
			t.Errorf("%s: %d bytes", hold, grown)
		}
		evaluated(t, s, "x = None; x2 = None; f = None; big = None")
		if left := s.Size() - was; left > 20_000 {
			t.Errorf("%s: %d bytes are left", hold, left)
		}
	}
}

// A session holds no more than it may, whatever the inputs are, and goes on.
func TestSessionLimit(t *testing.T) {
	const most = 2 << 20
	s := newHost(t).NewSession(lang.WithRunLimits(lang.Limits{SessionBytes: most}))
	evaluated(t, s, "small = 7", "l = []")
	refused := 0
	for i := range 30 {
		_, err := s.Eval(t.Context(), fmt.Sprintf("x%d = 20d100 + %d\ny%d = list(range(20000))", i, i, i))
		if err != nil {
			refused++
			if !isLimit(err) || !strings.Contains(err.Error(), "bytes held by the session; the limit is 2 097 152; what was defined here is not kept") {
				t.Fatal(err)
			}
		}
		if now := s.Size(); now > most {
			t.Fatalf("%d bytes after %d inputs", now, i+1)
		}
	}
	if refused == 0 || refused == 30 {
		t.Errorf("%d inputs were refused", refused)
	}
	if got := number(t, s, "small + len(y0)"); got != "20007" {
		t.Errorf("got %s", got)
	}
	if _, err := s.Eval(t.Context(), "y29"); err == nil {
		t.Error("what was refused is there")
	}
	for i := range 30 { // room again
		evaluated(t, s, fmt.Sprintf("x%d = 0; y%d = 0", i, i))
	}
	evaluated(t, s, "x = list(range(100000))")
}

// What was added to a list of an earlier input can't be taken away again.
func TestSessionLimitOfLongerLists(t *testing.T) {
	s := newHost(t).NewSession(lang.WithRunLimits(lang.Limits{SessionBytes: 1 << 20}))
	evaluated(t, s, "a = 5", "l = [1]", "m = [l]", "n = l", "b = 4")
	_, err := s.Eval(t.Context(), "a = 6\nl.extend(list(range(100000)))")
	if err == nil || !isLimit(err) || !strings.Contains(err.Error(), "nor what was added to before: l, ") {
		t.Fatal(err)
	}
	if got := number(t, s, "a + b"); got != "9" {
		t.Errorf("a + b is %s", got)
	}
	if now := s.Size(); now > 1<<20 {
		t.Errorf("%d bytes", now)
	}
	for _, src := range []string{"l", "m", "n"} {
		if _, err := s.Eval(t.Context(), src); err == nil {
			t.Errorf("%s is there", src)
		}
	}
}

// What is counted is about what the process holds.
func TestSessionSizeIsThatOfTheProcess(t *testing.T) {
	if os.Getenv("DICESCRIPT_TESTS") != "all" {
		t.Skip("measures the memory of the process: DICESCRIPT_TESTS=all")
	}
	for _, src := range []string{
		"def f(n):\n    return n + 1",
		"def f(n):\n    x = n\n" + strings.Repeat("    x = x * 2 + max(x, 3)\n", 200) + "    return x",
		"f = lambda x: x + 1", "f = [1] * 1000", "f = [[i] for i in range(1000)]",
		"f = [str(i) + 'abcdefghijkl' for i in range(1000)]", "f = {i: (i, i) for i in range(1000)}",
		"f = []\nfor i in range(10000):\n    f.append(i * 1000000000)", "f = 100d20", "f = 200d100 + 0",
		"f = (50d6).sum().map(lambda x: 'a%d' % x)", "def g(i):\n    return lambda x: x + i\nf = [g(i) for i in range(1000)]",
		"f = deck(['c%d' % i for i in range(1000)])", "f = best_play(0, lambda s: s if s > 500 else {'a': d(6) + s})",
		"f = prob_table([('a%d' % i, d(6) >= 3) for i in range(1000)])",
	} {
		const n = 20
		s := newHost(t).NewSession()
		counted, used := s.Size(), live()
		for i := range n {
			evaluated(t, s, regexp.MustCompile(`\bf\b`).ReplaceAllString(src, fmt.Sprintf("f%d", i)))
		}
		counted, used = s.Size()-counted, live()-used
		if counted < used*2/3 || counted > used*3/2 {
			t.Errorf("%.60s: %d bytes are counted, %d are used", src, counted/n, used/n)
		}
		runtime.KeepAlive(s)
	}
}
