package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The messages of JSON-RPC 2.0. They are read here, not by the library that the language
// server stands on: that one ends the connection at a line that is no message, and has no
// answer whose id is null.

// Codes of errors: those of JSON-RPC, and of this protocol.
const (
	codeParse          = -32700
	codeRequest        = -32600
	codeMethod         = -32601
	codeParams         = -32602
	codeInternal       = -32603
	codeUnknownProgram = -32001
)

// A request is a call or, without an id, a notification.
type request struct {
	ID     json.RawMessage // nil in a notification
	Method string
	Params json.RawMessage
}

// An Error is what went wrong with the protocol.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

var null = json.RawMessage("null")

// parse reads a line. What is no message is an error with the id to answer it under.
func parse(line []byte) (request, json.RawMessage, *Error) {
	if line[0] == '[' && json.Valid(line) {
		return request{}, null, &Error{codeRequest, "a batch is no message here: send its calls one a line"}
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(line, &m); err != nil {
		if json.Valid(line) {
			return request{}, null, &Error{codeRequest, "a message is an object with jsonrpc, id, method and params"}
		}
		return request{}, null, &Error{codeParse, "the line is not JSON: " + err.Error()}
	}
	id := m.ID
	if id != nil && !isID(id) {
		return request{}, null, &Error{codeRequest, "id: want a string or a number"}
	}
	answerTo := id
	if id == nil {
		answerTo = null
	}
	r := request{ID: id, Params: m.Params}
	switch {
	case m.Version != "2.0":
		return r, answerTo, &Error{codeRequest, fmt.Sprintf(`jsonrpc: got %q, want "2.0"`, m.Version)}
	case json.Unmarshal(m.Method, &r.Method) != nil || r.Method == "":
		return r, answerTo, &Error{codeRequest, "method: want the name of a method"}
	case len(m.Params) > 0 && m.Params[0] != '{' && !bytes.Equal(m.Params, null):
		return r, answerTo, &Error{codeParams, "params: want an object, whose members have names"}
	}
	if bytes.Equal(m.Params, null) {
		r.Params = nil
	}
	return r, answerTo, nil
}

// isID reports whether a JSON value can name a call.
func isID(id json.RawMessage) bool {
	return id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9'
}

// answer is the line of an answer. The result is JSON without line ends.
func answer(id, result json.RawMessage) []byte {
	line := make([]byte, 0, len(result)+len(id)+len(`{"jsonrpc":"2.0","id":,"result":}`)+1)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = append(line, id...)
	line = append(line, `,"result":`...)
	line = append(line, result...)
	return append(line, "}\n"...)
}

// refusal is the line of an answer that is an error.
func refusal(id json.RawMessage, e *Error) []byte {
	return encoded(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *Error          `json:"error"`
	}{"2.0", id, e})
}

// notification is the line of a message that wants no answer.
func notification(method string, params any) []byte {
	return encoded(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}

// encoded is the line of a message.
func encoded(message any) []byte {
	text, err := marshal(message)
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return append(text, '\n')
}

// marshal writes JSON on one line, with < and > as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
