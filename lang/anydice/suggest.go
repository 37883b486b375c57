package anydice

// nearest returns the known name that is most like a name that is not known, ""
// when none is like it: at most a third of its letters have to be changed,
// added or left out. Whoever mistypes a name that is too long to compare sees it.
func nearest(name string, known []string) string {
	best, fewest := "", len(name)/3+1
	for _, k := range known {
		if len(name) > longest || len(k) > longest {
			continue
		}
		if n := changes(name, k); n < fewest {
			best, fewest = k, n
		}
	}
	return best
}

// longest is how many bytes names have that are compared.
const longest = 100

// changes is the Levenshtein distance of two names.
func changes(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			n := corner
			if a[i] != b[j] {
				n++
			}
			corner = row[j+1]
			row[j+1] = min(n, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
