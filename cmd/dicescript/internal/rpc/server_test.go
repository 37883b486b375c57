package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"dicescript/cmd/dicescript/internal/door"
	"dicescript/cmd/dicescript/internal/limits"
	"dicescript/lang"
)

// quick are options under which what never ends soon does.
func quick() door.Options {
	return door.Options{Limits: limits.Patient(), Timeout: time.Minute}
}

// endless is a recipe that goes on until it is stopped.
const endless = `def f():\n  n = 0\n  while n < 1000000000000:\n    n += 1\n  return n\noutput(\"first\", d6)\noutput(\"n\", f())`

func TestCalls(t *testing.T) {
	c := start(t, quick())
	for _, x := range []struct{ method, params, want string }{
		{"eval", `{"expression": "2d6 >= 10"}`, `"exact": "1/6"`},
		{"eval", `{"expression": "d6", "fractions": "weights"}`, `"total": "6"`},
		{"eval", `{"expression": "d6", "fractions": "none"}`, `{"outcome": 1, "value": 0.16666666666666666}`},
		{"eval", `{"expression": "\"a\\nb\""}`, `"text": "a\nb"`},
		{"eval", `{"expression": "foo"}`, `"error": {"kind": "name", "message": "undefined: foo"`},
		{"eval", `{"expression": "1 +"}`, `"kind": "syntax"`},
		{"run", `{"source": "b = param('bonus', 1)\noutput('x', b)", "inputs": {"bonus": 7}}`, `"exact": "7"`},
		{"run", `{"source": "b = param('bonus', 1)\noutput('x', b)", "inputs": {"bonus": 12345678901234567890123}}`, `"exact": "12345678901234567890123"`},
		{"run", `{"source": "b = param('bonus', 1)\noutput('x', b)", "inputs": {"bonus": "a"}}`, `"kind": "input"`},
		{"run", `{"source": "b = param('bonus', 1)\noutput('x', b)", "inputs": {"bonus": [1]}}`, `"kind": "input"`},
		{"run", `{"source": "output('x', d6)", "inputs": {"bonus": 1}}`, `the recipe has no input`},
		{"run", `{"source": "output 1 named \"a\"", "name": "a.anydice"}`, `"title": "a"`},
		{"run", `{"source": "output('a', d6)\nfail('b')"}`, `"title": "a"`},
		{"run", `{"source": "x = 1\ny = ", "name": "two.star"}`, `"file": "two.star", "line": 2`},
		{"run", `{"source": "def f():\n  fail('b')\nf()"}`, `{"function": "f", "file": "recipe.star", "line": 2`},
		{"compile", `{"source": "b = param('bonus', 1, help='h', min=0, max=5)\nc = param('c', 'x', choices=['x', 'y'])"}`,
			`"params":[{"name":"bonus","type":"int","default":1,"help":"h","min":0,"max":5,"line":1},{"name":"c","type":"string","default":"x","choices":["x","y"],"line":2}]`},
		{"compile", `{"source": "x = ("}`, `"params":[],"error":{"kind":"syntax"`},
		{"compile", `{"source": "x = a\ny = b"}`, `"errors":[{"kind":"name","message":"undefined: a"`},
		{"params", `{"source": "b = param('bonus', 1)"}`, `{"params":[{"name":"bonus","type":"int","default":1,"line":1}]}`},
		{"check", `{"source": "x = lenn([])"}`, `"fixes":[{"range":{"line":1,"column":5,"end_line":1,"end_column":9},"text":"len"}]`},
		{"check", `{"source": "output(1, d6)\n"}`, `{"diagnostics":[]}`},
		{"complete", `{"source": "x = dice_p", "line": 1, "column": 11}`, `"text":"dice_pool"`},
		{"complete", `{"source": "x = 'a", "line": 9, "column": 99}`, `"items":[`},
		{"doc", `{"name": "keep_highest"}`, `The total of the highest of several equal dice.`},
		{"doc", `{}`, `Making dice and rolls`},
		{"doc", `{"name": "keep_highst"}`, `did you mean keep_highest?`},
		{"throw", `{"expression": "4d6kh3 + 2", "seed": 5}`, `"result":11`},
		{"throw", `{"expression": "4d6kh3 + 2", "seed": 5}`, `"at_least":{"exact":"145/162"`},
		{"throw", `{"expression": "d(6) >= 3", "seed": 1}`, `"result":true,"chance":{"exactly":{"exact":"2/3"`},
		{"throw", `{"expression": "versus(d6, d6)", "seed": 1}`, `"result":"`},
		{"throw", `{"expression": "[1]"}`, `"kind":"input","message":"there is nothing to throw`},
		{"throw", `{"expression": "4d6kx"}`, `"kind":"syntax"`},
	} {
		r := c.ask(x.method, x.params)
		if r.Error != nil || !strings.Contains(string(r.Result), x.want) {
			t.Errorf("%s %s\n got %s %v\nwant %s", x.method, x.params, r.Result, r.Error, x.want)
		}
	}
}

