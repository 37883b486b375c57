// Inside a paragraph: code, emphasis, links and escapes. One pass over the
// text; whatever has a partner knows it beforehand or looks only a little way.

package report

import (
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// farthest is how many bytes the target of a link may have.
const farthest = 1000

// An inliner turns the text of a paragraph into html.
type inliner struct {
	p      *prose
	s      string
	out    []string
	opened []mark      // emphasis that may still be closed
	closed map[int]int // where the bracket or the backticks at a place are closed
	plain  bool        // inside a link: no links
}

// A mark is a * or ** or the like that may begin emphasis.
type mark struct {
	at   int // in out
	text string
}

func (p *prose) inline(s string) string {
	in := &inliner{p: p, s: s}
	return in.render()
}

// plain is the text of a line without its markup.
func (p *prose) plain(s string) string {
	return html.UnescapeString(p.tag.ReplaceAllString(p.inline(s), ""))
}

func (in *inliner) render() string {
	in.match()
	start := 0 // of what is not yet written
	for i := 0; i < len(in.s); {
		if strings.IndexByte("\\`*_![<&\n ", in.s[i]) < 0 {
			i++
			continue
		}
		in.text(in.s[start:i])
		start = i
		n, text := in.special(i)
		if n == 0 {
			i++
			continue
		}
		if text != "" {
			in.out = append(in.out, text)
		}
		i += n
		start = i
	}
	in.text(in.s[start:])
	return strings.Join(in.out, "")
}

func (in *inliner) text(s string) {
	if s != "" {
		in.out = append(in.out, htmlText(s))
	}
}

// special renders what begins at i and returns how long it is; 0 is plain text.
func (in *inliner) special(i int) (n int, text string) {
	rest := in.s[i:]
	switch rest[0] {
	case '\\':
		return backslash(rest)
	case '`':
		return in.code(i)
	case '*', '_':
		return in.emphasis(i), ""
	case '!':
		if strings.HasPrefix(rest, "![") {
			if n, text := in.link(i + 1); n > 0 {
				return n + 1, text
			}
		}
	case '[':
		return in.link(i)
	case '<':
		return in.angle(rest)
	case '&':
		return entity(rest)
	case '\n':
		return 1, "\n"
	case ' ':
		if m := len(rest) - len(strings.TrimLeft(rest, " ")); m < len(rest) && rest[m] == '\n' {
			if m > 1 {
				return m, "<br>"
			}
			return m, ""
		} else {
			return m, rest[:m]
		}
	}
	return 0, ""
}

func backslash(rest string) (int, string) {
	if len(rest) < 2 {
		return 0, ""
	}
	if c := rune(rest[1]); c < utf8.RuneSelf && (unicode.IsPunct(c) || unicode.IsSymbol(c)) {
		return 2, htmlText(rest[1:2])
	}
	if rest[1] == '\n' {
		return 1, "<br>"
	}
	return 0, ""
}

func (in *inliner) code(i int) (int, string) {
	n := len(in.s[i:]) - len(strings.TrimLeft(in.s[i:], "`"))
	end, ok := in.closed[i]
	if !ok {
		return n, in.s[i : i+n]
	}
	text := strings.ReplaceAll(in.s[i+n:end], "\n", " ")
	if strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") && strings.TrimSpace(text) != "" {
		text = text[1 : len(text)-1]
	}
	return end + n - i, "<code>" + htmlText(text) + "</code>"
}

// entity reads &ndash; and the like.
func entity(rest string) (int, string) {
	end := strings.IndexByte(rest[:min(len(rest), 34)], ';')
	if end < 2 {
		return 0, ""
	}
	text := html.UnescapeString(rest[:end+1])
	if text == rest[:end+1] {
		return 0, ""
	}
	return end + 1, htmlText(visible(text))
}

// angle reads <https://...>, <name@host> and comments.
func (in *inliner) angle(rest string) (int, string) {
	if strings.HasPrefix(rest, "<!--") {
		if end := strings.Index(rest[:min(len(rest), 4*farthest)], "-->"); end > 0 {
			return end + 3, ""
		}
		return 0, ""
	}
	end := strings.IndexAny(rest[1:min(len(rest), farthest)], "<> \n")
	if end < 1 || rest[end+1] != '>' || in.plain {
		return 0, ""
	}
	to := rest[1 : end+1]
	label := to
	if !strings.Contains(to, ":") && strings.Contains(to, "@") {
		to = "mailto:" + to
	}
	if href, ok := safeLink(to); ok && strings.Contains(to, ":") {
		return end + 2, anchor(href, htmlText(label))
	}
	return 0, ""
}

// link reads [text](target), [text][label] and [label].
func (in *inliner) link(i int) (int, string) {
	end, ok := in.closed[i]
	if !ok || in.plain {
		return 0, ""
	}
	body, to, n := in.s[i+1:end], "", 0
	switch rest := in.s[end+1:]; {
	case strings.HasPrefix(rest, "("):
		to, n = target(rest)
	case strings.HasPrefix(rest, "["):
		if second, ok := in.closed[end+1]; ok && second-end < farthest {
			label := in.s[end+2 : second]
			if label == "" {
				label = body
			}
			to, n = in.defined(label), second-end
		}
	}
	if n == 0 {
		to = in.defined(body)
	}
	if to == "" && n == 0 {
		return 0, ""
	}
	text := (&inliner{p: in.p, s: body, plain: true}).render()
	if href, ok := safeLink(to); ok && to != "" {
		text = anchor(href, text)
	}
	return end + 1 + n - i, text
}

