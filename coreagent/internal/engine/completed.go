package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// A fire time that had to wait, for ZooKeeper or for a resharding, may have
// been run meanwhile: by whoever had the shard before, or here as a misfire.

// lateRun is how late a regular run may be, without having waited for a
// distribution, before the records are looked at.
const lateRun = 250 * time.Millisecond

// leaveOutCompleted leaves out the shards that were run for this fire time meanwhile.
// Looked at are the shards that came here after the fire time, all of them if
// late.
//
// Without an answer nobody knows: the error is the caller's, who begins again.
// To go on would run them twice if the markers can be made a moment later.
func (b *batch) leaveOutCompleted(late bool) error {
	j := b.job
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
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	ran := make([]bool, len(b.shards))
	if err := nodes.Each(ctx, len(doubtful), func(ctx context.Context, i int) error {
		k := doubtful[i]
		last, ok, err := j.records.Last(ctx, b.shards[k].Number)
		if !ok {
			return err
		}
		ran[k] = firetime.Done(last.FireRecord, b.at)
		j.know(b.shards[k].Number, last)
		return nil
	}); err != nil {
		return err
	}
	b.checkedFor = b.at
	b.retain(func(k int) bool { return !ran[k] })
	return nil
}

// stillFires returns the fire time to run for in place of one that has waited. If
// the schedule was edited meanwhile, that is the newest one of the new schedule
// which has passed since the edit, or the old one if it came before the edit. It
// reports false if there is neither: the old schedule, by which the fire time was
// awaited here, had ended by then. It reports false, too, if the schedule was held and was
// released after the fire time.
func (b *batch) stillFires(at time.Time) (time.Time, bool, error) {
	j, v := b.job, b.view
	if v.Schedule == nil {
		return at, true, nil
	}
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	era, noted, err := j.records.ReadEra(ctx, v.Config, v.ConfigVersion, v.ConfigWritten)
	if err != nil {
		return at, false, fmt.Errorf("look for the last edit of the schedule: %w", err)
	}
	b.noted = noted
	if present, ok := v.Schedule.Next(at.Add(-time.Millisecond), v.Zone); ok && present.Equal(at) {
		if since := noted.Era.Since; !since.IsZero() && !since.After(at) {
			return at, true, nil // A release would have ended that era.
		}
		still, err := j.releasedBefore(ctx, at)
		return at, still, err
	}
	if newest, missed := firetime.Missed(v.Schedule, v.Zone, j.env.now(), era.Since, at); missed && v.Config.Misfire {
		at = newest
	} else if at.After(era.Since) {
		return at, false, nil
	}
	still, err := j.releasedBefore(ctx, at) // A release begins an era, too.
	return at, still, err
}

// servedAt reports whether an operator had this server run something when a fire time
// came that has waited here. We ask ZooKeeper, because an instance that was away may not
// have seen yet that its server was disabled and enabled again.
func (b *batch) servedAt(at time.Time) (bool, error) {
	j := b.job
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	if r := b.view.Rotation; r != nil {
		since, err := j.turnWaitedSince(ctx, r)
		return err == nil && at.After(since), err
	}
	status, stat, err := j.env.Client.Get(ctx, j.tree.Server(j.env.IP))
	if errors.Is(err, zk.ErrNoNode) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look whether the server was enabled: %w", err)
	}
	since := firerecord.EnabledSince(stat)
	if all, err := j.records.AllKeep(ctx); err != nil {
		return false, fmt.Errorf("look for Java agents: %w", err)
	} else if !all {
		since = time.Time{} // A Java agent of this address writes the node whenever it registers.
	}
	served := string(status) == jobtree.ServerEnabled && at.After(since)
	if !served {
		j.log.InfoContext(ctx, "fire time left out: the server was disabled when it came", "scheduled", at)
	}
	return served, nil
}

// releasedBefore reports whether the last release of the schedule, if there was one, came
// before a fire time. What a hold kept back, or was to be run before, is not made up for.
// This instance may not know yet of any hold.
func (j *Job) releasedBefore(ctx context.Context, at time.Time) (bool, error) {
	released, err := runs.Store{Client: j.env.Client, Tree: j.tree, Now: j.env.now}.Released(ctx)
	if err != nil {
		return false, fmt.Errorf("look for the last release of the schedule: %w", err)
	}
	return at.After(released.Schedule), nil
}

// stillReleased fails if marking a run took its time, and the schedule was held and released
// meanwhile. Its markers are removed then, and it begins again, as one that comes late.
func (b *batch) stillReleased() error {
	j := b.job
	if b.late || !b.regular || j.env.now().Sub(b.at) <= lateRun {
		return nil
	}
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	still, err := j.releasedBefore(ctx, b.at)
	if err != nil || still {
		return err
	}
	if err := b.unmark(ctx); err != nil {
		return err
	}
	return errStale
}

// noteCompleted remembers for which fire time the shards of a run were run.
func (b *batch) noteCompleted() {
	j := b.job
	if b.failover != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.queue.completed == nil {
		j.queue.completed = make(map[int]time.Time)
	}
	now := j.env.now()
	for _, s := range b.shards {
		newest := j.queue.completed[s.Number]
		if (b.regular || b.source == tracing.SourceMisfire) && !b.interrupted[s.Number] && (b.at.After(newest) || !firetime.Believable(newest, now)) {
			j.queue.completed[s.Number] = b.at
		}
	}
}

// completed reports whether this instance has run a shard for a fire time. What
// it ran by a clock that was set back since by more than a little does not count.
func (j *Job) completed(n int, at time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	newest := j.queue.completed[n]
	return !newest.Before(at) && firetime.Believable(newest, j.env.now())
}

