package jobtree

import "testing"

// TestV12SameClass: up to 3.0.4 a lambda is cut behind $$Lambda$, from 3.0.5 on behind $$Lambda.
func TestV12SameClass(t *testing.T) {
	t.Parallel()
	const old, young = "com.example.Main$$Lambda$", "com.example.Main$$Lambda"
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"com.example.Main", "com.example.Main", true},
		{"com.example.Main", "com.example.Other", false},
		{old, young, true},
		{young, old, true},
		{young, young, true},
		{old, "com.example.Other$$Lambda", false},
		{old, "com.example.Main", false},
		{"com.example.Main$", "com.example.Main", false},
		{"com.example.Main$$Lambda$14", old, false},
		{"$$Lambda", "$$Lambda$", false},
		{"", "", true},
		{"", young, false},
	} {
		if got := SameClass(tt.a, tt.b); got != tt.same {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
}
