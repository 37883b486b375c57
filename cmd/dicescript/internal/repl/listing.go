package repl

import (
	"fmt"
	"strings"

	"dicescript/lang/report"
)

// The words that Tab lists: in columns, as many as a window has room for.

// commonBeginning is what all words begin with.
func commonBeginning(words []string) string {
	common := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, common) {
			runes := []rune(common)
			common = string(runes[:len(runes)-1])
		}
	}
	return common
}

// aroundList is how many lines of a window are for what is around a list.
const aroundList = 4

// listed lays words out, one below the other and then in further columns. Of more
// words than fit a window the rest are counted.
func listed(words []string, columns, rows int) string {
	wide := 0
	for _, w := range words {
		wide = max(wide, report.Columns(w)+2)
	}
	across := max(1, columns/wide)
	high := (len(words) + across - 1) / across
	most := max(4, rows-aroundList)
	left := 0
	if high > most {
		high = most
		left = len(words) - high*across
		words = words[:high*across]
	}
	var b strings.Builder
	for i := range high {
		var line strings.Builder
		for j := i; j < len(words); j += high {
			line.WriteString(words[j] + strings.Repeat(" ", wide-report.Columns(words[j])))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if left > 0 {
		b.WriteString(report.Fit(fmt.Sprintf("... and %d more; type a letter or two of the word first", left), columns) + "\n")
	}
	return b.String()
}
