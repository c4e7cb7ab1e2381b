package steward

import (
	"sort"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Waiting counts the waiting runs of a job.
type Waiting struct {
	Scheduled int // until their time
	Queued    int // whose time has come
	// Oldest is when the first queued run was due, in Unix milliseconds; 0 if there is none.
	Oldest int64
}

// Waiting returns the counts of the last step. They're zero if this instance isn't the steward, so
// that the sum over a fleet is right.
func (s *Steward) Waiting() Waiting {
	if !s.works {
		return Waiting{}
	}
	var w Waiting
	now := s.store.Now()
	count := func(names []string) {
		// Names are sorted by time.
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
