//go:build linux || darwin

package main

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// A screen is what a terminal shows, with all that has scrolled away: it obeys
// the sequences that the line editor sends.
type screen struct {
	columns  int
	rows     [][]rune
	row, col int
	broken   []int // rows that the terminal ended because they were full
}

// shown is what a person sees after a terminal got the text.
func shown(columns int, text string) *screen {
	s := &screen{columns: columns, rows: [][]rune{nil}}
	for len(text) > 0 {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			if end < 0 {
				break
			}
			s.obey(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		s.put(r)
		text = text[n:]
	}
	return s
}

func (s *screen) obey(args string, what byte) {
	n, err := strconv.Atoi(args)
	if err != nil {
		n = 1
	}
	switch what {
	case 'A':
		s.row = max(0, s.row-n)
	case 'B':
		s.row = min(len(s.rows)-1, s.row+n)
	case 'C':
		s.col = min(s.columns-1, s.col+n)
	case 'G':
		s.col = n - 1
	case 'K':
		s.rows[s.row] = s.rows[s.row][:min(s.col, len(s.rows[s.row]))]
	}
}

func (s *screen) put(r rune) {
	switch r {
	case '\r':
		s.col = 0
		return
	case '\n':
		s.down()
		return
	}
	width := runewidth.RuneWidth(r)
	if s.col+width > s.columns {
		s.broken = append(s.broken, s.row)
		s.col = 0
		s.down()
	}
	line := s.rows[s.row]
	for len(line) <= s.col {
		line = append(line, ' ')
	}
	line[s.col] = r
	s.rows[s.row] = line
	s.col += width
}

func (s *screen) down() {
	s.row++
	if s.row == len(s.rows) {
		s.rows = append(s.rows, nil)
	}
}

// text is the whole of what is shown.
func (s *screen) text() string {
	var b strings.Builder
	for _, row := range s.rows {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}
