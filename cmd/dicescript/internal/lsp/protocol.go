package lsp

import "encoding/json"

// The messages of the Language Server Protocol 3.17 that are used here, with those
// of their fields that mean something to this server.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in units of UTF-16
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type documentID struct {
	URI string `json:"uri"`
}

type initializeParams struct {
	Capabilities clientCapabilities `json:"capabilities"`
	Folders      []documentID       `json:"workspaceFolders"`
	RootURI      string             `json:"rootUri"`
}

type clientCapabilities struct {
	Workspace struct {
		WatchedFiles struct {
			Dynamic bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
	} `json:"workspace"`
	TextDocument struct {
		Hover struct {
			Formats []string `json:"contentFormat"`
		} `json:"hover"`
		Symbol struct {
			Tree bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
		Completion struct {
			Item struct {
				Formats []string `json:"documentationFormat"`
			} `json:"completionItem"`
		} `json:"completion"`
	} `json:"textDocument"`
}

type didOpenParams struct {
	Document struct {
		URI      string `json:"uri"`
		Language string `json:"languageId"`
		Version  int    `json:"version"`
		Text     string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	Document struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	Changes []contentChange `json:"contentChanges"`
}

// A contentChange puts a text in the place of a range, or of all.
type contentChange struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type didCloseParams struct {
	Document documentID `json:"textDocument"`
}

type watchedFilesParams struct {
	Changes []documentID `json:"changes"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// placeParams are those of all questions about a place.
type placeParams struct {
	Document documentID `json:"textDocument"`
	Position position   `json:"position"`
}

type referenceParams struct {
	placeParams
	Context struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type renameParams struct {
	placeParams
	NewName string `json:"newName"`
}

type documentParams struct {
	Document documentID `json:"textDocument"`
}

type rangeParams struct {
	Document documentID `json:"textDocument"`
	Range    span       `json:"range"`
}

type codeActionParams struct {
	rangeParams
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type diagnostic struct {
	Range    span   `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code,omitempty"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

const (
	severityError   = 1
	severityWarning = 2
)

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

const (
	markdown  = "markdown"
	plaintext = "plaintext"
)

type hoverResult struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation *markup  `json:"documentation,omitempty"`
	Edit          textEdit `json:"textEdit"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type signatureResult struct {
	Signatures []signatureItem `json:"signatures"`
	Active     int             `json:"activeSignature"`
	Parameter  *int            `json:"activeParameter,omitempty"`
}

type signatureItem struct {
	Label         string          `json:"label"`
	Documentation *markup         `json:"documentation,omitempty"`
	Parameters    []parameterItem `json:"parameters"`
}

type parameterItem struct {
	Label         string  `json:"label"`
	Documentation *markup `json:"documentation,omitempty"`
}

type documentSymbol struct {
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
	Kind   int    `json:"kind"`
	Range  span   `json:"range"`
	Select span   `json:"selectionRange"`
}

// symbolInformation is a symbol for clients that know no tree.
type symbolInformation struct {
	Name     string   `json:"name"`
	Kind     int      `json:"kind"`
	Location location `json:"location"`
}

type highlight struct {
	Range span `json:"range"`
}

type foldingRange struct {
	Start int    `json:"startLine"`
	End   int    `json:"endLine"`
	Kind  string `json:"kind,omitempty"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Preferred   bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

type codeLens struct {
	Range   span     `json:"range"`
	Command *command `json:"command,omitempty"`
	Data    lensData `json:"data"`
}

// lensData says which output a lens is for.
type lensData struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	Line    int    `json:"line"` // of the recipe, from 1
}

type command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

type semanticTokens struct {
	Data []uint32 `json:"data"`
}

type prepareRename struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

// capabilities is what the server says that it can do.
func capabilities() map[string]any {
	return map[string]any{
		"positionEncoding": "utf-16",
		"textDocumentSync": map[string]any{"openClose": true, "change": 2 /* incremental */, "save": map[string]any{}},
		"completionProvider": map[string]any{
			"triggerCharacters": []string{".", "\"", "'", "/"},
		},
		"hoverProvider":              true,
		"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{"(", ","}},
		"definitionProvider":         true,
		"referencesProvider":         true,
		"documentHighlightProvider":  true,
		"documentSymbolProvider":     true,
		"foldingRangeProvider":       true,
		"renameProvider":             map[string]any{"prepareProvider": true},
		"documentFormattingProvider": true,
		"codeActionProvider":         map[string]any{"codeActionKinds": []string{"quickfix"}},
		"codeLensProvider":           map[string]any{"resolveProvider": true},
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers},
			"full":   true, "range": true,
		},
	}
}
