package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// What Java has no place for: the newest fire time that was completed for each
// item, below the job's extension node. It is written in the transaction that
// clears the running marks, so a run costs no request more; the owner's name is
// put on it when an item changes hands. Java ignores it; losing it loses the
// catching up of a missed fire time and nothing else.

// fired is an item's record.
type fired struct {
	at       time.Time // the fire time that was completed
	instance string    // the owner that keeps the record; a Java owner keeps none
	version  int32     // of the node it was read from, or zk.AnyVersion
	written  int64     // transaction that wrote what was read
}

func (j *Job) firedRoot() string      { return j.tree.Extension() + "/fired" }
func (j *Job) firedPath(n int) string { return j.firedRoot() + "/" + strconv.Itoa(n) }

func (f fired) encode() []byte {
	return []byte(strconv.FormatInt(f.at.UnixMilli(), 10) + " " + f.instance)
}

func decodeFired(data []byte) (fired, bool) {
	millis, instance, ok := strings.Cut(string(data), " ")
	at, err := strconv.ParseInt(millis, 10, 64)
	if !ok || err != nil {
		return fired{}, false
	}
	return fired{at: time.UnixMilli(at), instance: instance}, true
}

// lastFired reads an item's record; false if there is none that can be read.
func (j *Job) lastFired(ctx context.Context, n int) (fired, bool, error) {
	data, stat, err := j.env.Client.Get(ctx, j.firedPath(n))
	if err != nil {
		return fired{}, false, ignore(err, zk.ErrNoNode)
	}
	f, ok := decodeFired(data)
	f.version, f.written = stat.Version, stat.Mzxid
	return f, ok, nil
}

// due returns the newest fire time in (after, now], false if there is none.
// Several missed fire times count as one, as everywhere in ElasticJob.
func due(schedule *quartz.Expression, zone *time.Location, after, now time.Time) (time.Time, bool) {
	first, ok := schedule.Next(after, zone)
	if !ok || first.After(now) {
		return time.Time{}, false
	}
	// Walk back from now in growing strides instead of forward from after,
	// which may be years ago.
	for stride := time.Minute; now.Add(-stride).After(first); stride *= 4 {
		if t, ok := schedule.Next(now.Add(-stride), zone); ok && !t.After(now) {
			first = t
			break
		}
	}
	last := first
	for {
		next, ok := schedule.Next(last, zone)
		if !ok || next.After(now) {
			return last, true
		}
		last = next
	}
}

// agentsRoot holds an ephemeral node per instance that keeps such records: it
// tells a leader which instances are of this kind.
func (j *Job) agentsRoot() string { return j.tree.Agents() }

// agentPath is the node of this instance, and agentData what it says.
func (j *Job) agentPath() string { return j.agentsRoot() + "/" + j.id }

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
			err = j.ensure(ctx, parent(refused.Op.Path))
		case errors.Is(err, zk.ErrNodeExists) && refused.Index == 2:
			// The instance is free, so this one is an earlier session's.
			err = ignore(j.env.Client.Delete(ctx, j.agentPath(), zk.AnyVersion), zk.ErrNoNode)
		}
		if err != nil {
			return err
		}
	}
}

// handover is what a resharding does about the fire times of items that change
// hands.
type handover struct {
	records map[int]fired // to be written, under the new owner's name
	create  map[int]bool  // those of them that have no node yet
	missed  []int         // items that owe a fire time and get a misfire mark
}

