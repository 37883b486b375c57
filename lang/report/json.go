// JSON: every output with its exact values, never folded. A chance is a
// fraction beside the float64 that is nearest to it.

package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"dicescript/dist"
	"dicescript/lang"
)

// JSON writes r as one JSON object: an error when the run failed, outputs,
// params and usage.
func JSON(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	if r == nil {
		r = &lang.Result{}
	}
	return flushed(w, o, func(b *bufio.Writer) error {
		b.WriteString("{")
		if o.Failure != nil {
			b.WriteString("\n  \"error\": ")
			writeFailure(b, o.Failure)
			b.WriteString(",")
		}
		b.WriteString("\n  \"outputs\": ")
		if err := writeJSON(b, s, s.all()); err != nil {
			return err
		}
		b.WriteString(",\n  \"params\": ")
		writeParams(b, r.Params)
		b.WriteString(",\n  \"usage\": ")
		writeUsage(b, r.Usage)
		b.WriteString("\n}\n")
		return nil
	})
}

// writeJSON writes outputs as a JSON array.
func writeJSON(b *bufio.Writer, s *sheet, places []int) error {
	l := list{b: b, indent: "    "}
	for _, place := range places {
		l.item()
		writeOutput(b, s.outputs[place])
	}
	l.end("  ")
	return nil
}

// A list writes a JSON array with one item per line.
type list struct {
	b      *bufio.Writer
	indent string
	n      int
}

func (l *list) item() {
	open := ",\n"
	if l.n == 0 {
		open = "[\n"
	}
	l.n++
	l.b.WriteString(open + l.indent)
}

func (l *list) end(indent string) {
	if l.n == 0 {
		l.b.WriteString("[]")
		return
	}
	l.b.WriteString("\n" + indent + "]")
}

func writeOutput(b *bufio.Writer, out lang.Output) {
	b.WriteString("{\"title\": ")
	writeString(b, out.Title)
	b.WriteString(", \"kind\": ")
	writeString(b, out.Kind())
	writeData(b, out.Data)
	b.WriteString("}")
}

func writeData(b *bufio.Writer, data lang.Data) {
	switch data := data.(type) {
	case lang.Roll:
		writeRoll(b, data.Dist)
	case lang.Chance:
		b.WriteString(", ")
		writeValue(b, data.Value)
		writeError(b, data.Error)
	case lang.Number:
		b.WriteString(", ")
		writeValue(b, data.Value)
		writeError(b, data.Error)
	case lang.Labeled:
		writeLabeled(b, data)
	case lang.Table:
		writeRows(b, data)
	case lang.Grid:
		writeGrid(b, data)
	case lang.Comparison:
		writeComparison(b, data)
	case lang.Text:
		b.WriteString(", \"text\": ")
		writeString(b, data.Text)
	}
}

func writeRoll(b *bufio.Writer, d *dist.Dist) {
	if d == nil {
		return
	}
	writeMoments(b, d)
	writeError(b, d.ErrorBound())
	b.WriteString(", \"pmf\": ")
	l := list{b: b, indent: "      "}
	total := d.Total()
	for x, w := range d.All() {
		if broken(b) {
			return
		}
		l.item()
		b.WriteString("{\"outcome\": " + strconv.Itoa(x) + ", ")
		writeValue(b, new(big.Rat).SetFrac(w, total))
		b.WriteString("}")
	}
	l.end("    ")
}

// writeMoments writes what is known of the moments of d. One that is known to
// within an error says so.
func writeMoments(b *bufio.Writer, d *dist.Dist) {
	m, err := d.Moments()
	if err != nil {
		return
	}
	writeMoment(b, "mean", m.Mean, m.MeanError)
	writeMoment(b, "variance", m.Variance, m.VarianceError)
	if sd, err := d.SD(); err == nil {
		b.WriteString(", \"sd\": ")
		writeFloat(b, sd)
	}
}

func writeMoment(b *bufio.Writer, name string, x *big.Rat, e float64) {
	if x == nil {
		return
	}
	b.WriteString(", \"" + name + "\": {")
	writeValue(b, x)
	if e > 0 {
		writeError(b, e)
	}
	b.WriteString("}")
}

func writeLabeled(b *bufio.Writer, data lang.Labeled) {
	writeError(b, data.Error)
	b.WriteString(", \"pmf\": ")
	l := list{b: b, indent: "      "}
	for _, e := range data.Entries {
		l.item()
		b.WriteString("{\"outcome\": ")
		writeLabel(b, e.Label)
		b.WriteString(", ")
		writeValue(b, e.Value)
		b.WriteString("}")
	}
	l.end("    ")
}

func writeRows(b *bufio.Writer, data lang.Table) {
	b.WriteString(", \"rows\": ")
	l := list{b: b, indent: "      "}
	for _, r := range data.Rows {
		l.item()
		b.WriteString("{\"label\": ")
		writeLabel(b, r.Label)
		b.WriteString(", ")
		writeValue(b, r.Value)
		writeError(b, r.Error)
		b.WriteString("}")
	}
	l.end("    ")
}

