package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// What Java has no place for: how far the fire times of each shard are accounted
// for, below the job's extension node. It is written in the transaction that
// clears the running marks, so a run costs no request more; the owner's name is
// put on it when a shard changes hands. Java ignores it; losing it loses the
// catching up of a missed fire time and nothing else. The rules are those of
// package firetime.

// agentsRoot holds an ephemeral node per instance that keeps such records: it
// tells a leader which instances are of this kind.
func (j *Job) agentsRoot() string { return j.tree.Agents() }

// agentPath is the node of this instance, and agentData what it says.
func (j *Job) agentPath() string { return j.nodes.Agent(j.id) }

const agentData = "go"

// createInstance creates the ephemeral instance node, and with it the one that
// makes the instance known as a keeper of records: a leader that deals items
// out in between would take the new owner for one that keeps none.
func (j *Job) createInstance(ctx context.Context, info []byte) error {
	for {
		err := j.env.Client.Multi(ctx, zk.CheckOp(j.tree.Config(), zk.AnyVersion),
			zk.CreateOp(j.tree.Instance(j.id), info, zk.Ephemeral), zk.CreateOp(j.agentPath(), []byte(agentData), zk.Ephemeral))
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || refused.Index == 0 {
			return err
		}
		switch {
		case errors.Is(err, zk.ErrNoNode):
			err = j.nodes.Ensure(ctx, nodes.Parent(refused.Op.Path))
		case errors.Is(err, zk.ErrNodeExists) && refused.Index == 2:
			// The instance is free, so this one is an earlier session's.
			err = zk.Ignore(j.env.Client.Delete(ctx, j.agentPath(), zk.AnyVersion), zk.ErrNoNode)
		}
		if err != nil {
			return err
		}
	}
}

// handover is what a resharding does about the fire times of shards that change
// hands.
type handover struct {
	records map[int]firerecord.Record // to be written, under the new owner's name
	create  map[int]bool              // those of them that have no node yet
	missed  []int                     // shards that get a misfire mark
	late    []int                     // shards that have missed one too long ago
}

// planHandover looks at the record of each shard that changes hands. The record
// passes to the new owner, if that one keeps records. If the old owner kept one,
// and a fire time counts as missed, the shard gets a misfire mark: the old owner
// died before the fire time and its session outlived it, or the shard moves just
// then. The new owner makes up for it, Java's too.
//
// No record is written that was not read before: what it says was completed must
// not be forgotten, or it would run again on an instance that was away.
func (j *Job) planHandover(ctx context.Context, p *plan) (handover, error) {
	h := handover{records: make(map[int]firerecord.Record), create: make(map[int]bool)}
	if !firerecord.Kept(p.config) || len(p.moved) == 0 {
		return h, nil
	}
	schedule, err := quartz.ParseWith(p.config.Cron, p.config.Props)
	if err != nil {
		return h, err
	}
	zone, err := quartz.ParseTimeZone(p.config.TimeZone)
	if err != nil {
		return h, err
	}
	var names []string
	var era jobtree.FireEra
	if err := nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) (err error) {
			names, err = j.nodes.Children(ctx, j.tree.FireRecords())
			if errors.Is(err, zk.ErrNoNode) {
				err = j.nodes.Ensure(ctx, j.tree.FireRecords())
			}
			return err
		},
		func(ctx context.Context) (err error) {
			era, err = j.records.Era(ctx, p.config, p.configVersion, p.configWritten)
			return err
		},
	}); err != nil {
		return h, err
	}
	look := handoverLook{plan: p, schedule: schedule, zone: zone, now: j.env.now(), era: era}
	recorded := jobtree.ItemNumbers(names)
	var moved []int
	for _, n := range p.moved {
		if n < p.config.Shards {
			_, has := slices.BinarySearch(recorded, n)
			h.create[n] = !has
			moved = append(moved, n)
		}
	}
	var mu sync.Mutex
	err = nodes.Each(ctx, len(moved), func(ctx context.Context, i int) error {
		n := moved[i]
		var last firerecord.Record
		var exists bool
		if !h.create[n] {
			var err error
			if last, exists, err = j.records.Last(ctx, n); err != nil {
				return err
			}
		}
		verdict, err := j.judgeHandover(ctx, &look, n, &last, exists)
		mu.Lock()
		defer mu.Unlock()
		h.records[n] = last
		switch verdict {
		case toMakeUpFor:
			h.missed = append(h.missed, n)
		case tooLate:
			h.late = append(h.late, n)
		}
		return err
	})
	if slices.Sort(h.missed); len(h.late) > 0 {
		slices.Sort(h.late)
		j.log.Info("a missed fire time is not made up for: it is too long ago", "items", h.late, "window", firetime.MisfireWindow)
	}
	for n, record := range h.records {
		if !slices.Contains(p.keepers, p.to[n]) {
			delete(h.records, n)
			continue
		}
		record.Owner = p.to[n]
		h.records[n] = record
	}
	return h, err
}

