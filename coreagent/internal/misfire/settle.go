package misfire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ClockSkew is an upper bound for the clock difference between instances.
const ClockSkew = time.Minute

// CurrentFireTime returns the fire time to run in place of one that has waited, and the era note behind
// that decision. If the schedule was edited in the meantime, it's the newest fire time of the new
// schedule since the edit, or the old fire time if it came before the edit. It reports false if
// there is neither, because the old schedule had ended by then, or if the schedule was held and
// released after the fire time.
func (m *Misfires) CurrentFireTime(ctx context.Context, s view.Settings, at time.Time) (time.Time, bool, firerecord.Note, error) {
	if s.Schedule == nil {
		return at, true, firerecord.Note{}, nil
	}
	era, noted, err := m.ReadEra(ctx, s)
	if err != nil {
		return at, false, noted, fmt.Errorf("look for the last edit of the schedule: %w", err)
	}
	if present, ok := s.Schedule.Next(at.Add(-time.Millisecond), s.Zone); ok && present.Equal(at) {
		if since := noted.Era.Since; !since.IsZero() && !since.After(at) {
			return at, true, noted, nil // A release would have ended that era.
		}
	} else if newest, missed := firetime.Missed(s.Schedule, s.Zone, m.Now(), era.Since, at); missed && s.Config.Misfire {
		at = newest
	} else if at.After(era.Since) {
		return at, false, noted, nil
	}
	still, err := m.ReleasedBefore(ctx, at) // A release also begins an era.
	return at, still, noted, err
}

// ReleasedBefore reports whether the last release of the schedule, if any, came before a fire time.
// Fire times that a hold suppressed, or that should have run before the hold, aren't made up for.
// This instance may not know of the hold yet.
func (m *Misfires) ReleasedBefore(ctx context.Context, at time.Time) (bool, error) {
	released, err := runs.Store{Client: m.Nodes.Client, Tree: m.Nodes.Tree, Now: m.Now}.Released(ctx)
	if err != nil {
		return false, fmt.Errorf("look for the last release of the schedule: %w", err)
	}
	return at.After(released.Schedule), nil
}

// EnabledAt reports whether this server was enabled when a fire time came that has waited here. r is
// the rotation of the shard, or nil. We ask ZooKeeper, because an instance that was away may have
// missed that its server was disabled and enabled again.
func (m *Misfires) EnabledAt(ctx context.Context, r *view.Rotation, at time.Time) (bool, error) {
	if r != nil {
		since, err := m.TurnServedSince(ctx, r, true)
		return err == nil && at.After(since), err
	}
	status, stat, err := m.Nodes.Client.Get(ctx, m.Tree.OwnServerPath())
	if errors.Is(err, zk.ErrNoNode) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look whether the server was enabled: %w", err)
	}
	since := firerecord.EnabledSince(stat)
	if all, err := m.Records.AllKeep(ctx); err != nil {
		return false, fmt.Errorf("look for Java agents: %w", err)
	} else if !all {
		since = time.Time{} // A Java agent at this address writes the node at every registration.
	}
	served := string(status) == jobtree.ServerEnabled && at.After(since)
	if !served {
		m.Log.InfoContext(ctx, "fire time skipped: the server was disabled when it came", "scheduled", at)
	}
	return served, nil
}

// TurnServedSince returns since when a rotating shard has been enabled. waited is set for a fire time
// that waited on this instance.
func (m *Misfires) TurnServedSince(ctx context.Context, r *view.Rotation, waited bool) (time.Time, error) {
	owner := string(m.Tree.Get(m.Nodes.Tree.ItemInstance(0)).Data)
	if waited && r.Ours {
		return m.Records.TurnWaitedSince(ctx, owner, r.Last.Owner, m.Tree.Instances())
	}
	return m.Records.TurnsServedSince(ctx, owner, r.Last.Owner, m.Tree.Instances())
}

// Judgement is the decision on a shard with a misfire marker.
type Judgement struct {
	Missed  time.Time // the fire time to make up for; zero if only the marker shows a misfire
	LeftOut bool      // the shard needs no run now
	Later   bool      // it's left out for now and its marker stays, so look again after a pause
}

