package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// beginning is when an instance first looked at its shards.
type beginning struct {
	wall  time.Time // by its wall clock
	ticks time.Time // by the monotonic one
}

// note takes in that the shards were looked at. Only the first time counts.
func (b *beginning) note(now time.Time) {
	if b.wall.IsZero() {
		*b = beginning{wall: now.Round(0), ticks: time.Now()}
	}
}

// before returns the beginning by the wall clock as it is now, or now before there is
// one. A clock that was set since then does not count, and a machine that was
// suspended does: it is the earlier one of both readings.
func (b *beginning) before(now time.Time) time.Time {
	if b.wall.IsZero() {
		return now
	}
	if began := now.Add(-time.Since(b.ticks)); began.Before(b.wall) {
		return began
	}
	return b.wall
}

// answersSince is the moment before which this instance has missed nothing: its
// server was switched on since, or it began more than the misfire window later.
func (j *Job) answersSince(now time.Time) time.Time {
	return firetime.Later(j.cache.EnabledSince(), j.windowSince(now))
}

// windowSince is when the misfire window of this instance began: so long before it first
// looked at its shards.
func (j *Job) windowSince(now time.Time) time.Time {
	return j.control.begun.before(now).Add(-firetime.MisfireWindow)
}

// All that look back go by what has come for this instance, and not by its clock alone: a
// run that was interrupted was for a fire time, also if the clock says by now that it has
// yet to come.

// lookBackAtArrivals leaves a misfire marker on shards that came here and have missed a fire time:
// it passed after the leader had looked at the records and before this instance
// knew of its shards, so that neither its run nor anybody's was for them. Or it is
// past by the clock of this instance and was not by the leader's.
//
// A process that has just started may find its shards under the id of the one
// before: the misfire window before its start bounds how far it looks back, then
// and later.
func (j *Job) lookBackAtArrivals(ctx context.Context, shards []int, records []firerecord.Record) error {
	c := &j.control
	if c.Schedule == nil || !c.Config.Misfire || view.Rotates(c.Config) {
		return nil
	}
	until, after := j.schedule.Come(), j.answersSince(j.env.now())
	missedSince := make(map[int]time.Time)
	for i, n := range shards {
		if records[i].Owner == j.id || j.ranInTurns(records[i]) { // Otherwise nobody knows what was completed.
			missedSince[n] = firetime.Later(records[i].Through, after)
		}
	}
	return j.leaveMarkersSince(ctx, missedSince, until, true)
}

// lookBackAtOwnShards leaves a misfire marker on own shards whose newest fire time was not
// completed. A run that a lost session interrupted is nobody's any more, and
// where the owner returns before others miss it no shard changes hands.
func (j *Job) lookBackAtOwnShards(ctx context.Context, shards []int, look bool) error {
	c := &j.control
	if c.Schedule == nil || !firerecord.Kept(c.Config) || !c.Config.Misfire || view.Rotates(c.Config) {
		return nil
	}
	until, after := j.schedule.Come(), j.answersSince(j.env.now())
	var mu sync.Mutex
	missedSince := make(map[int]time.Time)
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		last, ok, err := j.records.Last(ctx, shards[i])
		if err != nil || !ok || last.Owner != j.id {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		missedSince[shards[i]] = firetime.Later(last.Through, after)
		return nil
	}); err != nil {
		return err
	}
	return j.leaveMarkersSince(ctx, missedSince, until, look)
}

// lookBackAtWithdrawn leaves a misfire marker on shards whose failover was called off, if
// they have missed a fire time.
func (j *Job) lookBackAtWithdrawn(ctx context.Context, shards []int) error {
	c := &j.control
	if len(shards) == 0 || c.Schedule == nil || !firerecord.Kept(c.Config) || !c.Config.Misfire || view.Rotates(c.Config) {
		return nil
	}
	missedSince := make(map[int]time.Time)
	for _, n := range shards {
		last, ok, err := j.records.Last(ctx, n)
		if err != nil {
			return err
		}
		if ok {
			missedSince[n] = last.Through
		}
	}
	return j.leaveMarkersSince(ctx, missedSince, j.schedule.Come(), true)
}

// news are the transactions of the newest edit and of the newest switch of the own
// server that this instance knows of.
type news struct{ config, server int64 }

// heedLateNews looks for fire times that passed between an edit, the enabling of the own
// server or the release of the schedule, and the moment at which this instance learned
// of it: after an outage, or when the event was lost. The timer was still set for
// another schedule, or the run left everything out, or there was none. What passed
// before a release is of an earlier era, and not made up for.
func (j *Job) heedLateNews(ctx context.Context) error {
	c := &j.control
	server := j.cache.Get(j.tree.Server(j.env.IP)).Stat
	latest := news{c.configAt, server.Mzxid}
	j.mu.Lock()
	suppressed := j.suppressed.doubtful
	j.suppressed.doubtful = time.Time{}
	j.mu.Unlock()
	if c.heeded == latest && suppressed.IsZero() {
		return nil
	}
	since := j.env.now()
	if !suppressed.IsZero() && suppressed.Before(since) {
		since = suppressed.Add(-time.Millisecond)
	}
	if c.heeded.config != 0 && c.heeded.config != latest.config && c.ConfigWritten.Before(since) {
		since = c.ConfigWritten
	}
	if c.heeded.server != 0 && c.heeded.server != latest.server && firerecord.SwitchedOn(server).Before(since) {
		since = firerecord.SwitchedOn(server)
	}
	if c.Schedule != nil {
		if _, missed := firetime.Missed(c.Schedule, c.Zone, j.env.now(), since); missed {
			if err := j.lookBackAtOwnShards(ctx, c.mine, true); err != nil {
				if !suppressed.IsZero() {
					j.mu.Lock()
					j.suppressed.doubt(suppressed)
					j.mu.Unlock()
				}
				return err
			}
		}
	}
	c.heeded = latest
	return nil
}

