// Bot answers lines of a chat: what is left of a chat bot without the chat.
//
//	!odds 4d6kh3 >= 15       the chances in one line
//	!table max(2d20) + 5     all of them
//	!chart 3d6               a picture
//	!roll 4d6kh3 + 2         really rolls, and shows the dice
//	!let hit = 1d20 + 7      remembers for whoever says it
//	!forget
//
// It reads lines from standard input, each with who says it ("ann: !odds 2d6"), prints
// the answers, and writes pictures into the folder that it is run in.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"dicescript/lang"
	"dicescript/lang/report"
	"dicescript/lang/throw"
)

func main() {
	bot, err := newBot(systemSource{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for n := 1; lines.Scan(); n++ {
		who, line, ok := strings.Cut(lines.Text(), ": ")
		if !ok {
			who, line = "somebody", lines.Text()
		}
		answer := bot.answer(context.Background(), who, line)
		if answer.text != "" {
			fmt.Println(answer.text)
		}
		if answer.picture != nil {
			name := fmt.Sprintf("chart-%d.png", n)
			if err := os.WriteFile(name, answer.picture, 0o644); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println("see", name)
		}
	}
}

// An answer is what the bot says, with a picture when there is one. The zero answer is
// that it was not spoken to.
type answer struct {
	text    string
	picture []byte // png
}

// A bot may answer any number of lines at once.
type bot struct {
	host *lang.Host
	dice rand.Source

	mu       sync.Mutex
	speakers map[string]*speaker
}

// A speaker has a session, which one line at a time may use.
type speaker struct {
	mu      sync.Mutex
	session *lang.Session
	said    time.Time // last; of the bot
}

// Everybody in a chat may ask, so the limits are tight: an answer comes within a second
// or not at all, and nobody has more than a megabyte of names.
const (
	patience     = time.Second
	mostSpeakers = 1000
	maxRows      = 12 // of a table
)

var limits = lang.Limits{
	Steps: 1_000_000, Work: 500_000_000, Cells: 5_000_000, Outcomes: 100_000, Bytes: 16 << 20,
	Outputs: 20, OutputBytes: 1 << 20, SourceBytes: 4 << 10, SessionBytes: 1 << 20,
}

// newBot returns a bot that rolls with the randomness of dice, of which one line at a
// time takes some.
func newBot(dice rand.Source) (*bot, error) {
	host, err := lang.New(lang.WithLimits(limits))
	return &bot{host: host, dice: dice, speakers: map[string]*speaker{}}, err
}

const help = "!odds, !table or !chart and an EXPRESSION, as in !odds 4d6kh3 >= 15; !roll 4d6kh3 + 2; !let hit = 1d20 + 7; !forget"

// answer returns what the bot says to a line of somebody.
func (b *bot) answer(ctx context.Context, who, line string) answer {
	command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	commands := map[string]func(context.Context, *speaker, string) (answer, error){
		"!odds": b.odds, "!table": b.table, "!chart": b.chart, "!roll": b.roll, "!let": b.let,
	}
	do, known := commands[command]
	switch {
	case command == "!forget":
		b.forget(who)
		return answer{text: "All forgotten."}
	case command == "!help", known && rest == "":
		return answer{text: help}
	case !known:
		return answer{}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := b.speaker(who)
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := do(ctx, s, rest)
	if err != nil {
		return answer{text: explain(err)}
	}
	return a
}

// speaker is somebody with a session, in place of who has been silent the longest when
// there are many.
func (b *bot) speaker(who string) *speaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.speakers[who]
	if s == nil {
		if len(b.speakers) >= mostSpeakers {
			b.dropOne()
		}
		s = &speaker{session: b.host.NewSession(lang.WithThrows())}
		b.speakers[who] = s
	}
	s.said = time.Now()
	return s
}

func (b *bot) dropOne() {
	longest, since := "", time.Now()
	for who, s := range b.speakers {
		if !s.said.After(since) {
			longest, since = who, s.said
		}
	}
	delete(b.speakers, longest)
}

func (b *bot) forget(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.speakers, who)
}

var errNothing = errors.New("there is nothing to show: ask for a roll or a chance. " + help)

// result is what an expression comes to.
func result(ctx context.Context, s *speaker, question string) (*lang.Result, error) {
	r, err := s.session.Eval(ctx, question)
	if err == nil && len(r.Outputs) == 0 {
		err = errNothing
	}
	return r, err
}

func (b *bot) odds(ctx context.Context, s *speaker, question string) (answer, error) {
	r, err := result(ctx, s, question)
	if err != nil {
		return answer{}, err
	}
	line, err := report.Line(ctx, r, report.Options{})
	return answer{text: line}, err
}

func (b *bot) table(ctx context.Context, s *speaker, question string) (answer, error) {
	r, err := result(ctx, s, question)
	if err != nil {
		return answer{}, err
	}
	var table strings.Builder
	if err := report.Brief(ctx, &table, r, report.Options{Width: 40}, maxRows); err != nil {
		return answer{}, err
	}
	return answer{text: strings.TrimRight(table.String(), "\n")}, nil
}

// chart draws the first thing that has a picture.
func (b *bot) chart(ctx context.Context, s *speaker, question string) (answer, error) {
	r, err := result(ctx, s, question)
	if err != nil {
		return answer{}, err
	}
	line, err := report.Line(ctx, r, report.Options{})
	if err != nil {
		return answer{}, err
	}
	for place := range r.Outputs {
		drawn, err := report.HasChart(ctx, r, place)
		if err != nil {
			return answer{}, err
		}
		if drawn {
			var picture bytes.Buffer
			err := report.PNG(ctx, &picture, r, []int{place}, report.Options{})
			return answer{line, picture.Bytes()}, err
		}
	}
	return answer{text: line}, nil
}

// roll throws dice one by one, also those of a name that was given with !let.
func (b *bot) roll(ctx context.Context, s *speaker, question string) (answer, error) {
	record, err := s.session.Throw(ctx, b.source(), question)
	if err != nil {
		return answer{}, err
	}
	return answer{text: report.ThrowLine(record)}, nil
}

// source is the randomness of one throw.
func (b *bot) source() throw.Source {
	b.mu.Lock()
	defer b.mu.Unlock()
	return throw.Seed(throw.NumberSeed(b.dice.Uint64()))
}

func (b *bot) let(ctx context.Context, s *speaker, definition string) (answer, error) {
	if _, err := s.session.Eval(ctx, definition); err != nil {
		return answer{}, err
	}
	return answer{text: "I will remember."}, nil
}

// explain makes one friendly line of an error.
func explain(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "Sorry, that takes too long here."
	}
	var recipe *lang.Error
	if errors.As(err, &recipe) {
		return "Sorry: " + recipe.Message
	}
	return "Sorry: " + err.Error()
}

// systemSource is the randomness of the runtime, which the system has seeded.
type systemSource struct{}

func (systemSource) Uint64() uint64 { return rand.Uint64() }
