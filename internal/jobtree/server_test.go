package jobtree

import "testing"

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
		if got := ServerIsEnabled([]byte(test.data), Generation3x); got != test.in3x {
			t.Errorf("%q in 3.x: %t", test.data, got)
		}
		if got := ServerIsEnabled([]byte(test.data), Generation2x); got != test.in2x {
			t.Errorf("%q in 2.x: %t", test.data, got)
		}
	}
	for _, g := range []Generation{Generation3x, Generation2x} {
		for _, enabled := range []bool{true, false} {
			if ServerIsEnabled(ServerValue(enabled, g), g) != enabled {
				t.Errorf("%v: the value for %t means the opposite", g, enabled)
			}
		}
	}
}