// noteMissedFireTime leaves a marker on each of the shards, for this instance when its
// run has ended, or for whoever owns the shard then. A lost session ends it: who
// returns looks for what it has missed. What the settings say now counts, and not what
// they said when the run began.
func (j *Job) noteMissedFireTime(v *view.View, shards []int) {
	if latest, _ := j.snapshot(); len(shards) == 0 || latest == nil || latest.Config == nil || !makesUp(latest.Config) || latest.Hold.Schedule() {
		return
	}
	slices.Sort(shards)
	shards = slices.Compact(shards)
	j.env.tasks.Go(func() {
		j.guard("missed marker", func() {
			err := j.untilAnswered(v.Epoch, func(ctx context.Context) error {
				var errs []error
				for _, n := range shards {
					errs = append(errs, j.createMisfireMarker(ctx, n))
				}
				return errors.Join(errs...)
			})
			if err != nil && j.life.Err() == nil {
				j.log.Warn("a fire time was missed and could not be marked as misfired", "shards", shards, "err", err)
			}
		})
	})
}

// leaveMarkersSince leaves a misfire marker on each of the shards that has missed a fire time
// since the moment given for it, and until another one.
func (j *Job) leaveMarkersSince(ctx context.Context, missedSince map[int]time.Time, until time.Time, look bool) error {
	c := &j.control
	if j.requested.held().Schedule() {
		return nil // Nothing that passes now is made up for.
	}
	maps.DeleteFunc(missedSince, func(_ int, after time.Time) bool {
		_, open := firetime.Missed(c.Schedule, c.Zone, until, after)
		return !open
	})
	if len(missedSince) == 0 {
		return nil
	}
	era, err := j.era(ctx)
	if err != nil {
		return err
	}
	shards := slices.Sorted(maps.Keys(missedSince))
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		n := shards[i]
		fire, open := firetime.Missed(c.Schedule, c.Zone, until, missedSince[n], era.Since)
		if !open {
			return nil
		}
		if j.cache.Get(j.tree.ItemDisabled(n)).Exists {
			return nil
		}
		if look {
			if served, err := j.records.RunsAgain(ctx, n, fire); served || err != nil {
				return err
			}
		}
		return j.createMisfireMarker(ctx, n)
	})
}

// makesUp reports whether a job makes up for missed fire times: without
// monitorExecution nothing is missed.
func makesUp(c *jobconfig.Config) bool { return c.Misfire && c.MonitorExecution }

// createMisfireMarker says that a fire time of a shard was missed, if the stored
// configuration makes up for missed fire times: an instance that is slow to learn of an
// edit would leave a marker after the leader has removed them.
func (j *Job) createMisfireMarker(ctx context.Context, n int) error {
	path := j.tree.ItemMisfire(n)
	// Whoever asks may go by an older configuration than the one that is watched.
	known := j.cache.Get(j.tree.Config())
	if config, err := jobconfig.Decode(known.Data); known.Exists && (err != nil || !makesUp(config)) {
		return nil
	}
	version := known.Stat.Version
	for {
		err := j.env.Client.Multi(ctx, zk.CheckOp(j.tree.Config(), version), zk.CreateOp(path, nil, zk.Persistent))
		if errors.Is(err, zk.ErrBadVersion) {
			config, stat, err := j.storedConfig(ctx)
			if err != nil || !makesUp(config) {
				return err
			}
			version = stat.Version
			continue
		}
		if (err == nil || errors.Is(err, zk.ErrNodeExists)) && !j.cache.Get(path).Exists {
			j.cache.SuspectIf(func(p string) bool { return p == path }) // Its event was lost, or is yet to be looked at.
			j.kick()
		}
		return zk.Ignore(zk.Ignore(err, zk.ErrNodeExists), zk.ErrNoNode)
	}
}

// storedConfig reads the configuration. One that cannot be served is a
// configuration without any settings.
func (j *Job) storedConfig(ctx context.Context) (*jobconfig.Config, zk.Stat, error) {
	data, stat, err := j.env.Client.Get(ctx, j.tree.Config())
	if err != nil {
		return &jobconfig.Config{}, stat, zk.Ignore(err, zk.ErrNoNode)
	}
	config, err := jobconfig.Decode(data)
	if err != nil {
		return &jobconfig.Config{}, stat, nil
	}
	return config, stat, nil
}