// removeSettledMarkers removes markers that need no run: everything up to now was
// completed. The others stay for the marking transaction to remove.
func (b *batch) removeSettledMarkers() error {
	j := b.job
	if len(b.shards) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(j.life, stepTimeout)
	defer cancel()
	if b.view.Schedule != nil {
		era, noted, err := j.records.ReadEra(ctx, b.view.Config, b.view.ConfigVersion, b.view.ConfigWritten)
		if err != nil {
			return err
		}
		b.since, b.noted = era.Since, noted
	}
	leftOut := make([]bool, len(b.shards))
	missed := make([]time.Time, len(b.shards))
	err := nodes.Each(ctx, len(b.shards), func(ctx context.Context, i int) (err error) {
		leftOut[i], missed[i], err = b.settleMisfire(ctx, b.shards[i].Number)
		return err
	})
	if err != nil {
		return err
	}
	if newest := slices.MaxFunc(missed, time.Time.Compare); !newest.IsZero() {
		b.at = newest
	}
	j.log.Debug("misfire", "shards", b.numbers(), "missed", missed, "left_out", leftOut)
	b.retain(func(k int) bool { return !leftOut[k] })
	return nil
}

// settleMisfire decides about one shard with a misfire marker: it returns which fire
// time it missed, as far as a record says, or that the shard needs no run.
func (b *batch) settleMisfire(ctx context.Context, n int) (leftOut bool, missed time.Time, err error) {
	j := b.job
	last, recorded := firerecord.Record{}, false
	if b.view.Schedule != nil && firerecord.Kept(b.view.Config) { // One that is left from before says nothing.
		if last, recorded, err = j.records.Last(ctx, n); err != nil {
			return false, missed, err
		}
	}
	if !recorded {
		leftOut, err = b.settleUnrecorded(ctx, n)
		return leftOut, missed, err
	}
	at, open := b.newestMissed(last)
	if open && !at.After(j.cache.EnabledSince()) {
		if at, open, err = b.missedByMarker(ctx, n, last); err != nil {
			return false, missed, err
		}
	}
	if open && j.completed(n, at) {
		// It was run when this instance didn't know yet that monitorExecution was switched on.
		if err := j.accountFor(ctx, n, at); err != nil {
			return false, missed, err
		}
		open = false
	}
	switch {
	case open && !at.After(last.Through) && b.comesSoon():
		// Who left the marker has accounted for that one: by a clock that is ahead
		// of this instance's it is for the next.
		j.pauseMisfires()
		return true, missed, nil
	case open:
		j.know(n, last)
		return false, at, nil
	case b.takenAhead():
		j.pauseMisfires()
		return true, missed, nil
	}
	err = j.env.Client.Delete(ctx, j.tree.ItemMisfire(n), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		j.cache.Suspect() // The view shows a marker that no longer exists.
		return true, missed, nil
	}
	return true, missed, err
}

// settleUnrecorded decides about a marker that no record speaks for. It alone says that
// there is something to make up for, unless the schedule or a switch was edited after
// it was left. The view may show one that the run before has removed.
func (b *batch) settleUnrecorded(ctx context.Context, n int) (leftOut bool, err error) {
	j := b.job
	marker, stands, err := j.env.Client.Exists(ctx, j.tree.ItemMisfire(n))
	switch {
	case err != nil:
		return false, err
	case !stands:
		j.cache.Suspect()
		return true, nil
	case !marker.Ctime.After(b.since): // Of the same millisecond the edit counts: a marker of before it is not made up for.
		return true, zk.Ignore(j.env.Client.Delete(ctx, j.tree.ItemMisfire(n), zk.AnyVersion), zk.ErrNoNode)
	}
	return false, nil
}

// missedByMarker returns the newest fire time that a misfire marker can stand for, false if
// that one is completed. What passed later did so while the server was disabled.
func (b *batch) missedByMarker(ctx context.Context, n int, last firerecord.Record) (time.Time, bool, error) {
	j := b.job
	marker, exists, err := j.env.Client.Exists(ctx, j.tree.ItemMisfire(n))
	if err != nil || !exists {
		return time.Time{}, false, err
	}
	until := marker.Ctime.Add(firetime.MostLead)
	if now := j.env.now(); now.Before(until) {
		until = now
	}
	at, open := firetime.Missed(b.view.Schedule, b.view.Zone, until, last.Completed, b.since)
	return at, open, nil
}

// comesSoon reports whether the next fire time is within what clocks may differ by.
func (b *batch) comesSoon() bool {
	j := b.job
	now := j.env.now()
	next, ok := b.view.Schedule.Next(now, b.view.Zone)
	return ok && next.Sub(now) < clockSkew
}

// takenAhead reports whether the cron timer went off already for the next fire time:
// by a clock that was ahead then by less than what counts as set. No run of this
// instance comes for it any more, so a marker may stand for it.
func (b *batch) takenAhead() bool {
	j := b.job
	next, ok := b.view.Schedule.Next(j.env.now(), b.view.Zone)
	return ok && !next.After(j.schedule.Come())
}

// newestMissed returns the fire time that a misfire run of a shard is for, false
// if there is none. A marker stands for a fire time that was missed for sure; only a
// later run or an edit of the schedule settles it.
func (b *batch) newestMissed(last firerecord.Record) (time.Time, bool) {
	j := b.job
	return firetime.Missed(b.view.Schedule, b.view.Zone, j.env.now(), last.Completed, b.since)
}
