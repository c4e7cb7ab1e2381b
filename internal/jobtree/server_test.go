package jobtree

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

func TestServerSwitch(t *testing.T) {
	for _, test := range []struct {
		data       string
		in3x, in2x bool
	}{
		{"ENABLED", true, true},
		{"DISABLED", false, false},
		{"", false, true},
		{"enabled", false, true},
		{"TRIGGER", false, true},
	} {
		if got := ServerIsEnabled([]byte(test.data), jobconfig.Generation3x); got != test.in3x {
			t.Errorf("%q in 3.x: %t", test.data, got)
		}
		if got := ServerIsEnabled([]byte(test.data), jobconfig.Generation2x); got != test.in2x {
			t.Errorf("%q in 2.x: %t", test.data, got)
		}
	}
	for _, g := range []jobconfig.Generation{jobconfig.Generation3x, jobconfig.Generation2x} {
		for _, enabled := range []bool{true, false} {
			if ServerIsEnabled(ServerValue(enabled, g), g) != enabled {
				t.Errorf("%v: the value for %t means the opposite", g, enabled)
			}
		}
	}
}
