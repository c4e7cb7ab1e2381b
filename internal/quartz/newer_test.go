package quartz

import (
	"strings"
	"testing"
)

// TestV15Quartz25: Quartz25 should find exactly the expressions that Quartz 2.5 interprets differently.
func TestV15Quartz25(t *testing.T) {
	t.Parallel()
	for expr, says := range map[string]string{
		"0 0 0 31W * ?":                   "31W in months without a day 31",
		"0 0 0 29w 2 ?":                   "29W in months without a day 29",
		"0 0 0 28W * ?":                   "",
		"0 0 0 15W * ?":                   "",
		"0 0 0 LW * ?":                    "",
		"0 0 0 L-3W * ?":                  "",
		"0 0 0 31 * ?":                    "",
		"0 0 0 ? * 6L":                    "",
		"0/5 * * * * ?":                   "",
		"0 0 0 1 1 ? 2030":                "",
		"0 0 0 1 1 ? 2030 ":               "",
		"0 0 0 1 1 ? 2030 some more":      "has 9 fields",
		"0 0 0 31W\t* ?\t2030-2040 extra": "has 8 fields; 31W",
	} {
		e, err := Parse(expr)
		if err != nil {
			t.Errorf("%q: %v", expr, err)
			continue
		}
		differences := e.Quartz25()
		if says == "" {
			if len(differences) > 0 {
				t.Errorf("%q: %q", expr, differences)
			}
			continue
		}
		all := strings.Join(differences, "; ")
		for part := range strings.SplitSeq(says, "; ") {
			if !strings.Contains(all, part) {
				t.Errorf("%q: %q, want %q", expr, all, part)
			}
		}
	}
	// The refusal should mention that 2.5 would accept the expression.
	for _, expr := range []string{"0 0 0 1,L * ?", "0 0 0 LW,15 * ?", "0 0 0 L-3,1 * ?"} {
		if _, err := Parse(expr); err == nil || !strings.Contains(err.Error(), "Quartz 2.5 would accept it") {
			t.Errorf("%q: %v", expr, err)
		}
	}
	if _, err := Parse("0 0 0 ? * 2,6L"); err == nil || strings.Contains(err.Error(), "2.5") {
		t.Errorf("a list of weekdays: %v", err)
	}
}
