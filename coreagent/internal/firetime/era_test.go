package firetime

import (
	"testing"
	"time"
)

// TestContinueAfterARelease: the release of a hold begins an era after an edit that no
// leader has seen by then.
func TestContinueAfterARelease(t *testing.T) {
	t.Parallel()
	s := &modelState{}
	edited, released := at(2), at(4)
	noted := NewEra(s.config(false), 1, at(0))
	if era := Continue(noted, s.config(true), 2, edited); !era.Since.Equal(edited) {
		t.Errorf("after an edit the era began at %v", era.Since.Format(time.TimeOnly))
	}
	noted.Since = released
	if era := Continue(noted, s.config(true), 2, edited); !era.Since.Equal(released) {
		t.Errorf("after an edit and a release the era began at %v", era.Since.Format(time.TimeOnly))
	}
}
