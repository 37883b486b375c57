package suggest

// otherWords are what people from other tools and from statistics call things,
// with the names that they have here.
var otherWords = map[string]string{
	"average": "mean", "avg": "mean", "expected": "mean", "expectation": "mean", "expected_value": "mean", "ev": "mean",
	"std": "sd", "stdev": "sd", "stddev": "sd", "std_dev": "sd", "deviation": "sd", "standard_deviation": "sd",
	"var": "variance", "percentile": "quantile",
	"chance": "p_eq", "probability": "p_eq", "prob": "p_eq", "odds": "p_eq",
	"at_least": "p_ge", "at_most": "p_le", "more_than": "p_gt", "less_than": "p_lt",
	"maximum": "max", "minimum": "min", "outcomes": "support", "values": "support", "faces": "support",
}

// OtherWord is the name of what other people call so, or "".
func OtherWord(name string) string { return otherWords[name] }
