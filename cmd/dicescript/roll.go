package main

import (
	"bytes"
	crand "crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"strings"

	"dicescript/cmd/dicescript/internal/source"
	"dicescript/lang"
	"dicescript/lang/report"
	"dicescript/lang/throw"
)

// This file is roll: a recipe or an expression is really thrown, with every die, and beside
// what comes up stands how often that happens in the long run.

// mostRolls is how many times roll throws at most.
const mostRolls = 1_000_000

type rollOptions struct {
	*patience
	count   int
	seed    string
	json    bool
	commit  bool
	verify  string
	dialect string
	sets    settings
}

func rollFlags() (*flag.FlagSet, *rollOptions) {
	f, o := quietFlags(), &rollOptions{}
	f.IntVar(&o.count, "n", 1, "throw `N` times")
	f.StringVar(&o.seed, "seed", "", "`S` is a number or any text, which always gives the same dice")
	f.BoolVar(&o.json, "json", false, "print each throw as data, on a line of its own")
	f.BoolVar(&o.commit, "commit", false, "print what binds you to a throw, and the seed to throw it with later")
	f.StringVar(&o.verify, "verify", "", "throw again what `RECORD` says, a file of --json, and compare")
	dialectFlag(f, &o.dialect)
	f.Var(&o.sets, "set", "set an input of the recipe, or with --dialect mod of @mod: `name=value`")
	o.patience = patienceFlags(f, patientTime)
	return f, o
}

// rollDice is dicescript roll.
func (t *tool) rollDice(args []string) int {
	f, o := rollFlags()
	rest, err := parse(f, args)
	if errors.Is(err, flag.ErrHelp) {
		return t.helpOn("roll")
	}
	if err == nil {
		err = o.misuse(rest)
	}
	if err != nil {
		return t.misused("%s", err)
	}
	return t.within(o.patience, func(t *tool) int { return t.rollNow(o, rest[0]) })
}

// misuse is what is wrong with how roll is called.
func (o *rollOptions) misuse(rest []string) error {
	switch {
	case len(rest) == 0 || strings.TrimSpace(rest[0]) == "":
		return errors.New("want a recipe, or dice in quotes: dicescript roll '4d6kh3 + 2'")
	case len(rest) > 1:
		return fmt.Errorf("want one argument, got %s as well: put the dice in quotes", strings.Join(rest[1:], " "))
	case o.count < 1 || o.count > mostRolls:
		return fmt.Errorf("-n: got %d, want 1 to %d", o.count, mostRolls)
	case o.commit && o.verify != "":
		return errors.New("--commit and --verify do not go together: one is before the throw, the other after it")
	case (o.commit || o.verify != "") && o.count != 1:
		return errors.New("-n does not go with --commit and --verify")
	case o.verify != "" && (o.seed != "" || len(o.sets) > 0):
		return errors.New("--seed and --set do not go with --verify: the record has them")
	}
	return o.patience.check()
}

func (t *tool) rollNow(o *rollOptions, what string) int {
	if o.verify != "" {
		return t.verify(o, what)
	}
	if o.seed == "" {
		o.seed = newSeed(o.commit)
	}
	return t.thrower(what, o, func(thrown throwing) int {
		if o.commit {
			return t.commit(thrown, o.seed)
		}
		return t.rollTimes(o, thrown.throws(throw.Seed(o.seed)))
	})
}

// newSeed is a seed at random: a number, or where others may try to find it out 128 bits.
func newSeed(secret bool) string {
	var b [16]byte
	crand.Read(b[:]) // never fails
	if secret {
		return hex.EncodeToString(b[:])
	}
	return throw.NumberSeed(binary.LittleEndian.Uint64(b[:]))
}

// A throwing is a recipe or an expression that can be thrown.
type throwing struct {
	throws func(throw.Source) iter.Seq2[*throw.Record, error]
	about  func() (*throw.Record, error) // its hash and its inputs
}

// thrower prepares a recipe or an expression and hands it to use.
func (t *tool) thrower(what string, o *rollOptions, use func(throwing) int) int {
	if !isRecipeFile(what) {
		text, err := inDialect(o.dialect, what, o.sets)
		if err == nil && o.dialect == "" && len(o.sets) > 0 {
			err = errors.New("--set is for recipes, and for names such as @mod with --dialect")
		}
		if err != nil {
			return t.misused("%s", err)
		}
		host, done, err := t.host(&options{}, ".")
		if err != nil {
			return t.misused("%s", err)
		}
		defer done()
		return use(throwing{
			throws: func(src throw.Source) iter.Seq2[*throw.Record, error] {
				return host.NewSession().Throws(t.ctx, src, text)
			},
			about: func() (*throw.Record, error) { return host.NewSession().Throw(t.ctx, throw.Seed("0"), text) },
		})
	}
	if o.dialect != "" {
		return t.misused("--dialect is for dice; a recipe writes roll(\"4d6kh3\", dialect=%q)", o.dialect)
	}
	name, src, err := t.read(what)
	if err != nil {
		return t.unreadable(what, err)
	}
	host, done, err := t.host(&options{}, folderOf(what))
	if err != nil {
		return t.misused("%s", err)
	}
	defer done()
	program, err := host.Compile(t.ctx, name, src)
	if err != nil {
		t.explain(err)
		return exitCode(err)
	}
	inputs, err := (&options{sets: o.sets}).inputs(program)
	if err != nil {
		return t.misused("--set %s", err)
	}
	throws := func(src throw.Source) iter.Seq2[*throw.Record, error] {
		return program.Throws(t.ctx, src, lang.WithInputs(inputs))
	}
	return use(throwing{throws: throws, about: func() (*throw.Record, error) {
		return program.Throw(t.ctx, throw.Seed("0"), lang.WithInputs(inputs))
	}})
}

