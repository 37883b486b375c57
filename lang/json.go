// JSON: every output with its exact values, never folded. A chance is a fraction
// in lowest terms beside the float64 that is nearest to it, or, as the options ask,
// a weight over the total of its output, or the float alone.

package lang

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dicescript/dist"
	"dicescript/lang/internal/form"
	"dicescript/lang/internal/numeral"
	"dicescript/lang/internal/unseen"
)

// MarshalJSON returns the result as package lang/report writes it as json, with exact
// fractions; [Result.UnmarshalJSON] reads it back.
func (r Result) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	b := bufio.NewWriter(&text)
	EncodeJSON(b, &r, nil, form.JSON{})
	err := b.Flush()
	return text.Bytes(), err
}

// EncodeJSON writes a result as one JSON object: the errors of a failed run, outputs,
// params and usage. It is for lang/report and for no one else.
func EncodeJSON(b *bufio.Writer, r *Result, failures []*Error, f form.JSON) {
	if r == nil {
		r = &Result{}
	}
	b.WriteString("{")
	if len(failures) > 0 {
		b.WriteString("\n  \"error\": ")
		writeFailure(b, failures[0])
		b.WriteString(",")
		writeFailures(b, failures)
	}
	b.WriteString("\n  \"outputs\": ")
	EncodeOutputs(b, r.Outputs, f)
	b.WriteString(",\n  \"params\": ")
	writeParams(b, r.Params)
	writeNotes(b, r.Notes)
	b.WriteString(",\n  \"usage\": ")
	writeUsage(b, r.Usage)
	b.WriteString("\n}\n")
}

// EncodeOutputs writes outputs as a JSON array, for lang/report.
func EncodeOutputs(b *bufio.Writer, outputs []Output, f form.JSON) {
	if f.Look == nil {
		f.Look = func() {}
	}
	w := jsonWriter{Writer: b, form: f}
	l := list{b: b, indent: "    "}
	for _, o := range outputs {
		l.item()
		w.output(o)
	}
	l.end("  ")
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

// A jsonWriter writes outputs in a form.
type jsonWriter struct {
	*bufio.Writer
	form    form.JSON
	weights *numeral.Weights // of the weights being written
}

func (w jsonWriter) output(out Output) {
	w.WriteString("{\"title\": ")
	writeString(w.Writer, out.Title)
	w.WriteString(", \"kind\": ")
	writeString(w.Writer, out.Kind())
	w.data(out.Data)
	w.WriteString("}")
}

func (w jsonWriter) data(data Data) {
	switch data := data.(type) {
	case Roll:
		w.roll(data.Dist)
	case Prob:
		w.WriteString(", ")
		w.value(data.Value)
		w.bound(data.Bound)
	case Number:
		w.WriteString(", ")
		w.value(data.Value)
		w.bound(data.Bound)
	case Outcomes:
		w.labeled(data)
	case ProbTable:
		w.table(data)
	case Grid:
		w.grid(data)
	case Comparison:
		w.comparison(data)
	case Plan:
		w.plan(data)
	case Text:
		w.WriteString(", \"text\": ")
		writeString(w.Writer, data.Text)
		if data.Value != nil {
			w.WriteString(", \"value\": ")
			w.structured(data.Value)
			if !readsBack(data.Value) {
				w.WriteString(", \"typed\": ")
				w.typed(data.Value)
			}
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
	case Dict:
		w.dict(v)
	case Data:
		w.WriteString("{\"kind\": ")
		writeString(w.Writer, v.Kind())
		w.data(v)
		w.WriteString("}")
	default:
		writeAny(w.Writer, v)
	}
}

// readsBack reports whether what structured writes of v can be read as v alone. It can't
// where a dict has keys that are no texts, or those of data, and where a float looks like
// a whole number or is none.
func readsBack(v any) bool {
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { return !readsBack(x) })
	case Dict:
		return len(v.Map()) == len(v) && !looksLikeData(v) &&
			!slices.ContainsFunc(v, func(e Entry) bool { return !readsBack(e.Value) })
	case float64:
		return strings.ContainsAny(strconv.FormatFloat(v, floatFormat(v), -1, 64), ".e")
	}
	return true
}

// looksLikeData reports whether a dict has the members by which data of a kind is told.
func looksLikeData(d Dict) bool {
	members := d.Map()
	kind, _ := members["kind"].(string)
	_, looks := members[memberOf[kind]]
	return looks
}

// typed writes the data of a list or dict with the type of all that is ambiguous: an array
// is a list, an object of one member is what that is called: {"dict": [[key, value], ...]},
// {"float": "2"} or {"data": {"kind": ...}}.
func (w jsonWriter) typed(v any) {
	switch v := v.(type) {
	case []any:
		w.WriteByte('[')
		for i, x := range v {
			w.between(i)
			w.typed(x)
		}
		w.WriteByte(']')
	case Dict:
		w.WriteString("{\"dict\": [")
		for i, e := range v {
			w.between(i)
			w.WriteByte('[')
			w.typed(e.Key)
			w.WriteString(", ")
			w.typed(e.Value)
			w.WriteByte(']')
		}
		w.WriteString("]}")
	case float64:
		w.WriteString("{\"float\": \"" + strconv.FormatFloat(v, 'g', -1, 64) + "\"}")
	case Data:
		w.WriteString("{\"data\": ")
		w.structured(v)
		w.WriteByte('}')
	default:
		writeAny(w.Writer, v)
	}
}

