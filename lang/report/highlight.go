// Programs in colour: the words, literals, texts and comments of a recipe, as its
// own tokenizer tells them apart.

package report

import (
	"strings"

	"dicescript/lang/notation"
)

const codeStyle = `.ds-code i{font-style:normal}.ds-code .k{color:#cf222e}.ds-code .s{color:#0a3069}.ds-code .n{color:#0550ae}.ds-code .d{color:#8250df;font-weight:600}.ds-code .c{color:#59636e}` +
	`@media(prefers-color-scheme:dark){.ds-code .k{color:#ff7b72}.ds-code .s{color:#a5d6ff}.ds-code .n{color:#79c0ff}.ds-code .d{color:#d2a8ff}.ds-code .c{color:#9198a1}}`

// tokenClasses are the classes of what is coloured.
var tokenClasses = map[notation.Kind]string{
	notation.KeywordToken: "k", notation.StringToken: "s", notation.NumberToken: "n",
	notation.DiceToken: "d", notation.RangeToken: "d", notation.DotsToken: "d", notation.CommentToken: "c",
}

// highlighted is the visible text of a program as html.
func highlighted(code string) string {
	var b strings.Builder
	at := 0
	for _, t := range notation.Tokens([]byte(code)) {
		class := tokenClasses[t.Kind]
		if class == "" {
			continue
		}
		b.WriteString(htmlText(code[at:t.Start]))
		b.WriteString(`<i class="` + class + `">` + htmlText(code[t.Start:t.End]) + "</i>")
		at = t.End
	}
	b.WriteString(htmlText(code[at:]))
	return b.String()
}
