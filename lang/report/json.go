// JSON: every output with its exact values, never folded. A chance is a fraction
// in lowest terms beside the float64 that is nearest to it, or, as the options ask,
// a weight over the total of its output, or the float alone.

package report

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"dicescript/dist"
	"dicescript/lang"
	"dicescript/lang/report/internal/numeral"
)

// renderJSON writes r as one JSON object: an error when the run failed, outputs,
// params and usage.
func renderJSON(w io.Writer, r *lang.Result, o Options) error {
	s := newSheet(r, o)
	if r == nil {
		r = &lang.Result{}
	}
	return flushed(w, o, func(b *bufio.Writer) error {
		b.WriteString("{")
		if all := o.failures(); len(all) > 0 {
			b.WriteString("\n  \"error\": ")
			writeFailure(b, all[0])
			b.WriteString(",")
			writeFailures(b, all)
		}
		b.WriteString("\n  \"outputs\": ")
		if err := writeJSON(b, s, s.all()); err != nil {
			return err
		}
		b.WriteString(",\n  \"params\": ")
		writeParams(b, r.Params)
		writeNotes(b, r.Notes)
		b.WriteString(",\n  \"usage\": ")
		writeUsage(b, r.Usage)
		b.WriteString("\n}\n")
		return nil
	})
}

// writeNotes writes the notes of a run that has some.
func writeNotes(b *bufio.Writer, notes []string) {
	if len(notes) == 0 {
		return
	}
	b.WriteString(",\n  \"notes\": ")
	l := list{b: b, indent: "    "}
	for _, note := range notes {
		l.item()
		writeString(b, note)
	}
	l.end("  ")
}

// writeJSON writes outputs as a JSON array.
func writeJSON(b *bufio.Writer, s *sheet, places []int) error {
	w := jsonWriter{Writer: b, o: s.o}
	l := list{b: b, indent: "    "}
	for _, place := range places {
		l.item()
		w.output(s.outputs[place])
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

// A jsonWriter writes outputs as the options ask.
type jsonWriter struct {
	*bufio.Writer
	o       Options
	weights *numeral.Weights // of the weights being written
}

func (w jsonWriter) output(out lang.Output) {
	w.WriteString("{\"title\": ")
	writeString(w.Writer, out.Title)
	w.WriteString(", \"kind\": ")
	writeString(w.Writer, out.Kind())
	w.data(out.Data)
	w.WriteString("}")
}

func (w jsonWriter) data(data lang.Data) {
	switch data := data.(type) {
	case lang.Roll:
		w.roll(data.Dist)
	case lang.Prob:
		w.WriteString(", ")
		w.value(data.Value)
		w.bound(data.Bound)
	case lang.Number:
		w.WriteString(", ")
		w.value(data.Value)
		w.bound(data.Bound)
	case lang.Outcomes:
		w.labeled(data)
	case lang.ProbTable:
		w.table(data)
	case lang.Grid:
		w.grid(data)
	case lang.Comparison:
		w.comparison(data)
	case lang.Plan:
		w.plan(data)
	case lang.Text:
		w.WriteString(", \"text\": ")
		writeString(w.Writer, data.Text)
		if data.Value != nil {
			w.WriteString(", \"value\": ")
			w.structured(data.Value)
		}
	}
}

// structured writes the data of a list or dict. A dict is an object when all its keys
// are texts, and else an array of pairs.
func (w jsonWriter) structured(v any) {
	switch v := v.(type) {
	case []any:
		w.WriteByte('[')
		for i, x := range v {
			w.between(i)
			w.structured(x)
		}
		w.WriteByte(']')
	case lang.Dict:
		w.dict(v)
	case lang.Data:
		w.WriteString("{\"kind\": ")
		writeString(w.Writer, v.Kind())
		w.data(v)
		w.WriteString("}")
	default:
		writeAny(w.Writer, v)
	}
}

func (w jsonWriter) between(i int) {
	if i > 0 {
		w.WriteString(", ")
	}
}

func (w jsonWriter) dict(d lang.Dict) {
	if len(d.Map()) < len(d) {
		pairs := make([]any, len(d))
		for i, e := range d {
			pairs[i] = []any{e.Key, e.Value}
		}
		w.structured(pairs)
		return
	}
	w.WriteByte('{')
	for i, e := range d {
		w.between(i)
		writeString(w.Writer, e.Key.(string))
		w.WriteString(": ")
		w.structured(e.Value)
	}
	w.WriteByte('}')
}

func (w jsonWriter) roll(d *dist.Dist) {
	if d == nil {
		w.WriteString(", \"pmf\": []")
		return
	}
	w.moments(d)
	w.bound(d.Bound())
	total := numeral.NewDivisor(d.Total())
	w.total(total.Total)
	w.WriteString(", \"pmf\": ")
	l := list{b: w.Writer, indent: "      "}
	w.weights = w.newWeights(total)
	for x, weight := range d.All() {
		l.item()
		w.WriteString("{\"outcome\": ")
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(x), 10))
		w.WriteString(", ")
		w.share(weight, total)
		w.WriteString("}")
	}
	l.end("    ")
}

