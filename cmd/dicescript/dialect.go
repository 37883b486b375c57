package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"

	"dicescript/lang/notation"
)

// This file is --dialect: what is written as a virtual tabletop has it.

func dialectFlag(f *flag.FlagSet, to *string) {
	choice(f, to, "dialect", append([]string{""}, notation.Dialects()...), "`D` is "+strings.Join(notation.Dialects(), ", ")+": read dice as that tabletop does")
}

// inDialect is the expression that reads a text in a dialect; without one it is the text.
func inDialect(dialect, text string, sets settings) (string, error) {
	if dialect == "" {
		return text, nil
	}
	var inputs []string
	for _, s := range sets {
		name, value, _ := strings.Cut(s, "=")
		n, err := strconv.Atoi(value)
		if err != nil {
			return "", fmt.Errorf("--set %s: got %q, want a whole number", name, value)
		}
		inputs = append(inputs, fmt.Sprintf("%q: %d", name, n))
	}
	return fmt.Sprintf("roll(%q, dialect=%q, inputs={%s})", text, dialect, strings.Join(inputs, ", ")), nil
}
