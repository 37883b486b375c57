// Package rpc serves the calls of package door as JSON-RPC 2.0, one message a line.
//
// The reader takes lines in and puts calls into a bounded queue; workers answer them in
// any order, each answer in one write. A line that is no message gets an error and ends
// nothing. When the input ends, what has been asked is still answered, unless nobody is
// left to read it.
package rpc
