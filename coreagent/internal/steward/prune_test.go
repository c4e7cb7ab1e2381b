package steward

import (
	"path"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// The oldest outcomes should be removed, but not within ten minutes after their end, because they
// may be unrecorded, unless more than mostSpared remain.
func TestRemovable(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_000_000_000_000)
	tree := jobtree.Job{}
	ended := func(ages ...time.Duration) (names []string) {
		for _, age := range ages {
			names = append(names, path.Base(tree.RunsEnded(now.Add(-age), "x")))
		}
		return names
	}
	many := make([]time.Duration, mostSpared+5)
	for _, c := range []struct {
		name  string
		names []string
		few   int
		again time.Time
		many  int
		next  time.Time
	}{
		{"none", nil, 3, time.Time{}, 0, time.Time{}},
		{"few", ended(time.Hour, time.Second), 3, time.Time{}, 0, time.Time{}},
		{"old ones", ended(3*time.Hour, 2*time.Hour, time.Hour), 1, time.Time{}, 2, time.Time{}},
		{"recorded again", ended(3*time.Hour, 2*time.Hour, time.Hour), 1, now.Add(-time.Minute), 0, now.Add(minStay - time.Minute)},
		{"recorded again long ago", ended(3*time.Hour, 2*time.Hour, time.Hour), 1, now.Add(-minStay), 2, time.Time{}},
		{"a new one", ended(time.Hour, 20*time.Second, time.Second), 1, time.Time{}, 1, now.Add(minStay - 20*time.Second)},
		{"ten minutes old", ended(minStay, time.Second), 1, time.Time{}, 1, time.Time{}},
		{"by a clock that is wrong", ended(-time.Hour), 0, time.Time{}, 1, time.Time{}},
		{"too many new ones", ended(many...), 0, now.Add(-minStay / 2), 5, now.Add(minStay)},
	} {
		if many, next := removable(c.names, c.few, now, c.again); many != c.many || !next.Equal(c.next) {
			t.Errorf("%s: %d, next at %v; want %d, %v", c.name, many, next, c.many, c.next)
		}
	}
}
