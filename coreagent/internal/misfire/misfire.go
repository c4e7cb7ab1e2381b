package misfire

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
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
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

// before returns the beginning by the wall clock as it is now, or now before there is one. It is
// the earlier one of both readings: a clock that was set since then doesn't count, and a machine
// that was suspended does.
func (b *beginning) before(now time.Time) time.Time {
	if b.wall.IsZero() {
		return now
	}
	if began := now.Add(-time.Since(b.ticks)); began.Before(b.wall) {
		return began
	}
	return b.wall
}

// Misfires finds and marks the fire times that shards of one job have missed. Mark may be called
// from any goroutine, and so may the methods for a run; the look-backs belong to the control
// goroutine.
type Misfires struct {
	*Ledger
	schedule *schedule.Schedule
	kick     func() // asks for a control step

	// Only the control goroutine touches these.
	begun beginning
	news  News
}

// New returns the misfires of a job. kick is called when a marker has to be looked at.
func New(l *Ledger, s *schedule.Schedule, kick func()) *Misfires {
	return &Misfires{Ledger: l, schedule: s, kick: kick}
}

// Begin notes that this instance looks at its shards.
func (m *Misfires) Begin() { m.begun.note(m.now()) }

// Began reports whether this instance has looked at its shards.
func (m *Misfires) Began() bool { return !m.begun.wall.IsZero() }

// WindowSince is when the misfire window of this instance began: so long before it first looked
// at its shards.
func (m *Misfires) WindowSince(now time.Time) time.Time {
	return m.begun.before(now).Add(-firetime.MisfireWindow)
}

// answersSince is the moment before which this instance has missed nothing: its server was
// switched on since, or it began more than the misfire window later.
func (m *Misfires) answersSince(now time.Time) time.Time {
	return firetime.Later(m.tree.EnabledSince(), m.WindowSince(now))
}

// looksBack reports whether fire times that passed can be missed under these settings.
func looksBack(s view.Settings) bool {
	return s.Schedule != nil && firerecord.Kept(s.Config) && s.Config.Misfire && !view.Rotates(s.Config)
}

// All look-backs go by the fire times that have come for this instance, and not by its clock
// alone: an interrupted run was for a fire time, also if the clock shows now that it has yet to
// come.

// Arrived leaves a misfire marker on shards that came here and have missed a fire time: it passed
// after the leader had looked at the records and before this instance knew of its shards, so no
// run was for them. Or it is past by the clock of this instance and was not by the leader's.
// Owned reports whether a record shows which fire times were completed.
//
// A process that has just started may find its shards under the id of the one before: the misfire
// window before its start bounds how far it looks back, then and later.
func (m *Misfires) Arrived(ctx context.Context, s view.Settings, shards []int, records []firerecord.Record, owned func(firerecord.Record) bool) error {
	if s.Schedule == nil || !s.Config.Misfire || view.Rotates(s.Config) {
		return nil
	}
	until, after := m.schedule.Come(), m.answersSince(m.now())
	missedSince := make(map[int]time.Time)
	for i, n := range shards {
		if owned(records[i]) {
			missedSince[n] = firetime.Later(records[i].Through, after)
		}
	}
	return m.markSince(ctx, s, missedSince, until, true)
}

// Own leaves a misfire marker on own shards whose newest fire time was not completed. No other
// instance has the run that a lost session interrupted, and if the owner returns before others
// miss it no shard changes hands. With look, shards that run anyway are left out.
func (m *Misfires) Own(ctx context.Context, s view.Settings, shards []int, look bool) error {
	if !looksBack(s) {
		return nil
	}
	until, after, id := m.schedule.Come(), m.answersSince(m.now()), m.id()
	var mu sync.Mutex
	missedSince := make(map[int]time.Time)
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		last, ok, err := m.records.Last(ctx, shards[i])
		if err != nil || !ok || last.Owner != id {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		missedSince[shards[i]] = firetime.Later(last.Through, after)
		return nil
	}); err != nil {
		return err
	}
	return m.markSince(ctx, s, missedSince, until, look)
}

// Withdrawn leaves a misfire marker on shards whose failover was called off, if they have missed
// a fire time.
func (m *Misfires) Withdrawn(ctx context.Context, s view.Settings, shards []int) error {
	if len(shards) == 0 || !looksBack(s) {
		return nil
	}
	missedSince := make(map[int]time.Time)
	for _, n := range shards {
		last, ok, err := m.records.Last(ctx, n)
		if err != nil {
			return err
		}
		if ok {
			missedSince[n] = last.Through
		}
	}
	return m.markSince(ctx, s, missedSince, m.schedule.Come(), true)
}

// News are the newest edit of the settings and the newest switch of the own server that this
// instance knows of, by their transactions.
type News struct{ Config, Server int64 }

