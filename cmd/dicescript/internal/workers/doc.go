// Package workers asks questions of child processes, so that whatever a recipe does ends
// its process at most, and never the server that a person or an editor works with.
//
// A [Pool] starts processes of this command, as lang/isolate limits them, hands each one
// question at a time, and ends those that nobody waits for any more or that pass their time. A
// child answers them in [Serve].
//
// A question is a line of JSON. The child says that it is ready, then for each question
// that it has begun, and the answer, a line each.
package workers
