package steward

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// undisturbed reports whether the steward need not know what becomes of the records. It
// has opened the run that each shard takes part in, and that was the only one. No other
// agent opens one, and the run's owners end it. Nobody waits for that end as long as the
// queue is empty. Who comes to the queue rings, and the records are looked at then. They
// are read at once where failed runs hold the job, during a backfill, and where the run's outcome may be one
// too many.
func (s *Steward) undisturbed(f Fleet) bool {
	ended := s.marks().since(s.counted)
	return s.works && s.alone > 0 && s.listed != nil && len(s.listed) == 0 && f.Settings.Assign == jobrun.AssignEach &&
		f.Settings.Pause == 0 && s.backfill() == "" && s.outcomes >= 0 && ended >= 0 && s.outcomes+ended+s.alone <= f.Settings.Keep
}

// Refresh reads what has changed of the nodes that are watched, but for the records while
// the steward need not know them.
func (s *Steward) Refresh(ctx context.Context, f Fleet) error {
	if !s.undisturbed(f) {
		s.alone = 0
		return s.cache.Refresh(ctx)
	}
	records := s.store.Tree.RunsActive()
	return s.cache.RefreshIf(ctx, func(path string) bool { return path != records })
}

// refreshRecords reads the records that Refresh has left out, if a request waits for them,
// and returns their names. None is there as far as the last reading of them goes, so they
// are not read again if this step has seen that the run has ended.
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

// hasOpened notes that this steward has opened the run that each shard takes part in. active
// are the records that were there before.
func (s *Steward) hasOpened(active []string) {
	if len(active) == 0 {
		s.alone++
	} else {
		s.alone = 0
	}
}

// marks say how far it was read what becomes of runs.
type marks struct {
	records zk.Stat // of the parent of records
	cancels zk.Stat // of the bell of cancels
}

func (s *Steward) marks() marks {
	return marks{s.cache.Get(s.store.Tree.RunsActive()).Stat, s.cache.Get(s.store.Tree.RunsCancels()).Stat}
}

// since is how many runs have ended since other marks, at most; negative if nobody can
// know. The version of a list of children grows with each that comes and each that leaves.
func (m marks) since(old marks) int {
	if m.records.Czxid != old.records.Czxid || m.cancels.Czxid != old.cancels.Czxid {
		return -1
	}
	return int(left(old.records, m.records) + m.cancels.Version - old.cancels.Version)
}

// left is how many children of a node have left between two readings.
func left(old, now zk.Stat) int32 {
	changes := now.Cversion - old.Cversion // They may have passed the largest number.
	return (changes - (now.NumChildren - old.NumChildren)) / 2
}

// tooMany reports whether there may be more outcomes than are kept, or failed ones that
// are to be counted.
func (s *Steward) tooMany(f Fleet, now time.Time) bool {
	ended, few := s.marks().since(s.counted), f.Settings.Keep
	if s.spared.After(now) {
		few = max(few, mostSpared) // None may go before.
	}
	return s.outcomes < 0 || ended < 0 || ended > 0 && (f.Settings.Pause > 0 || s.outcomes+ended > few)
}
