package rpc

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"testing"
)

// A call over two pipes of the system, from the write of its line to the read of its
// answer.
func BenchmarkCall(b *testing.B) {
	for _, x := range []struct{ name, line, want string }{
		{"3d6", `{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"3d6"}}`, `"exact": "21/2"`},
		{"4d6kh3", `{"jsonrpc":"2.0","id":1,"method":"eval","params":{"expression":"4d6kh3"}}`, `"exact": "15869/1296"`},
		{"recipe", `{"jsonrpc":"2.0","id":1,"method":"run","params":{"source":"b = param('bonus', 1)\noutput('x', 3d6 + b)","inputs":{"bonus":2}}}`, `"exact": "25/2"`},
	} {
		b.Run(x.name, func(b *testing.B) {
			ask, close := overPipes(b)
			defer close()
			line := []byte(x.line + "\n")
			if got := ask(line); !bytes.Contains(got, []byte(x.want)) {
				b.Fatalf("got %s", got)
			}
			for b.Loop() {
				ask(line)
			}
		})
	}
}

func overPipes(b *testing.B) (ask func([]byte) []byte, close func()) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	over := make(chan int)
	go func() { over <- Serve(context.Background(), quick(), inR, outW, io.Discard, nil) }()
	out := bufio.NewReaderSize(outR, 1<<20)
	return func(line []byte) []byte {
			if _, err := inW.Write(line); err != nil {
				b.Fatal(err)
			}
			got, err := out.ReadSlice('\n')
			if err != nil {
				b.Fatal(err)
			}
			return got
		}, func() {
			inW.Close()
			<-over
			outR.Close()
		}
}
