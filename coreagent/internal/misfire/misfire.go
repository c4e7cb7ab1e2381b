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

// beginning is when an instance first checked its shards.
type beginning struct {
	wall  time.Time // by its wall clock
	ticks time.Time // monotonic
}

// note sets the beginning. Only the first call counts.
func (b *beginning) note(now time.Time) {
	if b.wall.IsZero() {
		*b = beginning{wall: now.Round(0), ticks: time.Now()}
	}
}

// before returns the beginning by the current wall clock, or now if there is none yet. It's the
// earlier of both readings, so it's right after the clock was set, and includes the time a machine
// was suspended.
func (b *beginning) before(now time.Time) time.Time {
	if b.wall.IsZero() {
		return now
	}
	if began := now.Add(-time.Since(b.ticks)); began.Before(b.wall) {
		return began
	}
	return b.wall
}

// Misfires finds and marks the missed fire times of one job's shards. Mark and the methods for runs
// are safe for concurrent use. The methods that look back belong to the control goroutine.
type Misfires struct {
	*Ledger
	schedule *schedule.Schedule
	kick     func() // asks for a control step

	// Only the control goroutine touches these.
	begun beginning
	news  News
}

// New returns the misfires of a job. kick is called when a marker needs a control step.
func New(l *Ledger, s *schedule.Schedule, kick func()) *Misfires {
	return &Misfires{Ledger: l, schedule: s, kick: kick}
}

// Begin records that this instance checks its shards.
func (m *Misfires) Begin() { m.begun.note(m.Now()) }

// Began reports whether this instance has checked its shards.
func (m *Misfires) Began() bool { return !m.begun.wall.IsZero() }

// WindowSince returns the beginning of this instance's misfire window, which ends when it first
// checked its shards.
func (m *Misfires) WindowSince(now time.Time) time.Time {
	return m.begun.before(now).Add(-firetime.MisfireWindow)
}

// answersSince returns the moment before which this instance has missed nothing, because its server
// was enabled later or its misfire window began later.
func (m *Misfires) answersSince(now time.Time) time.Time {
	return firetime.Later(m.Tree.EnabledSince(), m.WindowSince(now))
}

func looksBack(s view.Settings) bool {
	return s.Schedule != nil && firerecord.Enabled(s.Config) && s.Config.Misfire && !view.Rotates(s.Config)
}

// All methods that look back use the fire times that have come for this instance, not just its
// clock. An interrupted run belongs to a fire time even if that is still in the future by the
// current clock.

// MarkArrived marks shards that came here after missing a fire time: it passed after the leader had
// read the records and before this instance knew of its shards, so it got no run. Or it's past by
// our clock, but was not by the leader's. owned reports whether a record shows the completed fire
// times.
//
// A new process may find its shards under the id of the previous one. The misfire window before its
// start limits how far it looks back, then and later.
func (m *Misfires) MarkArrived(ctx context.Context, s view.Settings, shards []int, records []firerecord.Record, owned func(firerecord.Record) bool) error {
	if s.Schedule == nil || !s.Config.Misfire || view.Rotates(s.Config) {
		return nil
	}
	until, after := m.schedule.Come(), m.answersSince(m.Now())
	missedSince := make(map[int]time.Time)
	for i, n := range shards {
		if owned(records[i]) {
			missedSince[n] = firetime.Later(records[i].Through, after)
		}
	}
	return m.markSince(ctx, s, missedSince, until, true)
}