// handoverLook is what the shards of one resharding are judged by.
type handoverLook struct {
	*plan
	schedule *quartz.Expression
	zone     *time.Location
	now      time.Time
	era      jobtree.FireEra
}

// verdict is what is to be done about the fire times of a shard that changes
// hands.
type verdict int

const (
	nothingMissed verdict = iota
	toMakeUpFor           // a misfire mark is to be left
	tooLate               // one was missed too long ago
)

// judgeHandover judges a shard that changes hands, and moves its record forward
// over what nobody has to make up for.
func (j *Job) judgeHandover(ctx context.Context, look *handoverLook, n int, last *firerecord.Record, exists bool) (verdict, error) {
	owner := look.before[n]
	// An owner that keeps no records, such as Java's, ran what it ran. A shard
	// that rotates, or did until now, is run by others than its owner.
	rotated := allKeep(look.alive, look.keepers) && (rotates(look.config) || slices.Contains(look.keepers, owner))
	if !exists || owner != "" && last.Owner != owner && !rotated {
		if len(look.existing) > 0 && !look.plan.exists(n) {
			// An edit has added it: a fire time that waits from before is not its own.
			last.Completed = firetime.Later(last.Completed, look.now)
		}
		last.Through = firetime.Later(last.Through, look.now)
		return nothingMissed, nil
	}
	last.Through = firetime.Later(last.Through, look.era.Since)
	if _, open := look.missed(last); !open {
		return nothingMissed, nil
	}
	since, err := j.servedSince(ctx, look, n, last)
	if err != nil {
		return nothingMissed, err
	}
	last.Through = firetime.Later(last.Through, since)
	newest, open := look.missed(last)
	if !open || !look.config.Misfire {
		return nothingMissed, nil
	}
	window := firetime.Later(look.announcedAt, look.ledSince).Add(-firetime.MisfireWindow)
	last.Through = firetime.Later(last.Through, window)
	if !newest.After(window) {
		return tooLate, nil
	}
	if unmarked, err := j.nodes.Unmarked(ctx, n); !unmarked || err != nil {
		return nothingMissed, err
	}
	return toMakeUpFor, nil
}

// missed returns the newest fire time that a record does not account for.
func (look *handoverLook) missed(last *firerecord.Record) (time.Time, bool) {
	return firetime.Missed(look.schedule, look.zone, look.now, last.Through)
}

// servedSince returns since when the operator has had a shard run, as far as the
// tree tells; now if it is not to run, because the shard is disabled, or the
// server of its owner. Of a shard that rotates, the servers of all instances count,
// and that of the one which ran it last.
func (j *Job) servedSince(ctx context.Context, look *handoverLook, n int, last *firerecord.Record) (time.Time, error) {
	never := look.now
	if _, disabled, err := j.env.Client.Exists(ctx, j.tree.ItemDisabled(n)); disabled || err != nil {
		return never, err
	}
	owner := look.before[n]
	if !rotates(look.config) {
		if owner == "" { // A leader that has died since has taken it away.
			owner = last.Owner
		}
		if owner == "" {
			return time.Time{}, nil
		}
		status, stat, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(owner)))
		switch {
		case err != nil:
			return time.Time{}, zk.Ignore(err, zk.ErrNoNode)
		case string(status) != jobtree.ServerEnabled:
			return never, nil
		}
		return firerecord.SwitchedOn(stat), nil
	}
	since := never
	for _, id := range append(slices.Clone(look.available), owner, last.Owner) {
		if id == "" {
			continue
		}
		status, stat, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(id)))
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return never, err
		}
		if err == nil && string(status) == jobtree.ServerEnabled && firerecord.SwitchedOn(stat).Before(since) {
			since = firerecord.SwitchedOn(stat)
		}
	}
	return since, nil
}

