package steward

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// lookBack is how long before its term a steward looks for ends that nobody may have
// recorded.
const lookBack = time.Minute

// recordCancelled records the ends of runs that were cancelled while they waited: who did
// that may be a console, which keeps no history. Other ends are recorded by whoever wrote
// them.
func (s *Steward) recordCancelled(ctx context.Context) error {
	rung := s.cache.Get(s.store.Tree.RunsCancels()).Seen
	if s.history == nil || s.cancels == rung {
		return nil
	}
	names, err := s.names(ctx, s.store.Tree.RunsDone())
	if err != nil {
		return err
	}
	since := s.store.Now().Add(-lookBack)
	for _, name := range names {
		if ended, _, ours := jobtree.ParseRunEnded(name); !ours || name <= s.newest || s.newest == "" && ended.Before(since) {
			continue
		}
		data, _, err := s.store.Client.Get(ctx, s.store.Tree.RunsDone()+"/"+name)
		if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
			return err
		}
		if o, err := jobtree.DecodeRunOutcome(data); err == nil && o.State == string(jobrun.Cancelled) {
			s.history.Ended(o, jobtree.RunRequest{})
		}
		s.newest = name
	}
	s.cancels = rung
	return nil
}