// MarkOwn marks shards of ours if their newest fire time wasn't completed. No other instance runs an
// interrupted fire time, and if the owner returns before others notice, no shard changes hands.
// With look, it skips shards that run anyway.
func (m *Misfires) MarkOwn(ctx context.Context, s view.Settings, shards []int, look bool) error {
	if !looksBack(s) {
		return nil
	}
	until, after, id := m.schedule.Come(), m.answersSince(m.Now()), m.ID()
	var mu sync.Mutex
	missedSince := make(map[int]time.Time)
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		last, ok, err := m.Records.Last(ctx, shards[i])
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

// MarkWithdrawn marks shards that missed a fire time after their failover was called off.
func (m *Misfires) MarkWithdrawn(ctx context.Context, s view.Settings, shards []int) error {
	if len(shards) == 0 || !looksBack(s) {
		return nil
	}
	missedSince := make(map[int]time.Time)
	for _, n := range shards {
		last, ok, err := m.Records.Last(ctx, n)
		if err != nil {
			return err
		}
		if ok {
			missedSince[n] = last.Through
		}
	}
	return m.markSince(ctx, s, missedSince, m.schedule.Come(), true)
}

// News identifies the newest edit of the settings and the newest change of our server node that
// this instance knows, by their transactions.
type News struct{ Config, Server int64 }

// MarkLate looks for fire times that passed between an edit, the enabling of our server or a release of
// the schedule, and the moment this instance learned of it, after an outage or a lost event. Until
// then the timer was set for another schedule, or the run skipped everything, or there was no
// timer. suppressed is the oldest fire time suppressed by a hold if it may have come after the
// release, else zero. Fire times before a release belong to an earlier era and aren't made up for.
func (m *Misfires) MarkLate(ctx context.Context, s view.Settings, latest News, shards []int, suppressed time.Time) error {
	if m.news == latest && suppressed.IsZero() {
		return nil
	}
	since := m.Now()
	earlier := func(known bool, at time.Time) {
		if known && at.Before(since) {
			since = at
		}
	}
	earlier(!suppressed.IsZero() && suppressed.Before(since), suppressed.Add(-time.Millisecond))
	earlier(m.news.Config != 0 && m.news.Config != latest.Config, s.ConfigWritten)
	earlier(m.news.Server != 0 && m.news.Server != latest.Server, firerecord.SwitchedOn(m.Tree.OwnServer().Stat))
	if s.Schedule != nil {
		if _, missed := firetime.Missed(s.Schedule, s.Zone, m.Now(), since); missed {
			if err := m.MarkOwn(ctx, s, shards, true); err != nil {
				return err
			}
		}
	}
	m.news = latest
	return nil
}

// markSince marks each shard that has missed a fire time after the given moment and up to until.
func (m *Misfires) markSince(ctx context.Context, s view.Settings, missedSince map[int]time.Time, until time.Time, look bool) error {
	if m.Tree.Held().Schedule() {
		return nil // Fire times that pass now aren't made up for.
	}
	maps.DeleteFunc(missedSince, func(_ int, after time.Time) bool {
		_, open := firetime.Missed(s.Schedule, s.Zone, until, after)
		return !open
	})
	if len(missedSince) == 0 {
		return nil
	}
	era, _, err := m.ReadEra(ctx, s)
	if err != nil {
		return err
	}
	shards := slices.Sorted(maps.Keys(missedSince))
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		n := shards[i]
		fire, open := firetime.Missed(s.Schedule, s.Zone, until, missedSince[n], era.Since)
		if !open || m.Tree.Get(m.Nodes.Tree.ItemDisabled(n)).Exists {
			return nil
		}
		if look {
			if served, err := m.Records.RunsAgain(ctx, n, fire); served || err != nil {
				return err
			}
		}
		return m.Mark(ctx, n)
	})
}

// ReadEra returns the era of the settings, and the leader's note. Fire times before the current
// schedule and settings aren't made up for. The leader notes the era in the parent node of the fire
// records after each edit. The configuration completes the note.
func (m *Misfires) ReadEra(ctx context.Context, s view.Settings) (jobtree.FireEra, firerecord.Note, error) {
	return m.Records.ReadEra(ctx, s.Config, s.ConfigVersion, s.ConfigWritten)
}

// Enabled reports whether a job makes up for missed fire times. Without monitorExecution none is
// missed.
func Enabled(c *jobconfig.Config) bool { return c.Misfire && c.MonitorExecution }

// Mark marks a shard as misfired if the stored configuration makes up for missed fire times.
// Otherwise an instance that learns late of an edit would leave a marker after the leader has
// removed them.
func (m *Misfires) Mark(ctx context.Context, n int) error {
	path := m.Nodes.Tree.ItemMisfire(n)
	// The caller's configuration may be older than the watched one.
	known := m.Tree.Get(m.Nodes.Tree.Config())
	if config, err := jobconfig.Decode(known.Data); known.Exists && (err != nil || !Enabled(config)) {
		return nil
	}
	version := known.Stat.Version
	for {
		err := m.Nodes.Client.Multi(ctx, zk.CheckOp(m.Nodes.Tree.Config(), version), zk.CreateOp(path, nil, zk.Persistent))
		if errors.Is(err, zk.ErrBadVersion) {
			config, stat, err := m.storedConfig(ctx)
			if err != nil || !Enabled(config) {
				return err
			}
			version = stat.Version
			continue
		}
		if (err == nil || errors.Is(err, zk.ErrNodeExists)) && !m.Tree.Get(path).Exists {
			m.Tree.SuspectIf(func(p string) bool { return p == path }) // Its event was lost or comes later.
			m.kick()
		}
		return zk.Ignore(err, zk.ErrNodeExists, zk.ErrNoNode)
	}
}

// storedConfig reads the configuration. If it's invalid, the result has no settings.
func (m *Misfires) storedConfig(ctx context.Context) (*jobconfig.Config, zk.Stat, error) {
	data, stat, err := m.Nodes.Client.Get(ctx, m.Nodes.Tree.Config())
	if err != nil {
		return &jobconfig.Config{}, stat, zk.Ignore(err, zk.ErrNoNode)
	}
	config, err := jobconfig.Decode(data)
	if err != nil {
		return &jobconfig.Config{}, stat, nil
	}
	return config, stat, nil
}