func TestInvalidCalls(t *testing.T) {
	c := start(t, quick())
	for _, x := range []struct {
		line string
		code int
		want string
	}{
		{`junk`, codeParse, "not JSON"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6"`, codeParse, "not JSON"},
		{`[]`, codeRequest, "batch"},
		{`[{"jsonrpc":"2.0","id":1,"method":"eval"}]`, codeRequest, "batch"},
		{`17`, codeRequest, "an object"},
		{`{"jsonrpc":"2.0","id":null,"method":"eval"}`, codeRequest, "id"},
		{`{"jsonrpc":"2.0","id":{},"method":"eval"}`, codeRequest, "id"},
		{`{"id":1,"method":"eval"}`, codeRequest, "2.0"},
		{`{"jsonrpc":"2.0","id":1}`, codeRequest, "method"},
		{`{"jsonrpc":"2.0","id":1,"method":7}`, codeRequest, "method"},
		{`{"jsonrpc":"2.0","id":1,"method":"evl"}`, codeMethod, "did you mean eval?"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":["d6"]}`, codeParams, "an object"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval"}`, codeParams, "expression"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expresion":"d6"}}`, codeParams, "did you mean expression?"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":6}}`, codeParams, "params: expression: got a number"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6","timeout":-1}}`, codeParams, "timeout"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6","timeout":"1s"}}`, codeParams, "params: timeout: got a string"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6","timeout":1e300}}`, codeParams, "timeout"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6","limits":{"stepz":1}}}`, codeParams, "did you mean steps?"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6","limits":{"steps":-2}}}`, codeParams, "-1 for none"},
		{`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6","fractions":"all"}}`, codeParams, "fractions"},
		{`{"jsonrpc":"2.0","id":1,"method":"run","params":{}}`, codeParams, "either source or program"},
		{`{"jsonrpc":"2.0","id":1,"method":"run","params":{"program":"ab"}}`, codeUnknownProgram, "compile the source again"},
		{`{"jsonrpc":"2.0","id":1,"method":"complete","params":{"source":"","line":0,"column":1}}`, codeParams, "from 1"},
		{`{"jsonrpc":"2.0","id":1,"method":"cancel","params":{}}`, codeParams, "id"},
	} {
		c.send(x.line + "\n")
		r := c.next()
		if r.Error == nil || r.Error.Code != x.code || !strings.Contains(r.Error.Message, x.want) {
			t.Errorf("%s\n got %+v, want %d ... %s", x.line, r.Error, x.code, x.want)
		}
	}
	// Notifications have no answers, valid or not.
	c.send(`{"jsonrpc":"2.0","method":"eval","params":{"expression":"d6"}}` + "\n" + `{"jsonrpc":"2.0","method":"nothing"}` + "\n")
	if r := c.ask("eval", `{"expression":"d4"}`); r.ID != 1.0 || r.Error != nil {
		t.Errorf("after notifications: %+v", r)
	}
}