// allKeep reports whether every instance is one that keeps records.
func allKeep(instances, keepers []string) bool {
	return !slices.ContainsFunc(instances, func(id string) bool { return !slices.Contains(keepers, id) })
}

// ops are the operations of the handover within the resharding's transaction.
func (j *Job) handoverOps(h handover) []zk.Op {
	ops := make([]zk.Op, 0, len(h.missed)+len(h.records))
	for _, n := range h.missed {
		ops = append(ops, zk.CreateOp(j.tree.ItemMisfire(n), nil, zk.Persistent))
	}
	for _, n := range slices.Sorted(maps.Keys(h.records)) {
		if h.create[n] {
			ops = append(ops, zk.CreateOp(j.tree.FireRecord(n), h.records[n].Encode(), zk.Persistent))
		} else {
			// A failover that came to its end since it was read has put its own
			// fire time there.
			ops = append(ops, zk.SetOp(j.tree.FireRecord(n), h.records[n].Encode(), h.records[n].Version))
		}
	}
	return ops
}

// hasFired reports whether the previous owner of the item has completed a fire
// time that comes to this instance only now, because its clock is behind.
func (i item) hasFired(at, now time.Time) bool {
	return !at.After(i.fired) && firetime.Believable(i.fired, now)
}

// inherit remembers what previous owners of items have completed.
func (c *control) inherit(items []int, records []firerecord.Record) {
	if c.inherited == nil {
		c.inherited = make(map[int]time.Time)
	}
	for i, n := range items {
		c.inherited[n] = records[i].Completed
	}
}

// takeOver looks at the fire records of items that came to this instance. dealt
// says that the items were dealt out anew meanwhile: everything is to be read
// again.
//
// Where the assignment was recorded, the leader has put our name on the records,
// and they are read only if a fire time may have come since.
func (j *Job) takeOver(ctx context.Context, read assignment, recorded time.Time) (dealt bool, err error) {
	c := &j.control
	items := slices.Sorted(maps.Keys(c.gained))
	if len(items) == 0 || !firerecord.Kept(c.config) {
		return false, nil
	}
	if !recorded.IsZero() {
		if c.schedule == nil {
			return false, nil
		}
		if _, fired := firetime.Missed(c.schedule, c.zone, j.env.now().Add(firetime.MostLead), recorded.Add(-clockSkew)); !fired {
			return false, nil
		}
	}
	records := make([]firerecord.Record, len(items))
	var missing atomic.Bool
	if err := nodes.Each(ctx, len(items), func(ctx context.Context, i int) error {
		var ok bool
		var err error
		if records[i], ok, err = j.records.Last(ctx, items[i]); !ok {
			missing.Store(true)
		}
		return err
	}); err != nil {
		return false, err
	}
	if missing.Load() {
		if err := j.records.Ensure(ctx, items); err != nil {
			return false, err
		}
	}
	c.inherit(items, records)
	if err := j.markMissed(ctx, items, records); err != nil {
		return false, err
	}
	return j.claimFired(ctx, read, items, records)
}

// claimFired puts this instance's name on the records of own items that a
// leader of another kind has dealt out. After a resharding of ours it finds
// nothing to do; a record with another name than ours says that the assignment
// was an old one, which dealt tells.
func (j *Job) claimFired(ctx context.Context, read assignment, items []int, records []firerecord.Record) (dealt bool, err error) {
	var ops []zk.Op
	for i, n := range items {
		// The record of an item that goes round names who ran it last.
		passed := records[i].Owner != "" && rotates(j.control.config) && j.onlyAgents()
		if records[i].Owner != j.id && !passed {
			record := records[i].FireRecord
			record.Owner, record.Through = j.id, firetime.Later(record.Through, j.env.now())
			ops = append(ops, zk.SetOp(j.tree.FireRecord(n), record.Encode(), records[i].Version))
		}
	}
	if len(ops) == 0 {
		return false, nil
	}
	// No dealing out before the records were read, and their versions say that
	// there was none after it.
	if now, _, err := j.readFlags(ctx); err != nil || now != read.at {
		return err == nil, err
	}
	for _, chunk := range nodes.Chunks(nodes.Singly(ops)) {
		if err := j.env.Client.Multi(ctx, chunk...); err != nil {
			return errors.Is(err, zk.ErrBadVersion), zk.Ignore(err, zk.ErrBadVersion)
		}
	}
	return false, nil
}