func (w jsonWriter) between(i int) {
	if i > 0 {
		w.WriteString(", ")
	}
}

func (w jsonWriter) dict(d Dict) {
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
	more := w.shares(Roll{Dist: d}, func() *big.Int { return total.Total })
	for x, weight := range d.All() {
		w.form.Look()
		l.item()
		w.WriteString("{\"outcome\": ")
		w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(x), 10))
		w.WriteString(", ")
		w.share(weight, total)
		w.further(more, weight)
		w.WriteString("}")
	}
	l.end("    ")
}

// total writes what the weights of an output add up to, when it has weights.
func (w jsonWriter) total(total *big.Int) {
	if w.form.Weights {
		w.WriteString(", \"total\": \"")
		w.Write(total.Append(w.AvailableBuffer(), 10))
		w.WriteString("\"")
	}
}

// newWeights is for the weights over a total, if those are written.
func (w jsonWriter) newWeights(total numeral.Divisor) *numeral.Weights {
	if !w.form.Weights {
		return &numeral.Weights{}
	}
	return numeral.NewWeights(total.Total)
}

// share writes the chance of an outcome.
func (w jsonWriter) share(weight *big.Int, total numeral.Divisor) {
	switch {
	case !w.form.Weights && !w.form.Floats:
		w.WriteString("\"exact\": \"" + new(big.Rat).SetFrac(weight, total.Total).RatString() + "\", ")
	case w.form.Weights:
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

func (w jsonWriter) labeled(data Outcomes) {
	w.bound(data.Bound)
	if data.Ordered {
		w.WriteString(", \"ordered\": true")
	}
	total := numeral.Divisor{}
	if w.form.Weights {
		total = numeral.NewDivisor(w.denominator(data.Entries))
		w.total(total.Total)
	}
	w.WriteString(", \"pmf\": ")
	l := list{b: w.Writer, indent: "      "}
	w.weights = w.newWeights(total)
	var common *big.Int
	more := w.shares(data, func() *big.Int {
		common = w.denominator(data.Entries)
		return common
	})
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
		if more != nil {
			weight, _ := weightOf(e.Value, common)
			w.further(more, weight)
		}
		w.WriteString("}")
	}
	l.end("    ")
}

// denominator returns the least common denominator of the entries.
func (w jsonWriter) denominator(entries []Outcome) *big.Int {
	n := big.NewInt(1)
	for _, e := range entries {
		w.form.Look()
		n = common(n, e.Value)
	}
	return n
}

// common returns the least common multiple of n and the denominator of x.
func common(n *big.Int, x *big.Rat) *big.Int {
	gcd := new(big.Int).GCD(nil, nil, n, x.Denom())
	return new(big.Int).Mul(n, gcd.Quo(x.Denom(), gcd))
}

// shares returns what gives the further chances of outcomes, nil when there are none.
func (w jsonWriter) shares(of Data, total func() *big.Int) func(weight *big.Int) []form.Share {
	if w.form.Shares == nil {
		return nil
	}
	return w.form.Shares(of, total)
}

// further writes the further chances of the outcome with the next weight.
func (w jsonWriter) further(more func(weight *big.Int) []form.Share, weight *big.Int) {
	if more == nil {
		return
	}
	for _, share := range more(weight) {
		w.WriteString(", \"" + share.Name + "\": {")
		w.value(share.Value)
		w.WriteString("}")
	}
}

// weightOf returns how often x has one of so many.
func weightOf(x *big.Rat, total *big.Int) (*big.Int, bool) {
	if x == nil || total == nil {
		return nil, false
	}
	return numeral.Of(x).Whole(total)
}

func (w jsonWriter) table(data ProbTable) {
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
func (w jsonWriter) grid(g Grid) {
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

func (w jsonWriter) plan(p Plan) {
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

func (w jsonWriter) comparison(c Comparison) {
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
// outcome has no weight, and is exact with weights too.
func (w jsonWriter) value(x *big.Rat) {
	if !w.form.Floats {
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

func writeLabels(b *bufio.Writer, labels []Label) {
	b.WriteByte('[')
	for i, l := range labels {
		if i > 0 {
			b.WriteString(", ")
		}
		writeLabel(b, l)
	}
	b.WriteByte(']')
}

func writeLabel(b *bufio.Writer, l Label) {
	if n, ok := l.Int(); ok {
		b.WriteString(strconv.Itoa(n))
	} else if items, ok := l.Items(); ok {
		writeLabels(b, items)
	} else if truth, ok := l.Bool(); ok {
		b.WriteString(strconv.FormatBool(truth))
	} else if l.IsNone() {
		b.WriteString("null")
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
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), x, floatFormat(x), -1, 64))
}

func floatFormat(x float64) byte {
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		return 'e'
	}
	return 'f'
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
		case r != utf8.RuneError && unseen.Rune(r):
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

func writeParams(b *bufio.Writer, params []ParamValue) {
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

func writeUsage(b *bufio.Writer, u Usage) {
	before := "{"
	for name, n := range u.Counts() {
		fmt.Fprintf(b, `%s"%s": %d`, before, strings.ReplaceAll(name, "-", "_"), n)
		before = ", "
	}
	b.WriteString("}")
}

// writeFailures writes all mistakes of a text that has several.
func writeFailures(b *bufio.Writer, all []*Error) {
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

func writeFailure(b *bufio.Writer, e *Error) {
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