// total writes what the weights of an output add up to, when it has weights.
func (w jsonWriter) total(total *big.Int) {
	if w.o.Fractions == Weights {
		w.WriteString(", \"total\": \"")
		w.Write(total.Append(w.AvailableBuffer(), 10))
		w.WriteString("\"")
	}
}

// newWeights is for the weights over a total, if those are written.
func (w jsonWriter) newWeights(total numeral.Divisor) *numeral.Weights {
	if w.o.Fractions != Weights {
		return &numeral.Weights{}
	}
	return numeral.NewWeights(total.Total)
}

// share writes the chance of an outcome.
func (w jsonWriter) share(weight *big.Int, total numeral.Divisor) {
	switch {
	case w.o.exact():
		w.WriteString("\"exact\": \"" + new(big.Rat).SetFrac(weight, total.Total).RatString() + "\", ")
	case w.o.Fractions == Weights:
		w.WriteString("\"weight\": \"")
		w.Write(w.weights.Decimal(weight))
		w.WriteString("\", ")
	}
	w.WriteString("\"value\": ")
	writeFloat(w.Writer, total.Float(weight))
}

// moments writes what is known of the moments of d. One that is known to
// within an error says so.
func (w jsonWriter) moments(d *dist.Dist) {
	m, err := d.Moments(context.Background())
	if err != nil {
		return
	}
	w.moment("mean", m.Mean, m.MeanBound)
	w.moment("variance", m.Variance, m.VarianceBound)
	if sd, err := d.SD(context.Background()); err == nil {
		w.WriteString(", \"sd\": ")
		writeFloat(w.Writer, sd)
	}
}

func (w jsonWriter) moment(name string, x *big.Rat, e float64) {
	if x == nil {
		return
	}
	w.WriteString(", \"" + name + "\": {")
	w.value(x)
	if e > 0 {
		w.bound(e)
	}
	w.WriteString("}")
}

func (w jsonWriter) labeled(data lang.Outcomes) {
	w.bound(data.Bound)
	total := numeral.Divisor{}
	if w.o.Fractions == Weights {
		total = numeral.NewDivisor(denominator(w.o, data.Entries))
		w.total(total.Total)
	}
	w.WriteString(", \"pmf\": ")
	l := list{b: w.Writer, indent: "      "}
	w.weights = w.newWeights(total)
	for _, e := range data.Entries {
		l.item()
		w.WriteString("{\"outcome\": ")
		writeLabel(w.Writer, e.Label)
		w.WriteString(", ")
		if weight, ok := weightOf(e.Value, total.Total); ok {
			w.share(weight, total)
		} else {
			w.value(e.Value)
		}
		w.WriteString("}")
	}
	l.end("    ")
}

// weightOf returns how often x has one of so many.
func weightOf(x *big.Rat, total *big.Int) (*big.Int, bool) {
	if x == nil || total == nil {
		return nil, false
	}
	return numeral.Of(x).Whole(total)
}

func (w jsonWriter) table(data lang.ProbTable) {
	w.WriteString(", \"rows\": ")
	l := list{b: w.Writer, indent: "      "}
	for _, r := range data.Rows {
		l.item()
		w.WriteString("{\"label\": ")
		writeLabel(w.Writer, r.Label)
		w.WriteString(", ")
		w.value(r.Value)
		w.bound(r.Bound)
		w.WriteString("}")
	}
	l.end("    ")
}

// grid writes a table of chances. A cell that is no chance says that it is a number.
func (w jsonWriter) grid(g lang.Grid) {
	if g.Title != "" {
		w.WriteString(", \"caption\": ")
		writeString(w.Writer, g.Title)
	}
	w.WriteString(", \"digits\": " + strconv.Itoa(g.Digits))
	w.WriteString(", \"corner\": ")
	writeString(w.Writer, g.Corner)
	w.WriteString(", \"rows\": ")
	writeLabels(w.Writer, g.Rows)
	w.WriteString(", \"cols\": ")
	writeLabels(w.Writer, g.Cols)
	w.WriteString(", \"cells\": ")
	rows := list{b: w.Writer, indent: "      "}
	for _, cells := range g.Cells {
		rows.item()
		row := list{b: w.Writer, indent: "        "}
		for _, c := range cells {
			row.item()
			w.WriteString("{")
			w.value(c.Value)
			w.bound(c.Bound)
			if !c.Prob {
				w.WriteString(", \"number\": true")
			}
			w.WriteString("}")
		}
		row.end("      ")
	}
	rows.end("    ")
}

