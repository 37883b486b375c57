package dist

import "context"

// Fingerprint returns a number that is the same for distributions with the same
// chances and seldom for others, so that equal ones can be found again in a
// table; [Same] decides. It depends on nothing but the chances. Cost: one
// operation for each word of the weights.
func (d *Dist) Fingerprint(ctx context.Context) (uint64, error) {
	if err := ChargeWork(ctx, int64(len(d.w.Data))); err != nil {
		return 0, err
	}
	return d.fingerprint(), nil
}

// fingerprint is [Dist.Fingerprint] for those who have charged it.
func (d *Dist) fingerprint() uint64 {
	hash := uint64(14695981039346656037) // FNV-1a, by words
	mix := func(w uint64) {
		hash = (hash ^ w) * 1099511628211
		hash ^= hash >> 32
	}
	mix(uint64(d.Min()))
	mix(uint64(d.Max()))
	for _, w := range d.w.Data {
		mix(uint64(w))
	}
	return hash
}
