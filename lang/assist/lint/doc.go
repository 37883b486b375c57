// Package lint finds what is likely a mistake in a recipe that compiles: values
// that nobody sees, names that nobody uses, steps that nothing reaches. It
// reports only what is certain from the text alone.
package lint
