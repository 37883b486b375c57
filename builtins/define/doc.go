// Package define is how a builtin is described, and one call of it.
//
// A [Builtin] is a function, a method or an attribute with its parameters, its
// documentation and what it runs. A [Table] is made of all of them: the globals of
// recipes, the entries of the documentation, and the methods of values, so that these
// cannot disagree.
//
// What a builtin runs is given a [Call], whose arguments are bound to the parameters. It
// reads them by their places, as what the engine knows or with an error that names the
// parameter:
//
//	func explode(c define.Call) (starlark.Value, error) {
//		depth, err := c.Limit(0, 0, 2)
//		if err != nil {
//			return nil, err // "max_depth: got -1, want at least 0, or None for no limit"
//		}
//		...
//		return c.Rolled(roll.Explode(c.Context(), on, depth))
//	}
//
// What it makes has the methods of the table that the builtin is in.
package define