func writeGrid(b *bufio.Writer, g lang.Grid) {
	b.WriteString(", \"corner\": ")
	writeString(b, g.Corner)
	b.WriteString(", \"rows\": ")
	writeLabels(b, g.Rows)
	b.WriteString(", \"cols\": ")
	writeLabels(b, g.Cols)
	b.WriteString(", \"cells\": ")
	rows := list{b: b, indent: "      "}
	for _, cells := range g.Cells {
		if broken(b) {
			return
		}
		rows.item()
		row := list{b: b, indent: "        "}
		for _, c := range cells {
			row.item()
			b.WriteString("{")
			writeValue(b, c.Value)
			writeError(b, c.Error)
			b.WriteString("}")
		}
		row.end("      ")
	}
	rows.end("    ")
}

func writeComparison(b *bufio.Writer, c lang.Comparison) {
	b.WriteString(", \"rolls\": ")
	l := list{b: b, indent: "      "}
	for _, r := range c.Rolls {
		l.item()
		b.WriteString("{\"label\": ")
		writeString(b, r.Name)
		writeRoll(b, r.Dist)
		b.WriteString("}")
	}
	l.end("    ")
}

func writeLabels(b *bufio.Writer, labels []lang.Label) {
	b.WriteByte('[')
	for i, l := range labels {
		if i > 0 {
			b.WriteString(", ")
		}
		writeLabel(b, l)
	}
	b.WriteByte(']')
}

func writeLabel(b *bufio.Writer, l lang.Label) {
	if n, ok := l.Int(); ok {
		b.WriteString(strconv.Itoa(n))
	} else if items, ok := l.Items(); ok {
		writeLabels(b, items)
	} else {
		writeString(b, l.String())
	}
}

// writeValue writes the members exact and value of x.
func writeValue(b *bufio.Writer, x *big.Rat) {
	if x == nil {
		b.WriteString("\"exact\": null, \"value\": null")
		return
	}
	b.WriteString("\"exact\": \"" + x.RatString() + "\", \"value\": ")
	value, _ := x.Float64() // the nearest one
	writeFloat(b, value)
}

func writeError(b *bufio.Writer, e float64) {
	b.WriteString(", \"error\": ")
	writeFloat(b, e)
}

// writeFloat writes the shortest decimal that reads back as x. JSON has no
// infinity; what is out of range is null.
func writeFloat(b *bufio.Writer, x float64) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		b.WriteString("null")
		return
	}
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	b.WriteString(strconv.FormatFloat(x, format, -1, 64))
}

// writeString writes s with every character escaped that is hidden when shown.
func writeString(b *bufio.Writer, s string) {
	b.WriteByte('"')
	for _, r := range s { // broken UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r != utf8.RuneError && hidden(r):
			writeUnicode(b, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// writeUnicode writes r as one or two escapes of UTF-16.
func writeUnicode(b *bufio.Writer, r rune) {
	if r >= 0x10000 {
		r -= 0x10000
		fmt.Fprintf(b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		return
	}
	fmt.Fprintf(b, `\u%04x`, r)
}

func writeParams(b *bufio.Writer, params []lang.ParamValue) {
	l := list{b: b, indent: "    "}
	for _, p := range params {
		l.item()
		b.WriteString("{\"name\": ")
		writeString(b, p.Name)
		b.WriteString(", \"value\": ")
		writeAny(b, p.Value)
		b.WriteString("}")
	}
	l.end("  ")
}

func writeAny(b *bufio.Writer, v any) {
	switch v := v.(type) {
	case string:
		writeString(b, v)
	case float64:
		writeFloat(b, v)
	case *big.Int:
		if v == nil {
			b.WriteString("null")
			return
		}
		b.WriteString(v.String())
	case *big.Rat:
		b.WriteString("{")
		writeValue(b, v)
		b.WriteString("}")
	case nil, bool, int, int64:
		text, _ := json.Marshal(v)
		b.Write(text)
	default:
		writeString(b, fmt.Sprint(v))
	}
}

func writeUsage(b *bufio.Writer, u lang.Usage) {
	fmt.Fprintf(b, `{"steps": %d, "work": %d, "cells": %d, "outputs": %d}`, u.Steps, u.Work, u.Cells, u.Outputs)
}

func writeFailure(b *bufio.Writer, e *ErrorInfo) {
	member := func(name, value string) {
		b.WriteString(name)
		writeString(b, value)
	}
	member("{\"kind\": ", e.Kind)
	member(", \"message\": ", e.Message)
	member(", \"file\": ", e.File)
	fmt.Fprintf(b, `, "line": %d, "column": %d, "backtrace": `, e.Line, e.Column)
	l := list{b: b, indent: "    "}
	for _, f := range e.Backtrace {
		l.item()
		member("{\"function\": ", f.Function)
		member(", \"file\": ", f.File)
		fmt.Fprintf(b, `, "line": %d, "column": %d}`, f.Line, f.Column)
	}
	l.end("  ")
	b.WriteString("}")
}
