package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
)

// A fire time that had to wait for ZooKeeper or for a resharding may have been run already: by the
// previous owner of the shard, or here as a misfire.

// lateRun is how late a regular run may be before it checks the records, if it didn't have to wait
// for a resharding.
const lateRun = 250 * time.Millisecond

// leaveOutCompleted drops the shards that have already run for this fire time. It checks the shards
// that came here after the fire time; if late, it checks all of them.
//
// If it fails, the caller must begin again. To go on could run the shards twice if the markers can
// be created a moment later.
func (b *batch) leaveOutCompleted(late bool) error {
	if b.view.Schedule == nil {
		return nil
	}
	var doubtful []int
	for k, s := range b.shards {
		if late || !s.Since.Before(b.at) {
			doubtful = append(doubtful, k)
		}
	}
	if len(doubtful) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.Life, nodes.StepTimeout)
	defer cancel()
	ran := make([]bool, len(b.shards))
	if err := nodes.Each(ctx, len(doubtful), func(ctx context.Context, i int) error {
		k := doubtful[i]
		last, ok, err := b.Records.Last(ctx, b.shards[k].Number)
		if !ok {
			return err
		}
		ran[k] = firetime.Done(last.FireRecord, b.at)
		b.Misfires.Know(b.shards[k].Number, last)
		return nil
	}); err != nil {
		return err
	}
	b.decided.checkedFor = b.at
	b.retain(func(k int) bool { return !ran[k] })
	return nil
}

// updateFireTime moves a run that has waited to the fire time that counts now. It reports false if
// there is none.
func (b *batch) updateFireTime() (still bool, err error) {
	m := b.Misfires
	ctx, cancel := context.WithTimeout(b.Life, 2*nodes.StepTimeout)
	defer cancel()
	if served, err := m.EnabledAt(ctx, b.view.Rotation, b.at); err != nil || !served {
		return false, err
	}
	b.at, still, b.decided.noted, err = m.CurrentFireTime(ctx, b.view.Settings, b.at)
	return still, err
}

// stillReleased fails if marking a run was slow and the schedule was held and released in that
// time. It removes the markers, and the run begins again as a late one.
func (b *batch) stillReleased() error {
	if b.decided.late || b.kind != fireTime || b.Host.Time().Sub(b.at) <= lateRun {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.Life, nodes.StepTimeout)
	defer cancel()
	still, err := b.Misfires.ReleasedBefore(ctx, b.at)
	if err != nil || still {
		return err
	}
	if err := b.unmark(ctx); err != nil {
		return err
	}
	return errStale
}

func (b *batch) noteCompleted() {
	if b.kind == fireTime || b.kind == misfired {
		b.Misfires.NoteCompleted(slices.DeleteFunc(b.numbers(), func(n int) bool { return b.handlers.interrupted[n] }), b.at)
	}
}

// removeSettledMarkers drops the shards whose fire times were all completed, and their markers. The
// transaction that marks the others removes their misfire markers.
func (b *batch) removeSettledMarkers() error {
	w := b.worker
	if len(b.shards) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.Life, nodes.StepTimeout)
	defer cancel()
	if b.view.Schedule != nil {
		era, noted, err := b.Misfires.ReadEra(ctx, b.view.Settings)
		if err != nil {
			return err
		}
		b.decided.since, b.decided.noted = era.Since, noted
	}
	judged := make([]misfire.Judgement, len(b.shards))
	err := nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) (err error) {
		judged[i], err = b.Misfires.Judge(ctx, b.view.Settings, b.shards[i].Number, b.decided.since)
		return err
	})
	if err != nil {
		return err
	}
	newest := time.Time{}
	for _, one := range judged {
		newest = firetime.Later(newest, one.Missed)
		if one.Later {
			w.pauseMisfires()
		}
	}
	if !newest.IsZero() {
		b.at = newest
	}
	b.Log.Debug("misfire", "shards", b.numbers(), "judged", judged)
	b.retain(func(k int) bool { return !judged[k].LeftOut })
	return nil
}

// NoteMissed marks each of the shards as misfired in the background. Their owner makes up for it
// after the current run. epoch must be the session in which the fire time passed. NoteMissed ends
// when that session is lost, because an instance that returns looks for missed fire times anyway.
// The current settings apply, not the settings at the start of the run.
func (w *Worker) NoteMissed(epoch uint64, shards []int) {
	if latest, _ := w.Latest.Get(); len(shards) == 0 || latest == nil || latest.Config == nil || !misfire.Enabled(latest.Config) || latest.Hold.Schedule() {
		return
	}
	slices.Sort(shards)
	shards = slices.Compact(shards)
	w.background("missed marker", func() {
		err := w.untilAnswered(epoch, func(ctx context.Context) error {
			var errs []error
			for _, n := range shards {
				errs = append(errs, w.Misfires.Mark(ctx, n))
			}
			return errors.Join(errs...)
		})
		if err != nil && w.Life.Err() == nil {
			w.Log.Warn("could not mark a missed fire time as misfired", "shards", shards, "err", err)
		}
	})
}