// Late looks for fire times that passed between an edit, the enabling of the own server or the
// release of the schedule, and the moment at which this instance learned of it: after an outage,
// or when the event was lost. The timer was still set for another schedule, or the run left
// everything out, or there was none. Suppressed is the oldest fire time that passed while the
// schedule was held, if it may have come after the release, else zero. Fire times before a release
// are of an earlier era, and not made up for.
func (m *Misfires) Late(ctx context.Context, s view.Settings, latest News, shards []int, suppressed time.Time) error {
	if m.news == latest && suppressed.IsZero() {
		return nil
	}
	since := m.now()
	earlier := func(known bool, at time.Time) {
		if known && at.Before(since) {
			since = at
		}
	}
	earlier(!suppressed.IsZero() && suppressed.Before(since), suppressed.Add(-time.Millisecond))
	earlier(m.news.Config != 0 && m.news.Config != latest.Config, s.ConfigWritten)
	earlier(m.news.Server != 0 && m.news.Server != latest.Server, firerecord.SwitchedOn(m.tree.OwnServer().Stat))
	if s.Schedule != nil {
		if _, missed := firetime.Missed(s.Schedule, s.Zone, m.now(), since); missed {
			if err := m.Own(ctx, s, shards, true); err != nil {
				return err
			}
		}
	}
	m.news = latest
	return nil
}

// markSince leaves a misfire marker on each of the shards that has missed a fire time since the
// moment given for it, and until another one.
func (m *Misfires) markSince(ctx context.Context, s view.Settings, missedSince map[int]time.Time, until time.Time, look bool) error {
	if m.tree.Held().Schedule() {
		return nil // Nothing that passes now is made up for.
	}
	maps.DeleteFunc(missedSince, func(_ int, after time.Time) bool {
		_, open := firetime.Missed(s.Schedule, s.Zone, until, after)
		return !open
	})
	if len(missedSince) == 0 {
		return nil
	}
	era, err := m.Era(ctx, s)
	if err != nil {
		return err
	}
	shards := slices.Sorted(maps.Keys(missedSince))
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		n := shards[i]
		fire, open := firetime.Missed(s.Schedule, s.Zone, until, missedSince[n], era.Since)
		if !open || m.tree.Get(m.nodes.Tree.ItemDisabled(n)).Exists {
			return nil
		}
		if look {
			if served, err := m.records.RunsAgain(ctx, n, fire); served || err != nil {
				return err
			}
		}
		return m.Mark(ctx, n)
	})
}

// Era is the era of the settings. A fire time before the job had its present schedule and
// switches isn't made up for. The leader notes that era in the node above the fire records, after
// each edit; the note is completed by the configuration.
func (m *Misfires) Era(ctx context.Context, s view.Settings) (jobtree.FireEra, error) {
	return m.records.Era(ctx, s.Config, s.ConfigVersion, s.ConfigWritten)
}

// MadeUpFor reports whether a job makes up for missed fire times: without monitorExecution nothing
// is missed.
func MadeUpFor(c *jobconfig.Config) bool { return c.Misfire && c.MonitorExecution }

// Mark notes in the tree that a shard has missed a fire time, if the stored configuration makes up
// for missed fire times: an instance that is slow to learn of an edit would leave a marker after
// the leader has removed them.
func (m *Misfires) Mark(ctx context.Context, n int) error {
	path := m.nodes.Tree.ItemMisfire(n)
	// The caller may go by an older configuration than the one that is watched.
	known := m.tree.Get(m.nodes.Tree.Config())
	if config, err := jobconfig.Decode(known.Data); known.Exists && (err != nil || !MadeUpFor(config)) {
		return nil
	}
	version := known.Stat.Version
	for {
		err := m.nodes.Client.Multi(ctx, zk.CheckOp(m.nodes.Tree.Config(), version), zk.CreateOp(path, nil, zk.Persistent))
		if errors.Is(err, zk.ErrBadVersion) {
			config, stat, err := m.storedConfig(ctx)
			if err != nil || !MadeUpFor(config) {
				return err
			}
			version = stat.Version
			continue
		}
		if (err == nil || errors.Is(err, zk.ErrNodeExists)) && !m.tree.Get(path).Exists {
			m.tree.SuspectIf(func(p string) bool { return p == path }) // Its event was lost, or is yet to be looked at.
			m.kick()
		}
		return zk.Ignore(zk.Ignore(err, zk.ErrNodeExists), zk.ErrNoNode)
	}
}

// storedConfig reads the configuration, one without any settings if it can't be served.
func (m *Misfires) storedConfig(ctx context.Context) (*jobconfig.Config, zk.Stat, error) {
	data, stat, err := m.nodes.Client.Get(ctx, m.nodes.Tree.Config())
	if err != nil {
		return &jobconfig.Config{}, stat, zk.Ignore(err, zk.ErrNoNode)
	}
	config, err := jobconfig.Decode(data)
	if err != nil {
		return &jobconfig.Config{}, stat, nil
	}
	return config, stat, nil
}
