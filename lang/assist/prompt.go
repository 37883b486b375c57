package assist

import (
	"dicescript/lang"
	"dicescript/lang/internal/prompt"
)

// A Prompt is a session as a prompt sees it: the values that an input showed and names for
// them, the types of names, and modules that are read again.
type Prompt = prompt.Session

// PromptOf returns a session as its prompt sees it.
func PromptOf(s *lang.Session) Prompt { return s.Prompt() }