// Judge decides whether a shard with a misfire marker must run, given the era since which fire
// times count. It removes a marker that needs no run because everything up to now was completed.
// The transaction that marks the shard as running removes the others.
func (m *Misfires) Judge(ctx context.Context, s view.Settings, n int, since time.Time) (j Judgement, err error) {
	last, recorded := firerecord.Record{}, false
	if s.Schedule != nil && firerecord.Enabled(s.Config) { // A record from earlier doesn't count.
		if last, recorded, err = m.Records.Last(ctx, n); err != nil {
			return j, err
		}
	}
	if !recorded {
		j.LeftOut, err = m.judgeUnrecorded(ctx, n, since)
		return j, err
	}
	at, open := m.NewestMissed(s, last, since)
	if open && !at.After(m.Tree.EnabledSince()) {
		if at, open, err = m.missedByMarker(ctx, s, n, last, since); err != nil {
			return j, err
		}
	}
	if open && m.Completed(n, at) {
		// It ran before this instance knew that monitorExecution was switched on.
		if err := m.AccountFor(ctx, n, at); err != nil {
			return j, err
		}
		open = false
	}
	next, ends := time.Time{}, true
	if upcoming, ok := s.Schedule.Next(m.Now(), s.Zone); ok {
		next, ends = upcoming, false
	}
	switch {
	case open && !at.After(last.Through) && !ends && next.Sub(m.Now()) < ClockSkew:
		// The record already covers that fire time, so the instance that left the marker has a
		// clock ahead of ours, and the marker is for the next one.
		return Judgement{LeftOut: true, Later: true}, nil
	case open:
		m.Know(n, last)
		return Judgement{Missed: at}, nil
	case !ends && !next.After(m.schedule.Come()):
		// The timer has already fired for the next fire time, because the clock was slightly ahead
		// then. This instance won't run it again, so the marker may be for it.
		return Judgement{LeftOut: true, Later: true}, nil
	}
	err = m.Nodes.Client.Delete(ctx, m.Nodes.Tree.ItemMisfire(n), zk.AnyVersion)
	if errors.Is(err, zk.ErrNoNode) {
		m.Tree.Suspect() // The view shows a marker that no longer exists.
		err = nil
	}
	return Judgement{LeftOut: true}, err
}

// judgeUnrecorded decides on a marker without a record. The marker alone proves a misfire, unless
// the settings were edited after it was left. The view may still show a marker that the previous
// run has removed.
func (m *Misfires) judgeUnrecorded(ctx context.Context, n int, since time.Time) (leftOut bool, err error) {
	marker, stands, err := m.Nodes.Client.Exists(ctx, m.Nodes.Tree.ItemMisfire(n))
	switch {
	case err != nil:
		return false, err
	case !stands:
		m.Tree.Suspect()
		return true, nil
	case !marker.Ctime.After(since): // In the same millisecond the edit wins, so the marker isn't made up for.
		return true, zk.Ignore(m.Nodes.Client.Delete(ctx, m.Nodes.Tree.ItemMisfire(n), zk.AnyVersion), zk.ErrNoNode)
	}
	return false, nil
}

// missedByMarker returns the newest fire time that a misfire marker can be for, or false if it's
// completed. Later ones passed while the server was disabled.
func (m *Misfires) missedByMarker(ctx context.Context, s view.Settings, n int, last firerecord.Record, since time.Time) (time.Time, bool, error) {
	marker, exists, err := m.Nodes.Client.Exists(ctx, m.Nodes.Tree.ItemMisfire(n))
	if err != nil || !exists {
		return time.Time{}, false, err
	}
	until := marker.Ctime.Add(firetime.MostLead)
	if now := m.Now(); now.Before(until) {
		until = now
	}
	at, open := firetime.Missed(s.Schedule, s.Zone, until, last.Completed, since)
	return at, open, nil
}

// NewestMissed returns the fire time for a misfire run of a shard, or false if there is none. A
// marker always means a missed fire time; only a later run or an edit of the schedule settles it.
func (m *Misfires) NewestMissed(s view.Settings, last firerecord.Record, since time.Time) (time.Time, bool) {
	return firetime.Missed(s.Schedule, s.Zone, m.Now(), last.Completed, since)
}
