package atlas

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write README.md, the index of the pages, anew")

// README.md is the index of the pages, and says how to add one.
func TestIndex(t *testing.T) {
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	want := index(pages)
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("README.md is stale: go test ./examples/atlas -run Index -update")
	}
}

func index(pages []Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The atlas: %d games and questions, checked\n\n", len(pages))
	b.WriteString(`Each page asks a question as players ask it, tells the rule, answers with a recipe whose inputs can be changed, and ends with
something to try. Every number is computed a second way, which shares nothing with dicescript: by listing all ways in which the dice
fall, by a formula, or from a figure that was printed. Numbers that were printed and are wrong stand in [errata](errata.md).

    dicescript run --set ac=17 examples/atlas/dnd-bless.md
    dicescript test examples/atlas               # are the results those of the recipes?
    go test ./examples/atlas                     # are they those of the second ways?

## Games

`)
	b.WriteString("| game | question | mechanic |\n|---|---|---|\n")
	byGame := append([]Page{}, pages...)
	sort.SliceStable(byGame, func(i, j int) bool { return strings.ToLower(byGame[i].Game) < strings.ToLower(byGame[j].Game) })
	last := ""
	for _, p := range byGame {
		game := p.Game
		if game == last {
			game = ""
		}
		last = p.Game
		fmt.Fprintf(&b, "| %s | [%s](%s) | %s |\n", game, p.Title, p.Name, p.Mechanic)
	}
	b.WriteString("\n## Words\n\nWhat people look for, and the pages that have it.\n\n")
	words := map[string][]string{}
	for _, p := range pages {
		for _, w := range p.Words {
			words[w] = append(words[w], fmt.Sprintf("[%s](%s)", strings.TrimSuffix(p.Name, ".md"), p.Name))
		}
	}
	initial := ""
	order := sorted(words)
	sort.SliceStable(order, func(i, j int) bool { return strings.ToLower(order[i]) < strings.ToLower(order[j]) })
	for _, w := range order {
		if now := strings.ToLower(w)[:1]; now != initial {
			if initial != "" {
				b.WriteString(".\n\n")
			}
			initial = now
		} else {
			b.WriteString(" ·\n")
		}
		fmt.Fprintf(&b, "%s: %s", w, strings.Join(words[w], ", "))
	}
	b.WriteString(".\n")
	b.WriteString("\n## Adding a game\n\n" + fmt.Sprintf(`A game is one file in this folder, such as %s below. It needs

1. a heading that is the question, and four lines under it: the game, its mechanic, the words by which people look for it (with commas
   between them), and the source of the rule by name;
2. the rule in a paragraph of your own words: facts, never a sentence of the book;
3. a recipe with at least one %s, whose whole numbers have %s and %s, or %s; after it an empty fence %s;
4. a paragraph that begins with **What if**, and a recipe for it;
5. the second way: a fence %s of plain loops that counts all throws. It is run without any function of dicescript, by an interpreter of
   Starlark (Python without %s and classes), and ends with %s, a number or a dict for each title that the recipe
   puts out: a whole number, a pair (numerator, denominator), or how many ways lead to each outcome.

Then

    dicescript test --update examples/atlas             # writes the results into the file
    go test ./examples/atlas -run Index -update         # puts the page into this index
    go test ./examples/atlas                            # compares every number with the second way

Where all throws are too many to be listed, the second way can be a formula in Go beside the other ones (%s).

`+"````markdown\n%s````\n",
		"`qwixx.md`", "`param`", "`min`", "`max`", "`choices`", "labelled `result`", "labelled `python`", "`import`", "`check = {title: ...}`", "`*_test.go`", example(pages)))
	return b.String()
}

// example is the page that shows what one is made of.
func example(pages []Page) string {
	for _, p := range pages {
		if p.Name == "qwixx.md" {
			return p.Text
		}
	}
	return ""
}