// What is no message ends nothing: half a line, a megabyte of junk, a line without end.
func TestJunk(t *testing.T) {
	good := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"eval","params":{"expression":"d6"}}`, id)
	}
	input := strings.Repeat("junk\x00\xff", 200_000) + "\n" + good(1) + "\n" +
		strings.Repeat("[", 1<<20) + "\n" + good(2) + "\r\n\n  \n" +
		`{"jsonrpc":"2.0","id":9,"method":"eval","params":{"expression":"` + strings.Repeat("x", mostLineBytes) + "\"}}\n" + good(3) + "\n" +
		good(4)[:40] + "\n" + good(5) // the last line has no end
	byID, others, code := all(t, quick(), input)
	if code != 0 || len(byID) != 4 || len(others) != 4 {
		t.Fatalf("exit code %d, %d answers, %d others", code, len(byID), len(others))
	}
	for id, r := range byID {
		if r.Error != nil {
			t.Errorf("%v: %+v", id, r.Error)
		}
	}
	for _, r := range others {
		if r.Error == nil || r.Error.Code != codeParse && r.Error.Code != codeRequest {
			t.Errorf("%+v", r)
		}
	}
}

// A client may send any number of calls before it reads an answer, so long as it reads
// them in the end.
func TestPipelined(t *testing.T) {
	const calls = 3000
	c := start(t, quick())
	go func() {
		for i := range calls {
			fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":%d,"method":"eval","params":{"expression":"d%d"}}`+"\n", i, i%50+1)
		}
		c.in.Close()
	}()
	seen := map[int]bool{}
	for range calls {
		r := c.next()
		i := int(r.ID.(float64))
		if want := fmt.Sprintf(`"title": "d%d"`, i%50+1); seen[i] || !strings.Contains(string(r.Result), want) {
			t.Fatalf("call %d: %s, want %s", i, r.Result, want)
		}
		seen[i] = true
	}
	if code := <-c.exit; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestDeadlineAndLimits(t *testing.T) {
	c := start(t, quick())
	c.send(`{"jsonrpc":"2.0","id":1,"method":"run","params":{"source":"` + endless + `","timeout":50}}` + "\n")
	r := c.next()
	if s := string(r.Result); !strings.Contains(s, `"kind": "deadline"`) || !strings.Contains(s, `"title": "first"`) {
		t.Errorf("%s", s)
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"run","params":{"source":"` + endless + `","limits":{"steps":1000}}}` + "\n")
	if s := string(c.next().Result); !strings.Contains(s, `"kind": "limit"`) || !strings.Contains(s, `raise it with limits: {\"steps\": 2000}`) {
		t.Errorf("%s", s)
	}
	r = c.ask("eval", `{"expression": "200d200", "limits": {"report": 1000}}`)
	if s := string(r.Result); !strings.Contains(s, `"kind": "limit"`) || !strings.Contains(s, `"outputs": []`) {
		t.Errorf("%s", s)
	}
}

func TestCancel(t *testing.T) {
	c := start(t, quick())
	begun := strings.Replace(endless, `output(\"n\"`, `print(1)\noutput(\"n\"`, 1) // says that it goes on
	call := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"run","params":{"source":"` + begun + `"}}` + "\n"
	}
	c.send(call("1"))
	if r := c.next(); r.Method != "print" {
		t.Fatalf("want a print first, got %+v", r)
	}
	c.send(call("1")) // an id that is taken
	if r := c.next(); r.Error == nil || r.Error.Code != codeRequest {
		t.Fatalf("a second call with an id: %+v", r)
	}
	c.send(`{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}` + "\n")
	if r := c.next(); r.ID != 1.0 || !strings.Contains(string(r.Result), `"kind": "cancelled"`) || !strings.Contains(string(r.Result), `"title": "first"`) {
		t.Fatalf("%s", r.Result)
	}
	c.send(`{"jsonrpc":"2.0","id":"c","method":"cancel","params":{"id":1}}` + "\n")
	if r := c.next(); r.ID != "c" || string(r.Result) != `{"cancelled":false}` {
		t.Fatalf("%+v", r)
	}
	// Calls that wait are cancelled too.
	const many = 20
	for i := range many {
		c.send(call(fmt.Sprintf(`"w%d"`, i)))
	}
	for i := range many {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"cancel","params":{"id":"w%d"}}`+"\n", i))
	}
	for left := many; left > 0; {
		if r := c.next(); r.Method == "" {
			left--
			if !strings.Contains(string(r.Result), `"kind": "cancelled"`) {
				t.Fatalf("%+v", r)
			}
		}
	}
}