// isRecipeFile reports whether an argument is a file and no dice.
func isRecipeFile(what string) bool {
	if standardInput(what) || recipeFile.MatchString(what) {
		return true
	}
	info, err := os.Stat(what)
	return err == nil && info.Mode().IsRegular()
}

// rollTimes throws and prints.
func (t *tool) rollTimes(o *rollOptions, records iter.Seq2[*throw.Record, error]) int {
	_, color := t.window()
	n := 0
	for record, err := range records {
		if err == nil {
			err = t.printThrow(o, record, color, n > 0 && len(record.Outputs) > 1)
		}
		if err != nil {
			t.explain(err)
			return exitCode(err)
		}
		if n++; n == o.count {
			break
		}
	}
	return exitOK
}

func (t *tool) printThrow(o *rollOptions, record *throw.Record, color, apart bool) error {
	var b bytes.Buffer
	if o.json {
		if err := json.NewEncoder(&b).Encode(record); err != nil {
			return err
		}
	} else {
		if apart {
			b.WriteByte('\n')
		}
		if err := report.Throw(&b, record, report.Options{Color: color}); err != nil {
			return err
		}
	}
	_, err := t.stdout.Write(b.Bytes())
	return err
}

// commit prints what others keep before the throw, and on standard error what is kept from
// them until then.
func (t *tool) commit(thrown throwing, seed string) int {
	record, err := thrown.about()
	if err != nil {
		t.explain(err)
		return exitCode(err)
	}
	fmt.Fprintln(t.stdout, throw.Commitment(record.Recipe, record.Inputs, seed))
	fmt.Fprintf(t.stderr, "show the others the line above, and keep the seed until the throw; they may add words of theirs to it, after a /:\n  dicescript roll --seed %s --json ...\n", seed)
	return exitOK
}

// verify throws again what a record says, and compares.
func (t *tool) verify(o *rollOptions, what string) int {
	text, err := source.Read(o.verify, t.sourceBytes())
	if err != nil {
		return t.misused("--verify: %s", err)
	}
	var claimed throw.Record
	read := json.NewDecoder(bytes.NewReader(text))
	read.DisallowUnknownFields()
	read.UseNumber()
	if err := read.Decode(&claimed); err != nil {
		return t.misused("--verify: %s is no record of dicescript roll --json: %s", o.verify, err)
	}
	if claimed.Seed == "" {
		return t.misused("--verify: the record has no seed, so that nobody can throw it again")
	}
	for _, in := range claimed.Inputs {
		o.sets = append(o.sets, in.Name+"="+fmt.Sprint(in.Value))
	}
	return t.thrower(what, o, func(thrown throwing) int {
		n := 0
		for record, err := range thrown.throws(throw.Seed(claimed.Seed)) {
			if err != nil {
				t.explain(err)
				return exitCode(err)
			}
			if n++; n >= max(1, claimed.Nth) {
				return t.compare(&claimed, record)
			}
		}
		return exitFailed
	})
}

// compare says whether a record is what its seed throws.
func (t *tool) compare(claimed, thrown *throw.Record) int {
	switch {
	case claimed.Recipe != thrown.Recipe:
		fmt.Fprintf(t.stderr, "dicescript: this is another recipe: the record is of %s, and this is %s\n", claimed.Recipe, thrown.Recipe)
		return exitFailed
	case claimed.Commitment != thrown.Commitment:
		fmt.Fprintf(t.stderr, "dicescript: the commitment is not that of the seed: want %s\n", thrown.Commitment)
		return exitFailed
	}
	if len(claimed.Outputs) != len(thrown.Outputs) {
		fmt.Fprintf(t.stderr, "dicescript: the record has %d outputs, and the recipe %d\n", len(claimed.Outputs), len(thrown.Outputs))
		return exitFailed
	}
	for i := range thrown.Outputs {
		a, _ := json.Marshal(claimed.Outputs[i])
		b, _ := json.Marshal(thrown.Outputs[i])
		if !bytes.Equal(a, b) {
			fmt.Fprintf(t.stderr, "dicescript: the dice of %q are not those of the seed, which are:\n", report.Visible(thrown.Outputs[i].Title))
			report.Throw(t.stderr, &throw.Record{Outputs: thrown.Outputs[i : i+1]}, report.Options{})
			return exitFailed
		}
	}
	if err := report.Throw(t.stdout, thrown, report.Options{}); err != nil {
		return exitFailed
	}
	fmt.Fprintf(t.stdout, "the seed throws exactly this; its commitment is %s\n", thrown.Commitment)
	return exitOK
}
