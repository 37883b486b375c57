// Package suite runs the tests that recipes bring along: the functions test_*
// of files *_test.star, and the results that stand printed in literate recipes.
package suite
