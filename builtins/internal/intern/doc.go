// Package intern numbers the values by which recipes name states, labels and
// cards, so that the engine can work with whole numbers: each distinct value has
// one number, in order of first appearance.
package intern
