package reshard

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
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// fires are the changes to the fire records and misfire markers of shards that change hands.
type fires struct {
	records map[int]firerecord.Record // to write, with the new owner's name
	create  map[int]bool              // records that have no node yet
	missed  []int                     // shards that get a misfire marker
	late    []int                     // shards that missed a fire time too long ago
}

// judgeFires looks at the record of each shard that changes hands. The record passes to the new
// owner if the new owner keeps records. If the old owner kept one and a fire time counts as missed,
// the shard gets a misfire marker, and the new owner (Java's too) makes up for it. That happens if
// the old owner died before the fire time but its session outlived it, or if the shard moves right
// at the fire time.
//
// A record must be read before it's overwritten. Otherwise we could lose which fire times were
// completed, and an instance that was away would run them again.
func (r *Resharding) judgeFires(ctx context.Context, p *plan) (fires, error) {
	f := fires{records: make(map[int]firerecord.Record), create: make(map[int]bool)}
	if !firerecord.Enabled(p.config) || len(p.moved) == 0 {
		return f, nil
	}
	look, recorded, err := r.lookAt(ctx, p)
	if err != nil {
		return f, err
	}
	var moved []int
	for _, n := range p.moved {
		if n < p.config.Shards {
			_, has := slices.BinarySearch(recorded, n)
			f.create[n] = !has
			moved = append(moved, n)
		}
	}
	var mu sync.Mutex
	err = nodes.Each(ctx, len(moved), func(ctx context.Context, i int) error {
		n := moved[i]
		var last firerecord.Record
		var exists bool
		if !f.create[n] {
			var err error
			if last, exists, err = r.records.Last(ctx, n); err != nil {
				return err
			}
		}
		verdict, err := r.judge(ctx, look, n, &last, exists)
		mu.Lock()
		defer mu.Unlock()
		f.records[n] = last
		switch verdict {
		case toMakeUpFor:
			f.missed = append(f.missed, n)
		case tooLate:
			f.late = append(f.late, n)
		}
		return err
	})
	if slices.Sort(f.missed); len(f.late) > 0 {
		slices.Sort(f.late)
		r.log.InfoContext(ctx, "a missed fire time is not made up for: it is too long ago", "shards", f.late, "window", firetime.MisfireWindow)
	}
	maps.DeleteFunc(f.records, func(n int, _ firerecord.Record) bool { return !slices.Contains(p.recordHolders, p.to[n]) })
	for n, record := range f.records {
		record.Owner = p.to[n]
		f.records[n] = record
	}
	return f, err
}

// lookAt reads the facts for the verdicts, and which shards have a record.
func (r *Resharding) lookAt(ctx context.Context, p *plan) (l *look, recorded []int, err error) {
	l = &look{plan: p}
	rules := quartz.RulesOf(r.nodes.Tree.Name(), p.config.Props)
	if l.schedule, err = rules.Parse(p.config.Cron); err != nil {
		return nil, nil, err
	}
	if l.zone, err = rules.Location(p.config.TimeZone); err != nil {
		return nil, nil, err
	}
	var names []string
	err = nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) (err error) {
			names, err = r.nodes.Children(ctx, r.nodes.Tree.FireRecords())
			if errors.Is(err, zk.ErrNoNode) {
				err = r.nodes.Ensure(ctx, r.nodes.Tree.FireRecords())
			}
			return err
		},
		func(ctx context.Context) (err error) {
			l.era, _, err = r.records.ReadEra(ctx, p.config, p.configVersion, p.configWritten)
			return err
		},
	})
	recorded = jobtree.ItemNumbers(names)
	l.now, l.recorded = r.tree.Now(), len(recorded) > 0
	return l, recorded, err
}

// verdict is the decision about the fire times of a shard that changes hands.
type verdict int

const (
	nothingMissed verdict = iota
	toMakeUpFor           // leave a misfire marker
	tooLate               // a fire time was missed too long ago
)

// look holds the facts that all shards of a resharding are judged by.
type look struct {
	*plan
	schedule *quartz.Expression
	zone     *time.Location
	now      time.Time
	era      jobtree.FireEra
	recorded bool // some shard has a record, so shards were assigned before
}

// added reports whether an edit has added a shard. After an interrupted resharding the shard's node
// may already exist, but the shard has no owner yet.
func (look *look) added(n int, recorded bool) bool {
	if !look.plan.exists(n) {
		return len(look.existing) > 0
	}
	return !recorded && look.before[n] == "" && look.recorded
}

