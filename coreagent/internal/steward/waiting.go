package steward

import (
	"sort"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Waiting says how many runs of a job wait.
type Waiting struct {
	Scheduled int // for their time
	Queued    int // whose time has come
	// Oldest is when the first of the queued ones was due, in Unix milliseconds; 0 without one.
	Oldest int64
}

// Waiting is what the steward saw in its last step; nothing if this instance is not the
// steward, so that a fleet adds up.
func (s *Steward) Waiting() Waiting {
	if !s.works {
		return Waiting{}
	}
	var w Waiting
	now := s.store.Now()
	count := func(names []string) {
		// They are in the order of their times.
		later := sort.Search(len(names), func(i int) bool {
			at, _, ours := jobtree.ParseRunName(names[i])
			return ours && at.After(now)
		})
		w.Scheduled, w.Queued = w.Scheduled+len(names)-later, w.Queued+later
		if later == 0 {
			return
		}
		if at, _, ours := jobtree.ParseRunName(names[0]); ours && (w.Oldest == 0 || at.UnixMilli() < w.Oldest) {
			w.Oldest = at.UnixMilli()
		}
	}
	count(s.listed)
	for b := range jobtree.RunBuckets {
		count(s.cache.Get(s.store.Tree.RunsBucket(b)).Children)
	}
	return w
}
