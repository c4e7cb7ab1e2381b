package run

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// A fire time or a trigger whose shards failed is tried again by a requested run of these
// shards, if the job's properties say so. That of a fire time is of no use any more when
// the next one has come.

// refires returns the request for the next attempt of a batch whose shards failed, false
// if there is none. It comes after the job's back-off, or after what a handler asked for.
func (b *batch) refires(failed []int, after time.Duration) (jobrun.Request, bool) {
	w := b.worker
	settings, _ := runs.SettingsOf(b.view.Config)
	if b.claim != nil || settings.Retries == 0 || settings.Assign != jobtree.RunEach || len(failed) == 0 {
		return jobrun.Request{}, false
	}
	r := jobrun.Request{
		Shards: failed, Delay: runs.Wait(settings, 1), Attempt: 2, Parent: b.originOf().id, Overlap: jobrun.OverlapQueue,
		By: jobrun.By{Kind: runs.ByRetry, Name: b.view.ID}, Key: "retry/" + b.taskID,
	}
	if after > 0 {
		r.Delay = after
	}
	if b.view.Schedule != nil && (b.kind == fireTime || b.failover != nil && b.fires() || b.madeUp()) {
		r.FireTime = b.at
		due := w.Host.Time().Add(r.Delay)
		next, ok := b.view.Schedule.Next(w.Host.Time(), b.view.Zone)
		if ok && next.Sub(due) < time.Second {
			return jobrun.Request{}, false
		}
		if ok {
			r.Expiry = next.Sub(due)
		}
	}
	return r, true
}

// refire submits the next attempt of a batch whose shards failed.
func (b *batch) refire(failures map[int]error) {
	var failed []int
	var after time.Duration
	for n, err := range failures {
		if result := resultOf(err); result.Err != "" && !result.Permanent && !b.interrupted[n] {
			failed = append(failed, n)
			after = max(after, result.After)
		}
	}
	if r, again := b.refires(failed, after); again {
		b.submitAgain(r)
	}
}

func (b *batch) submitAgain(r jobrun.Request) {
	w := b.worker
	w.Host.Tasks.Go(func() {
		w.job.Guard("retry", func() {
			store := runs.Store{Client: w.Host.Client, Tree: w.Tree, Now: w.Host.Time}
			err := w.untilAnswered(b.epoch, func(ctx context.Context) error {
				_, err := store.Submit(ctx, r)
				return err
			})
			if err != nil && !errors.Is(err, jobrun.ErrNoSuchJob) && w.Life.Err() == nil {
				w.Log.Warn("shards that failed could not be requested again", "shards", r.Shards, "err", err)
			}
		})
	})
}
