package run

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// NoteMissed leaves a marker on each of the shards in the background, for their owner when
// the run has ended. A lost session ends it, because an instance that returns looks back. The
// settings count as they are now, not as they were when the run began.
func (w *Worker) NoteMissed(v *view.View, shards []int) {
	if latest, _ := w.Latest.Get(); len(shards) == 0 || latest == nil || latest.Config == nil || !misfire.MadeUpFor(latest.Config) || latest.Hold.Schedule() {
		return
	}
	slices.Sort(shards)
	shards = slices.Compact(shards)
	w.Host.Tasks.Go(func() {
		w.job.Guard("missed marker", func() {
			err := w.untilAnswered(v.Epoch, func(ctx context.Context) error {
				var errs []error
				for _, n := range shards {
					errs = append(errs, w.Misfires.Mark(ctx, n))
				}
				return errors.Join(errs...)
			})
			if err != nil && w.Life.Err() == nil {
				w.Log.Warn("a fire time was missed and could not be marked as misfired", "shards", shards, "err", err)
			}
		})
	})
}
