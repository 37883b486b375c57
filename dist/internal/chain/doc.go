// Package chain computes with processes whose next state depends on the present one
// alone, and in which one of two sides may choose how to go on (Markov chains: Kemeny
// and Snell, "Finite Markov Chains", 1960; Markov decision processes: Puterman, 1994).
//
// A [Graph] holds states, which are numbers, with the ways to go on from them. A way has
// edges with integer weights over a total, and an edge may earn something. A state
// without ways is an end, where a payoff may wait. A chain is a graph in which every
// state has one way; otherwise a plan says which way each state takes.
//
// One method serves all questions. The states are condensed to strongly connected
// components, between which the process goes one way only (components.go). Mass is sent
// forward in topological order, from the start to the ends (absorb.go, payoff.go), and
// values are passed back, from the ends to the start (value.go), with one number for each
// state. So a state that never comes back costs its edges. Inside a component a system of
// linear equations is solved (system.go).
//
// Numbers are fractions whose denominators are known as products of powers (fraction.go):
// adding two of them takes no division and no common divisor. Where denominators become
// too long, numbers are rounded down to a power of two, and what that can amount to is
// carried along as a bound.
//
// The best plan of a component is looked for in floats and then proved: the values of a
// plan that no single choice improves are the best (policy.go). A [Vector] follows a
// process step by step (vector.go), and [Graph.Shares] says how often it is where in the
// long run (stationary.go).
package chain
