package lsp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the answers in the transcripts anew")

// TestTranscripts holds the conversations of testdata/lsp. Each is a txtar archive of
// the files that are there and of the conversation: what the client says, after -->,
// and what the server says then, after <--. $ROOT is the folder of the files, $CACHE
// that for what is made of bundled modules. A line "and N" says that the message below
// it has N answers more than the one.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/lsp/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			n := len(archive.Files) - 1
			if archive.Files[n].Name != "conversation" {
				t.Fatal("the conversation comes last")
			}
			root := t.TempDir()
			t.Setenv("XDG_CACHE_HOME", filepath.Join(root, ".cache"))
			for _, f := range archive.Files[:n] {
				name := filepath.Join(root, f.Name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want := archive.Files[n].Data
			got := converse(t, root, string(want))
			switch {
			case bytes.Equal(got, want):
			case *update:
				archive.Files[n].Data = got
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// converse says what the client says in a conversation, and returns the conversation.
func converse(t *testing.T, root, text string) []byte {
	t.Helper()
	c := start(t)
	places := strings.NewReplacer("$ROOT", "file://"+root, "$CACHE", "file://"+filepath.Join(root, ".cache"))
	names := strings.NewReplacer("file://"+filepath.Join(root, ".cache"), "$CACHE", "file://"+root, "$ROOT")
	var out bytes.Buffer
	more := 0
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, "<-- ") {
			continue
		}
		out.WriteString(line + "\n")
		if n, ok := strings.CutPrefix(line, "and "); ok {
			var err error
			if more, err = strconv.Atoi(n); err != nil {
				t.Fatal(err)
			}
		}
		said, ok := strings.CutPrefix(line, "--> ")
		if !ok {
			continue
		}
		var m message
		if err := json.Unmarshal([]byte(said), &m); err != nil {
			t.Fatalf("%s: %v", said, err)
		}
		c.send(places.Replace(said))
		var answers []string // to one message, in any order
		for range more + answersTo(m) {
			got := c.receive(func(message) bool { return true })
			answers = append(answers, "<-- "+names.Replace(plainJSON(t, got.raw))+"\n")
		}
		slices.Sort(answers)
		out.WriteString(strings.Join(answers, ""))
		more = 0
	}
	return out.Bytes()
}

// answersTo is how many messages a message of the client brings.
func answersTo(m message) int {
	switch {
	case m.ID != nil:
		return 1
	case m.Method == "textDocument/didOpen", m.Method == "textDocument/didChange", m.Method == "textDocument/didClose":
		return 1 // the diagnostics
	}
	return 0
}

// plainJSON is a message with its fields in order, and all letters as they are.
func plainJSON(t *testing.T, raw []byte) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	delete(v, "jsonrpc")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// The lines for Neovim that the page gives are those that are tested.
func TestLinesForNeovim(t *testing.T) {
	page, err := os.ReadFile("../../../../editors/README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("../../../../editors/nvim/dicescript.lua")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, append([]byte("```lua\n"), append(lines, "```\n"...)...)) || bytes.Count(lines, []byte("\n")) != 10 {
		t.Error("editors/README.md does not give the ten lines of editors/nvim/dicescript.lua")
	}
}
