package meter

// Caps hold whatever the limits of a run are. Nothing looks at the context while
// one of these is dealt with, and none takes more than a tenth of a second.
const (
	mostCells = 8 << 20 // that one operation looks at
	mostLooks = 4 << 20 // elements that one operation looks at

	// mostCollisions is how many elements of keys building a dict anew may pass. Keys
	// that nobody chose to collide pass less than one each. Until a dict is built anew
	// the next time it may hold twice as many keys, which pass four times as many.
	mostCollisions = 4_000_000

	// MaxNumberBits bounds the result of exact arithmetic, and MaxPowerBits that of a
	// power: they are brought into lowest terms.
	MaxNumberBits = 1 << 19
	MaxPowerBits  = 1 << 18

	// MaxWritten bounds the entries of a dict that is written out, which is built at
	// once.
	MaxWritten = 2500

	// MaxParameters and MaxVariables bound those of a function: each call makes room
	// for all of them, and looks for arguments by name among all parameters.
	MaxParameters = 250
	MaxVariables  = 1000
)
