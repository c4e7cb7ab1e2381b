package overview

import (
	"testing"
)

// TestShareOf: only all is 100 percent.
func TestShareOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		part, all int
		want      string
	}{{0, 0, "0.0 %"}, {0, 3, "0.0 %"}, {1, 3, "33.3 %"}, {3, 3, "100.0 %"}, {99_999, 100_000, "99.9 %"}} {
		if got := shareOf(tt.part, tt.all); got != tt.want {
			t.Errorf("shareOf(%d, %d) = %q, want %q", tt.part, tt.all, got, tt.want)
		}
	}
}
