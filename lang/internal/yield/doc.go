// Package yield lets others run where there is one thread. The context of what may take
// long goes through it, and in a browser comes out as one that lets others run whenever it
// is looked at.
package yield