// edited returns the latest possible time of the last edit. Our clock may be behind, and a shard
// with this number may have existed before. Then it has already run fire times that are still in
// the future by our clock.
func (look *look) edited() time.Time {
	if firetime.Believable(look.configWritten, look.now) {
		return firetime.Later(look.configWritten, look.now)
	}
	return look.now
}

// judge judges a shard that changes hands, and moves its record past all times that need no make-up
// run.
func (r *Resharding) judge(ctx context.Context, look *look, n int, last *firerecord.Record, exists bool) (verdict, error) {
	owner := look.before[n]
	// If the owner keeps no records, as in Java, we can't know which fire times it ran. If the
	// shard rotates, or did until now, other instances than its owner run it.
	rotated := firerecord.AllKeep(look.alive, look.recordHolders) && (look.rotates() || slices.Contains(look.recordHolders, owner))
	if !exists || owner != "" && last.Owner != owner && !rotated {
		if look.added(n, exists) {
			// A fire time from before the edit isn't the new shard's.
			last.Completed = firetime.Later(last.Completed, look.edited())
		}
		last.Through = firetime.Later(last.Through, last.Completed, look.now)
		return nothingMissed, nil
	}
	last.Through = firetime.Later(last.Through, look.era.Since)
	if _, open := look.missed(last); !open {
		return nothingMissed, nil
	}
	since, err := r.servedSince(ctx, look, n, last)
	if err != nil {
		return nothingMissed, err
	}
	last.Through = firetime.Later(last.Through, since)
	newest, open := look.missed(last)
	if !open || !look.config.Misfire || r.tree.Held().Schedule() {
		return nothingMissed, nil // The release of a hold begins a new era, and a marker would outlast it.
	}
	window := firetime.Later(look.announcedAt, look.ledSince).Add(-firetime.MisfireWindow)
	last.Through = firetime.Later(last.Through, window)
	if !newest.After(window) {
		return tooLate, nil
	}
	if again, err := r.records.RunsAgain(ctx, n, newest); again || err != nil {
		return nothingMissed, err
	}
	return toMakeUpFor, nil
}

// missed returns the newest fire time that isn't covered by a record.
func (look *look) missed(last *firerecord.Record) (time.Time, bool) {
	return firetime.Missed(look.schedule, look.zone, look.now, last.Through)
}

// servedSince returns since when the operator has allowed a shard to run, as far as the tree shows.
// It returns now if the shard or its owner's server is disabled.
func (r *Resharding) servedSince(ctx context.Context, look *look, n int, last *firerecord.Record) (time.Time, error) {
	never := look.now
	if _, disabled, err := r.nodes.Client.Exists(ctx, r.nodes.Tree.ItemDisabled(n)); disabled || err != nil {
		return never, err
	}
	owner := look.before[n]
	if look.rotates() {
		return r.records.TurnsServedSince(ctx, owner, last.Owner, look.available)
	}
	if owner == "" { // A previous leader took the shard away and died.
		owner = last.Owner
	}
	if owner == "" {
		return time.Time{}, nil
	}
	status, stat, err := r.nodes.Client.Get(ctx, r.nodes.Tree.Server(jobtree.InstanceIP(owner)))
	switch {
	case err != nil:
		return time.Time{}, zk.Ignore(err, zk.ErrNoNode)
	case string(status) != jobtree.ServerEnabled:
		return never, nil
	}
	return firerecord.SwitchedOn(stat), nil
}

// fireOps returns the operations on records and markers for the resharding's transaction.
func (r *Resharding) fireOps(f fires) []zk.Op {
	ops := make([]zk.Op, 0, len(f.missed)+len(f.records))
	for _, n := range f.missed {
		ops = append(ops, zk.CreateOp(r.nodes.Tree.ItemMisfire(n), nil, zk.Persistent))
	}
	for _, n := range slices.Sorted(maps.Keys(f.records)) {
		if f.create[n] {
			ops = append(ops, zk.CreateOp(r.nodes.Tree.FireRecord(n), f.records[n].Encode(), zk.Persistent))
		} else {
			// A failover that finished after we read the record has changed it, and the version
			// check refuses to overwrite that.
			ops = append(ops, zk.SetOp(r.nodes.Tree.FireRecord(n), f.records[n].Encode(), f.records[n].Version))
		}
	}
	return ops
}
