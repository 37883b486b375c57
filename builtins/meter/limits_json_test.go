package meter

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every limit goes to JSON and back under the name that messages use for it.
func TestLimitsAsJSON(t *testing.T) {
	var all Limits
	for i, b := range Bounds() {
		*b.Of(&all) = int64(i) - 1
		if i < 2 {
			*b.Of(&all) = Unlimited
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var names map[string]int64
	if err := json.Unmarshal(text, &names); err != nil || len(names) != len(Bounds()) || names["output-bytes"] != all.OutputBytes || names["steps"] != -1 {
		t.Errorf("got %s, %v", text, err)
	}
	var back Limits
	if err := json.Unmarshal(text, &back); err != nil || back != all {
		t.Errorf("got %+v, %v, want %+v", back, err, all)
	}
	if text, err := json.Marshal(Limits{}); string(text) != "{}" || err != nil {
		t.Errorf("no limits: %s, %v", text, err)
	}
	some := Limits{Steps: 1, Work: 2}
	if err := json.Unmarshal([]byte(`{"work": 3}`), &some); err != nil || some != (Limits{Steps: 1, Work: 3}) {
		t.Errorf("got %+v, %v", some, err)
	}
}

func TestLimitsMisspelled(t *testing.T) {
	for text, want := range map[string]string{
		`{"stepz": 5}`:     `there is no limit "stepz"; did you mean steps?`,
		`{"Steps": 5}`:     `there is no limit "Steps"`,
		`{"steps": "5"}`:   `steps: got "5", want a whole number`,
		`{"steps": 5.5}`:   `steps: got 5.5, want a whole number`,
		`{"steps": null}`:  `steps: got null`,
		`[5]`:              "want an object",
		`{"steps": 1e100}`: "want a whole number",
	} {
		l := Limits{Work: 7}
		err := json.Unmarshal([]byte(text), &l)
		if err == nil || !strings.Contains(err.Error(), want) || l != (Limits{Work: 7}) {
			t.Errorf("%s: got %v and %+v, want %q", text, err, l, want)
		}
	}
}
