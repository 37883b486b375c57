package anydice_test

import (
	"context"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/anydice"
)

// Larger programs, as players write them, stand beside recipes of our own: the
// two say the same in two languages and give the same exact chances.
func TestProgramsAgreeWithRecipes(t *testing.T) {
	files, err := filepath.Glob("../../testdata/anydice/programs/*.anydice")
	if err != nil || len(files) < 30 {
		t.Fatalf("got %d programs, %v", len(files), err)
	}
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".anydice"), func(t *testing.T) {
			theirs, ours := runFile(t, file), runRecipe(t, host, strings.TrimSuffix(file, ".anydice")+".star")
			if len(theirs) != len(ours) {
				t.Fatalf("got %d outputs, the recipe has %d", len(theirs), len(ours))
			}
			for i, o := range theirs {
				if o.title != ours[i].title || !dist.Must(dist.Same(context.Background(), o.roll, ours[i].roll)) {
					t.Errorf("%s: got mean %v, the recipe has %s: %v", o.title, o.roll.Mean(), ours[i].title, ours[i].roll.Mean())
				}
			}
		})
	}
}

type titled struct {
	title string
	roll  *dist.Dist
}

func runFile(t *testing.T, file string) []titled {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := anydice.Compile(file, string(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(context.Background(), anydice.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []titled
	for _, o := range r.Outputs {
		list = append(list, titled{o.Title, o.Roll})
	}
	return list
}

func runRecipe(t *testing.T, host *lang.Host, file string) []titled {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.Compile(context.Background(), file, text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var list []titled
	for _, o := range r.Outputs {
		switch data := o.Data.(type) {
		case lang.Roll:
			list = append(list, titled{o.Title, data.Dist})
		case lang.Number:
			n := new(big.Int).Set(data.Value.Num())
			list = append(list, titled{o.Title, dist.Constant(int(n.Int64()))})
		default:
			t.Fatalf("%s: %s is a %s", file, o.Title, o.Kind())
		}
	}
	return list
}