func TestPrint(t *testing.T) {
	c := start(t, quick())
	r := c.ask("run", `{"source": "print('a', 1)\noutput('x', d6)"}`)
	if r.Method != "print" || string(r.Params) != `{"id":1,"text":"a 1"}` {
		t.Errorf("%+v", r)
	}
	if r := c.next(); r.ID != 1.0 {
		t.Errorf("%+v", r)
	}
}

// A program is compiled once and run by its handle; the one that was used longest ago is
// dropped.
func TestPrograms(t *testing.T) {
	c := start(t, quick())
	handle := func(source string) string {
		var got door.Compiled
		r := c.ask("compile", `{"source": `+quoted(source)+`}`)
		if err := json.Unmarshal(r.Result, &got); err != nil || got.Program == "" {
			t.Fatalf("%s %v", r.Result, err)
		}
		return got.Program
	}
	first := handle("output('x', d6)")
	if again := handle("output('x', d6)"); again != first {
		t.Errorf("the same source has the handles %s and %s", first, again)
	}
	run := `{"program": "` + first + `"}`
	if r := c.ask("run", run); !strings.Contains(string(r.Result), `"title": "x"`) {
		t.Errorf("%s", r.Result)
	}
	for i := range 300 {
		handle(fmt.Sprintf("output('x', %d)", i))
	}
	if r := c.ask("run", run); r.Error == nil || r.Error.Code != codeUnknownProgram {
		t.Errorf("%+v", r)
	}
}

// Modules come from the folder that the server was given, as they are at that time.
func TestModules(t *testing.T) {
	files := fstest.MapFS{"house.star": {Data: []byte("def bonus():\n  return 3\n")}}
	o := quick()
	o.Files = files
	c := start(t, o)
	run := `{"source": "load('./house.star', 'bonus')\noutput('x', bonus())"}`
	if r := c.ask("run", run); !strings.Contains(string(r.Result), `"exact": "3"`) {
		t.Errorf("%s", r.Result)
	}
	files["house.star"] = &fstest.MapFile{Data: []byte("def bonus():\n  return 4\n")}
	if r := c.ask("run", run); !strings.Contains(string(r.Result), `"exact": "4"`) {
		t.Errorf("a module that was saved anew is not read: %s", r.Result)
	}
	if r := c.ask("run", `{"source": "load('./none.star', 'bonus')"}`); !strings.Contains(string(r.Result), `"kind": "module"`) {
		t.Errorf("%s", r.Result)
	}
	if r := start(t, quick()).ask("run", run); !strings.Contains(string(r.Result), `"kind": "module"`) {
		t.Errorf("without a folder: %s", r.Result)
	}
}

// A client that is gone ends the server, whatever is being computed for it.
func TestClientGone(t *testing.T) {
	gone := func(ctx context.Context) {}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"run","params":{"source":"` + endless + `"}}` + "\n")
	began := time.Now()
	if code := Serve(context.Background(), quick(), in, io.Discard, io.Discard, gone); code != 1 {
		t.Errorf("exit code %d", code)
	}
	// And one whose end is seen when it is written to.
	lines := strings.Repeat(`{"jsonrpc":"2.0","id":2,"method":"eval","params":{"expression":"d6"}}`+"\n", 3) +
		`{"jsonrpc":"2.0","id":1,"method":"run","params":{"source":"` + endless + `"}}` + "\n"
	if code := Serve(context.Background(), quick(), strings.NewReader(lines), failing{}, io.Discard, nil); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

// Whatever comes in, every call is answered once.
func FuzzServe(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"d6"}}`))
	f.Add([]byte("{\n}\n[1]\n\"a\"\nnull\n{\"jsonrpc\":\"2.0\",\"id\":-0.5e3,\"method\":\"doc\"}\n{\"id\":\"\\ud800\"}"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"complete","params":{"source":"a.","line":1,"column":3}}`))
	f.Fuzz(func(t *testing.T, input []byte) {
		o := door.Options{Timeout: time.Second, Limits: limits.Settings{Run: lang.Limits{Steps: 10_000, Work: 100_000, Cells: 10_000}}}
		var out safeBuffer
		if code := Serve(context.Background(), o, bytes.NewReader(input), &out, io.Discard, nil); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		for line := range bytes.Lines(out.b.Bytes()) {
			if !json.Valid(line) || line[len(line)-1] != '\n' {
				t.Fatalf("%q", line)
			}
		}
	})
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
