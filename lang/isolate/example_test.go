package isolate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"dicescript/lang"
	"dicescript/lang/isolate"
)

// A recipe of a stranger is run by the command, in a child that the system ends
// when it takes too much. What comes out is the JSON of the result.
func ExampleRun() {
	recipe, err := os.Open("stranger.star")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer recipe.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()

	var out, messages bytes.Buffer
	child := isolate.Child{Command: "/usr/bin/dicescript", Stdin: recipe, Stdout: &out, Stderr: &messages}
	limits := isolate.Limits{Memory: 512 << 20, CPU: 5 * time.Second}
	err = isolate.Run(ctx, child, limits, "run", "--format", "json", "-")

	var failed *exec.ExitError // its JSON and messages say why
	switch {
	case errors.Is(err, isolate.ErrMemory), errors.Is(err, isolate.ErrCPU):
		fmt.Println("sorry:", err)
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Println("sorry, that takes too long")
	case errors.As(err, &failed):
		fmt.Println("the recipe is wrong:", &messages)
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(&out)
	}
}

// A recipe of a stranger as a result, as if it had been run here.
func ExampleResult() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	child := isolate.Child{Command: "/usr/bin/dicescript", Stdin: strings.NewReader(`output("hit", 1d20 >= 11)`)}
	result, err := isolate.Result(ctx, child, isolate.Limits{Memory: 512 << 20, CPU: 5 * time.Second}, "-")
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Println("sorry, that takes too long")
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(lang.Get[float64](result, "hit"))
	}
}