func (w jsonWriter) plan(p lang.Plan) {
	w.WriteString(", ")
	w.value(p.Value)
	w.bound(p.Bound)
	w.WriteString(", \"decisions\": ")
	l := list{b: w.Writer, indent: "      "}
	for _, d := range p.Decisions {
		l.item()
		w.WriteString("{\"state\": ")
		writeLabel(w.Writer, d.State)
		w.WriteString(", \"move\": ")
		writeLabel(w.Writer, d.Move)
		w.WriteString(", ")
		w.value(d.Value)
		w.bound(p.Bound)
		w.WriteString("}")
	}
	l.end("    ")
}

func (w jsonWriter) comparison(c lang.Comparison) {
	w.WriteString(", \"rolls\": ")
	l := list{b: w.Writer, indent: "      "}
	for _, r := range c.Rolls {
		l.item()
		w.WriteString("{\"label\": ")
		writeString(w.Writer, r.Name)
		w.roll(r.Dist)
		w.WriteString("}")
	}
	l.end("    ")
}

// value writes the members exact and value of x. What is not the chance of an
// outcome has no weight, and is exact with [Weights] too.
func (w jsonWriter) value(x *big.Rat) {
	if w.o.Fractions != NoFractions {
		exact := "null"
		if x != nil {
			exact = `"` + x.RatString() + `"`
		}
		w.WriteString("\"exact\": " + exact + ", ")
	}
	w.WriteString("\"value\": ")
	if x == nil {
		w.WriteString("null")
		return
	}
	value, _ := x.Float64() // the nearest one
	writeFloat(w.Writer, value)
}

func (w jsonWriter) bound(e float64) {
	w.WriteString(", \"error\": ")
	writeFloat(w.Writer, e)
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
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), x, format, -1, 64))
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
		if p.Type != "" {
			b.WriteString(", \"type\": ")
			writeString(b, p.Type)
		}
		b.WriteString(", \"value\": ")
		writeAny(b, p.Value)
		writeMember(b, "default", p.Default)
		writeMember(b, "min", p.Min)
		writeMember(b, "max", p.Max)
		if p.Choices != nil {
			b.WriteString(", \"choices\": ")
			writeChoices(b, p.Choices)
		}
		if p.Help != "" {
			b.WriteString(", \"help\": ")
			writeString(b, p.Help)
		}
		b.WriteString("}")
	}
	l.end("  ")
}

// writeMember writes a member that there may not be.
func writeMember(b *bufio.Writer, name string, v any) {
	if v != nil {
		b.WriteString(", \"" + name + "\": ")
		writeAny(b, v)
	}
}

func writeChoices(b *bufio.Writer, choices []any) {
	b.WriteByte('[')
	for i, c := range choices {
		if i > 0 {
			b.WriteString(", ")
		}
		writeAny(b, c)
	}
	b.WriteByte(']')
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
		jsonWriter{Writer: b}.value(v)
		b.WriteString("}")
	case nil, bool, int, int64:
		text, _ := json.Marshal(v)
		b.Write(text)
	default:
		writeString(b, fmt.Sprint(v))
	}
}

func writeUsage(b *bufio.Writer, u lang.Usage) {
	before := "{"
	for name, n := range u.Counts() {
		fmt.Fprintf(b, `%s"%s": %d`, before, strings.ReplaceAll(name, "-", "_"), n)
		before = ", "
	}
	b.WriteString("}")
}

// writeFailures writes all mistakes of a text that has several.
func writeFailures(b *bufio.Writer, all []*lang.Error) {
	if len(all) < 2 {
		return
	}
	b.WriteString("\n  \"errors\": ")
	l := list{b: b, indent: "    "}
	for _, e := range all {
		l.item()
		writeFailure(b, e)
	}
	l.end("  ")
	b.WriteString(",")
}

func writeFailure(b *bufio.Writer, e *lang.Error) {
	member := func(name, value string) {
		b.WriteString(name)
		writeString(b, value)
	}
	member("{\"kind\": ", string(e.Kind))
	member(", \"message\": ", e.Message)
	member(", \"file\": ", e.Position.File)
	fmt.Fprintf(b, `, "line": %d, "column": %d, "backtrace": `, e.Position.Line, e.Position.Column)
	l := list{b: b, indent: "    "}
	for _, f := range e.Frames {
		l.item()
		member("{\"function\": ", f.Function)
		member(", \"file\": ", f.File)
		fmt.Fprintf(b, `, "line": %d, "column": %d}`, f.Line, f.Column)
	}
	l.end("  ")
	b.WriteString("}")
}
