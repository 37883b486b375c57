// What an input or the last line of a recipe shows: the value of an expression that
// stands by itself, titled with its text.

package lang

import (
	"strings"

	"dicescript/lang/internal/prompt"
	dicesyntax "dicescript/lang/syntax"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// showName is what expressions are handed to; no recipe can say it.
const showName = "·show"

// showExpressions hands the value of every expression that stands as a
// statement of its own at the top level to show, with its text.
func (u *unit) showExpressions(f *syntax.File) {
	text := u.lines.Cursor()
	for _, s := range f.Stmts {
		if s, ok := s.(*syntax.ExprStmt); ok {
			showExpression(text, s)
		}
	}
}

// show hands the value of one expression to show.
func (u *unit) show(s *syntax.ExprStmt) { showExpression(u.lines.Cursor(), s) }

func showExpression(text *dicesyntax.Cursor, s *syntax.ExprStmt) {
	start, end := s.X.Span()
	title := &syntax.Literal{Token: syntax.STRING, TokenPos: start, Value: text.Between(start, end)}
	s.X = &syntax.CallExpr{
		Fn: &syntax.Ident{NamePos: start, Name: showName}, Lparen: start,
		Args: []syntax.Expr{s.X, title}, Rparen: end,
	}
}

// shown is what showName means in a run of a recipe.
func (r *run) shown(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if args[0] == starlark.None {
		return starlark.None, nil
	}
	return starlark.None, r.showTitled(string(args[1].(starlark.String)), args[0])
}

// showTitled records the value of an expression under its text.
func (r *run) showTitled(title string, v starlark.Value) error {
	if limit := r.limits.TitleBytes; exceeds(int64(len(title)), limit) {
		title = strings.ToValidUTF8(title[:limit], "")
	}
	return r.show(title, v)
}

// show records the value of an expression.
func (s *Session) show(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	v, title := args[0], string(args[1].(starlark.String))
	if v == starlark.None {
		return v, nil
	}
	if err := s.run.showTitled(title, v); err != nil {
		return nil, err
	}
	s.shown = append(s.shown, prompt.Shown{Output: len(s.run.result.Outputs) - 1, Value: v})
	return starlark.None, nil
}
