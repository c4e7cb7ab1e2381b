package steward

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// canIgnoreRecords reports whether the steward needn't track the records. It has opened the only run, in
// which every shard takes part. No other agent opens one, and the run's owners end it. While the
// queue is empty, no request waits for that end. A new request rings the bell, and then the records
// are checked. The steward always reads them if failed runs hold the job, during a backfill, and if
// the run's outcome might exceed the limit.
func (s *Steward) canIgnoreRecords(f Fleet) bool {
	ended := s.marks().since(s.counted)
	return s.works && s.alone > 0 && s.listed != nil && len(s.listed) == 0 && f.Settings.Assign == jobrun.AssignEach &&
		f.Settings.Pause == 0 && s.backfill() == "" && s.outcomes >= 0 && ended >= 0 && s.outcomes+ended+s.alone <= f.Settings.Keep
}

// Refresh rereads watched nodes that have changed, but not the records while the steward needn't
// track them.
func (s *Steward) Refresh(ctx context.Context, f Fleet) error {
	if !s.canIgnoreRecords(f) {
		s.alone = 0
		return s.cache.Refresh(ctx)
	}
	records := s.store.Tree.RunsActive()
	return s.cache.RefreshIf(ctx, func(path string) bool { return path != records })
}

// refreshRecords reads the records that Refresh has left out if a request waits for them, and
// returns their names. As far as we know there are none, so it doesn't read them again if this step
// has seen the run's end.
func (s *Steward) refreshRecords(ctx context.Context) ([]string, error) {
	records := s.store.Tree.RunsActive()
	if s.alone > 0 && len(s.listed) > 0 {
		if len(s.listed) == 1 && s.seen.behind == s.store.Tree.RunsQueued(s.listed[0]) && s.seen.idle {
			return nil, nil
		}
		s.alone = 0
		if err := s.cache.RefreshIf(ctx, func(path string) bool { return path == records }); err != nil {
			return nil, err
		}
	}
	return s.cache.Get(records).Children, nil
}

// marks identify the state of the runs as last read.
type marks struct {
	records zk.Stat // of the parent of records
	cancels zk.Stat // of the node that signals cancels
}

func (s *Steward) marks() marks {
	return marks{s.cache.Get(s.store.Tree.RunsActive()).Stat, s.cache.Get(s.store.Tree.RunsCancels()).Stat}
}

// since returns an upper bound for the number of runs that have ended since older marks, or a
// negative number if it's unknown. The child version of a node grows with each new and each removed
// child.
func (m marks) since(old marks) int {
	if m.records.Czxid != old.records.Czxid || m.cancels.Czxid != old.cancels.Czxid {
		return -1
	}
	return int(left(old.records, m.records) + m.cancels.Version - old.cancels.Version)
}

// left returns how many children of a node were removed between two readings.
func left(old, now zk.Stat) int32 {
	changes := now.Cversion - old.Cversion // They may have overflowed.
	return (changes - (now.NumChildren - old.NumChildren)) / 2
}

// tooMany reports whether there may be more outcomes than the limit, or failed runs to count.
func (s *Steward) tooMany(f Fleet, now time.Time) bool {
	ended, few := s.marks().since(s.counted), f.Settings.Keep
	if s.spared.After(now) {
		few = max(few, mostSpared) // none may be removed earlier
	}
	return s.outcomes < 0 || ended < 0 || ended > 0 && (f.Settings.Pause > 0 || s.outcomes+ended > few)
}
