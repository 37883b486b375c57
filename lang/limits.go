// What one run may spend. Hosts run recipes that strangers wrote, so every
// limit has a default under which a run ends soon and in bounded memory.

package lang

import "dicescript/builtins/meter"

// Unlimited, as a field of [Limits], takes that limit away.
const Unlimited = meter.Unlimited

// Limits bound one run of a recipe together with the modules that it loads. What
// would exceed a limit is refused before it is done, as an [Error] of [KindLimit]
// with a *dist.LimitError as its cause, whose Resource is the name that the limit has in
// [Usage.Counts]. What the limits cannot hold is in the documentation of the package.
type Limits = meter.Limits

// exceeds reports whether need is above limit.
func exceeds(need, limit int64) bool { return limit >= 0 && need > limit }

// limitMessage is the message of a limit error for the author of a recipe.
// text is what the failing function made of it.
func limitMessage(text string, err error) string {
	if advice := meter.Advice(err); advice != "" {
		return text + ": " + advice
	}
	return text
}
