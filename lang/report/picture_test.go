// The picture that the README shows is what the recipe beside it gives.

package report

import (
	"bytes"
	"os"
	"testing"

	"dicescript/lang"
)

func TestPictureIsFresh(t *testing.T) {
	const recipe, picture = "../../examples/report.star", "../../examples/report.svg"
	src, err := os.ReadFile(recipe)
	if err != nil {
		t.Fatal(err)
	}
	host, err := lang.New()
	if err != nil {
		t.Fatal(err)
	}
	program, err := host.Compile(t.Context(), "report.star", src)
	if err != nil {
		t.Fatal(err)
	}
	result, err := program.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var fresh bytes.Buffer
	if err := Render(t.Context(), &fresh, "svg", result, Options{}); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(picture)
	if err != nil || !bytes.Equal(kept, fresh.Bytes()) {
		t.Errorf("%s is not what its recipe gives: go run ./cmd/dicescript run --format svg -o examples/report.svg examples/report.star", picture)
	}
	if fresh.Len() > 60_000 {
		t.Errorf("the picture takes %d bytes", fresh.Len())
	}
}
