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

// fires is what a resharding does about the fire times of shards that change hands.
type fires struct {
	records map[int]firerecord.Record // to be written, under the new owner's name
	create  map[int]bool              // those of them that have no node yet
	missed  []int                     // shards that get a misfire marker
	late    []int                     // shards that have missed one too long ago
}

// judgeFires looks at the record of each shard that changes hands. The record passes
// to the new owner, if that one keeps records. If the old owner kept one, and a fire
// time counts as missed, the shard gets a misfire marker: the old owner died before
// the fire time and its session outlived it, or the shard moves just then. The new
// owner makes up for it, Java's too.
//
// No record is written that was not read before: what it says was completed must not
// be forgotten, or it would run again on an instance that was away.
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

// lookAt reads what the shards are judged by, and which of them have a record.
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

// verdict is what is to be done about the fire times of a shard that changes hands.
type verdict int

const (
	nothingMissed verdict = iota
	toMakeUpFor           // a misfire marker is to be left
	tooLate               // one was missed too long ago
)

// look is what the shards of one resharding are judged by.
type look struct {
	*plan
	schedule *quartz.Expression
	zone     *time.Location
	now      time.Time
	era      jobtree.FireEra
	recorded bool // some shard has a record, so shards were assigned before
}

// added reports whether an edit has added a shard. If a resharding was interrupted, the
// shard's node may already be there, but the shard has no owner yet.
func (look *look) added(n int, recorded bool) bool {
	if !look.plan.exists(n) {
		return len(look.existing) > 0
	}
	return !recorded && look.before[n] == "" && look.recorded
}

// edited is when the configuration was edited at the latest. This clock may be behind, and
// the shard may have existed before under the same number: it has run fire times then that
// have yet to come by this clock.
func (look *look) edited() time.Time {
	if firetime.Believable(look.configWritten, look.now) {
		return firetime.Later(look.configWritten, look.now)
	}
	return look.now
}

// judge judges a shard that changes hands, and moves its record forward
// over what nobody has to make up for.
func (r *Resharding) judge(ctx context.Context, look *look, n int, last *firerecord.Record, exists bool) (verdict, error) {
	owner := look.before[n]
	// An owner that keeps no records, such as Java's, ran what it ran. A shard
	// that rotates, or did until now, is run by others than its owner.
	rotated := firerecord.AllKeep(look.alive, look.recordHolders) && (look.rotates() || slices.Contains(look.recordHolders, owner))
	if !exists || owner != "" && last.Owner != owner && !rotated {
		if look.added(n, exists) {
			// A fire time that waits from before is not its own.
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
		return nothingMissed, nil // The release of a hold begins a new era: a marker would outlive what it stands for.
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

// missed returns the newest fire time that a record does not account for.
func (look *look) missed(last *firerecord.Record) (time.Time, bool) {
	return firetime.Missed(look.schedule, look.zone, look.now, last.Through)
}

// servedSince returns since when the operator has had a shard run, as far as the
// tree tells; now if it is not to run, because the shard is disabled, or the
// server of its owner.
func (r *Resharding) servedSince(ctx context.Context, look *look, n int, last *firerecord.Record) (time.Time, error) {
	never := look.now
	if _, disabled, err := r.nodes.Client.Exists(ctx, r.nodes.Tree.ItemDisabled(n)); disabled || err != nil {
		return never, err
	}
	owner := look.before[n]
	if look.rotates() {
		return r.records.TurnsServedSince(ctx, owner, last.Owner, look.available)
	}
	if owner == "" { // A leader that has died since has taken it away.
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

// fireOps are the operations on records and markers within the resharding's
// transaction.
func (r *Resharding) fireOps(f fires) []zk.Op {
	ops := make([]zk.Op, 0, len(f.missed)+len(f.records))
	for _, n := range f.missed {
		ops = append(ops, zk.CreateOp(r.nodes.Tree.ItemMisfire(n), nil, zk.Persistent))
	}
	for _, n := range slices.Sorted(maps.Keys(f.records)) {
		if f.create[n] {
			ops = append(ops, zk.CreateOp(r.nodes.Tree.FireRecord(n), f.records[n].Encode(), zk.Persistent))
		} else {
			// A failover that came to its end since it was read has put its own
			// fire time there.
			ops = append(ops, zk.SetOp(r.nodes.Tree.FireRecord(n), f.records[n].Encode(), f.records[n].Version))
		}
	}
	return ops
}
