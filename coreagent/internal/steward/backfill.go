package steward

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// feedEvery is the longest pause between two checks of a backfill, in case an event was lost.
const feedEvery = 5 * time.Second

// backfill returns the id of the current backfill, or "" if there is none.
func (s *Steward) backfill() string {
	return string(s.cache.Get(s.store.Tree.RunsBackfills()).Data)
}

// feed requests more runs of the current backfill once half of the previous ones have ended. It
// returns when to call it again; zero means never.
func (s *Steward) feed(ctx context.Context) (time.Time, error) {
	id := s.backfill()
	if id == "" {
		s.fed = time.Time{}
		return time.Time{}, nil
	}
	now := s.store.Now()
	if since := now.Sub(s.fed); s.live(id) > s.fewLive && since >= 0 && since < feedEvery {
		return s.fed.Add(feedEvery), nil
	}
	live, err := s.store.FeedBackfill(ctx, id)
	if err != nil && !zk.Retriable(err) { // The job's other runs should begin anyway.
		s.log.WarnContext(ctx, "could not request the next runs of a backfill, retrying", "backfill", jobtree.Shown(id), "err", err)
		err = nil
	}
	s.fed, s.fewLive = now, live/2
	return now.Add(feedEvery), err
}

// live counts the waiting runs of a backfill, and all active runs.
func (s *Steward) live(id string) int {
	b := jobtree.Backfill{ID: id}
	live := len(s.cache.Get(s.store.Tree.RunsActive()).Children)
	count := func(names []string) {
		for _, name := range names {
			if _, run, ours := jobtree.ParseRunName(name); ours && b.Owns(run) {
				live++
			}
		}
	}
	count(s.listed)
	for i := range jobtree.RunBuckets {
		count(s.cache.Get(s.store.Tree.RunsBucket(i)).Children)
	}
	return live
}