// planHandover looks at each item that changes hands. Its record passes to the
// new owner, if that one keeps records. If the old owner kept one, and the
// schedule has a later fire time that is past, the item gets a misfire mark:
// the old owner died before the fire time and its session outlived it, or the
// item moves just then. The new owner makes up for it, Java's too.
//
// Records are read only where they can tell something: not where the old owner
// lives and no fire time came while it could have lost the item.
func (j *Job) planHandover(ctx context.Context, p *plan) (handover, error) {
	h := handover{records: make(map[int]fired), create: make(map[int]bool)}
	if !keepsRecords(p.config) || len(p.moved) == 0 {
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
	names, err := j.children(ctx, j.firedRoot())
	if ignore(err, zk.ErrNoNode) != nil {
		return h, err
	}
	if errors.Is(err, zk.ErrNoNode) {
		if err := j.ensure(ctx, j.firedRoot()); err != nil {
			return h, err
		}
	}
	now := j.env.now()
	window := time.Minute + 2*j.env.Client.Session().Timeout + max(0, now.Sub(p.announcedAt))
	// Clocks differ: the old owner may have run what has yet to come here.
	_, recent := due(schedule, zone, now.Add(-window), now.Add(longestLead))
	recorded := itemNumbers(names)
	var read []int // items whose record may show a missed fire time
	for _, n := range p.moved {
		if n >= p.config.Shards {
			continue
		}
		_, has := slices.BinarySearch(recorded, n)
		h.create[n] = !has
		h.records[n] = fired{at: now, version: zk.AnyVersion}
		owner := p.owners[n]
		if has && (recent || !slices.Contains(p.available, owner)) {
			read = append(read, n)
		}
	}
	var mu sync.Mutex
	err = each(ctx, len(read), func(ctx context.Context, i int) error {
		n := read[i]
		last, exists, err := j.lastFired(ctx, n)
		if err != nil {
			return err
		}
		// An owner that keeps no records, such as Java's, ran what it ran. An item
		// that goes round, or did until now, is run by others than its owner.
		owner := p.owners[n]
		round := allKeep(p.alive, p.keepers) && (rotates(p.config) || slices.Contains(p.keepers, owner))
		trusted := exists && (owner == "" || last.instance == owner || round)
		if !trusted {
			return nil
		}
		missed := false
		_, open := due(schedule, zone, last.at, now)
		switch idle := slices.Contains(p.alive, owner) && !slices.Contains(p.available, owner); {
		case open && idle: // The server was disabled: not to fire was the operator's will.
			last.at = now
		case open && p.config.Misfire:
			if missed, err = j.unmarked(ctx, n); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		h.records[n] = last
		if missed {
			h.missed = append(h.missed, n)
		}
		return nil
	})
	slices.Sort(h.missed)
	for n, record := range h.records {
		if !slices.Contains(p.keepers, p.to[n]) {
			delete(h.records, n)
			continue
		}
		record.instance = p.to[n]
		h.records[n] = record
	}
	return h, err
}

// unmarked reports whether nothing says yet that an item is to be run again: no
// misfire mark, and no failover that is offered or under way.
func (j *Job) unmarked(ctx context.Context, n int) (bool, error) {
	for _, path := range []string{j.tree.FailoverItem(n), j.tree.ItemFailover(n), j.tree.ItemMisfire(n)} {
		if _, marked, err := j.env.Client.Exists(ctx, path); marked || err != nil {
			return false, err
		}
	}
	return true, nil
}

// allKeep reports whether every instance is one that keeps records.
func allKeep(instances, keepers []string) bool {
	return !slices.ContainsFunc(instances, func(id string) bool { return !slices.Contains(keepers, id) })
}

// keepsRecords reports whether fire times of a job are recorded at all. With
// misfire off the records still keep a new owner from running a fire time that
// the one before has run.
func keepsRecords(c *jobtree.Config) bool { return c.MonitorExecution && c.Cron != "" }

// ops are the operations of the handover within the resharding's transaction.
func (j *Job) handoverOps(h handover) []zk.Op {
	ops := make([]zk.Op, 0, len(h.missed)+len(h.records))
	for _, n := range h.missed {
		ops = append(ops, zk.CreateOp(j.tree.ItemMisfire(n), nil, zk.Persistent))
	}
	for _, n := range slices.Sorted(maps.Keys(h.records)) {
		if h.create[n] {
			ops = append(ops, zk.CreateOp(j.firedPath(n), h.records[n].encode(), zk.Persistent))
		} else {
			// A failover that came to its end since it was read has put its own
			// fire time there.
			ops = append(ops, zk.SetOp(j.firedPath(n), h.records[n].encode(), h.records[n].version))
		}
	}
	return ops
}

// longestLead is how far the clock of a previous owner may be ahead of ours
// for its records to count. A clock that is off by hours must not silence a
// job for hours.
const longestLead = time.Minute

func believable(fired, now time.Time) bool { return fired.Sub(now) <= longestLead }

// hasFired reports whether the previous owner of the item has completed a fire
// time that comes to this instance only now, because its clock is behind.
func (i item) hasFired(at, now time.Time) bool {
	return !at.After(i.fired) && believable(i.fired, now)
}

// inherit remembers what previous owners of items have completed. A record that
// is not a fire time says only from when on they are known.
func (c *control) inherit(items []int, records []fired) {
	if c.inherited == nil {
		c.inherited = make(map[int]time.Time)
	}
	for i, n := range items {
		c.inherited[n] = time.Time{}
		if c.schedule == nil || records[i].at.IsZero() {
			continue
		}
		if fire, ok := c.schedule.Next(records[i].at.Add(-time.Millisecond), c.zone); ok && fire.Equal(records[i].at) {
			c.inherited[n] = fire
		}
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
	if len(items) == 0 || !keepsRecords(c.config) {
		return false, nil
	}
	if !recorded.IsZero() {
		if c.schedule == nil {
			return false, nil
		}
		if _, fired := due(c.schedule, c.zone, recorded.Add(-clockSkew), j.env.now().Add(longestLead)); !fired {
			return false, nil
		}
	}
	records := make([]fired, len(items))
	var missing atomic.Bool
	if err := each(ctx, len(items), func(ctx context.Context, i int) error {
		var ok bool
		var err error
		if records[i], ok, err = j.lastFired(ctx, items[i]); !ok {
			missing.Store(true)
		}
		return err
	}); err != nil {
		return false, err
	}
	if missing.Load() {
		if err := j.ensureFired(ctx, items); err != nil {
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
func (j *Job) claimFired(ctx context.Context, read assignment, items []int, records []fired) (dealt bool, err error) {
	var ops []zk.Op
	for i, n := range items {
		// The record of an item that goes round names who ran it last.
		passed := records[i].instance != "" && rotates(j.control.config) && j.onlyAgents()
		if records[i].instance != j.id && !passed {
			at := j.env.now()
			if believable(records[i].at, at) && records[i].at.After(at) {
				at = records[i].at
			}
			ops = append(ops, zk.SetOp(j.firedPath(n), fired{at: at, instance: j.id}.encode(), records[i].version))
		}
	}
	if len(ops) == 0 {
		return false, nil
	}
	// No dealing out before the records were read, and their versions say that
	// there was none after it.
	if now, err := j.dealings(ctx); err != nil || now != read.at {
		return err == nil, err
	}
	for _, chunk := range chunks(singly(ops)) {
		if err := j.env.Client.Multi(ctx, chunk...); err != nil {
			return errors.Is(err, zk.ErrBadVersion), ignore(err, zk.ErrBadVersion)
		}
	}
	return false, nil
}

// markMissed leaves a misfire mark on items that came here and owe a fire time:
// it passed after the leader had looked at the records and before this instance
// knew of its items, so that neither its run nor anybody's was for them. Or it is
// past by the clock of this instance and was not by the leader's.
func (j *Job) markMissed(ctx context.Context, items []int, records []fired) error {
	c := &j.control
	if c.schedule == nil || !c.config.Misfire || rotates(c.config) {
		return nil
	}
	now := j.env.now()
	return each(ctx, len(items), func(ctx context.Context, i int) error {
		if records[i].instance != j.id {
			return nil // Nobody knows what was completed.
		}
		if _, open := due(c.schedule, c.zone, records[i].at, now); !open {
			return nil
		}
		if missed, err := j.unmarked(ctx, items[i]); !missed || err != nil {
			return err
		}
		return j.markMisfire(ctx, items[i])
	})
}

// markMisfire says that a fire time of an item was missed, if the job makes up
// for missed fire times: who is slow to learn that it no longer does would leave
// a mark behind the leader that has removed them.
func (j *Job) markMisfire(ctx context.Context, n int) error {
	path := j.tree.ItemMisfire(n)
	// Whoever asks may go by an older configuration than the one that is watched.
	known := j.cache.Get(j.tree.Config())
	if config, err := jobtree.DecodeConfig(known.Data); known.Exists && (err != nil || !config.Misfire) {
		return nil
	}
	version := known.Stat.Version
	for {
		err := j.env.Client.Multi(ctx, zk.CheckOp(j.tree.Config(), version), zk.CreateOp(path, nil, zk.Persistent))
		if errors.Is(err, zk.ErrBadVersion) {
			config, stat, err := j.storedConfig(ctx)
			if err != nil || !config.Misfire {
				return err
			}
			version = stat.Version
			continue
		}
		if (err == nil || errors.Is(err, zk.ErrNodeExists)) && !j.cache.Get(path).Exists {
			j.cache.SuspectIf(func(p string) bool { return p == path }) // Its event was lost, or is yet to be looked at.
			j.kick()
		}
		return ignore(ignore(err, zk.ErrNodeExists), zk.ErrNoNode)
	}
}

// storedConfig reads the configuration. One that cannot be served is a
// configuration without any settings.
func (j *Job) storedConfig(ctx context.Context) (*jobtree.Config, zk.Stat, error) {
	data, stat, err := j.env.Client.Get(ctx, j.tree.Config())
	if err != nil {
		return &jobtree.Config{}, stat, ignore(err, zk.ErrNoNode)
	}
	config, err := jobtree.DecodeConfig(data)
	if err != nil {
		return &jobtree.Config{}, stat, nil
	}
	return config, stat, nil
}

// ensureFired makes the record nodes of items that have none.
func (j *Job) ensureFired(ctx context.Context, items []int) error {
	if err := j.ensure(ctx, j.firedRoot()); err != nil {
		return err
	}
	return each(ctx, len(items), func(ctx context.Context, i int) error {
		_, err := j.env.Client.Create(ctx, j.firedPath(items[i]), nil, zk.Persistent)
		if errors.Is(err, zk.ErrNodeExists) {
			return nil
		}
		return err
	})
}
