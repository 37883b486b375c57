package mcp

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"dicescript/cmd/dicescript/internal/door"
	"dicescript/cmd/dicescript/internal/limits"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "write the answers of the transcript anew")

// connect is a session of the official client with a server over two pipes.
func connect(t *testing.T) *mcp.ClientSession {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	exit := make(chan int, 1)
	o := door.Options{Limits: limits.Patient(), Timeout: time.Minute}
	go func() { exit <- Serve(context.Background(), "test", o, inR, outW, os.Stderr) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		inW.Close()
		select {
		case code := <-exit:
			if code != 0 {
				t.Errorf("exit code %d", code)
			}
		case <-time.After(30 * time.Second):
			t.Error("the server goes on when its client has left")
		}
	})
	return session
}

// call is the text of a tool, and whether it is an error.
func call(t *testing.T, s *mcp.ClientSession, tool, arguments string) (text string, isError bool) {
	t.Helper()
	var args map[string]any
	if err := json.Unmarshal([]byte(arguments), &args); err != nil {
		t.Fatal(err)
	}
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, r.IsError
}

// The transcript is testdata/transcript.txt: calls after "> ", what comes back below.
func TestTranscript(t *testing.T) {
	const file = "testdata/transcript.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t)
	var b strings.Builder
	for _, part := range strings.Split("\n"+string(text), "\n> ")[1:] {
		asked, _, _ := strings.Cut(part, "\n")
		tool, arguments, _ := strings.Cut(asked, " ")
		answer, isError := call(t, s, tool, arguments)
		mark := ""
		if isError {
			mark = "! "
		}
		fmt.Fprintf(&b, "> %s\n%s%s\n\n", asked, mark, strings.TrimRight(answer, "\n"))
	}
	got := strings.TrimRight(b.String(), "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(text) {
		t.Errorf("%s is not what comes back (-update writes it anew); got\n%s", file, got)
	}
}

func TestToolsAndResources(t *testing.T) {
	s := connect(t)
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		schema, _ := json.Marshal(tool.InputSchema)
		if tool.Description == "" || !strings.Contains(string(schema), `"description"`) {
			t.Errorf("%s is not described: %s", tool.Name, schema)
		}
	}
	if got := strings.Join(names, " "); got != "check doc odds run throw" {
		t.Errorf("the tools are %s", got)
	}
	kinds := map[string]int{}
	for r, err := range s.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(r.URI, "dicescript://"), "/")
		kinds[kind]++
		if r.Description == "" {
			t.Errorf("%s is not described", r.URI)
		}
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 || int64(len(got.Contents[0].Text)) != r.Size || r.Size == 0 {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
	if kinds["reference"] != 1 || kinds["notation"] != 1 || kinds["cookbook"] < 30 || kinds["modules"] < 20 {
		t.Errorf("the resources are %v", kinds)
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "dicescript://modules/../x"}); err == nil {
		t.Error("a resource that there is not can be read")
	}
	if s.InitializeResult().Instructions == "" {
		t.Error("there are no instructions")
	}
}

// What the instructions show can be computed.
func TestInstructions(t *testing.T) {
	s := connect(t)
	for _, expression := range []string{"4d6kh3 >= 15", "2d20kh1 + 5", "versus(3d6, 2d8)", "count(6d10, 8..)", "explode(d6, None).mean()"} {
		if !strings.Contains(instructions, expression) {
			t.Errorf("the instructions do not show %s", expression)
		}
		if text, isError := call(t, s, "odds", `{"expression": `+quoted(expression)+`}`); isError {
			t.Errorf("%s: %s", expression, text)
		}
	}
}

// A call that is cancelled ends, and the next one is answered.
func TestCancel(t *testing.T) {
	s := connect(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	source := "def f():\n  n = 0\n  while n < 1000000000000:\n    n += 1\nf()"
	for range 5 {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"source": source, "timeout": 600000, "limits": map[string]any{"steps": -1}}})
		if err == nil {
			t.Fatal("an endless recipe has ended")
		}
	}
	if text, isError := call(t, s, "odds", `{"expression": "d6 >= 3"}`); isError || !strings.Contains(text, "2/3") {
		t.Error(text)
	}
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