func (in *inliner) defined(label string) string {
	if len(label) > farthest || len(in.p.links) == 0 {
		return ""
	}
	return in.p.links[foldLabel(label)]
}

// target reads (address "title") and returns the address and how long it all is.
func target(rest string) (string, int) {
	rest = rest[:min(len(rest), farthest)]
	i := 1
	for i < len(rest) && (rest[i] == ' ' || rest[i] == '\n') {
		i++
	}
	start, depth := i, 0
	if i < len(rest) && rest[i] == '<' {
		end := strings.IndexAny(rest[i:], ">\n")
		if end < 0 || rest[i+end] != '>' {
			return "", 0
		}
		return titled(rest, i+1, i+end, i+end+1)
	}
	for ; i < len(rest) && rest[i] > ' '; i++ {
		if rest[i] == '(' {
			depth++
		}
		if rest[i] == ')' {
			if depth--; depth < 0 {
				break
			}
		}
	}
	return titled(rest, start, i, i)
}

// titled reads what may follow an address: a title, which is left out, and the
// closing parenthesis.
func titled(rest string, start, end, i int) (string, int) {
	after := strings.TrimLeft(rest[i:], " \n")
	if after != "" && len(after) < len(rest)-i {
		if closing, ok := map[byte]string{'"': "\"", '\'': "'", '(': ")"}[after[0]]; ok {
			to := strings.Index(after[1:], closing)
			if to < 0 {
				return "", 0
			}
			after = strings.TrimLeft(after[to+2:], " \n")
		}
	}
	if !strings.HasPrefix(after, ")") {
		return "", 0
	}
	return html.UnescapeString(rest[start:end]), len(rest) - len(after) + 1
}

func anchor(href, text string) string {
	return `<a href="` + htmlText(href) + `" rel="nofollow noopener noreferrer">` + text + "</a>"
}

// safeLink returns where a link may lead.
func safeLink(to string) (string, bool) {
	u, err := url.Parse(to)
	if err != nil {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "", "http", "https", "mailto":
		return u.String(), true
	}
	return "", false
}

// emphasis writes or keeps the marks at i and returns how many there are.
func (in *inliner) emphasis(i int) int {
	c := in.s[i : i+1]
	n := len(in.s[i:]) - len(strings.TrimLeft(in.s[i:], c))
	before, _ := utf8.DecodeLastRuneInString(in.s[:i])
	after, _ := utf8.DecodeRuneInString(in.s[i+n:])
	if i == 0 {
		before = ' '
	}
	if i+n == len(in.s) {
		after = ' '
	}
	opens, closes := flanking(before, after), flanking(after, before)
	if c == "_" {
		opens, closes = opens && !(closes && isWord(before)), closes && !(opens && isWord(after))
	}
	if n > 3 {
		opens, closes = false, false
	}
	parts := []string{in.s[i : i+n]}
	if n == 3 {
		parts = []string{c + c, c}
		if closes && !opens {
			parts = []string{c, c + c}
		}
	}
	for _, part := range parts {
		if closes && in.closeMark(part) {
			continue
		}
		if opens {
			in.opened = append(in.opened, mark{len(in.out), part})
		}
		in.out = append(in.out, part)
	}
	return n
}

// flanking reports whether emphasis can begin between the two characters.
func flanking(before, after rune) bool {
	punct := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	return !unicode.IsSpace(after) && (!punct(after) || unicode.IsSpace(before) || punct(before))
}

// closeMark ends the emphasis that the same mark began last. Marks in between
// stay text.
func (in *inliner) closeMark(part string) bool {
	for k := len(in.opened) - 1; k >= 0 && k >= len(in.opened)-deepestMarks; k-- {
		if m := in.opened[k]; m.text == part {
			tag := "em"
			if len(part) == 2 {
				tag = "strong"
			}
			in.out[m.at] = "<" + tag + ">"
			in.out = append(in.out, "</"+tag+">")
			in.opened = in.opened[:k]
			return true
		}
	}
	return false
}

// deepestMarks is how many open marks are looked at for the partner of one.
const deepestMarks = 16

// match finds the partners of brackets and of backticks. What is inside code is
// neither.
func (in *inliner) match() {
	in.closed = map[int]int{}
	in.matchCode()
	var open []int
	for i := 0; i < len(in.s); i++ {
		switch in.s[i] {
		case '\\':
			i++
		case '`':
			n := len(in.s[i:]) - len(strings.TrimLeft(in.s[i:], "`"))
			if end, ok := in.closed[i]; ok {
				i = end
			}
			i += n - 1
		case '[':
			open = append(open, i)
		case ']':
			if k := len(open) - 1; k >= 0 {
				in.closed[open[k]] = i
				open = open[:k]
			}
		}
	}
}

// matchCode finds for every run of backticks the next one as long.
func (in *inliner) matchCode() {
	if strings.IndexByte(in.s, '`') < 0 {
		return
	}
	next := map[int]int{} // by length, from the end of the text on
	for i := len(in.s); i > 0; {
		if in.s[i-1] != '`' {
			i--
			continue
		}
		end := i
		for i > 0 && in.s[i-1] == '`' {
			i--
		}
		if at, ok := next[end-i]; ok {
			in.closed[i] = at
		}
		next[end-i] = i
	}
}
