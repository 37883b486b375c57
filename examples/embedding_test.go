package examples_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report"
)

// The programs of the lesson on embedding, and what they print.

func embed(recipe []byte) error {
	ctx := context.Background()
	host, err := lang.New()
	if err != nil {
		return err
	}
	program, err := host.Compile(ctx, "attack.md", recipe)
	if err != nil {
		return err
	}
	for _, p := range program.Params() {
		fmt.Println("input:", p.Name, p.Type, p.Default)
	}

	result, err := program.Run(ctx, lang.WithInput("bonus", 7))
	if err != nil {
		return err
	}
	hit, err := lang.Get[*big.Rat](result, "hit")
	if err != nil {
		return err
	}
	damage, err := lang.Get[*dist.Dist](result, "damage")
	if err != nil {
		return err
	}
	fmt.Println("chance to hit:", hit)
	fmt.Println("mean damage:", damage.Mean().FloatString(2))
	return report.Render(ctx, os.Stdout, "text", result, report.Options{})
}

func strangers() error {
	host, err := lang.New(lang.WithLimits(lang.Limits{Steps: 1_000_000, Work: 100_000_000}))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	program, err := host.Compile(ctx, "greedy.star", []byte("output(9999d999)"))
	if err != nil {
		return err
	}
	_, err = program.Run(ctx)
	fmt.Println(err)
	return nil
}

func Example_embedding() {
	recipe, err := os.ReadFile("tutorial/14-embedding.md")
	if err == nil {
		err = embed(recipe)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// input: bonus int 5
	// chance to hit: 3/4
	// mean damage: 9.50
	// hit · Prob · 75.0 % · 3/4
	//
	// damage · DieRoll · mean 9.500 · sd 1.12 · 8..11
	// outcome     %  frac  X/4
	//       8  25.0   1/4    1  ████████████████████████████████████████
	//       9  25.0   1/4    1  ████████████████████████████████████████
	//      10  25.0   1/4    1  ████████████████████████████████████████
	//      11  25.0   1/4    1  ████████████████████████████████████████
}

func Example_strangers() {
	if err := strangers(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// greedy.star:1:1: output: would need 9 979 003 outcomes; the limit is 5 000 000: use fewer or smaller dice, or sum up less of them before going on
}

// What the lesson shows is what stands above.
func TestEmbeddingLesson(t *testing.T) {
	lesson, source := read(t, "tutorial/14-embedding.md"), read(t, "embedding_test.go")
	programs, printed := fences(lesson, "go"), fences(lesson, "text")
	if len(programs) != 2 || len(printed) != 2 {
		t.Fatalf("%d programs, %d results", len(programs), len(printed))
	}
	for i := range programs {
		if !strings.Contains(source, indented("\t", programs[i])) {
			t.Errorf("no test runs this program of the lesson:\n%s", programs[i])
		}
		if !strings.Contains(source, "\t// Output:\n"+indented("\t// ", printed[i])+"}") {
			t.Errorf("no program prints this result of the lesson:\n%s", printed[i])
		}
	}
}

// fences returns the texts between lines of three backticks with this label.
func fences(text, label string) []string {
	var found []string
	for {
		_, rest, ok := strings.Cut(text, "\n```"+label+"\n")
		if !ok {
			return found
		}
		inner, after, _ := strings.Cut(rest, "```\n")
		found, text = append(found, inner), "\n"+after
	}
}

func indented(by, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(by+line, "\t \n") + "\n")
	}
	return b.String()
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
