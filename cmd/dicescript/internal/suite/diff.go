package suite

import "strings"

// The difference of two texts in lines: those that have to go are marked -,
// those that have to come +. Between the lines that both texts begin and end with
// it keeps a longest common subsequence, unless they are so long that looking for
// it would take a while: then all of one makes way for all of the other.

// largestDiff is how many pairs of lines are compared.
const largestDiff = 4_000_000

func diff(old, new string) string {
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	marked(&out, "  ", a[:head])
	changed(&out, a[head:len(a)-tail], b[head:len(b)-tail])
	marked(&out, "  ", a[len(a)-tail:])
	return out.String()
}

func marked(out *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		out.WriteString(mark + line + "\n")
	}
}

// changed writes lines that are neither the first nor the last of both texts.
func changed(out *strings.Builder, a, b []string) {
	if len(a) > 0 && len(b) > largestDiff/len(a) {
		marked(out, "- ", a)
		marked(out, "+ ", b)
		return
	}
	longest := commonRest(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			marked(out, "  ", a[i:i+1])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			marked(out, "- ", a[i:i+1])
			i++
		default:
			marked(out, "+ ", b[j:j+1])
			j++
		}
	}
}

// commonRest is the length of the longest common subsequence of a[i:] and b[j:].
func commonRest(a, b []string) [][]int {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	return longest
}
