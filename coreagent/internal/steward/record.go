package steward

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// lookBack is how far back a steward looks for ends that nobody may have recorded.
const lookBack = time.Minute

// recordEnds records the ends of runs that were cancelled while they waited: who did that
// may be a console, which keeps no history. Other ends are recorded by whoever wrote them,
// but for those of which this steward has got no answer.
func (s *Steward) recordEnds(ctx context.Context) error {
	rung := s.cache.Get(s.store.Tree.RunsCancels()).Seen
	if !s.history.Keeps() || s.cancels == rung && !s.doubt {
		return nil
	}
	names, err := s.names(ctx, s.store.Tree.RunsDone())
	if err != nil {
		return err
	}
	since, all := s.store.Now().Add(-lookBack), s.doubt
	for _, name := range names {
		if ended, _, ours := jobtree.ParseRunEnded(name); !ours || ended.Before(since) || !all && name <= s.newest {
			continue
		}
		data, _, err := s.store.Client.Get(ctx, s.store.Tree.RunsDone()+"/"+name)
		if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
			return err
		}
		if o, err := jobtree.DecodeRunOutcome(data); err == nil && (all || o.State == string(jobrun.Cancelled)) {
			s.history.Ended(o, jobtree.RunRequest{})
		}
		s.newest = name
	}
	s.cancels, s.doubt = rung, false
	return nil
}

// ended notes what came of a transaction that ends a run which has not begun. Nothing counts
// its outcome, so that the outcomes are to be read.
func (s *Steward) ended(o jobtree.RunOutcome, r jobtree.RunRequest, err error) {
	s.outcomes = -1
	switch {
	case err == nil:
		s.history.Ended(o, r)
	case !runs.Refused(err):
		s.doubt = true
	}
}
