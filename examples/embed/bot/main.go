// Bot answers lines of a chat: what is left of a chat bot without the chat.
//
//	!odds 4d6kh3 >= 15
//	!odds max(2d20) + 5
//	!help
//
// It reads lines from standard input and prints the answers.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"dicescript/lang"
	"dicescript/lang/report"
)

func main() {
	bot, err := newBot()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if answer := bot.answer(context.Background(), lines.Text()); answer != "" {
			fmt.Println(answer)
		}
	}
}

// A bot may answer any number of lines at once.
type bot struct{ host *lang.Host }

// Everybody in a chat may ask, so the limits are tight: an answer comes within
// a second or not at all.
const patience = time.Second

func newBot() (*bot, error) {
	host, err := lang.New(lang.WithLimits(lang.Limits{
		Steps: 1_000_000, Work: 500_000_000, Cells: 5_000_000, Outcomes: 100_000, Bytes: 16 << 20,
	}))
	return &bot{host}, err
}

const help = "!odds EXPRESSION, as in !odds 4d6kh3 >= 15 or !odds 2d6 + 3"

// maxRows is how much of a table fits a chat.
const maxRows = 12

// answer returns what the bot says to a line, or "" when it is not spoken to.
func (b *bot) answer(ctx context.Context, line string) string {
	command, question, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch command {
	case "!help":
		return help
	case "!odds":
		if strings.TrimSpace(question) == "" {
			return help
		}
		return b.odds(ctx, question)
	}
	return ""
}

func (b *bot) odds(ctx context.Context, question string) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	result, err := b.host.NewSession().Eval(ctx, question)
	if err != nil {
		return explain(err)
	}
	var answer strings.Builder
	if err := report.Brief(ctx, &answer, result, report.Options{Width: 40}, maxRows); err != nil {
		return explain(err)
	}
	if answer.Len() == 0 {
		return "There is nothing to show: ask for a roll or a chance. " + help
	}
	return strings.TrimRight(answer.String(), "\n")
}

// explain makes one friendly line of an error.
func explain(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "Sorry, that takes too long here."
	}
	mistakes := lang.Errors(err)
	if len(mistakes) == 0 {
		return "Sorry, that did not work."
	}
	return "Sorry: " + mistakes[0].Message
}
